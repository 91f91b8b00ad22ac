// Where global loads may go, and which step of a loop gets a copy of its own for that.

#include "VerifySample.h"

#include "Transform/DuplicateTail.h"
#include "Transform/InterleaveLoads.h"

#include <numeric>

namespace rdna::interleaveLoadsTest {
namespace {

/// A run of FMACs that reads what `group` has loaded.
std::string fmacs() {
  std::string text;
  for (unsigned n = 0; n < 8; ++n)
    text += fmt::format("\tv_dual_fmac_f32 v{}, v10, v12 :: v_dual_fmac_f32 v{}, v11, v13\n",
                        20 + 2 * n, 21 + 2 * n);
  return text + text;
}
std::string group(unsigned n) {
  return fmt::format("\tds_load_b64 v[10:11], v8 offset:{}\n\tds_load_b64 v[12:13], v9 offset:{}\n",
                     16 * n, 16 * n) +
         "\ts_waitcnt lgkmcnt(0)\n";
}

/// A loop with `front`, two runs of LDS loads with FMACs behind each, `middle` between them, `end`.
std::string loopOf(std::string_view front, std::string_view middle = "",
                   std::string_view end = "\ts_waitcnt vmcnt(0)\n\tds_store_b64 v7, v[4:5]\n") {
  return fmt::format("\tv_mov_b32_e32 v6, 0\n.Lloop:\n{}{}{}{}{}{}{}\ts_add_i32 s4, s4, -1\n"
                     "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .Lloop\n",
                     front, group(0), fmacs(), middle, group(1), fmacs(), end);
}

struct Spread {
  SpreadEdits edits;
  std::string text;
  /// How many global loads stand in front of the first run of FMACs, and behind it.
  std::pair<unsigned, unsigned> before{}, after{};
};

std::pair<unsigned, unsigned> countLoads(const Module &module) {
  std::pair<unsigned, unsigned> count;
  bool isBehind = false;
  for (const Instruction &inst : module.instructions()) {
    isBehind |= inst.isVopd();
    if (inst.unit == Unit::Global && inst.memory == MemoryEffect::Load)
      ++(isBehind ? count.second : count.first);
  }
  return count;
}

/// The result must be provable.
Spread spread(std::string_view body) {
  const auto module = test::parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  std::vector<uint32_t> blocks(cfg.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0U);
  Spread result;
  result.edits = interleaveLoads(*module, cfg, blocks);
  result.text = applyEdits(*module, result.edits.edits);
  const auto after = test::parseText(result.text);
  EXPECT_EQ(test::refusal(*module, *after), "");
  result.before = countLoads(*module);
  result.after = countLoads(*after);
  return result;
}

using Counts = std::pair<unsigned, unsigned>;

const std::string kTwoLoads = "\tglobal_load_b32 v4, v6, s[8:9]\n"
                              "\tglobal_load_b32 v5, v6, s[10:11]\n";

TEST(InterleaveLoads, OneToEachGroup) {
  const Spread result = spread(loopOf(kTwoLoads));
  EXPECT_EQ(result.edits.loads, 2U);
  EXPECT_EQ(result.edits.groups, 2U);
  EXPECT_EQ(result.before, Counts(2, 0));
  EXPECT_EQ(result.after, Counts(1, 1));
  EXPECT_LT(result.text.find("s[8:9]"), result.text.find("s[10:11]"));
  // Behind the LDS loads, before they are waited for.
  EXPECT_NE(result.text.find("offset:16\n\tglobal_load_b32 v5, v6, s[10:11]\n\ts_waitcnt"),
            std::string::npos);
  // A second run finds nothing.
  EXPECT_EQ(spread(loopOf(kTwoLoads)).text, result.text);
  const auto again = test::parseText(result.text);
  EXPECT_EQ(interleaveLoads(*again, buildCfg(*again, 0), {0, 1, 2}).loads, 0U);
}

TEST(InterleaveLoads, OnlyInLoopsWithSeveralGroups) {
  std::string straight = loopOf(kTwoLoads);
  straight = test::replaced(straight, "\ts_cbranch_scc1 .Lloop\n", "");
  EXPECT_EQ(spread(straight).edits.loads, 0U);
  EXPECT_EQ(spread("\tv_mov_b32_e32 v6, 0\n.Lloop:\n" + kTwoLoads + group(0) + fmacs() +
                   "\ts_waitcnt vmcnt(0)\n\tds_store_b64 v7, v[4:5]\n\ts_cbranch_scc1 .Lloop\n")
                .edits.loads,
            0U);
}

TEST(InterleaveLoads, StopsAtWhatTouchesItsRegisters) {
  for (const char *middle :
       {"\tv_mov_b32_e32 v14, v5\n", "\tv_mov_b32_e32 v5, 0\n", "\tv_mov_b32_e32 v6, 4\n",
        "\ts_mov_b32 s10, s4\n", "\ts_mov_b64 s[10:11], s[12:13]\n"}) {
    const std::string wait =
        std::string(middle).find(", v5") != std::string::npos ? "\ts_waitcnt vmcnt(0)\n" : "";
    EXPECT_EQ(spread(loopOf(kTwoLoads, wait + middle)).after, Counts(2, 0)) << middle;
  }
  EXPECT_EQ(spread(loopOf(kTwoLoads, "\tv_mov_b32_e32 v14, v6\n")).after, Counts(1, 1));
}

TEST(InterleaveLoads, StopsAtWhatOrdersMemory) {
  for (const char *middle :
       {"\ts_waitcnt vmcnt(1)\n", "\ts_waitcnt_vscnt null, 0x0\n", "\ts_barrier\n",
        "\tglobal_store_b32 v14, v15, s[12:13]\n", "\tglobal_load_b32 v14, v15, s[12:13]\n",
        "\ts_mov_b32 exec_lo, s12\n", "\tbuffer_gl0_inv\n", "\ts_dcache_inv\n",
        "\ts_getreg_b32 s20, hwreg(HW_REG_HW_ID1)\n", "\ts_waitcnt_depctr 0xfffe\n"})
    EXPECT_EQ(spread(loopOf(kTwoLoads, middle)).after.first, 2U) << middle;
  EXPECT_EQ(spread(loopOf(kTwoLoads, "\tds_store_b32 v14, v15\n")).after, Counts(1, 1));
}

TEST(InterleaveLoads, LeavesOtherLoadsInFront) {
  for (const char *load :
       {"\tglobal_load_b32 v5, v6, s[10:11] glc\n", "\tglobal_load_b32 v5, v6, s[10:11] dlc\n",
        "\tflat_load_b32 v5, v[14:15]\n", "\tglobal_atomic_add_u32 v5, v6, v14, s[10:11] glc\n"})
    EXPECT_EQ(spread(loopOf(std::string("\tglobal_load_b32 v4, v6, s[8:9]\n") + load)).edits.loads,
              0U)
        << load;
}

TEST(InterleaveLoads, ClausesAndDelaysGo) {
  const Spread result = spread(loopOf("\ts_clause 0x1\n" + kTwoLoads));
  EXPECT_EQ(result.after, Counts(1, 1));
  EXPECT_EQ(result.text.find("s_clause"), std::string::npos);
  const Spread delayed = spread(loopOf("\ts_delay_alu instid0(VALU_DEP_1)\n" + kTwoLoads));
  EXPECT_EQ(delayed.text.find("s_delay_alu"), std::string::npos);
}

/// v10 is the offset, and the first LDS load overwrites it.
const std::string kSharedOffset = "\tv_add_nc_u32_e32 v10, s4, v14\n"
                                  "\tglobal_load_b32 v4, v10, s[8:9]\n"
                                  "\tglobal_load_b32 v5, v10, s[10:11]\n";

TEST(InterleaveLoads, AnOffsetMovesToTheLastDestination) {
  const Spread result = spread(loopOf(kSharedOffset));
  EXPECT_EQ(result.after, Counts(1, 1));
  EXPECT_EQ(result.edits.renamed, 1U);
  EXPECT_NE(result.text.find("v_add_nc_u32_e32 v5, s4, v14\n"), std::string::npos);
  EXPECT_NE(result.text.find("global_load_b32 v4, v5, s[8:9]\n"), std::string::npos);
  EXPECT_NE(result.text.find("global_load_b32 v5, v5, s[10:11]\n"), std::string::npos);
}

TEST(InterleaveLoads, AnOffsetThatOthersReadStays) {
  const auto moved = [](std::string_view from, std::string_view to) {
    return spread(loopOf(test::replaced(kSharedOffset, from, to))).edits.loads;
  };
  EXPECT_EQ(moved("\tglobal_load_b32 v4", "\tv_mov_b32_e32 v15, v10\n\tglobal_load_b32 v4"), 0U);
  EXPECT_EQ(moved("\tv_add_nc_u32_e32 v10, s4, v14\n", ""), 0U);
  // The destination is in use until then.
  EXPECT_EQ(moved("\tglobal_load_b32 v4", "\tv_mov_b32_e32 v15, v5\n\tglobal_load_b32 v4"), 0U);
  EXPECT_EQ(moved("v_add_nc_u32_e32 v10, s4, v14", "v_add_nc_u32_e32 v10, s4, v5"), 0U);
  EXPECT_EQ(
      moved("v_add_nc_u32_e32 v10, s4, v14", "v_dual_mov_b32 v10, v14 :: v_dual_mov_b32 v15, v16"),
      0U);
}

//===----------------------------------------------------------------------===//
// Peeling
//===----------------------------------------------------------------------===//

struct Peeled {
  PeelOutcome outcome;
  std::string text;
};

Peeled peel(std::string_view body, PeelOptions options = {}) {
  options.findFaults = checkStructure;
  const auto module = test::parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  for (const Loop &loop : cfg.loops) {
    Peeled result{duplicateTail(*module, cfg, loop, options), ""};
    if (result.outcome.obstacle)
      return result;
    if (!result.outcome.rewrite)
      continue;
    result.text = applyEdits(*module, result.outcome.rewrite->edits);
    Correspondence claim;
    claim.function = "k";
    for (const uint32_t join : result.outcome.rewrite->joins)
      claim.points[join].arrivals = Point::kNone;
    EXPECT_EQ(test::refusal(*module, *test::parseText(result.text), {claim}), "");
    return result;
  }
  return {};
}

const std::string kGuarded = R"(
.Lloop:
	s_cmp_lt_u32 s4, s5
	s_cselect_b32 s6, -1, 0
	s_cmp_ge_u32 s4, s5
	s_cbranch_scc1 .Ljoin
	global_load_b32 v4, v6, s[8:9]
	global_load_b32 v5, v6, s[10:11]
.Ljoin:
	v_add_f32_e32 v1, v2, v1
	s_and_not1_b32 vcc_lo, exec_lo, s6
	s_waitcnt vmcnt(0)
	s_cbranch_vccnz .Llatch
	ds_store_b64 v7, v[4:5]
.Llatch:
	s_add_i32 s4, s4, 8
	s_cmp_ge_u32 s4, s7
	s_cbranch_scc0 .Lloop
.Ldone:
	global_store_b32 v0, v1, s[8:9]
)";

TEST(DuplicateTail, TheGuardedStepStandsByItself) {
  const Peeled result = peel(kGuarded);
  ASSERT_TRUE(result.outcome.rewrite);
  EXPECT_EQ(result.outcome.rewrite->tests, 2U); // One of them in front of the loads.
  EXPECT_NE(result.text.find(R"(
	s_cmp_lt_u32 s4, s5
	s_cselect_b32 s6, -1, 0
	s_cbranch_scc0 .Ljoin
)"),
            std::string::npos)
      << result.text;
  EXPECT_EQ(result.outcome.rewrite->joins.size(), 2U);
  EXPECT_NE(result.text.find(R"(
	global_load_b32 v5, v6, s[10:11]
	v_add_f32_e32 v1, v2, v1
	s_and_not1_b32 vcc_lo, exec_lo, s6
	s_waitcnt vmcnt(0)
	ds_store_b64 v7, v[4:5]
	s_add_i32 s4, s4, 8
	s_cmp_ge_u32 s4, s7
	s_cbranch_scc0 .Lloop
	; RDNA-END .Lloop.main
	s_branch .Ldone
.Ljoin:)"),
            std::string::npos)
      << result.text;
}

TEST(DuplicateTail, TestsThatSayNothingNewStay) {
  const Peeled result =
      peel(test::replaced(kGuarded, "s_cmp_lt_u32 s4, s5", "s_cmp_lt_u32 s4, s9"));
  ASSERT_TRUE(result.outcome.rewrite || result.outcome.obstacle);
  // Both ways of the second test are in the loop.
  ASSERT_TRUE(result.outcome.obstacle);
  EXPECT_NE(result.outcome.obstacle->reason.find("has a branch"), std::string::npos);
}

TEST(DuplicateTail, ASecondTestThatOthersLookAtStays) {
  const Peeled result =
      peel(test::replaced(kGuarded, "	v_add_f32_e32 v1, v2, v1\n",
                          "	s_cselect_b32 s12, 1.0, 2.0\n	v_add_f32_e32 v1, s12, v1\n"));
  ASSERT_TRUE(result.outcome.rewrite);
  EXPECT_EQ(result.outcome.rewrite->tests, 1U); // The one around the stores.
  EXPECT_NE(result.text.find("s_cmp_ge_u32 s4, s5\n	s_cbranch_scc1 .Ljoin\n"),
            std::string::npos);
}

TEST(DuplicateTail, OtherShapes) {
  // The loads jump to where the paths meet; the loop is left in its middle.
  const Peeled jumps = peel(test::replaced(
      test::replaced(kGuarded, "s[10:11]\n.Ljoin:", "s[10:11]\n\ts_branch .Ljoin\n.Ljoin:"),
      "	s_cbranch_vccnz .Llatch", "	s_cbranch_execz .Ldone\n	s_cbranch_vccnz .Llatch"));
  ASSERT_TRUE(jumps.outcome.rewrite) << jumps.outcome.obstacle->reason;
  EXPECT_NE(jumps.text.find("s_cbranch_execz .Ldone\n	ds_store_b64"), std::string::npos);
  // The guard is taken where the loads are.
  const Peeled taken = peel(
      test::replaced(test::replaced(kGuarded, "	s_cbranch_scc1 .Ljoin\n",
                                    "	s_cbranch_scc0 .Lload\n	s_branch .Ljoin\n.Lload:\n"),
                     ".Ldone:", ".Ldone:"));
  EXPECT_FALSE(taken.outcome.rewrite); // three blocks, no plain `if`
}

TEST(DuplicateTail, Obstacles) {
  const auto reason = [](const std::string &body, const PeelOptions &options = {}) {
    const Peeled result = peel(body, options);
    return result.outcome.obstacle ? result.outcome.obstacle->reason : std::string();
  };
  EXPECT_NE(reason(kGuarded, {.mostBytes = 100}).find("--max-code-bytes"), std::string::npos);
  EXPECT_NE(reason(test::replaced(
                       kGuarded, ".Ljoin:\n",
                       ".Ljoin:\n.Linner:\n	s_add_i32 s12, s12, -1\n	s_cmp_lg_u32 "
                       "s12, 0\n	s_cbranch_scc1 .Linner\n"))
                .find("has a branch"),
            std::string::npos);
  EXPECT_NE(reason(test::replaced(kGuarded, "	v_add_f32_e32 v1, v2, v1\n",
                                  "	v_add_f32_e32 v1, v2, v1\n	.p2align 2\n	v_nop\n"))
                .find("directive"),
            std::string::npos);
  EXPECT_NE(reason(test::replaced(kGuarded, ".Ldone:\n", "")).find("without a label"),
            std::string::npos);
  // Nothing is guarded.
  const Peeled none = peel(test::replaced(kGuarded, "	s_cbranch_scc1 .Ljoin\n", ""));
  EXPECT_FALSE(none.outcome.rewrite || none.outcome.obstacle);
}

} // namespace
} // namespace rdna::interleaveLoadsTest
