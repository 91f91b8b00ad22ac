// So many iterations at a time: what the guard asks, what becomes of counters and addresses, and
// that the proof agrees.

#include "VerifySample.h"

#include "Transform/Descriptor.h"
#include "Transform/Unroll.h"

namespace rdna::unrollGuardTest {
namespace {

struct Unrolled {
  std::string text;       ///< Of the whole file; empty if the loop was left.
  std::string reason;     ///< Why it was left.
  std::string guard;      ///< The lines up to its branch.
  std::string iterations; ///< From there to the jump over what is left.
};

/// Unrolls the innermost loop of a kernel `k`; a rewrite must be provable.
Unrolled unroll(std::string_view body, unsigned factor) {
  const auto module = test::parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  UnrollOptions options;
  options.factor = factor;
  options.findFaults = checkStructure;
  for (const Loop &loop : cfg.loops) {
    if (!loop.isInnermost())
      continue;
    UnrollOutcome outcome = unrollLoop(*module, cfg, loop, options);
    if (!outcome.rewrite)
      return {{}, outcome.reason, {}, {}};
    Unrolled result;
    Correspondence claim;
    claim.function = "k";
    const uint32_t first = cfg.blocks[loop.header].first;
    claim.points[first] = outcome.rewrite->extent == UnrollRewrite::Extent::Full
                              ? Point{.arrivals = Point::kNone}
                              : Point{.arrivals = factor, .ownBranches = 1};
    raiseSgprCount(*module, module->functions()[0], outcome.rewrite->sgprs, outcome.rewrite->edits);
    result.text = applyEdits(*module, outcome.rewrite->edits);
    const auto after = test::parseText(result.text);
    EXPECT_EQ(test::refusal(*module, *after, {claim}), "") << result.text;
    const size_t from = result.text.find(loop.label + ":\n") + loop.label.size() + 2;
    const size_t branch = result.text.find("\ts_cbranch_scc0 .Lrdnakit_k_rest", from);
    if (branch == std::string::npos)
      return result;
    const size_t iterations = result.text.find('\n', branch) + 1;
    result.guard = result.text.substr(from, branch - from);
    result.iterations =
        result.text.substr(iterations, result.text.find("\ts_branch ", iterations) - iterations);
    return result;
  }
  ADD_FAILURE() << "no loop";
  return {};
}

std::string loopOf(std::string_view step, std::string_view compare,
                   std::string_view inside = "\tv_add_f32 v1, v1, v2\n",
                   std::string_view branch = "s_cbranch_scc1",
                   std::string_view behind = "\tglobal_store_b32 v[8:9], v1, off\n") {
  return fmt::format(".Lloop:\n{}\t{}\n\t{}\n\t{} .Lloop\n{}", inside, step, compare, branch,
                     behind);
}

std::string guardOf(std::string_view step, std::string_view compare,
                    std::string_view branch = "s_cbranch_scc1") {
  const Unrolled result = unroll(loopOf(step, compare, "\tv_add_f32 v1, v1, v2\n", branch), 4);
  return result.text.empty() ? result.reason : result.guard;
}

TEST(UnrollGuard, AsksForWhatIsLeft) {
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0"), "\ts_cmp_ge_u32 s4, 4\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, -1", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc0"),
            "\ts_cmp_ge_u32 s4, 4\n");
  EXPECT_EQ(guardOf("s_sub_u32 s4, s4, 2", "s_cmp_lg_u32 s4, 0"), "\ts_cmp_ge_u32 s4, 7\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s5, s4"),
            "\ts_sub_u32 s0, s5, s4\n\ts_cmp_ge_u32 s0, 4\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s5, s4"),
            "\ts_sub_u32 s0, s4, s5\n\ts_cmp_ge_u32 s0, 4\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 0"),
            "\ts_sub_u32 s0, 0, s4\n\ts_cmp_ge_u32 s0, 4\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, 8", "s_cmp_lt_u32 s4, s5"),
            "\ts_sub_u32 s0, s5, 24\n\ts_cselect_b32 s0, 0, s0\n\ts_cmp_lt_u32 s4, s0\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, 8", "s_cmp_ge_i32 s4, s5", "s_cbranch_scc0"),
            "\ts_sub_i32 s0, s5, 24\n\ts_cselect_b32 s0, 0x80000000, s0\n"
            "\ts_cmp_lt_i32 s4, s0\n");
  EXPECT_EQ(guardOf("s_addk_i32 s4, 16", "s_cmpk_lt_u32 s4, 0x1000"), "\ts_cmp_lt_u32 s4, 0xfd0\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, -2", "s_cmp_gt_u32 s4, 3"), "\ts_cmp_ge_u32 s4, 10\n");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, -2", "s_cmp_gt_i32 s4, -9"), "\ts_cmp_ge_i32 s4, -2\n");
}

