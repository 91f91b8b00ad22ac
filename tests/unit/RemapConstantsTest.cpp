// Which VGPRs hold a known constant at block borders, and how often a loop runs.

#include "AsmSnippet.h"

#include "Analysis/TripCount.h"
#include "Transform/Constants.h"

namespace rdna::remapConstantsTest {
namespace {

struct PathConditions {
  std::unique_ptr<Module> module;
  Cfg cfg;
  Liveness liveness;
  MemoryFacts memory;
  ConstantFacts constants;

  explicit PathConditions(std::string_view body)
      : module(test::parseKernel(body)), cfg(buildCfg(*module, 0)),
        liveness(computeLiveness(*module, cfg)), memory(memoryFacts(*module, cfg, liveness)),
        constants(findConstants(context())) {}

  FunctionContext context() const { return {*module, cfg, liveness, memory}; }
  uint32_t blockAt(std::string_view label) const {
    return cfg.blockOf(module->labelTarget(label).value());
  }
  std::optional<uint32_t> in(std::string_view label, unsigned reg) const {
    return constants.in[blockAt(label)][reg];
  }
  std::optional<uint64_t> iterations(std::string_view label) const {
    for (const Loop &loop : cfg.loops)
      if (loop.header == blockAt(label))
        return tripCount(*module, cfg, loop);
    ADD_FAILURE() << "no loop at " << label;
    return std::nullopt;
  }
};

TEST(RemapConstants, MovesAndCopiesReachTheNextBlock) {
  const PathConditions facts(
      "\tv_mov_b32 v1, 0\n\tv_dual_mov_b32 v2, 1.0 :: v_dual_mov_b32 v3, v1\n"
      "\tv_mov_b32 v4, 0x12345678\n\tv_mov_b32 v5, v0\n\tv_mov_b32 v6, s3\n"
      ".Lend:\n\ts_cbranch_scc1 .Lend");
  EXPECT_EQ(facts.in(".Lend", 1), 0U);
  EXPECT_EQ(facts.in(".Lend", 2), 0x3f800000U);
  EXPECT_EQ(facts.in(".Lend", 3), 0U);
  EXPECT_EQ(facts.in(".Lend", 4), 0x12345678U);
  EXPECT_EQ(facts.in(".Lend", 5), std::nullopt);
  EXPECT_EQ(facts.in(".Lend", 6), std::nullopt);
}

TEST(RemapConstants, BothHalvesReadBeforeEitherWrites) {
  const PathConditions facts("\tv_mov_b32 v1, 1\n\tv_mov_b32 v2, 2\n"
                             "\tv_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n"
                             ".Lend:\n\ts_cbranch_scc1 .Lend");
  EXPECT_EQ(facts.in(".Lend", 1), 2U);
  EXPECT_EQ(facts.in(".Lend", 2), 1U);
}

TEST(RemapConstants, AnyOtherWriteForgets) {
  const PathConditions facts(
      "\tv_mov_b32 v1, 1\n\tv_mov_b32 v2, 2\n\tv_mov_b32 v3, 3\n"
      "\tv_add_f32 v1, v1, v1\n\tds_load_b64 v[2:3], v0\n\ts_waitcnt lgkmcnt(0)\n"
      ".Lend:\n\ts_cbranch_scc1 .Lend");
  for (const unsigned reg : {1U, 2U, 3U})
    EXPECT_EQ(facts.in(".Lend", reg), std::nullopt) << reg;
}

TEST(RemapConstants, PathsThatMeetMustAgree) {
  const PathConditions facts("\tv_mov_b32 v1, 5\n\tv_mov_b32 v2, 6\n\ts_cbranch_scc1 .Lend\n"
                             "\tv_mov_b32 v1, 5\n\tv_mov_b32 v2, 7\n.Lend:\n\ts_nop 0\n"
                             "\ts_cbranch_scc0 .Lend");
  EXPECT_EQ(facts.in(".Lend", 1), 5U);
  EXPECT_EQ(facts.in(".Lend", 2), std::nullopt);
}

TEST(RemapConstants, AnAccumulatorIsNoConstantInsideItsLoop) {
  const PathConditions facts(
      "\tv_mov_b32 v1, 0\n\tv_mov_b32 v2, 0\n.Lloop:\n\tv_add_f32 v1, v1, v0\n"
      "\ts_cbranch_scc1 .Lloop\n.Lend:\n\ts_nop 0\n\ts_cbranch_scc0 .Lend");
  EXPECT_EQ(facts.in(".Lloop", 1), std::nullopt);
  EXPECT_EQ(facts.in(".Lloop", 2), 0U);
  EXPECT_EQ(facts.in(".Lend", 2), 0U);
}

TEST(RemapConstants, CountedLoops) {
  const auto loop = [](std::string_view init, std::string_view step, std::string_view compare,
                       std::string_view branch) {
    return fmt::format("\t{}\n.Lloop:\n\tv_add_f32 v1, v1, v0\n\t{}\n\t{}\n\t{} .Lloop", init, step,
                       compare, branch);
  };
  EXPECT_EQ(PathConditions(loop("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 4", "s_cmp_lg_u32 s4, 64",
                                "s_cbranch_scc1"))
                .iterations(".Lloop"),
            16U);
  EXPECT_EQ(PathConditions(loop("s_movk_i32 s4, 0x400", "s_addk_i32 s4, 0xfe00",
                                "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1"))
                .iterations(".Lloop"),
            2U);
  EXPECT_EQ(PathConditions(loop("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 4", "s_cmp_eq_u32 s4, 64",
                                "s_cbranch_scc0"))
                .iterations(".Lloop"),
            16U);
}

TEST(RemapConstants, LoopsWithoutAKnownCount) {
  const auto loop = [](std::string_view init, std::string_view step, std::string_view compare) {
    return fmt::format("\t{}\n.Lloop:\n\tv_add_f32 v1, v1, v0\n\t{}\n\t{}\n\ts_cbranch_scc1 .Lloop",
                       init, step, compare);
  };
  for (const std::string &body :
       {loop("s_load_b32 s4, s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)", "s_add_i32 s4, s4, 4",
             "s_cmp_lg_u32 s4, 64"),
        loop("s_mov_b32 s4, 0", "s_add_i32 s4, s4, s5", "s_cmp_lg_u32 s4, 64"),
        loop("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 4", "s_cmp_lg_u32 s4, s5"),
        loop("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 5", "s_cmp_lg_u32 s4, 64"),
        loop("s_mov_b32 s4, 0", "s_lshl_b32 s4, s4, 1", "s_cmp_lg_u32 s4, 64"),
        loop("s_mov_b32 s4, 0", "s_add_i32 s4, s4, 4\n\ts_add_i32 s4, s4, 4",
             "s_cmp_lg_u32 s4, 64")})
    EXPECT_EQ(PathConditions(body).iterations(".Lloop"), std::nullopt) << body;
}

/// A loop that goes on while the counter equals its limit does not run to it.
TEST(RemapConstants, TheBranchDecidesWhatTheCompareMeans) {
  const PathConditions equal(
      "\ts_mov_b32 s4, 0\n.Lloop:\n\tv_add_f32 v1, v1, v0\n\ts_add_i32 s4, s4, 4\n"
      "\ts_cmp_eq_u32 s4, 64\n\ts_cbranch_scc1 .Lloop");
  EXPECT_EQ(equal.iterations(".Lloop"), std::nullopt);
  const PathConditions other(
      "\ts_mov_b32 s4, 0\n.Lloop:\n\tv_add_f32 v1, v1, v0\n\ts_add_i32 s4, s4, 4\n"
      "\ts_cmp_lg_u32 s4, 64\n\ts_cbranch_vccnz .Lloop");
  EXPECT_EQ(other.iterations(".Lloop"), std::nullopt);
}

TEST(RemapConstants, TheStepMustBeTheCountersOwn) {
  const PathConditions facts(
      "\ts_mov_b32 s4, 0\n.Lloop:\n\tv_add_f32 v1, v1, v0\n\ts_add_i32 s4, s5, 4\n"
      "\ts_cmp_lg_u32 s4, 64\n\ts_cbranch_scc1 .Lloop");
  EXPECT_EQ(facts.iterations(".Lloop"), std::nullopt);
}

} // namespace
} // namespace rdna::remapConstantsTest
