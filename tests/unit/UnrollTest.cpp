// Which loops are unrolled, what becomes of counters and LDS addresses, and that the proof counts
// the iterations itself.

#include "VerifySample.h"

#include "Transform/Unroll.h"

namespace rdna::unrollTest {
namespace {

struct Unrolled {
  std::string text;   ///< Of the whole file; empty if the loop was left.
  std::string reason; ///< Why it was left.
  uint64_t iterations = 0;
  std::string body; ///< Of the text from the loop's label to the end of the kernel.
};

Correspondence claimUnrolled(const Module &module, std::string_view label) {
  Correspondence claim;
  claim.function = "k";
  claim.points[module.labelTarget(label).value()].arrivals = Point::kNone;
  return claim;
}

/// Unrolls the innermost loop of a kernel `k`; a rewrite must be provable.
Unrolled unroll(std::string_view body, UnrollOptions options = {}) {
  options.findFaults = checkStructure;
  const auto module = test::parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  for (const Loop &loop : cfg.loops) {
    if (!loop.isInnermost())
      continue;
    UnrollOutcome outcome = unrollLoop(*module, cfg, loop, options);
    if (!outcome.rewrite)
      return {{}, outcome.reason, 0, {}};
    Unrolled result;
    result.iterations = outcome.rewrite->iterations;
    result.text = applyEdits(*module, outcome.rewrite->edits);
    const auto after = test::parseText(result.text);
    EXPECT_EQ(test::refusal(*module, *after, {claimUnrolled(*module, loop.label)}), "");
    const size_t from = result.text.find(loop.label + ":");
    result.body = result.text.substr(from, result.text.find("\n\ts_endpgm", from) - from);
    return result;
  }
  ADD_FAILURE() << "no loop";
  return {};
}

/// A loop that runs from `start` by `step` until `compare` no longer holds.
std::string counted(std::string_view start, std::string_view step, std::string_view compare,
                    std::string_view inside = "\tv_add_f32 v1, v1, v2\n",
                    std::string_view behind = "") {
  return fmt::format("\t{}\n.Lloop:\n{}\t{}\n\t{}\n\ts_cbranch_scc1 .Lloop\n{}", start, inside,
                     step, compare, behind);
}

TEST(Unroll, CountsIterations) {
  EXPECT_EQ(
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 8")).iterations,
      8U);
  EXPECT_EQ(unroll(counted("s_movk_i32 s4, 16", "s_addk_i32 s4, 0x200", "s_cmpk_lt_i32 s4, 0x1000"))
                .iterations,
            8U);
  EXPECT_EQ(
      unroll(counted("s_mov_b32 s4, 7", "s_add_i32 s4, s4, -2", "s_cmp_gt_i32 s4, 0")).iterations,
      4U);
  EXPECT_EQ(
      unroll(counted("s_mov_b32 s4, 1", "s_lshl_b32 s4, s4, 1", "s_cmp_le_u32 s4, 64")).iterations,
      7U);
  EXPECT_EQ(
      unroll(counted("s_mov_b32 s4, 9", "s_sub_u32 s4, s4, 1", "s_cmp_eq_u32 s4, 77")).iterations,
      1U); // Entered once, never repeated.
  EXPECT_EQ(unroll(counted("s_mov_b32 s4, 3\n\ts_mov_b32 s5, s4", "s_sub_u32 s5, s5, 1",
                           "s_cmp_lg_u32 s5, 0"))
                .iterations,
            3U);
}

TEST(Unroll, LeavesWhatDoesNotFollowFromConstants) {
  const std::string unknown =
      "its trip count does not follow from constants (--unroll=N for N at a time)";
  EXPECT_EQ(unroll(counted("s_mov_b32 s4, s3", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 8")).reason,
            unknown);
  EXPECT_EQ(unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, s3", "s_cmp_lg_u32 s4, 8")).reason,
            unknown);
  EXPECT_EQ(unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, s3")).reason,
            unknown);
  // Two ways in with different counts.
  EXPECT_EQ(unroll("\ts_mov_b32 s4, 0\n\ts_cbranch_vccz .Lloop\n\ts_mov_b32 s4, 1\n.Lloop:\n"
                   "\tv_add_f32 v1, v1, v2\n\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, 8\n"
                   "\ts_cbranch_scc1 .Lloop")
                .reason,
            unknown);
  EXPECT_EQ(unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 0", "s_cmp_lg_u32 s4, 8")).reason,
            "it has more than 65536 iterations");
}

TEST(Unroll, LeavesWhatItCannotCopy) {
  const auto reasonOf = [](std::string_view inside) {
    return unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 2", inside))
        .reason;
  };
  EXPECT_EQ(reasonOf("\ts_mov_b32 exec_lo, s7\n"), "the loop changes EXEC");
  EXPECT_EQ(reasonOf("\tv_add_f32 v1, v1, v2\n\t.p2align 2\n\tv_add_f32 v1, v1, v2\n"),
            "a directive stands inside the loop");
  EXPECT_NE(reasonOf("\tv_dual_fmac_f32 v1, v4, v5 :: v_dual_fmac_f32 v2, v6, v7\n")
                .find("VOPD parity hazard"),
            std::string::npos);
  // More than one way out.
  EXPECT_EQ(reasonOf("\ts_cbranch_vccz .Lout\n\tv_add_f32 v1, v1, v2\n.Lout:\n"),
            "the loop has more than one block");
  UnrollOptions small;
  small.mostBytes = 16;
  EXPECT_EQ(
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 2"), small).reason,
      "its 2 iterations would be 32 bytes of code, more than 16 (--max-code-bytes)");
}

TEST(Unroll, CountersAreGoneAndLeftOnesHaveTheirLastValue) {
  const Unrolled dead =
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 2"));
  EXPECT_EQ(dead.body, ".Lloop:\n\tv_add_f32 v1, v1, v2\n\tv_add_f32 v1, v1, v2\n");
  const Unrolled read = unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1",
                                       "s_cmp_lg_u32 s4, 2", "\tv_add_f32 v1, v1, v2\n",
                                       "\tv_mov_b32 v3, s4\n\tglobal_store_b32 v[8:9], v3, off\n"));
  EXPECT_NE(read.body.find("\ts_mov_b32 s4, 2\n"), std::string::npos) << read.body;
  // A counter that the body reads has its value there.
  const Unrolled used = unroll(counted("s_mov_b32 s4, 5", "s_add_i32 s4, s4, 1",
                                       "s_cmp_lg_u32 s4, 7", "\tv_mul_f32 v1, s4, v1\n"));
  EXPECT_EQ(used.body,
            ".Lloop:\n\tv_mul_f32 v1, s4, v1\n\ts_mov_b32 s4, 6\n\tv_mul_f32 v1, s4, v1\n");
}

TEST(Unroll, AdditionsToLdsAddressesBecomeOffsets) {
  const Unrolled loads =
      unroll(counted("s_mov_b32 s4, 0", "s_addk_i32 s4, 0x200", "s_cmpk_lg_i32 s4, 0x400",
                     "\tv_add_nc_u32 v5, s4, v4\n\tds_load_b64 v[6:7], v5 offset:8\n"
                     "\tds_load_2addr_b32 v[8:9], v3 offset0:1 offset1:2\n\ts_waitcnt lgkmcnt(0)\n"
                     "\tv_dual_fmac_f32 v1, v6, v8 :: v_dual_fmac_f32 v2, v7, v9\n"
                     "\tv_add_nc_u32 v3, 0x210, v3\n"));
  EXPECT_NE(loads.body.find("ds_load_b64 v[6:7], v4 offset:8\n"), std::string::npos) << loads.body;
  EXPECT_NE(loads.body.find("ds_load_b64 v[6:7], v4 offset:520\n"), std::string::npos);
  EXPECT_NE(loads.body.find("ds_load_2addr_b32 v[8:9], v3 offset0:133 offset1:134\n"),
            std::string::npos);
  EXPECT_EQ(loads.body.find("v_add_nc_u32"), std::string::npos) << loads.body;
  // A negative step: an offset cannot be negative, and an address is taken modulo 2^32.
  const Unrolled down =
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 3",
                     "\tds_load_b32 v6, v3 offset:16\n\ts_waitcnt lgkmcnt(0)\n"
                     "\tv_add_f32 v1, v1, v6\n\tv_add_nc_u32 v3, -8, v3\n"));
  EXPECT_NE(down.body.find("v3 offset:16\n"), std::string::npos) << down.body;
  EXPECT_NE(down.body.find("v3 offset:8\n"), std::string::npos) << down.body;
  EXPECT_NE(down.body.find("ds_load_b32 v6, v3\n"), std::string::npos) << down.body;
  // No room in the offset, or none that fits the unit: the addition is made.
  const Unrolled far =
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 3",
                     "\tds_store_b32 v3, v6 offset:65000\n"
                     "\tds_store_2addr_b64 v7, v[8:9], v[10:11] offset1:1\n"
                     "\tv_add_nc_u32 v3, 0x200, v3\n\tv_add_nc_u32 v7, 4, v7\n"));
  EXPECT_NE(far.body.find("ds_store_b32 v3, v6 offset:65512\n"), std::string::npos) << far.body;
  EXPECT_NE(far.body.find("v_add_nc_u32_e32 v3, 0x400, v3\n"), std::string::npos) << far.body;
  EXPECT_NE(far.body.find("v_add_nc_u32_e32 v7, 4, v7\n"), std::string::npos) << far.body;
}

