// What passes build must assemble, and mean what was asked for. This pins LLVM's opcode names, from
// which the builder starts.

#include "Asm/Lane.h"
#include "AsmSnippet.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Code/Derive.h"

namespace codeBuildTest {

using namespace rdna;
using namespace rdna::test;

namespace {

const std::vector<Op> kOps = {Op::v_fmac_f32,        Op::v_fmaak_f32,        Op::v_fmamk_f32,
                              Op::v_mul_f32,         Op::v_add_f32,          Op::v_sub_f32,
                              Op::v_subrev_f32,      Op::v_mul_dx9_zero_f32, Op::v_mov_b32,
                              Op::v_cndmask_b32,     Op::v_max_f32,          Op::v_min_f32,
                              Op::v_dot2acc_f32_f16, Op::v_dot2acc_f32_bf16, Op::v_add_nc_u32,
                              Op::v_lshlrev_b32,     Op::v_and_b32};

VopdSource vector(unsigned number) { return {VopdSource::Kind::Vgpr, number}; }

LaneOp lane(Op op, unsigned dst, VopdSource src0, unsigned src1) {
  LaneOp result{op, Vgpr{static_cast<uint8_t>(dst)}, src0, vector(src1), {}, {}};
  if (op == Op::v_mov_b32)
    result.src1 = {};
  if (op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32)
    result.constant = 0x12345678;
  if (readsDestination(op))
    result.addend = result.dst;
  return result;
}

/// Parses one printed instruction again and returns its lane operations.
llvm::SmallVector<LaneOp, 2> reparse(const std::string &text) {
  const auto module = parseText(text + "\n");
  if (module->instructions().size() != 1)
    return {};
  return laneOps(module->instructions().front());
}

TEST(CodeBuild, EveryVopdPair) {
  for (const Op x : kOps)
    for (const Op y : kOps) {
      if (vopdOpcodeX(x) < 0)
        continue;
      const LaneOp laneX = lane(x, 8, vector(9), x == Op::v_fmamk_f32 ? 12 : 10);
      const LaneOp laneY = lane(y, 17, vector(18), y == Op::v_fmamk_f32 ? 21 : 19);
      const std::string text = buildVopd(*asVopdHalf(laneX), *asVopdHalf(laneY)).text();
      const auto back = reparse(text);
      ASSERT_EQ(back.size(), 2u) << text;
      EXPECT_EQ(back[0], laneX) << text;
      EXPECT_EQ(back[1], laneY) << text;
    }
}

TEST(CodeBuild, EveryLaneOperation) {
  for (const Op op : kOps) {
    if (op == Op::v_dot2acc_f32_bf16)
      continue; // exists as VOPD half only
    const LaneOp expected = lane(op, 8, vector(9), 10);
    const std::string text = buildLane(expected).text();
    const auto back = reparse(text);
    ASSERT_EQ(back.size(), 1u) << text;
    EXPECT_EQ(back[0], expected) << text;
  }
}

TEST(CodeBuild, SourcesOfAllKinds) {
  for (const VopdSource source :
       {vector(255), VopdSource{VopdSource::Kind::Scalar, 105},
        VopdSource{VopdSource::Kind::Scalar, 106}, VopdSource{VopdSource::Kind::Scalar, 107},
        VopdSource{VopdSource::Kind::Scalar, 108}, VopdSource{VopdSource::Kind::Scalar, 125},
        VopdSource{VopdSource::Kind::Scalar, 126}, VopdSource{VopdSource::Kind::Scalar, 253},
        VopdSource{VopdSource::Kind::Inline, 64}, VopdSource{VopdSource::Kind::Inline, 0xfffffff0},
        VopdSource{VopdSource::Kind::Inline, 0x3f800000},
        VopdSource{VopdSource::Kind::Inline, 0x3e22f983},
        VopdSource{VopdSource::Kind::Literal, 0x12345678},
        VopdSource{VopdSource::Kind::Literal, 0xdeadbeef}}) {
    const LaneOp single = lane(Op::v_mul_f32, 8, source, 10);
    const auto back = reparse(buildLane(single).text());
    ASSERT_EQ(back.size(), 1u) << buildLane(single).text();
    EXPECT_EQ(back[0], single) << buildLane(single).text();
    const LaneOp other = lane(Op::v_mov_b32, 9, vector(18), 0);
    const auto pair = reparse(buildVopd(*asVopdHalf(single), *asVopdHalf(other)).text());
    ASSERT_EQ(pair.size(), 2u);
    EXPECT_EQ(pair[0], single);
  }
}

TEST(CodeBuild, FmaWithAnotherAddend) {
  LaneOp fma = lane(Op::v_fmac_f32, 8, vector(9), 10);
  fma.addend = Vgpr{11};
  EXPECT_EQ(buildLane(fma).text(), "v_fma_f32 v8, v9, v10, v11");
  EXPECT_EQ(reparse(buildLane(fma).text()).front(), fma);
}

TEST(CodeBuild, FmaWithAConstantAddend) {
  const auto sum = reparse("v_fma_f32 v8, v9, v10, 0");
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum[0].op, Op::v_fmaak_f32);
  EXPECT_EQ(buildLane(sum[0]).text(), "v_fmaak_f32 v8, v9, v10, 0x0");
  EXPECT_EQ(reparse(buildLane(sum[0]).text()).front(), sum[0]);
  const LaneOp move = lane(Op::v_mov_b32, 9, vector(18), 0);
  const std::string pair = buildVopd(*asVopdHalf(sum[0]), *asVopdHalf(move)).text();
  EXPECT_EQ(pair, "v_dual_fmaak_f32 v8, v9, v10, 0x0 :: v_dual_mov_b32 v9, v18");
  EXPECT_EQ(reparse(pair)[0], sum[0]);
  // Its second factor may be no VGPR: V_FMA says the same as it stands, FMAAK exchanged.
  const auto scalar = reparse("v_fma_f32 v8, v9, s10, 1.0");
  ASSERT_EQ(scalar.size(), 1u);
  EXPECT_EQ(buildLane(scalar[0]).text(), "v_fma_f32 v8, v9, s10, 1.0");
  EXPECT_EQ(buildLane(*swapped(scalar[0])).text(), "v_fmaak_f32 v8, s10, v9, 0x3f800000");
  for (const char *other :
       {"v_fma_f32 v8, v9, 0x12345678, 1.0", "v_fma_f32 v8, s9, s9, 1.0",
        "v_fma_f32 v8, -v9, v10, 0", "v_fma_f32 v8, v9, v10, 0 clamp", "v_fma_f32 v8, v9, v10, s2"})
    EXPECT_TRUE(reparse(other).empty()) << other;
}

TEST(CodeBuild, FmaWithAConstantFactor) {
  for (const char *text : {"v_fma_f32 v8, v9, 2.0, v11", "v_fma_f32 v8, 2.0, v9, v11"}) {
    const auto lanes = reparse(text);
    ASSERT_EQ(lanes.size(), 1u) << text;
    const auto made = withConstantFactor(lanes[0]);
    ASSERT_TRUE(made) << text;
    EXPECT_EQ(buildLane(*made).text(), "v_fmamk_f32 v8, v9, 0x40000000, v11");
  }
  for (const char *other : {"v_fma_f32 v8, v9, v10, v11", "v_fma_f32 v8, v9, s3, v11",
                            "v_fma_f32 v8, 2.0, 2.0, v11", "v_fma_f32 v8, v9, 2.0, 1.0"})
    EXPECT_FALSE(withConstantFactor(reparse(other).front())) << other;
}

TEST(CodeBuild, WhatCountsAsSingle) {
  const auto counts = [](const std::string &text) {
    return isFmaFamily(parseText(text + "\n")->instructions().front());
  };
  for (const char *text : {"v_fmac_f32 v8, v9, v10", "v_fmaak_f32 v8, v9, v10, 0x12345678",
                           "v_fma_f32 v8, v9, v10, v8", "v_fma_f32 v8, -v9, v10, v8",
                           "v_fma_f32 v8, v9, v10, 0", "v_fma_f32 v8, v9, 2.0, v10"})
    EXPECT_TRUE(counts(text)) << text;
  for (const char *text : {"v_fma_f32 v8, v9, v10, v11", "v_fma_f32 v8, -v9, v10, 0",
                           "v_fma_f32 v8, v9, v10, s2", "v_mul_f32 v8, v9, v10"})
    EXPECT_FALSE(counts(text)) << text;
}

TEST(CodeBuild, MovesAndLoads) {
  EXPECT_EQ(buildMove(Vgpr{1}, Vgpr{2}).text(), "v_mov_b32_e32 v1, v2");
  EXPECT_EQ(buildMoveConstant(Vgpr{1}, 0).text(), "v_mov_b32_e32 v1, 0");
  EXPECT_EQ(buildMoveConstant(Vgpr{1}, 0x3f800000).text(), "v_mov_b32_e32 v1, 1.0");
  EXPECT_EQ(buildSwap(Vgpr{1}, Vgpr{2}).text(), "v_swap_b32 v1, v2");
  EXPECT_EQ(buildDsLoad(Vgpr{4}, 1, Vgpr{1}, 0).text(), "ds_load_b32 v4, v1");
  EXPECT_EQ(buildDsLoad(Vgpr{4}, 2, Vgpr{1}, 8).text(), "ds_load_b64 v[4:5], v1 offset:8");
  EXPECT_EQ(buildDsLoad(Vgpr{4}, 3, Vgpr{1}, 8).text(), "ds_load_b96 v[4:6], v1 offset:8");
  EXPECT_EQ(buildDsLoad(Vgpr{4}, 4, Vgpr{1}, 65535).text(), "ds_load_b128 v[4:7], v1 offset:65535");
}

TEST(CodeBuild, WaitCounts) {
  EXPECT_EQ(buildWait({0, {}, {}}).text(), "s_waitcnt vmcnt(0)");
  EXPECT_EQ(buildWait({{}, 3, {}}).text(), "s_waitcnt lgkmcnt(3)");
  EXPECT_EQ(decodeWait(0x03f7), (WaitCounts{0, {}, {}}));
  EXPECT_EQ(decodeWait(0xfc07), (WaitCounts{{}, 0, {}}));
  EXPECT_EQ(decodeWait(0xfff0), (WaitCounts{{}, {}, 0}));
  EXPECT_FALSE(decodeWait(0xfff7).any());
  for (unsigned vm = 0; vm < 64; vm += 21)
    for (unsigned lgkm = 0; lgkm < 64; lgkm += 9) {
      const WaitCounts counts{vm == 63 ? std::nullopt : std::optional(vm),
                              lgkm == 63 ? std::nullopt : std::optional(lgkm), 1};
      const auto module = parseText(buildWait(counts).text() + "\n");
      const Instruction &wait = module->instructions().front();
      EXPECT_EQ(decodeWait(static_cast<uint16_t>(wait.operands.front().imm)), counts);
    }
}

TEST(CodeBuild, Renamed) {
  const auto module = parseText("ds_load_b64 v[4:5], v1 offset: 8\nv_fmac_f32 v1, v2, v3\n");
  const auto &all = module->instructions();
  const auto plus = [](unsigned n) {
    return
        [n](const Operand &, int, Vgpr old) { return Vgpr{static_cast<uint8_t>(old.number + n)}; };
  };
  EXPECT_EQ(renamed(*module, all[0], plus(0))->print(*module), "ds_load_b64 v[4:5], v1 offset: 8");
  EXPECT_EQ(renamed(*module, all[0], plus(10))->print(*module),
            "ds_load_b64 v[14:15], v11 offset:8");
  EXPECT_EQ(renamed(*module, all[1], plus(10))->print(*module), "v_fmac_f32_e32 v11, v12, v13");
  const auto torn = [](const Operand &, int, Vgpr old) { return old.number == 5 ? Vgpr{9} : old; };
  EXPECT_FALSE(renamed(*module, all[0], torn));
}

/// Everything that passes build by operation: as LLVM reads it back.
TEST(CodeBuild, ByOperation) {
  const Arg s4 = sgpr(4), s5 = sgpr(5), v1 = vgpr(1), v2 = vgpr(2), v3 = vgpr(3);
  const std::pair<Inst, const char *> cases[] = {
      {build(Op::s_and_not0_saveexec_b32, {s4, s5}), "s_and_not0_saveexec_b32 s4, s5"},
      {build(Op::s_add_u32, {s4, s5, imm(0x10)}), "s_add_u32 s4, s5, 16"},
      {build(Op::s_addc_u32, {s4, s5, imm(0)}), "s_addc_u32 s4, s5, 0"},
      {build(Op::s_add_i32, {s4, s4, imm(-16)}), "s_add_i32 s4, s4, -16"},
      {build(Op::s_add_i32, {s4, s4, imm(-17)}), "s_add_i32 s4, s4, 0xffffffef"},
      {build(Op::s_sub_i32, {s4, s5, s4}), "s_sub_i32 s4, s5, s4"},
      {build(Op::s_sub_u32, {s4, imm(0), s5}), "s_sub_u32 s4, 0, s5"},
      {build(Op::s_mov_b32, {s4, imm(0x12345678)}), "s_mov_b32 s4, 0x12345678"},
      {build(Op::s_mov_b64, {sgprPair(4), sgprPair(6)}), "s_mov_b64 s[4:5], s[6:7]"},
      {build(Op::s_mul_i32, {s4, s5, s5}), "s_mul_i32 s4, s5, s5"},
      {build(Op::s_mul_hi_u32, {s4, s5, imm(64)}), "s_mul_hi_u32 s4, s5, 64"},
      {build(Op::s_lshl_b64, {sgprPair(4), sgprPair(4), imm(2)}), "s_lshl_b64 s[4:5], s[4:5], 2"},
      {build(Op::s_cselect_b32, {s4, imm(0x80000000), s4}), "s_cselect_b32 s4, 0x80000000, s4"},
      {build(Op::s_cmp_ge_u32, {s4, imm(5)}), "s_cmp_ge_u32 s4, 5"},
      {build(Op::s_cmp_lt_i32, {s4, s5}), "s_cmp_lt_i32 s4, s5"},
      {build(Op::s_cmp_eq_u32, {imm(0), imm(0)}), "s_cmp_eq_u32 0, 0"},
      {build(Op::v_add_lshl_u32, {v1, s4, v2, imm(2)}), "v_add_lshl_u32 v1, s4, v2, 2"},
      {build(Op::v_lshlrev_b32, {v1, imm(2), v2}), "v_lshlrev_b32_e32 v1, 2, v2"},
      {build(Op::v_add_nc_u32, {v1, s4, v3}), "v_add_nc_u32_e32 v1, s4, v3"},
      {build(Op::v_subrev_nc_u32, {v1, s4, v1}), "v_subrev_nc_u32_e32 v1, s4, v1"},
      {build(Op::s_nop, {imm(0)}), "s_nop 0"},
      {build(Op::s_setprio, {imm(1)}), "s_setprio 1"},
      {build(Op::s_delay_alu, {imm(1)}), "s_delay_alu instid0(VALU_DEP_1)"},
      {buildClause(4), "s_clause 0x3"},
      {buildVaVdstWait(), "s_waitcnt_depctr 0xfff"},
      {buildBranch(Op::s_cbranch_scc0, "here"), "s_cbranch_scc0 here"},
      {buildDsStore2(RegUnit::vgpr(1), {RegUnit::vgpr(2), 1, Half::Whole},
                     {RegUnit::vgpr(9), 1, Half::Whole}, 0, 3, Stride::One),
       "ds_store_2addr_b32 v1, v2, v9 offset1:3"},
      {buildDsStore2(RegUnit::vgpr(1), {RegUnit::vgpr(2), 2, Half::Whole},
                     {RegUnit::vgpr(8), 2, Half::Whole}, 1, 255, Stride::SixtyFour),
       "ds_store_2addr_stride64_b64 v1, v[2:3], v[8:9] offset0:1 offset1:255"},
  };
  const auto empty = parseText("here:\n\ts_endpgm\n");
  for (const auto &[inst, text] : cases) {
    EXPECT_EQ(inst.text(), text);
    auto derived = derive(*empty, {lineBefore(*empty, empty->instructions()[0], inst)});
    ASSERT_TRUE(static_cast<bool>(derived));
    EXPECT_EQ(firstDifference(**derived, *parseText(std::string((*derived)->text()))), "");
  }
}

TEST(CodeChange, GlobalAddresses) {
  const std::pair<const char *, const char *> cases[] = {
      {"global_load_b32 v1, v[2:3], off", "global_load_b32 v1, v9, s[4:5] offset:8"},
      {"global_load_b128 v[4:7], v[2:3], off offset:64 glc",
       "global_load_b128 v[4:7], v9, s[4:5] offset:8 glc"},
      {"global_load_d16_b16 v1, v[2:3], off", "global_load_d16_b16 v1, v9, s[4:5] offset:8"},
      {"global_store_b64 v[2:3], v[6:7], off", "global_store_b64 v9, v[6:7], s[4:5] offset:8"},
      {"global_store_b32 v2, v6, s[10:11] dlc", "global_store_b32 v9, v6, s[4:5] offset:8 dlc"},
      {"global_atomic_add_u32 v[2:3], v6, off", "global_atomic_add_u32 v9, v6, s[4:5] offset:8"},
      {"global_atomic_add_u32 v1, v[2:3], v6, off glc",
       "global_atomic_add_u32 v1, v9, v6, s[4:5] offset:8 glc"},
      {"global_atomic_cmpswap_b32 v1, v[2:3], v[6:7], off glc",
       "global_atomic_cmpswap_b32 v1, v9, v[6:7], s[4:5] offset:8 glc"},
  };
  for (const auto &[text, expected] : cases) {
    const auto module = parseText(std::string("\t") + text + "\n");
    const Instruction &inst = module->instructions()[0];
    const auto changed = withGlobalAddress(*module, inst, 9, 4, 8);
    ASSERT_TRUE(changed.has_value()) << text;
    EXPECT_EQ(changed->text(), expected);
    auto derived = derive(*module, {replacement(inst, *changed)});
    ASSERT_TRUE(static_cast<bool>(derived));
    EXPECT_EQ(firstDifference(**derived, *parseText(std::string((*derived)->text()))), "") << text;
  }
}

TEST(AsmLane, SwappingKeepsTheValue) {
  const LaneOp sub = lane(Op::v_sub_f32, 8, vector(9), 10);
  const auto back = swapped(sub);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->op, Op::v_subrev_f32);
  EXPECT_EQ(back->src0, vector(10));
  EXPECT_EQ(*swapped(*back), sub);
  EXPECT_FALSE(swapped(lane(Op::v_lshlrev_b32, 8, vector(9), 10)));
  EXPECT_FALSE(swapped(lane(Op::v_fmamk_f32, 8, vector(9), 10)));
  EXPECT_FALSE(swapped(lane(Op::v_add_f32, 8, {VopdSource::Kind::Scalar, 4}, 10)));
}