/// The test stands in front of the step: what it sees in the next iteration is one step on.
TEST(UnrollGuard, TestsOfTheOldCounter) {
  const auto guard = [](std::string_view compare, std::string_view step) {
    const Unrolled result = unroll(loopOf(compare, step), 4);
    return result.text.empty() ? result.reason : result.guard;
  };
  EXPECT_EQ(guard("s_cmp_lg_u32 s4, 0", "s_mul_i32 s4, s4, 1"),
            "its counter does not move by a constant");
  const Unrolled result =
      unroll(".Lloop:\n\tv_add_f32 v1, v1, v2\n\ts_mov_b32 s6, s4\n\ts_add_i32 s4, s4, -1\n"
             "\ts_cmp_lg_u32 s6, 0\n\ts_cbranch_scc1 .Lloop\n",
             4);
  EXPECT_EQ(result.guard, "\ts_cmp_ge_u32 s4, 3\n") << result.reason;
}

TEST(UnrollGuard, LeavesWhatItCannotLookAheadAt) {
  const std::string condition = "its condition is not one of those that can be looked ahead at";
  EXPECT_EQ(guardOf("s_lshr_b32 s4, s4, 1", "s_cmp_lg_u32 s4, 0"),
            "its counter does not move by a constant");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, s6", "s_cmp_lg_u32 s4, 0"),
            "its counter does not move by a constant");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, -1", "s_cmp_lt_u32 s4, s5"),
            "its counter does not move by a constant to a bound that stays");
  EXPECT_EQ(guardOf("s_add_i32 s5, s5, 1", "s_cmp_lt_u32 s4, s5"),
            "its counter does not move by a constant to a bound that stays");
  EXPECT_EQ(guardOf("s_add_u32 s4, s4, -1", "s_cmp_lg_u64 s[4:5], 0"), condition);
  EXPECT_EQ(
      guardOf("s_add_i32 s4, s4, -1", "v_cmp_ne_u32 vcc_lo, s4, v2\n\ts_cmp_lg_u32 vcc_lo, 0"),
      "its counter does not move by a constant");
  // SCC is used across the loop's head.
  EXPECT_EQ(unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0",
                          "\ts_cselect_b32 s6, 1, 2\n\tv_add_f32 v1, s6, v1\n"),
                   4)
                .reason,
            "the loop reads SCC from before it");
  EXPECT_EQ(guardOf("s_add_i32 s4, s4, 8", "s_cmp_lt_u32 s4, 9"), "it never makes 4 iterations");
}

TEST(UnrollGuard, CountersStepOnce) {
  const Unrolled result = unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0"), 4);
  EXPECT_EQ(result.iterations, "\tv_add_f32 v1, v1, v2\n\tv_add_f32 v1, v1, v2\n"
                               "\tv_add_f32 v1, v1, v2\n\tv_add_f32 v1, v1, v2\n"
                               "\ts_add_i32 s4, s4, -4\n\ts_cmp_lg_u32 s4, 0\n"
                               "\ts_cbranch_scc1 .Lloop\n");
  // What is left over is the loop as it was.
  EXPECT_NE(result.text.find(".Lrdnakit_k_rest0:\n\tv_add_f32 v1, v1, v2\n\ts_add_i32 s4, s4, -1\n"
                             "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .Lloop\n"
                             ".Lrdnakit_k_done0:\n"),
            std::string::npos);
  // A counter that is read has its value there.
  const Unrolled used =
      unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0", "\tv_mul_f32 v1, s4, v1\n"), 2);
  EXPECT_EQ(used.iterations, "\tv_mul_f32 v1, s4, v1\n\ts_add_i32 s4, s4, -1\n"
                             "\tv_mul_f32 v1, s4, v1\n\ts_add_i32 s4, s4, -1\n"
                             "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .Lloop\n");
}