TEST(Unroll, ValuesRelativeToAChangingRegisterAreMadeInTime) {
  // v5 is relative to v4, which the load overwrites; v6 relative to v5.
  const Unrolled u =
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 2",
                     "\tv_add_nc_u32 v5, 4, v4\n\tv_add_nc_u32 v6, 8, v5\n\tds_load_b32 v4, v4\n"
                     "\ts_waitcnt lgkmcnt(0)\n\tds_store_b32 v5, v6\n",
                     "\tglobal_store_b32 v[8:9], v6, off\n"));
  EXPECT_EQ(u.iterations, 2U) << u.reason;
}

TEST(Unroll, CommentsStandInTheFirstIteration) {
  const Unrolled u = unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 2",
                                    "\tv_add_f32 v1, v1, v2  ; sum\n\t; next\n"
                                    "\tv_mul_f32 v1, v1, v1\n"));
  EXPECT_EQ(u.body, ".Lloop:\n\tv_add_f32 v1, v1, v2  ; sum\n\t; next\n\tv_mul_f32 v1, v1, v1\n"
                    "\tv_add_f32 v1, v1, v2\n\tv_mul_f32 v1, v1, v1\n");
}

TEST(Unroll, LabelsOfDebugInformationStandInTheFirstIteration) {
  const Unrolled u = unroll(
      "	s_mov_b32 s4, 0\n.Lloop:\n	s_add_i32 s4, s4, 1\n.Ltmp0:\n	v_add_f32 v1, v1, v2\n"
      ".Ltmp1:\n	s_cmp_lg_u32 s4, 2\n.Ltmp2:\n	s_cbranch_scc1 .Lloop\n");
  EXPECT_EQ(u.body, ".Lloop:\n	.Ltmp0:\n	v_add_f32 v1, v1, v2\n.Ltmp1:\n.Ltmp2:\n"
                    "	v_add_f32 v1, v1, v2\n");
}

