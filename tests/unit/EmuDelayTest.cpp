//===- EmuDelayTest.cpp - delayed memory operations, interleaved waves ---===//
//
// Each rule of what may be late has a program that is right under every order that the rule allows
// and one that is not; the second one must be seen to go wrong.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include <set>
#include <span>

namespace emuDelayTest {

using namespace rdna;
using namespace rdna::test;

namespace {

constexpr unsigned seeds = 200;

/// Two waves of a workgroup, number in s20. v255 is 4 * lane, v253 is 0, v10 and v11 are 7 and 1;
/// s[4:5] is the result (v1 of wave 1 ends there), s[6:7] is memory full of zeros, s[8:9] holds
/// 100, 101, ... LDS is cleared; everything but the kernel's own instructions has been waited for.
struct TwoWaves {
  std::string first, second; ///< What wave 0 and wave 1 do.
  std::string directives = cuMode;
  unsigned groups = 1;

  inline static const std::string cuMode = "\t.amdhsa_workgroup_processor_mode 0\n";
  inline static const std::string wgpMode = "\t.amdhsa_workgroup_processor_mode 1\n";
};

using Result = std::vector<uint32_t>;

emu::KernelImage imageOf(const TwoWaves &test) {
  return kernelImage("\ts_load_b128 s[4:7], s[0:1], 0x0\n\ts_load_b64 s[8:9], s[0:1], 0x10\n"
                     "\tv_and_b32 v255, 31, v0\n\tv_lshlrev_b32 v255, 2, v255\n"
                     "\tv_lshrrev_b32 v254, 5, v0\n\tv_readfirstlane_b32 s20, v254\n"
                     "\tv_mov_b32 v253, 0\n\tv_mov_b32 v10, 7\n\tv_mov_b32 v11, 1\n"
                     "\tv_mov_b32 v1, 0\n\tv_lshlrev_b32 v252, 2, v0\n"
                     "\tds_store_b32 v252, v253\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n"
                     "\ts_cmp_lg_u32 s20, 0\n\ts_cbranch_scc1 second\n" +
                         test.first + "\ts_endpgm\nsecond:\n" + test.second +
                         "\tglobal_store_b32 v255, v1, s[4:5]\n\ts_endpgm\n",
                     "\t.amdhsa_group_segment_fixed_size 256\n"
                     "\t.amdhsa_system_sgpr_workgroup_id_x 1\n" +
                         test.directives);
}

Result runOne(const emu::Program &program, std::optional<uint64_t> seed, unsigned groups,
              unsigned threads) {
  Result out(32), memory(1024), given(64);
  for (uint32_t k = 0; k < given.size(); ++k)
    given[k] = 100 + k;
  const uint64_t arguments[] = {reinterpret_cast<uint64_t>(out.data()),
                                reinterpret_cast<uint64_t>(memory.data()),
                                reinterpret_cast<uint64_t>(given.data())};
  emu::Launch launch;
  launch.grid = {groups, 1, 1};
  launch.block = {64, 1, 1};
  launch.kernarg = std::as_bytes(std::span(arguments));
  launch.instructionBudget = 10'000'000;
  launch.engine = emu::Engine::Interpreter;
  launch.delaySeed = seed;
  launch.threads = threads;
  const auto region = [&](const char *name, Result &words) {
    launch.regions.push_back({name, reinterpret_cast<std::byte *>(words.data()), words.size() * 4});
  };
  region("out", out);
  region("memory", memory);
  region("given", given);
  auto run = program.run(launch);
  if (!run) {
    ADD_FAILURE() << llvm::toString(run.takeError());
    return {};
  }
  out.insert(out.end(), memory.begin(), memory.end());
  return out;
}

std::unique_ptr<emu::Program> programOf(const TwoWaves &test) {
  auto program = emu::Program::create(imageOf(test));
  if (program)
    return std::move(*program);
  ADD_FAILURE() << llvm::toString(program.takeError());
  return nullptr;
}

/// Seeds under which the result is not `value` in every lane.
unsigned wrongSeeds(const TwoWaves &test, const std::function<uint32_t(uint32_t)> &value) {
  const auto program = programOf(test);
  const Row row = byLane(value);
  unsigned wrong = 0;
  for (uint64_t seed = 1; program && seed <= seeds; ++seed) {
    Result result = runOne(*program, seed, test.groups, 1);
    if (result.empty())
      return ~0u;
    wrong += std::equal(row.begin(), row.end(), result.begin()) ? 0 : 1;
  }
  return wrong;
}
unsigned wrongSeeds(const TwoWaves &test, uint32_t value) {
  return wrongSeeds(test, [&](uint32_t) { return value; });
}

std::string without(std::string text, const std::string &line) {
  const size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.erase(at, line.size());
}

/// Right as it is, wrong without a line of one of its waves.
void expectNeeded(const TwoWaves &test, std::string TwoWaves::*wave, const std::string &line,
                  const std::function<uint32_t(uint32_t)> &value) {
  EXPECT_EQ(wrongSeeds(test, value), 0u);
  TwoWaves bad = test;
  bad.*wave = without(bad.*wave, line);
  EXPECT_GT(wrongSeeds(bad, value), 0u) << "without " << line;
}
void expectNeeded(const TwoWaves &test, std::string TwoWaves::*wave, const std::string &line,
                  uint32_t value) {
  expectNeeded(test, wave, line, [&](uint32_t) { return value; });
}

const std::string waitVm = "\ts_waitcnt vmcnt(0)\n", waitLgkm = "\ts_waitcnt lgkmcnt(0)\n",
                  waitVs = "\ts_waitcnt_vscnt null, 0x0\n";

uint32_t given(uint32_t lane) { return 100 + lane; }

} // namespace

// A register holds its old value until the load returns.

TEST(EmuDelay, GlobalLoadReturnsLate) {
  expectNeeded({"", "\tglobal_load_b32 v1, v255, s[8:9]\n" + waitVm + "\tv_mov_b32 v1, v1\n"},
               &TwoWaves::second, waitVm, given);
}

TEST(EmuDelay, LdsLoadReturnsLate) {
  expectNeeded({"", "\tds_store_b32 v255, v10\n\tds_load_b32 v1, v255\n" + waitLgkm +
                        "\tv_mov_b32 v1, v1\n"},
               &TwoWaves::second, waitLgkm, 7);
}

TEST(EmuDelay, ScalarLoadReturnsLate) {
  expectNeeded({"", "\ts_mov_b32 s30, 0\n\ts_load_b32 s30, s[8:9], 0x4\n" + waitLgkm +
                        "\tv_mov_b32 v1, s30\n"},
               &TwoWaves::second, waitLgkm, 101);
}

TEST(EmuDelay, LanePermuteReturnsLate) {
  expectNeeded({"", "\tds_bpermute_b32 v1, v253, v10\n" + waitLgkm + "\tv_mov_b32 v1, v1\n"},
               &TwoWaves::second, waitLgkm, 7);
}

TEST(EmuDelay, AtomicReturnsLate) {
  expectNeeded({"", "\tv_mov_b32 v1, 5\n\tglobal_atomic_or_b32 v1, v255, v10, s[6:7] glc\n" +
                        waitVm + "\tv_mov_b32 v1, v1\n"},
               &TwoWaves::second, waitVm, 0);
}

TEST(EmuDelay, FlatNeedsBothCounters) {
  const std::string load = "\tv_add_co_u32 v2, vcc_lo, s8, v255\n"
                           "\tv_mov_b32 v3, s9\n\tv_add_co_ci_u32 v3, vcc_lo, 0, v3, vcc_lo\n"
                           "\tflat_load_b32 v1, v[2:3]\n";
  const TwoWaves test{"", load + waitVm + waitLgkm + "\tv_mov_b32 v1, v1\n"};
  expectNeeded(test, &TwoWaves::second, waitVm, given);
  expectNeeded(test, &TwoWaves::second, waitLgkm, given);
}

TEST(EmuDelay, CountedWaitCoversTheOlderLoads) {
  const std::string loads = "\tglobal_load_b32 v1, v255, s[8:9]\n"
                            "\tglobal_load_b32 v2, v255, s[8:9] offset:128\n";
  const auto counted = [&](int n) {
    return TwoWaves{"",
                    loads + "\ts_waitcnt vmcnt(" + std::to_string(n) + ")\n\tv_mov_b32 v1, v1\n"};
  };
  EXPECT_EQ(wrongSeeds(counted(1), given), 0u);
  EXPECT_GT(wrongSeeds(counted(2), given), 0u);
}

TEST(EmuDelay, ScalarLoadsReturnInAnyOrder) {
  const std::string loads = "\ts_mov_b32 s30, 0\n\ts_mov_b32 s31, 0\n"
                            "\ts_load_b32 s30, s[8:9], 0x4\n\ts_load_b32 s31, s[8:9], 0x8\n";
  EXPECT_EQ(wrongSeeds({"", loads + waitLgkm + "\tv_mov_b32 v1, s30\n"}, 101), 0u);
  EXPECT_GT(wrongSeeds({"", loads + "\ts_waitcnt lgkmcnt(1)\n\tv_mov_b32 v1, s30\n"}, 101), 0u);
  // One of the two has come back.
  EXPECT_EQ(wrongSeeds({"", loads + "\ts_waitcnt lgkmcnt(1)\n\ts_min_u32 s32, s30, s31\n"
                                    "\ts_max_u32 s33, s30, s31\n\ts_cmp_lg_u32 s33, 0\n"
                                    "\ts_cselect_b32 s34, 1, 0\n\tv_mov_b32 v1, s34\n"},
                       1),
            0u);
}

TEST(EmuDelay, HalfLoadKeepsTheOtherHalf) {
  // Both return in order into one register, and what is written in between stays.
  expectNeeded({"", "\tv_mov_b32 v1, 0\n\tglobal_load_d16_b16 v1, v253, s[8:9]\n"
                    "\tglobal_load_d16_hi_b16 v1, v253, s[8:9] offset:4\n" +
                        waitVm + "\tv_mov_b32 v1, v1\n"},
               &TwoWaves::second, waitVm, 100 | 101 << 16);
}

TEST(EmuDelay, InactiveLanesKeepWhatTheyHave) {
  EXPECT_EQ(wrongSeeds({"", "\ts_mov_b32 exec_lo, 0xffff\n\tglobal_load_b32 v1, v255, s[8:9]\n"
                            "\ts_mov_b32 exec_lo, -1\n" +
                                waitVm},
                       [](uint32_t lane) { return lane < 16 ? 100 + lane : 0; }),
            0u);
}

// Operands are read at issue.

TEST(EmuDelay, StoreTakesItsOperandsAtIssue) {
  EXPECT_EQ(wrongSeeds({"", "\tv_mov_b32 v2, 3\n\tv_mov_b32 v3, v255\n"
                            "\tglobal_store_b32 v3, v2, s[6:7]\n\tds_store_b32 v3, v2\n"
                            "\tv_mov_b32 v2, 4\n\tv_mov_b32 v3, 0\n\ts_mov_b32 exec_lo, 0\n"
                            "\ts_mov_b32 exec_lo, -1\n" +
                                waitVs + waitLgkm +
                                "\tglobal_load_b32 v4, v255, s[6:7]\n\tds_load_b32 v5, v255\n" +
                                waitVm + waitLgkm + "\tv_add_nc_u32 v1, v4, v5\n"},
                       6),
            0u);
}

// Order among the operations of one wave.

TEST(EmuDelay, LdsOperationsKeepTheirOrder) {
  EXPECT_EQ(wrongSeeds({"", "\tds_store_b32 v255, v10\n\tds_load_b32 v1, v255\n"
                            "\tds_store_b32 v255, v11\n" +
                                waitLgkm},
                       7),
            0u);
}

TEST(EmuDelay, SameAddressKeepsItsOrder) {
  for (const std::string &mode : {TwoWaves::cuMode, TwoWaves::wgpMode})
    EXPECT_EQ(
        wrongSeeds({"",
                    "\tglobal_store_b32 v255, v10, s[6:7]\n\tglobal_load_u16 v1, v255, s[6:7]\n"
                    "\tglobal_store_b8 v255, v11, s[6:7]\n" +
                        waitVm,
                    mode},
                   7),
        0u);
}

/// Wave 0 gives data to wave 1, which waits for a flag.
TwoWaves handOver(const std::string &give, const std::string &poll, const std::string &take,
                  const std::string &mode = TwoWaves::cuMode) {
  return {give,
          "poll:\n" + poll +
              "\tv_readfirstlane_b32 s30, v2\n\ts_cmp_eq_u32 s30, 0\n"
              "\ts_cbranch_scc1 poll\n" +
              take,
          mode};
}

const std::string giveInLds = "\tds_store_b32 v255, v10\n" + waitLgkm +
                              "\tglobal_store_b32 v253, v11, s[6:7]\n",
                  pollMemory = "\tglobal_load_b32 v2, v253, s[6:7]\n" + waitVm,
                  takeFromLds = "\tds_load_b32 v1, v255\n" + waitLgkm;

TEST(EmuDelay, ReleaseOfLdsByMemoryNeedsItsWait) {
  expectNeeded(handOver(giveInLds, pollMemory, takeFromLds), &TwoWaves::first, waitLgkm, 7);
}

const std::string giveInMemory = "\tglobal_store_b32 v255, v10, s[6:7] offset:256\n" + waitVs +
                                 "\tds_store_b32 v253, v11\n",
                  takeFromMemory = "\tglobal_load_b32 v1, v255, s[6:7] offset:256\n" + waitVm;

TEST(EmuDelay, ReleaseOfMemoryByLdsNeedsItsWait) {
  expectNeeded(handOver(giveInMemory, "\tds_load_b32 v2, v253\n" + waitLgkm, takeFromMemory),
               &TwoWaves::first, waitVs, 7);
}

TEST(EmuDelay, AcquireNeedsItsWait) {
  // The loop looks at flag and data in each iteration, as an unrolled consumer does.
  const std::string wait = "\ts_waitcnt lgkmcnt(0) ; acquire\n";
  const auto consumer = [&](const std::string &flag, const std::string &data,
                            const std::string &lastWaits) {
    return handOver(giveInMemory, flag + wait + data + lastWaits, "");
  };
  const std::string flag = "\tds_load_b32 v2, v253\n",
                    data = "\tglobal_load_b32 v1, v255, s[6:7] offset:256\n";
  expectNeeded(consumer(flag, data, "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"), &TwoWaves::second, wait,
               7);
  EXPECT_GT(wrongSeeds(consumer(data, flag, waitVm), 7), 0u);
}

TEST(EmuDelay, PolledScalarLoadNeedsItsWait) {
  const std::string wait = "\ts_waitcnt lgkmcnt(0) ; acquire\n";
  const std::string give = "\tglobal_store_b32 v255, v10, s[6:7] offset:256\n" + waitVs +
                           "\tglobal_store_b32 v253, v11, s[6:7]\n";
  expectNeeded(handOver(give,
                        "\ts_load_b32 s31, s[6:7], 0x0 glc\n" + wait +
                            "\tglobal_load_b32 v1, v255, s[6:7] offset:256\n"
                            "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\tv_mov_b32 v2, s31\n",
                        ""),
               &TwoWaves::second, wait, 7);
}

TEST(EmuDelay, MemoryKeepsItsOrderInCuModeOnly) {
  const std::string give = "\tglobal_store_b32 v255, v10, s[6:7] offset:256\n"
                           "\tglobal_store_b32 v253, v11, s[6:7]\n";
  const std::string poll = "\tglobal_load_b32 v2, v253, s[6:7]\n"
                           "\tglobal_load_b32 v1, v255, s[6:7] offset:256\n" +
                           waitVm;
  EXPECT_EQ(wrongSeeds(handOver(give, poll, "", TwoWaves::cuMode), 7), 0u);
  EXPECT_GT(wrongSeeds(handOver(give, poll, "", TwoWaves::wgpMode), 7), 0u);
  EXPECT_GT(wrongSeeds(handOver(give, pollMemory, takeFromMemory, TwoWaves::wgpMode), 7), 0u);
}

TEST(EmuDelay, FlatInMemoryHasNoOrderAgainstLds) {
  const std::string flag = "\tv_mov_b32 v2, s6\n\tv_mov_b32 v3, s7\n\tflat_store_b32 v[2:3], v11\n";
  expectNeeded(handOver("\tds_store_b32 v255, v10\n" + waitLgkm + flag, pollMemory, takeFromLds),
               &TwoWaves::first, waitLgkm, 7);
}

TEST(EmuDelay, FlatInLdsHasTheOrderOfLds) {
  const std::string flag = "\ts_mov_b64 s[30:31], src_shared_base\n\tv_mov_b32 v2, 0\n"
                           "\tv_mov_b32 v3, s31\n\tflat_store_b32 v[2:3], v11\n";
  EXPECT_EQ(wrongSeeds(handOver("\tds_store_b32 v255, v10 offset:128\n" + flag,
                                "\tds_load_b32 v2, v253\n" + waitLgkm,
                                "\tds_load_b32 v1, v255 offset:128\n" + waitLgkm),
                       7),
            0u);
}

// Barriers, ends, calls.

TEST(EmuDelay, BarrierWaitsForNoMemory) {
  expectNeeded({"\tds_store_b32 v255, v10\n" + waitLgkm + "\ts_barrier\n",
                "\ts_barrier\n\tds_load_b32 v1, v255\n" + waitLgkm},
               &TwoWaves::first, waitLgkm, 7);
}

TEST(EmuDelay, BarrierIsOneForAllWaves) {
  expectNeeded({"\tds_store_b32 v255, v10\n" + waitLgkm + "\ts_barrier\n",
                "\ts_barrier ; mine\n\tds_load_b32 v1, v255\n" + waitLgkm},
               &TwoWaves::second, "\ts_barrier ; mine\n", 7);
}

TEST(EmuDelay, CalleeInheritsWhatIsInFlight) {
  const auto callee = [](const std::string &wait) {
    return "\tglobal_load_b32 v1, v255, s[8:9]\n\ts_call_b64 s[30:31], callee\n"
           "\ts_branch done\ncallee:\n" +
           wait + "\tv_mov_b32 v1, v1\n\ts_setpc_b64 s[30:31]\ndone:\n";
  };
  EXPECT_EQ(wrongSeeds({"", callee(waitVm)}, given), 0u);
  EXPECT_GT(wrongSeeds({"", callee("")}, given), 0u);
}

TEST(EmuDelay, EndWaitsForNothing) {
  expectNeeded(handOver(giveInLds, pollMemory, takeFromLds), &TwoWaves::first, waitLgkm, 7);
  // But nothing gets lost: nobody waits for the stores of wave 0 but the loop of wave 1.
  const std::string give = "\tds_store_b32 v253, v10\n\tglobal_store_b32 v253, v11, s[6:7]\n";
  EXPECT_EQ(wrongSeeds(handOver(give,
                                pollMemory + "\tds_load_b32 v3, v253\n" + waitLgkm +
                                    "\tv_and_b32 v2, v2, v3\n",
                                "\tv_mov_b32 v1, v3\n"),
                       7),
            0u);
}

TEST(EmuDelay, PollingBeforeTheEndMakesProgress) {
  // Wave 0 never waits for its store, and goes on until wave 1 has answered.
  const std::string give = "\tglobal_store_b32 v253, v11, s[6:7]\nspin:\n\tds_load_b32 v2, v253\n" +
                           waitLgkm +
                           "\tv_readfirstlane_b32 s30, v2\n\ts_cmp_eq_u32 s30, 0\n"
                           "\ts_cbranch_scc1 spin\n";
  for (const std::string &mode : {TwoWaves::cuMode, TwoWaves::wgpMode})
    EXPECT_EQ(
        wrongSeeds(
            handOver(give, pollMemory, "\tds_store_b32 v253, v11\n\tv_mov_b32 v1, 7\n", mode), 7),
        0u);
}

TEST(EmuDelay, WorkgroupsRunAtTheSameTime) {
  // The first wave of group 0 waits for group 1.
  const TwoWaves test{"\ts_cmp_eq_u32 s2, 0\n\ts_cbranch_scc0 tell\nspin:\n" + pollMemory +
                          "\tv_readfirstlane_b32 s30, v2\n\ts_cmp_eq_u32 s30, 0\n"
                          "\ts_cbranch_scc1 spin\n\ts_endpgm\ntell:\n"
                          "\tglobal_store_b32 v253, v11, s[6:7]\n",
                      "\tv_mov_b32 v1, 7\n", TwoWaves::cuMode, 2};
  EXPECT_EQ(wrongSeeds(test, 7), 0u);
}

TEST(EmuDelay, ASeedIsARun) {
  // Which wave comes last is decided by the seed, not by the number of host threads.
  const TwoWaves test{"\tglobal_store_b32 v255, v10, s[6:7]\n",
                      "\tglobal_store_b32 v255, v11, s[6:7]\n", TwoWaves::cuMode, 9};
  const auto program = programOf(test);
  ASSERT_TRUE(program);
  std::set<Result> results;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Result once = runOne(*program, seed, test.groups, 1);
    EXPECT_EQ(once, runOne(*program, seed, test.groups, 4)) << seed;
    results.insert(once);
  }
  EXPECT_GT(results.size(), 1u);
}

} // namespace emuDelayTest
