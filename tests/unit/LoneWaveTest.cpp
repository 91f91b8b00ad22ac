// How long a wave takes alone, and that no order makes it wait for what it did not wait for.

#include "AsmSnippet.h"

#include "Transform/AllocatingSchedule.h"
#include "Transform/LoneWave.h"
#include "Transform/Schedule.h"

#include <gtest/gtest.h>

namespace rdna::loneWaveTest {
namespace {

struct Body {
  std::unique_ptr<Module> module;
  Cfg cfg;
  Liveness liveness;
  MemoryFacts memory;
  RegionModel region;

  explicit Body(const std::string &code, uint32_t block = 0)
      : module(test::parseKernel(code)), cfg(buildCfg(*module, 0)),
        liveness(computeLiveness(*module, cfg)), memory(memoryFacts(*module, cfg, liveness)) {
    const auto left = buildRegion({*module, cfg, liveness, memory}, block, region);
    EXPECT_FALSE(left) << left->reason;
  }
  uint64_t clocks() const { return LoneWave(*module, region).asWritten().all; }
};

TEST(LoneWave, WaitsForResults) {
  // With the kernel's end.
  EXPECT_EQ(
      Body("\tv_mul_f32 v1, v0, v0\n\tv_mul_f32 v2, v0, v0\n\tv_mul_f32 v3, v0, v0\n").clocks(),
      4U);
  const uint64_t chain =
      Body("\tv_mul_f32 v1, v0, v0\n\tv_mul_f32 v2, v1, v1\n\tv_mul_f32 v3, v2, v2\n").clocks();
  EXPECT_EQ(chain, 12U); // Five clocks from one to the next.
  EXPECT_EQ(Body("\tv_exp_f32 v1, v0\n\tv_exp_f32 v2, v0\n").clocks(), 9U);
}

TEST(LoneWave, LoadsOneBehindTheOtherAreWaitedForOnce) {
  const std::string first = "\tglobal_load_b32 v4, v[0:1], off\n",
                    second = "\tglobal_load_b32 v5, v[2:3], off\n",
                    uses = "\tv_fmac_f32 v8, v4, v4\n", others = "\tv_fmac_f32 v9, v5, v5\n";
  const uint64_t together =
      Body(first + second + "\ts_waitcnt vmcnt(0)\n" + uses + others).clocks();
  const uint64_t apart =
      Body(first + "\ts_waitcnt vmcnt(0)\n" + uses + second + "\ts_waitcnt vmcnt(0)\n" + others)
          .clocks();
  EXPECT_LT(together, 340U);
  EXPECT_GT(apart, 640U);
}

/// Of a loop's body the trip counts, with what the one before has left in flight.
TEST(LoneWave, IterationsOverlap) {
  const Body body("\ts_mov_b32 s0, 8\n.Lloop:\n\tv_fmac_f32 v8, v4, v4\n"
                  "\tds_load_b32 v5, v0\n\tv_fmac_f32 v9, v6, v6\n\tv_fmac_f32 v10, v6, v6\n"
                  "\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v4, v5\n\ts_sub_u32 s0, s0, 1\n"
                  "\ts_cmp_lg_u32 s0, 0\n\ts_cbranch_scc1 .Lloop\n"
                  "\tglobal_store_b96 v[2:3], v[8:10], off\n",
                  1);
  EXPECT_TRUE(body.region.isLoopBody);
  EXPECT_GT(body.clocks(), 33U);
  EXPECT_LT(body.clocks(), 60U);
}

/// FMACs find partners as soon as their loads are issued, and would hold the other loads up.
TEST(LoneWave, LoadsComeUpWhileAPairWaits) {
  std::string code = "\tds_load_b32 v20, v0\n\tds_load_b32 v21, v0 offset:4\n"
                     "\tv_mul_f32 v10, v0, v0\n"
                     "\tds_load_b32 v22, v0 offset:8\n\tds_load_b32 v23, v0 offset:12\n"
                     "\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned i = 0; i < 4; ++i)
    code += fmt::format("\tv_fmac_f32 v{}, v{}, v{}\n", 30 + i, 20 + i / 2 * 2, 21 + i / 2 * 2);
  code += "\tglobal_store_b128 v[2:3], v[30:33], off\n\tglobal_store_b32 v[2:3], v10, off\n";
  const Body body(code);
  const LoneWave lone(*body.module, body.region);
  const Groups groups = groupsOf(body.region, *body.module, LoadWidth::Whole);
  const RegisterSpace space =
      registerSpace({*body.module, body.cfg, body.liveness, body.memory}, body.region, 64);
  const auto clocksOf = [&](const LoneWave *said) {
    AllocatingStyle style;
    style.lone = said;
    const auto found = scheduleAndAllocate(body.region, *body.module, groups, space, style,
                                           ScalarPairs(body.region));
    EXPECT_TRUE(found);
    return found ? lone.of(found->schedule.slots).all : 0;
  };
  EXPECT_LE(clocksOf(&lone), lone.asWritten().all + 1);
  EXPECT_GT(clocksOf(nullptr), lone.asWritten().all + 20);
}

} // namespace
} // namespace rdna::loneWaveTest