TEST(AsmLane, ModifiersHaveNoLaneOperation) {
  for (const char *text : {"v_add_f32_e64 v1, -v2, v3", "v_add_f32_e64 v1, v2, v3 mul:2",
                           "v_mul_f32_e64 v1, |v2|, v3", "v_max_f32_e64 v1, v2, v3 clamp",
                           "v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
                           "v_mov_b32_dpp v1, v2 quad_perm:[0,0,0,0] row_mask:0x0 bank_mask:0x0",
                           "v_cndmask_b32 v1, v2, v3, s4", "v_add_f16 v1.l, v2.l, v3.l",
                           "v_mov_b32_dpp v1, v2 dpp8:[0,0,0,0,0,0,0,0]"})
    EXPECT_TRUE(reparse(text).empty()) << text;
}

TEST(CodeBuild, MemoryThatGeneratorsUse) {
  EXPECT_EQ(buildBufferLoad(Vgpr{4}, 4, Vgpr{9}, 40, 16).text(),
            "buffer_load_b128 v[4:7], v9, s[40:43], 0 offen offset:16");
  EXPECT_EQ(buildBufferLoad(Vgpr{4}, 1, Vgpr{9}, 40, 0).text(),
            "buffer_load_b32 v4, v9, s[40:43], 0 offen");
  EXPECT_EQ(buildBufferStore(Vgpr{4}, 2, Vgpr{9}, 8, 0).text(),
            "buffer_store_b64 v[4:5], v9, s[8:11], 0 offen");
  EXPECT_EQ(buildBufferLoad(Vgpr{4}, 1, Vgpr{9}, 40, 0, 6).text(),
            "buffer_load_b32 v4, v9, s[40:43], s6 offen");
  EXPECT_EQ(buildDsStore(Vgpr{3}, Vgpr{8}, 4, 32).text(), "ds_store_b128 v3, v[8:11] offset:32");
  EXPECT_EQ(buildDsLoad2(Vgpr{6}, Vgpr{1}, 4, 4, Stride::One).text(),
            "ds_load_2addr_b32 v[6:7], v1 offset0:4 offset1:4");
  EXPECT_EQ(buildDsLoad2(Vgpr{6}, Vgpr{1}, 2, 2, Stride::SixtyFour).text(),
            "ds_load_2addr_stride64_b32 v[6:7], v1 offset0:2 offset1:2");
  EXPECT_EQ(buildScalarLoad(16, 8, 0, 32).text(), "s_load_b256 s[16:23], s[0:1], 0x20");
  const Arg to = RegRange{RegUnit::scalar(40), 16, Half::Whole};
  const Arg from = RegRange{RegUnit::scalar(4), 4, Half::Whole};
  EXPECT_EQ(build(Op::s_buffer_load_b512, {to, from, imm(64)}).text(),
            "s_buffer_load_b512 s[40:55], s[4:7], 0x40");
}

} // namespace

} // namespace codeBuildTest
