// The judge is judged: matchings against exhaustive search, bounds against loops counted by hand.

#include "Bound.h"
#include "Matching.h"
#include "Support/Random.h"
#include "unit/AsmSnippet.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rdna::rewrite::boundTest {

namespace {

int64_t heaviestBySearch(const PairGraph &graph, uint32_t used) {
  uint32_t v = 0;
  while (v < graph.vertices() && (used >> v & 1) != 0)
    ++v;
  if (v == graph.vertices())
    return 0;
  int64_t best = heaviestBySearch(graph, used | 1u << v);
  for (uint32_t w = v + 1; w < graph.vertices(); ++w)
    if ((used >> w & 1) == 0 && graph.weight(v, w) > 0)
      best = std::max(best, graph.weight(v, w) + heaviestBySearch(graph, used | 1u << v | 1u << w));
  return best;
}

TEST(Matching, AgreesWithExhaustiveSearch) {
  Random random(20261);
  for (unsigned round = 0; round < 4000; ++round) {
    const uint32_t n = 2 + random.below(8), density = 1 + random.below(10);
    PairGraph graph(n);
    for (uint32_t a = 0; a < n; ++a)
      for (uint32_t b = a + 1; b < n; ++b)
        if (random.below(10) < density)
          graph.connect(a, b, 1 + random.below(round % 2 ? 3 : 40));
    int64_t weight = 0;
    uint32_t used = 0;
    for (const auto &[a, b] : heaviestMatching(graph)) {
      ASSERT_EQ(used & (1u << a | 1u << b), 0U) << "round " << round;
      used |= 1u << a | 1u << b;
      ASSERT_GT(graph.weight(a, b), 0);
      weight += graph.weight(a, b);
    }
    ASSERT_EQ(weight, heaviestBySearch(graph, 0)) << "round " << round;
  }
}

BlockBound boundOfText(const std::string &body) {
  const auto module = test::parseKernel(body);
  return boundOf(*module, buildCfg(*module, 0), 0);
}

TEST(Bound, IndependentFmacsPair) {
  const BlockBound bound = boundOfText("v_fmac_f32 v0, v10, v20\nv_fmac_f32 v2, v10, v21\n"
                                       "v_fmac_f32 v4, v11, v20\nv_fmac_f32 v6, v11, v21\n"
                                       "v_fmac_f32 v8, v12, v20");
  EXPECT_EQ(bound.fmas, 5U);
  EXPECT_EQ(bound.fewestSingles.singleFmac, 1U);
  EXPECT_EQ(bound.fewestValu.valu, 3U);
}

TEST(Bound, ChainStaysSingle) {
  const BlockBound bound =
      boundOfText("v_fmac_f32 v0, v10, v20\nv_fmac_f32 v0, v10, v21\nv_fmac_f32 v0, v11, v20\n");
  EXPECT_EQ(bound.fewestSingles.singleFmac, bound.fmas);
  EXPECT_EQ(bound.fewestSingles.singleFmac, 3U);
  EXPECT_EQ(bound.fewestValu.valu, 3U);
}

TEST(Bound, DependenceThroughOtherInstructions) {
  // Through an address, LDS and a scalar register; v_exp_f32 has no VOPD form.
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, v10, v20\nds_load_b32 v1, v0\nv_fmac_f32 v2, v1, v20")
                .fewestSingles.singleFmac,
            2U);
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, v10, v20\nds_store_b32 v9, v0\nds_load_b32 v1, v8\n"
                        "v_fmac_f32 v2, v1, v20")
                .fewestSingles.singleFmac,
            2U);
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, v10, v20\nv_readfirstlane_b32 s0, v0\n"
                        "v_fmac_f32 v2, s0, v20")
                .fewestSingles.singleFmac,
            2U);
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, v10, v20\nv_exp_f32 v1, v0\nv_fmac_f32 v2, v10, v20")
                .fewestValu.valu,
            2U);
}

TEST(Bound, FalseDependencesDoNotCount) {
  // v1 is written anew between the two: another register could hold the second value.
  const BlockBound bound = boundOfText("ds_load_b32 v1, v9\nv_fmac_f32 v0, v1, v20\n"
                                       "ds_load_b32 v1, v9 offset:4\nv_fmac_f32 v2, v1, v20");
  EXPECT_EQ(bound.fewestSingles.singleFmac, 0U);
}

TEST(Bound, ExecWriteSeparates) {
  const BlockBound bound =
      boundOfText("v_fmac_f32 v0, v10, v20\ns_mov_b32 exec_lo, s0\nv_fmac_f32 v2, v11, v21");
  EXPECT_EQ(bound.fewestSingles.singleFmac, bound.fmas);
}

