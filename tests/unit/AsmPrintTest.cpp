// What the project prints must assemble, and mean what was asked for. This pins LLVM's opcode
// names, from which the printer starts.

#include "Asm/Lane.h"
#include "Asm/Print.h"
#include "AsmSnippet.h"

using namespace rdna;
using namespace rdna::test;

namespace {

const std::vector<Op> kOps = {Op::v_fmac_f32,        Op::v_fmaak_f32,        Op::v_fmamk_f32,
                              Op::v_mul_f32,         Op::v_add_f32,          Op::v_sub_f32,
                              Op::v_subrev_f32,      Op::v_mul_dx9_zero_f32, Op::v_mov_b32,
                              Op::v_cndmask_b32,     Op::v_max_f32,          Op::v_min_f32,
                              Op::v_dot2acc_f32_f16, Op::v_dot2acc_f32_bf16, Op::v_add_nc_u32,
                              Op::v_lshlrev_b32,     Op::v_and_b32};

VopdSource vgpr(unsigned number) { return {VopdSource::Kind::Vgpr, number}; }

LaneOp lane(Op op, unsigned dst, VopdSource src0, unsigned src1) {
  LaneOp result{op, Vgpr{static_cast<uint8_t>(dst)}, src0, vgpr(src1), {}, {}};
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

TEST(AsmPrint, EveryVopdPair) {
  for (const Op x : kOps)
    for (const Op y : kOps) {
      if (vopdOpcodeX(x) < 0)
        continue;
      const LaneOp laneX = lane(x, 8, vgpr(9), x == Op::v_fmamk_f32 ? 12 : 10);
      const LaneOp laneY = lane(y, 17, vgpr(18), y == Op::v_fmamk_f32 ? 21 : 19);
      const std::string text = printVopd(*asVopdHalf(laneX), *asVopdHalf(laneY));
      const auto back = reparse(text);
      ASSERT_EQ(back.size(), 2u) << text;
      EXPECT_EQ(back[0], laneX) << text;
      EXPECT_EQ(back[1], laneY) << text;
    }
}

TEST(AsmPrint, EveryLaneOperation) {
  for (const Op op : kOps) {
    if (op == Op::v_dot2acc_f32_bf16)
      continue; // exists as VOPD half only
    const LaneOp expected = lane(op, 8, vgpr(9), 10);
    const std::string text = printLane(expected);
    const auto back = reparse(text);
    ASSERT_EQ(back.size(), 1u) << text;
    EXPECT_EQ(back[0], expected) << text;
  }
}

TEST(AsmPrint, SourcesOfAllKinds) {
  for (const VopdSource source :
       {vgpr(255), VopdSource{VopdSource::Kind::Scalar, 105},
        VopdSource{VopdSource::Kind::Scalar, 106}, VopdSource{VopdSource::Kind::Scalar, 107},
        VopdSource{VopdSource::Kind::Scalar, 108}, VopdSource{VopdSource::Kind::Scalar, 125},
        VopdSource{VopdSource::Kind::Scalar, 126}, VopdSource{VopdSource::Kind::Scalar, 253},
        VopdSource{VopdSource::Kind::Inline, 64}, VopdSource{VopdSource::Kind::Inline, 0xfffffff0},
        VopdSource{VopdSource::Kind::Inline, 0x3f800000},
        VopdSource{VopdSource::Kind::Inline, 0x3e22f983},
        VopdSource{VopdSource::Kind::Literal, 0x12345678},
        VopdSource{VopdSource::Kind::Literal, 0xdeadbeef}}) {
    const LaneOp single = lane(Op::v_mul_f32, 8, source, 10);
    const auto back = reparse(printLane(single));
    ASSERT_EQ(back.size(), 1u) << printLane(single);
    EXPECT_EQ(back[0], single) << printLane(single);
    const LaneOp other = lane(Op::v_mov_b32, 9, vgpr(18), 0);
    const auto pair = reparse(printVopd(*asVopdHalf(single), *asVopdHalf(other)));
    ASSERT_EQ(pair.size(), 2u);
    EXPECT_EQ(pair[0], single);
  }
}

TEST(AsmPrint, FmaWithAnotherAddend) {
  LaneOp fma = lane(Op::v_fmac_f32, 8, vgpr(9), 10);
  fma.addend = Vgpr{11};
  EXPECT_EQ(printLane(fma), "v_fma_f32 v8, v9, v10, v11");
  EXPECT_EQ(reparse(printLane(fma)).front(), fma);
}

TEST(AsmPrint, MovesAndLoads) {
  EXPECT_EQ(printMove(Vgpr{1}, Vgpr{2}), "v_mov_b32_e32 v1, v2");
  EXPECT_EQ(printMoveConstant(Vgpr{1}, 0), "v_mov_b32_e32 v1, 0");
  EXPECT_EQ(printMoveConstant(Vgpr{1}, 0x3f800000), "v_mov_b32_e32 v1, 1.0");
  EXPECT_EQ(printSwap(Vgpr{1}, Vgpr{2}), "v_swap_b32 v1, v2");
  EXPECT_EQ(printDsLoad(Vgpr{4}, 1, Vgpr{1}, 0), "ds_load_b32 v4, v1");
  EXPECT_EQ(printDsLoad(Vgpr{4}, 2, Vgpr{1}, 8), "ds_load_b64 v[4:5], v1 offset:8");
  EXPECT_EQ(printDsLoad(Vgpr{4}, 3, Vgpr{1}, 8), "ds_load_b96 v[4:6], v1 offset:8");
  EXPECT_EQ(printDsLoad(Vgpr{4}, 4, Vgpr{1}, 65535), "ds_load_b128 v[4:7], v1 offset:65535");
}

TEST(AsmPrint, WaitCounts) {
  EXPECT_EQ(printWait({0, {}, {}}), "s_waitcnt vmcnt(0)");
  EXPECT_EQ(printWait({{}, 3, {}}), "s_waitcnt lgkmcnt(3)");
  EXPECT_EQ(decodeWait(0x03f7), (WaitCounts{0, {}, {}}));
  EXPECT_EQ(decodeWait(0xfc07), (WaitCounts{{}, 0, {}}));
  EXPECT_EQ(decodeWait(0xfff0), (WaitCounts{{}, {}, 0}));
  EXPECT_FALSE(decodeWait(0xfff7).any());
  for (unsigned vm = 0; vm < 64; vm += 21)
    for (unsigned lgkm = 0; lgkm < 64; lgkm += 9) {
      const WaitCounts counts{vm == 63 ? std::nullopt : std::optional(vm),
                              lgkm == 63 ? std::nullopt : std::optional(lgkm), 1};
      const auto module = parseText(printWait(counts) + "\n");
      const Instruction &wait = module->instructions().front();
      EXPECT_EQ(decodeWait(static_cast<uint16_t>(wait.operands.front().imm)), counts);
    }
}

TEST(AsmPrint, Renamed) {
  const auto module = parseText("ds_load_b64 v[4:5], v1 offset: 8\nv_fmac_f32 v1, v2, v3\n");
  const auto &all = module->instructions();
  const auto plus = [](unsigned n) {
    return
        [n](const Operand &, int, Vgpr old) { return Vgpr{static_cast<uint8_t>(old.number + n)}; };
  };
  EXPECT_EQ(printRenamed(*module, all[0], plus(0)), "ds_load_b64 v[4:5], v1 offset: 8");
  EXPECT_EQ(printRenamed(*module, all[0], plus(10)), "ds_load_b64 v[14:15], v11 offset:8");
  EXPECT_EQ(printRenamed(*module, all[1], plus(10)), "v_fmac_f32_e32 v11, v12, v13");
  const auto torn = [](const Operand &, int, Vgpr old) { return old.number == 5 ? Vgpr{9} : old; };
  EXPECT_EQ(printRenamed(*module, all[0], torn), std::nullopt);
}

TEST(AsmLane, SwappingKeepsTheValue) {
  const LaneOp sub = lane(Op::v_sub_f32, 8, vgpr(9), 10);
  const auto back = swapped(sub);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->op, Op::v_subrev_f32);
  EXPECT_EQ(back->src0, vgpr(10));
  EXPECT_EQ(*swapped(*back), sub);
  EXPECT_FALSE(swapped(lane(Op::v_lshlrev_b32, 8, vgpr(9), 10)));
  EXPECT_FALSE(swapped(lane(Op::v_fmamk_f32, 8, vgpr(9), 10)));
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

} // namespace