TEST(UnrollGuard, PointersStepOnceAndOffsetsTakeTheRest) {
  const std::string step = "s_add_i32 s4, s4, -1\n\ts_add_u32 s6, s6, 16\n\ts_addc_u32 s7, s7, 0";
  const std::string load = "\tglobal_load_b32 v3, v0, s[6:7] offset:8\n\ts_waitcnt vmcnt(0)\n"
                           "\tv_add_f32 v1, v1, v3\n";
  const Unrolled result = unroll(loopOf(step, "s_cmp_lg_u32 s4, 0", load), 3);
  EXPECT_NE(result.iterations.find("global_load_b32 v3, v0, s[6:7] offset:8\n"), std::string::npos);
  EXPECT_NE(result.iterations.find("global_load_b32 v3, v0, s[6:7] offset:24\n"),
            std::string::npos);
  EXPECT_NE(result.iterations.find("global_load_b32 v3, v0, s[6:7] offset:40\n"),
            std::string::npos);
  EXPECT_NE(result.iterations.find("\ts_add_u32 s6, s6, 48\n\ts_addc_u32 s7, s7, 0\n"),
            std::string::npos)
      << result.iterations;
  EXPECT_EQ(result.iterations.find("s_add_u32"), result.iterations.rfind("s_add_u32"));
  // Backwards: 13 bits, with a sign.
  const std::string back =
      "s_add_i32 s4, s4, -1\n\ts_add_u32 s6, s6, 0xfffff800\n\ts_addc_u32 s7, s7, -1";
  const Unrolled down = unroll(loopOf(back, "s_cmp_lg_u32 s4, 0", load), 4);
  EXPECT_NE(down.iterations.find("s[6:7] offset:-2040\n"), std::string::npos) << down.iterations;
  EXPECT_NE(down.iterations.find("s[6:7] offset:-4088\n"), std::string::npos);
  // No room: the addition is made, and counting starts anew.
  EXPECT_NE(down.iterations.find("\ts_add_u32 s6, s6, 0xffffe800\n\ts_addc_u32 s7, s7, -1\n"
                                 "\tglobal_load_b32 v3, v0, s[6:7] offset:8\n"),
            std::string::npos)
      << down.iterations;
}

TEST(UnrollGuard, ScalarLoadsTakeTheRestToo) {
  const std::string step = "s_add_i32 s4, s4, -1\n\ts_add_u32 s6, s6, 16\n\ts_addc_u32 s7, s7, 0";
  const auto iterations = [&](std::string_view load) {
    return unroll(
               loopOf(step, "s_cmp_lg_u32 s4, 0",
                      fmt::format("\t{}\n\ts_waitcnt lgkmcnt(0)\n\tv_add_f32 v1, s10, v1\n", load)),
               3)
        .iterations;
  };
  const std::string plain = iterations("s_load_b64 s[10:11], s[6:7], 0x8");
  EXPECT_NE(plain.find("\ts_load_b64 s[10:11], s[6:7], 0x18\n"), std::string::npos) << plain;
  EXPECT_NE(plain.find("\ts_load_b64 s[10:11], s[6:7], 0x28\n"), std::string::npos) << plain;
  // Offsets in registers, cache bits and negative sums: the pointer steps in front of them.
  for (const char *load : {"s_load_b32 s10, s[6:7], s12", "s_load_b32 s10, s[6:7], s12 offset:0x8",
                           "s_load_b32 s10, s[6:7], 0x8 glc", "s_load_b32 s10, s[6:7], -0x20"}) {
    const std::string text = iterations(load);
    EXPECT_NE(text.find("s_add_u32"), text.rfind("s_add_u32")) << text;
  }
}

TEST(UnrollGuard, PointersThatOthersReadAreThere) {
  // A scalar load reads the pointer; half of a pair is written by itself; SCC is in use.
  const std::string step = "s_add_i32 s4, s4, -1\n\ts_add_u32 s6, s6, 16\n\ts_addc_u32 s7, s7, 0";
  const auto iterations = [&](std::string_view inside, std::string_view more = "") {
    const Unrolled result =
        unroll(loopOf(step + std::string(more), "s_cmp_lg_u32 s4, 0", inside), 2);
    EXPECT_NE(result.text, "") << result.reason;
    return result.iterations;
  };
  iterations("\ts_load_b32 s10, s[6:7], 0x0\n\ts_waitcnt lgkmcnt(0)\n\tv_add_f32 v1, s10, v1\n");
  iterations("\tv_mov_b32 v3, s7\n\tv_add_f32 v1, v1, v3\n");
  iterations("\tglobal_load_b32 v3, v0, s[6:7]\n\ts_waitcnt vmcnt(0)\n\tv_add_f32 v1, v1, v3\n",
             "\n\ts_mov_b32 s7, s8");
  iterations("\ts_cmp_lt_u32 s8, s9\n\tv_mov_b32 v3, s6\n\ts_cselect_b32 s10, 1, 2\n"
             "\tv_add_f32 v1, s10, v3\n");
  // The upper half is not the carry's.
  iterations("\tv_mov_b32 v3, s7\n\tv_add_f32 v1, v1, v3\n", "\n\ts_add_u32 s12, s12, 16");
}