TEST(Bound, EncodingLimits) {
  // Three scalars; then modifiers; then two different literals; then two operations of slot Y.
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, s1, v20\nv_fmac_f32 v2, s2, v21").fewestSingles.singleFmac,
            0U);
  EXPECT_EQ(
      boundOfText("v_fma_f32 v0, s1, s2, v0\nv_fmac_f32 v2, v10, v21").fewestSingles.singleFmac,
      2U);
  EXPECT_EQ(
      boundOfText("v_fma_f32 v0, |v1|, v9, v0\nv_fmac_f32 v2, v10, v21").fewestSingles.singleFmac,
      2U);
  // A value may be negated before.
  EXPECT_EQ(
      boundOfText("v_fma_f32 v0, -v1, v9, v0\nv_fmac_f32 v2, v10, v21").fewestSingles.singleFmac,
      0U);
  EXPECT_EQ(
      boundOfText("v_mul_f32 v0, 0x40490fdb, v1\nv_mul_f32 v2, 0x40490fdc, v1").fewestValu.valu,
      2U);
  EXPECT_EQ(
      boundOfText("v_mul_f32 v0, 0x40490fdb, v1\nv_mul_f32 v2, 0x40490fdb, v3").fewestValu.valu,
      1U);
  EXPECT_EQ(boundOfText("v_add_nc_u32 v0, v1, v2\nv_and_b32 v3, v4, v5").fewestValu.valu, 2U);
  // Both square one register: it would have to be in both src0 slots.
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, v1, v1\nv_fmac_f32 v2, v1, v1").fewestSingles.singleFmac,
            2U);
  EXPECT_EQ(boundOfText("v_fmac_f32 v0, v1, v3\nv_fmac_f32 v2, v1, v3").fewestSingles.singleFmac,
            0U);
}

TEST(Bound, PairsThatExcludeEachOther) {
  // Two squares of one register cannot share an instruction, so only the first with the last and
  // the second with the third could: each pair alone is possible, both together are not.
  const BlockBound bound = boundOfText("v_mul_f32 v0, v10, v10\nv_fmac_f32 v0, v20, v20\n"
                                       "v_mul_f32 v3, v10, v10\nv_fmac_f32 v3, v20, v20");
  EXPECT_EQ(bound.fewestValu.valu, 3U);
  EXPECT_EQ(bound.fewestValu.method, BestCounts::Method::Search);
}

TEST(Bound, TuplesKeepTheirDistance) {
  // v0 and v2 of one tuple have one parity; an LDS load can be split.
  EXPECT_EQ(boundOfText("global_load_b128 v[0:3], v[30:31], off\nv_fmac_f32 v10, v0, v0\n"
                        "v_fmac_f32 v11, v2, v2")
                .fewestSingles.singleFmac,
            2U);
  EXPECT_EQ(boundOfText("ds_load_b128 v[0:3], v30\nv_fmac_f32 v10, v0, v0\n"
                        "v_fmac_f32 v11, v2, v2")
                .fewestSingles.singleFmac,
            0U);
}

TEST(Bound, LoopCarriedRegister) {
  // v1 is used before it is loaded anew for the next round, so the load waits for the first FMAC.
  const std::string loop = ".Lloop:\nv_fmac_f32 v0, v1, v20\nds_load_b32 v1, v9\n"
                           "v_fmac_f32 v2, v1, v21\ns_cbranch_scc1 .Lloop";
  const auto module = test::parseKernel(loop);
  const Cfg cfg = buildCfg(*module, 0);
  EXPECT_EQ(boundOf(*module, cfg, 0).fewestSingles.singleFmac, 2U);
}

TEST(Bound, FewestInstructionsAgainstFewestSingles) {
  // Pairing the two FMACs would leave both Y-only operations single.
  const BlockBound bound = boundOfText("v_fmac_f32 v0, v10, v20\nv_fmac_f32 v2, v11, v21\n"
                                       "v_add_nc_u32 v4, v5, v6\nv_and_b32 v7, v8, v9");
  EXPECT_EQ(bound.fewestValu.valu, 2U);
  EXPECT_EQ(bound.fewestValu.singleFmac, 2U);
  EXPECT_EQ(bound.fewestSingles.valu, 3U);
  EXPECT_EQ(bound.fewestSingles.singleFmac, 0U);
}

} // namespace

} // namespace rdna::rewrite::boundTest
