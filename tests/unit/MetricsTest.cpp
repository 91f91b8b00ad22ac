// Figures worked out by hand from the definitions in docs/design.md ("Contract of the tools").

#include "Analysis/Metrics.h"
#include "Analysis/Banks.h"
#include "AsmSnippet.h"

namespace metricsTest {

using namespace rdna;
using namespace rdna::test;

namespace {

LoopMetrics measureBody(std::string_view body) {
  const auto module = parseKernel(body);
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i + 1 < module->instructions().size(); ++i) // without s_endpgm
    all.push_back(i);
  return measure(*module, all);
}

TEST(Metrics, CountsByKind) {
  const LoopMetrics m = measureBody("ds_load_b128 v[4:7], v1\n"
                                    "ds_store_b32 v1, v2\n"
                                    "ds_bpermute_b32 v8, v1, v2\n" // no load: it reads no memory
                                    "global_load_b32 v9, v[2:3], off\n"
                                    "global_store_b32 v[2:3], v9, off\n"
                                    "s_load_b32 s4, s[0:1], 0\n"
                                    "v_add_f32 v10, v1, v2\n"
                                    "v_rcp_f32 v11, v10\n"
                                    "v_dual_mov_b32 v12, v1 :: v_dual_mov_b32 v13, v2\n"
                                    "s_waitcnt vmcnt(0)");
  EXPECT_EQ(m.instructions, 10u);
  EXPECT_EQ(m.valu, 3u);
  EXPECT_EQ(m.vopd, 1u);
  EXPECT_EQ(m.dsLoads, 1u);
  EXPECT_EQ(m.globalLoads, 1u);
  EXPECT_EQ(m.dualFmac, 0u);
  EXPECT_EQ(m.singleFmac, 0u);
}

TEST(Metrics, SingleAndDualFmas) {
  const LoopMetrics m = measureBody(
      "v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v4, v5\n"          // dual
      "v_dual_fmac_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5\n"           // one single
      "v_dual_fmaak_f32 v0, v1, v2, 0x1234 :: v_dual_fmac_f32 v3, v4, v5\n" // dual, FMAAK is one
      "v_fmac_f32 v0, v1, v2\n"                                             // single
      "v_fmac_f32_e64 v0, -v1, v2\n"                                        // single
      "v_fma_f32 v0, v1, v2, v0\n"                                          // single
      "v_fma_f32 v0, v1, v2, v3\n"                                          // dst != addend
      "v_fmaak_f32 v0, v1, v2, 0x1234\n"                                    // single
      "v_fmamk_f32 v0, v1, 0x1234, v2\n"                                    // single
      "v_fmac_f16 v0.l, v1.l, v2.l\n"                                       // not F32
      "v_pk_fma_f16 v0, v1, v2, v0");
  EXPECT_EQ(m.dualFmac, 2u);
  EXPECT_EQ(m.singleFmac, 6u);
  EXPECT_EQ(m.vopd, 3u);
  EXPECT_EQ(m.valu, 11u);
}

TEST(Metrics, SourceBankConflicts) {
  // v4 bank 0, v8 bank 0; v6 bank 2, v10 bank 2: two pairs.
  EXPECT_EQ(
      measureBody("v_dual_fmac_f32 v0, v4, v8 :: v_dual_fmac_f32 v1, v6, v10").sourceBankConflicts,
      2u);
  // Four banks: none, whatever the accumulators are.
  EXPECT_EQ(
      measureBody("v_dual_fmac_f32 v4, v0, v1 :: v_dual_fmac_f32 v9, v2, v3").sourceBankConflicts,
      0u);
  // Singles have no conflicts by definition.
  EXPECT_EQ(measureBody("v_fmac_f32 v0, v4, v8").sourceBankConflicts, 0u);
}

TEST(Metrics, ParityHazards) {
  const LoopMetrics m =
      measureBody("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v6, v10\n"   // v4, v6
                  "v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v11\n"   // v9, v11
                  "v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"); // none
  EXPECT_EQ(m.parityHazards, 2u);
}

TEST(Metrics, ReuseIsOfTheSameHalfAndSlotOfThePreviousVopd) {
  const LoopMetrics m = measureBody(
      "v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"  // first: nothing before it
      "s_nop 0\n"                                                    // no VOPD: does not matter
      "v_dual_fmac_f32 v2, v4, v13 :: v_dual_fmac_f32 v3, v7, v10\n" // X0, Y0, Y1
      "v_dual_fmac_f32 v2, v7, v13 :: v_dual_fmac_f32 v3, v4, v10\n" // X1, Y1 (swapped: no X0, Y0)
      "v_dual_mov_b32 v2, v7 :: v_dual_fmac_f32 v3, v4, v10\n"       // X0, Y0, Y1; MOV has no src1
      "v_dual_fmac_f32 v2, v7, v13 :: v_dual_fmac_f32 v3, v4, v10"); // X0, Y0, Y1; X1 was nothing
  EXPECT_EQ(m.src0Reuse, 6u);
  EXPECT_EQ(m.src1Reuse, 5u);
}

TEST(Metrics, ReuseCountsVgprsOnly) {
  const LoopMetrics m = measureBody("v_dual_fmac_f32 v0, s4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"
                                    "v_dual_fmac_f32 v2, s4, v13 :: v_dual_fmac_f32 v3, v7, v14");
  EXPECT_EQ(m.src0Reuse, 1u);
  EXPECT_EQ(m.src1Reuse, 0u);
}

TEST(Metrics, DestinationRotation) {
  const LoopMetrics m =
      measureBody("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"  // 0, 1
                  "v_dual_fmac_f32 v2, v4, v9 :: v_dual_fmac_f32 v3, v7, v10\n"  // 2, 3: rotates
                  "v_dual_fmac_f32 v4, v4, v9 :: v_dual_fmac_f32 v7, v7, v10\n"  // 0, 3: shares 3
                  "v_dual_fmac_f32 v5, v4, v9 :: v_dual_fmac_f32 v10, v7, v10"); // 1, 2: rotates
  EXPECT_EQ(m.destinationRotation, 2u);
}

TEST(Metrics, LoopsCountNestedOnesOnce) {
  const auto module = parseKernel(".Louter:\nv_add_f32 v1, v2, v3\n"
                                  ".Linner:\nv_fmac_f32 v1, v2, v3\ns_cbranch_scc0 .Linner\n"
                                  "s_cbranch_scc1 .Louter");
  const KernelMetrics kernel = measureKernel(*module, 0);
  ASSERT_EQ(kernel.loops.size(), 2u);
  EXPECT_EQ(kernel.loops[0].header, ".Louter");
  EXPECT_EQ(kernel.loops[0].depth, 1u);
  EXPECT_EQ(kernel.loops[0].instructions, 4u);
  EXPECT_EQ(kernel.loops[0].valu, 2u);
  EXPECT_EQ(kernel.loops[0].singleFmac, 1u);
  EXPECT_EQ(kernel.loops[0].firstLine, 7u);
  EXPECT_EQ(kernel.loops[0].lastLine, 11u);
  EXPECT_EQ(kernel.loops[1].header, ".Linner");
  EXPECT_EQ(kernel.loops[1].depth, 2u);
  EXPECT_EQ(kernel.loops[1].instructions, 2u);
}

TEST(Metrics, Kernel) {
  const auto module = parseKernel("v_add_f32 v11, 0x12345678, v3\ns_add_u32 s7, s4, s5\n"
                                  "v_cmp_lt_f32 vcc_lo, v1, v2",
                                  "\t.amdhsa_group_segment_fixed_size 8320\n"
                                  "\t.amdhsa_private_segment_fixed_size 16\n"
                                  "\t.amdhsa_workgroup_processor_mode 0");
  const KernelMetrics kernel = measureKernel(*module, 0, 128);
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.vgprs, 64u);
  EXPECT_EQ(kernel.vgprsUsed, 12u);
  EXPECT_EQ(kernel.sgprs, 8u); // VCC does not count
  EXPECT_EQ(kernel.ldsBytes, 8320u);
  EXPECT_EQ(kernel.scratchBytes, 16u);
  EXPECT_EQ(kernel.codeBytes, 8u + 4 + 4 + 4);
  EXPECT_EQ(kernel.instructions, 4u);
  EXPECT_EQ(kernel.workgroupSize, 128u);
  EXPECT_EQ(kernel.mode, WorkgroupMode::Cu);
  // 65536 / 9216 = 7 groups of 4 waves on 2 SIMDs: 14 waves.
  EXPECT_EQ(kernel.occupancy.wavesPerSimd, 14u);
  EXPECT_EQ(kernel.occupancy.limit, OccupancyLimit::Lds);
}

