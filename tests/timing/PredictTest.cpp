// Whole launches: what is observed of long waves, and what is made of it.

#include "Timing/Predict.h"

#include "Timing/Alcop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

namespace predictTest {

using namespace rdna;
using namespace rdna::timing;

namespace {

/// A loop of so many iterations over two dual FMACs that conflict, a load from LDS and a barrier.
/// The second workgroup along x makes `more` of them.
std::string loopOf(unsigned iterations, unsigned more = 0, std::string_view last = "s_barrier") {
  return fmt::format(R"(	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_mul_i32 s4, s2, {1}
	s_add_i32 s4, s4, {0}
	v_mov_b32_e32 v0, 0
.Lloop:
	ds_load_b128 v[40:43], v0
	v_dual_fmac_f32 v16, v4, v9 :: v_dual_fmac_f32 v17, v5, v8
	v_dual_fmac_f32 v18, v4, v9 :: v_dual_fmac_f32 v19, v5, v8
	s_waitcnt lgkmcnt(0)
	{2}
	s_sub_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_group_segment_fixed_size 4096
	.amdhsa_user_sgpr_count 2
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_system_sgpr_workgroup_id_x 1
	.amdhsa_wavefront_size32 1
	.amdhsa_workgroup_processor_mode 0
	.amdhsa_next_free_vgpr 64
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
)",
                     iterations, more, last);
}
constexpr unsigned iterationSteps = 8, otherSteps = 4;

class Launched {
public:
  explicit Launched(const std::string &text, unsigned groups = 96)
      : object_(llvm::cantFail(object::loadCodeObjectBytes(text, "k.s"))) {
    launch_.kernel = "k";
    launch_.grid = {groups, 1, 1};
    launch_.block = {64, 1, 1};
  }
  ObservedLaunch observed(const ObservedLaunch *like = nullptr) const {
    auto result = observe(object_, *llvm::cantFail(object_.kernel("k")), launch_,
                          llvm::cantFail(machineByName("7900xtx")), {}, {nullptr, like});
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    return result ? std::move(*result) : ObservedLaunch();
  }

private:
  object::CodeObject object_;
  run::ResolvedLaunch launch_;
};

Machine xtx() { return llvm::cantFail(machineByName("7900xtx")); }

TEST(Observe, WavesAreCountedBehindWhatIsKeptOfThem) {
  const ObservedLaunch observed = Launched(loopOf(20000)).observed();
  ASSERT_EQ(observed.recording.groups.size(), 1U);
  for (const WaveStream &wave : observed.recording.groups[0].waves) {
    EXPECT_EQ(wave.executed, 20000U * iterationSteps + otherSteps);
    EXPECT_EQ(wave.steps.size(), recordedSteps);
  }
}

/// Of a text that does the same as another one the other workgroups stop where their record does,
/// and the time is the same.
TEST(Observe, ALikeTextIsFollowedOnlyAsFarAsItIsKept) {
  for (const char *last : {"s_barrier", "s_nop 0"}) { // Without one, waves are not in step.
    const Launched launched(loopOf(20000, 0, last), 3 * 96);
    const ObservedLaunch whole = launched.observed(), part = launched.observed(&whole);
    ASSERT_EQ(whole.recording.groups.size(), 3U);
    ASSERT_EQ(part.recording.groups.size(), 3U);
    EXPECT_EQ(part.recording.groups[0].waves[1].executed, 20000U * iterationSteps + otherSteps);
    EXPECT_LT(part.recording.groups[1].waves[1].executed, 20000U * iterationSteps);
    for (const GroupStream &group : part.recording.groups)
      for (const WaveStream &wave : group.waves)
        EXPECT_EQ(wave.steps.size(), recordedSteps);
    PredictOptions options;
    options.interval = PredictOptions::Interval::No;
    EXPECT_EQ(predict(part, xtx(), options).milliseconds,
              predict(whole, xtx(), options).milliseconds);
  }
}

/// Where a later workgroup is the longest, all are counted again.
TEST(Observe, ALikeTextWhoseLaterWorkgroupIsTheLongestIsCountedWhole) {
  const Launched launched(loopOf(10000, 10), 3 * 96);
  const ObservedLaunch whole = launched.observed(), again = launched.observed(&whole);
  for (size_t group = 0; group < 3; ++group)
    EXPECT_EQ(again.recording.groups[group].waves[0].executed,
              whole.recording.groups[group].waves[0].executed);
}

TEST(Predict, SharesAddUpToTheTime) {
  const ObservedLaunch observed = Launched(loopOf(500), 100).observed();
  for (const WhatIf::Part part : {WhatIf::Part::Nothing, WhatIf::Part::LdsTime,
                                  WhatIf::Part::Barriers, WhatIf::Part::OneMoreWave}) {
    PredictOptions options;
    options.what = {part};
    const Prediction result = predict(observed, xtx(), options);
    EXPECT_NEAR(std::accumulate(result.limiters.begin(), result.limiters.end(), 0.0),
                result.milliseconds, 1e-9);
    EXPECT_LT(result.low, result.milliseconds);
    EXPECT_GT(result.high, result.milliseconds);
    // Four of 96 units have a workgroup more than the others.
    EXPECT_GT(result.limiters[static_cast<size_t>(Stall::Tail)], 0.4 * result.milliseconds);
  }
}

TEST(Predict, EachExperimentTakesAwayWhatItSays) {
  std::string text = loopOf(500);
  text.replace(text.find("4096"), 4, "65536"); // One workgroup at once, of three.
  const ObservedLaunch observed = Launched(text, 3 * 96).observed();
  const auto with = [&](WhatIf::Part part) {
    PredictOptions options;
    options.interval = PredictOptions::Interval::No;
    options.what = {part};
    return predict(observed, xtx(), options);
  };
  const Prediction all = with(WhatIf::Part::Nothing);
  const auto share = [](const Prediction &of, Stall stall) {
    return of.limiters[static_cast<size_t>(stall)];
  };
  EXPECT_EQ(share(with(WhatIf::Part::BankConflicts), Stall::BankConflicts), 0);
  EXPECT_GT(share(all, Stall::BankConflicts), 0);
  EXPECT_LT(with(WhatIf::Part::Barriers).milliseconds, all.milliseconds);
  EXPECT_LT(with(WhatIf::Part::OneMoreWave).milliseconds, 0.8 * all.milliseconds);
  EXPECT_LT(with(WhatIf::Part::Latency).milliseconds, 0.8 * all.milliseconds);
  // That takes away passes as well as latency.
  EXPECT_LT(with(WhatIf::Part::LdsTime).milliseconds,
            0.9 * with(WhatIf::Part::Latency).milliseconds);
}

TEST(Predict, InfiniteFetchHelpsCodeOfLargeInstructions) {
  const ObservedLaunch observed =
      Launched(loopOf(200, 0,
                      ".rept 256\n\tv_dual_fmamk_f32 v16, v4, 0x3f800001, v2 :: "
                      "v_dual_fmamk_f32 v17, v5, 0x3f800001, v3\n\t.endr"))
          .observed();
  PredictOptions options;
  options.interval = PredictOptions::Interval::No;
  const double all = predict(observed, xtx(), options).milliseconds;
  options.what = {WhatIf::Part::Fetch};
  EXPECT_LT(predict(observed, xtx(), options).milliseconds, 0.96 * all);
}

/// A third of a long wave stands for all of it.
TEST(Predict, LongWavesGoOnAsTheyBegan) {
  const double once = predict(Launched(loopOf(4000)).observed(), xtx(), {}).milliseconds;
  const double ten = predict(Launched(loopOf(40000)).observed(), xtx(), {}).milliseconds;
  const double launch = xtx()[Constant::LaunchMicroseconds] * 1e-3;
  EXPECT_NEAR((ten - launch) / (once - launch), 10, 0.1);
}

} // namespace

} // namespace predictTest