TEST(UnrollGuard, PairsOfWhichOneHalfIsNotDue) {
  // The first of the pairs is none, because SCC is another's in between. What it adds to the low
  // half is due when the second pair begins.
  const Unrolled result = unroll(
      loopOf("s_add_u32 s6, s6, 4\n\ts_add_i32 s4, s4, -1\n\ts_addc_u32 s7, s7, 0\n"
             "\ts_add_u32 s6, s6, 0x80\n\ts_addc_u32 s7, s7, 0",
             "s_cmp_lg_u32 s4, 0",
             "\tglobal_load_b32 v3, v0, s[6:7]\n\ts_waitcnt vmcnt(0)\n\tv_add_f32 v1, v1, v3\n"),
      4);
  EXPECT_NE(result.text, "") << result.reason;
}

TEST(UnrollGuard, NothingComesBetweenTheMembersOfAClause) {
  // v4 is v3 and a constant, until the first load overwrites v3.
  const Unrolled result =
      unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0",
                    "\tv_add_nc_u32 v4, 16, v3\n\ts_clause 0x1\n\tglobal_load_b32 v5, v0, s[6:7]\n"
                    "\tglobal_load_b32 v3, v0, s[6:7] offset:8\n\ts_waitcnt vmcnt(0)\n"
                    "\tv_add_nc_u32 v1, v4, v5\n"),
             2);
  EXPECT_NE(result.iterations.find("v_add_nc_u32_e32 v4, 16, v3\n\ts_clause 0x1\n"),
            std::string::npos)
      << result.iterations;
}

/// The proof does not know what is the same on both ways to a place where they meet.
TEST(UnrollGuard, OnlyConstantsThatTheProofKnows) {
  const std::string loop = loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0",
                                  "\tv_add_nc_u32 v1, s10, v1\n\ts_add_i32 s10, s10, 1\n");
  for (const unsigned factor : {2U, 4U}) {
    const Unrolled result =
        unroll("\ts_cmp_eq_u32 s5, 0\n\ts_cbranch_scc1 .La\n\ts_mov_b32 s10, 7\n\ts_branch .Lb\n"
               ".La:\n\ts_mov_b32 s10, 7\n.Lb:\n\ts_mov_b32 s4, 4\n" +
                   loop,
               factor);
    EXPECT_NE(result.text, "") << result.reason;
  }
}

TEST(UnrollGuard, DoesNotCopyFaults) {
  const Unrolled result = unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0",
                                        "\tglobal_load_b32 v3, v0, s[6:7]\n\tv_mov_b32 v3, v1\n"),
                                 2);
  EXPECT_NE(result.reason.find("it would copy a fault: v3 is overwritten before a wait"),
            std::string::npos)
      << result.reason;
}

/// Offsets of LDS accesses as in loops that are unrolled as a whole.
TEST(UnrollGuard, LdsAddresses) {
  const Unrolled result = unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0",
                                        "\tds_load_b32 v6, v3 offset:4\n\ts_waitcnt lgkmcnt(0)\n"
                                        "\tv_add_f32 v1, v1, v6\n\tv_add_nc_u32 v3, 16, v3\n"),
                                 3);
  EXPECT_NE(result.iterations.find("offset:36\n"), std::string::npos) << result.iterations;
  EXPECT_NE(result.iterations.find("\tv_add_nc_u32_e32 v3, 48, v3\n"), std::string::npos);
}

TEST(UnrollGuard, AKnownCountNeedsNoGuard) {
  const auto known = [](unsigned iterations) {
    return unroll(fmt::format("\ts_mov_b32 s4, {}\n", iterations) +
                      loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0"),
                  4);
  };
  EXPECT_EQ(known(4).text.find("rest0"), std::string::npos);
  EXPECT_EQ(known(1).text.find("rest0"), std::string::npos);
  EXPECT_NE(known(5).text.find("rest0"), std::string::npos);
}

TEST(UnrollGuard, RegistersOfTheGuard) {
  // The first that is free is beyond those of the kernel.
  std::string reads;
  for (unsigned s = 0; s < 32; ++s)
    reads += fmt::format("\tv_add_f32 v1, s{}, v1\n", s);
  const Unrolled result = unroll(loopOf("s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, s5", reads), 2);
  EXPECT_NE(result.guard.find("s_sub_u32 s32, s5, s4"), std::string::npos) << result.guard;
  EXPECT_NE(result.text.find(".amdhsa_next_free_sgpr 33"), std::string::npos);
}

TEST(UnrollGuard, LabelsStandOnce) {
  const Unrolled result =
      unroll(loopOf("s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0",
                    "\tv_add_f32 v1, v1, v2 ; sum\n.Ltmp0:\n.Lat.loc1:\n\t; next\n"
                    "\tv_mul_f32 v1, v1, v1\n"),
             2);
  EXPECT_EQ(result.iterations.find(".Ltmp0"), std::string::npos);
  EXPECT_NE(result.text.find("v2 ; sum\n.Ltmp0:\n.Lat.loc1:\n\t; next\n"), std::string::npos);
}

} // namespace
} // namespace rdna::unrollGuardTest