TEST(Metrics, WorkgroupSizeFollowsTheFile) {
  const auto with = [](const std::string &lines) {
    return parseText(kernelText("s_nop 0") +
                     "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n" + lines +
                     "    .symbol: k.kd\namdhsa.version: [1, 2]\n...\n"
                     "\t.end_amdgpu_metadata\n");
  };
  EXPECT_EQ(measureKernel(*with(""), 0).workgroupSize, std::nullopt);
  EXPECT_EQ(measureKernel(*with(""), 0, 64).workgroupSize, 64u);
  EXPECT_EQ(measureKernel(*with("    .max_flat_workgroup_size: 256\n"), 0, 64).workgroupSize, 256u);
  EXPECT_EQ(measureKernel(*with("    .max_flat_workgroup_size: 256\n"
                                "    .reqd_workgroup_size: [8, 4, 2]\n"),
                          0, 64)
                .workgroupSize,
            64u);
  EXPECT_EQ(measureKernel(*with(""), 0).mode, WorkgroupMode::Wgp); // LLVM's default
}

TEST(MetricsBanks, Table) {
  const auto module = parseKernel("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"
                                  "v_dual_fmac_f32 v2, v4, v8 :: v_dual_mov_b32 v3, s4\n"
                                  "v_add_f32 v1, s4, v6\n"
                                  "s_nop 0");
  const std::vector<uint32_t> all{0, 1, 2, 3};
  const std::vector<BankRow> rows = bankTable(*module, all);
  ASSERT_EQ(rows.size(), 4u);
  using From = SlotRead::From;
  using Use = DestinationUse::Use;
  EXPECT_EQ(rows[0].sources[0], (SlotRead{From::File, Vgpr{4}}));
  EXPECT_EQ(rows[0].sources[3], (SlotRead{From::File, Vgpr{10}}));
  EXPECT_EQ(rows[0].destinations[1], (DestinationUse{Use::ReadWrite, Vgpr{1}}));
  EXPECT_TRUE(rows[0].conflicts.empty());
  EXPECT_FALSE(rows[0].hazard);
  EXPECT_EQ(rows[1].sources[0], (SlotRead{From::Cache, Vgpr{4}}));
  EXPECT_EQ(rows[1].sources[1], (SlotRead{From::File, Vgpr{8}}));
  EXPECT_EQ(rows[1].sources[2], SlotRead{});
  EXPECT_EQ(rows[1].destinations[1], (DestinationUse{Use::Write, Vgpr{3}}));
  ASSERT_EQ(rows[1].conflicts.size(), 1u);
  EXPECT_EQ(rows[1].conflicts[0], std::pair(Vgpr{4}, Vgpr{8}));
  EXPECT_EQ(rows[2].sources[0], SlotRead{}); // an SGPR has no bank
  EXPECT_EQ(rows[2].sources[1], (SlotRead{From::File, Vgpr{6}}));
  EXPECT_EQ(rows[3].destinations[0], DestinationUse{});
}

} // namespace

} // namespace metricsTest