TEST(Unroll, ClauseMembersStayTogether) {
  const Unrolled u =
      unroll(counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 2",
                     "\tv_add_nc_u32 v4, 0x20, v4\n\ts_clause 0x1\n"
                     "\tglobal_load_b32 v6, v4, s[6:7]\n\tglobal_load_b32 v7, v4, s[6:7] offset:4\n"
                     "\ts_waitcnt vmcnt(0)\n\tv_add_f32 v1, v6, v7\n"));
  EXPECT_EQ(u.iterations, 2U) << u.reason;
}

TEST(Unroll, TheProofCountsTheIterations) {
  const std::string body =
      counted("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 3",
              "\tds_load_b32 v6, v3 offset:4\n\ts_waitcnt lgkmcnt(0)\n\tv_fmac_f32 v1, v6, v2\n"
              "\tv_add_nc_u32 v3, 16, v3\n",
              "\tglobal_store_b32 v[8:9], v1, off\n");
  const auto before = test::parseKernel(body);
  const Correspondence claim = claimUnrolled(*before, ".Lloop");
  const Unrolled good = unroll(body);
  const auto refused = [&](const std::string &text) {
    return test::refusal(*before, *test::parseText(text), {claim});
  };
  EXPECT_EQ(refused(good.text), "");
  // One iteration too few, one too many, another offset, an iteration's FMA dropped.
  const std::string last = "\tds_load_b32 v6, v3 offset:36\n\ts_waitcnt lgkmcnt(0)\n"
                           "\tv_fmac_f32 v1, v6, v2\n";
  EXPECT_NE(refused(test::replaced(good.text, last, "")), "");
  EXPECT_NE(refused(test::replaced(good.text, last, last + last)), "");
  EXPECT_NE(refused(test::replaced(good.text, "offset:36", "offset:32")), "");
  EXPECT_NE(refused(test::replaced(good.text,
                                   "offset:20\n\ts_waitcnt lgkmcnt(0)\n"
                                   "\tv_fmac_f32 v1, v6, v2\n",
                                   "offset:20\n\ts_waitcnt lgkmcnt(0)\n")),
            "");
  // Without the claim the loop is still expected.
  EXPECT_NE(test::refusal(*before, *test::parseText(good.text)), "");
  // A count that does not follow from constants is no count.
  const std::string open = counted("s_mov_b32 s4, s3", "s_add_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 3");
  const auto unknown = test::parseKernel(open);
  EXPECT_NE(test::refusal(*unknown,
                          *test::parseKernel("\ts_mov_b32 s4, s3\n.Lloop:\n"
                                             "\tv_add_f32 v1, v1, v2\n"),
                          {claimUnrolled(*unknown, ".Lloop")})
                .find("does not follow from constants"),
            std::string::npos);
}

} // namespace
} // namespace rdna::unrollTest
