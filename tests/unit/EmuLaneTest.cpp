//===- EmuLaneTest.cpp - VOPD, DPP, permutes, indexed registers -----------===//
#include "EmuSnippet.h"

namespace emuLaneTest {

using namespace rdna::test;

namespace {

const Row numbered = byLane([](uint32_t l) { return 100 + l; });

TEST(EmuVopd, BothHalvesReadBeforeEitherWrites) {
  Snippet s;
  s.inputs = {broadcast(11), broadcast(22)};
  s.outputs = 2;
  s.body = "\tv_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n"
           "\tv_mov_b32 v100, v1\n\tv_mov_b32 v101, v2\n";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][3], 22u);
  EXPECT_EQ(r[1][3], 11u);
  // Y reads X's destination only, then X reads Y's only.
  s.body = "\tv_dual_mov_b32 v1, v2 :: v_dual_add_f32 v100, v1, v1\n\tv_mov_b32 v101, v1\n";
  s.inputs = {broadcast(f32(1)), broadcast(f32(5))};
  r = run(s);
  EXPECT_EQ(r[0][3], f32(2));
  EXPECT_EQ(r[1][3], f32(5));
  s.body = "\tv_dual_add_f32 v100, v1, v1 :: v_dual_mov_b32 v1, v2\n\tv_mov_b32 v101, v1\n";
  r = run(s);
  EXPECT_EQ(r[0][3], f32(2));
  EXPECT_EQ(r[1][3], f32(5));
}

TEST(EmuVopd, PairsThatNoAssemblerWrites) {
  // MOV v100, v4 with MOV v101, v4: one bank. Then FMAC v100, v1, v5 with FMAC v101, v1, v5.
  Snippet s;
  s.inputs = {broadcast(f32(2)), broadcast(0), broadcast(0), broadcast(f32(3)), broadcast(f32(5))};
  s.outputs = 2;
  s.body = "\t.long 0xca100104, 0x64640104\n\tv_mov_b32 v101, 1.0\n"
           "\t.long 0xc8000b01, 0x64640b01\n";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], broadcast(f32(3 + 2 * 5)));
  EXPECT_EQ(r[1], broadcast(f32(1 + 2 * 5)));
}

TEST(EmuHalves, ClassMaskInTheHighHalf) {
  Snippet s;
  s.inputs = {broadcast(0x7e003c00), broadcast(0x01000002)}; // 1.0, NaN; masks: normal, quiet NaN
  s.outputs = 2;
  s.body = R"(
    v_mov_b32 v100, 0
    v_mov_b32 v101, 0
    v_cmp_class_f16_e32 vcc_lo, v1.l, v2.h
    v_cndmask_b32 v100, 0, 1, vcc_lo
    v_cmp_class_f16_e64 s20, v1.l, v2.l
    v_cndmask_b32 v101, 0, 1, s20)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], broadcast(1));
  EXPECT_EQ(r[1], broadcast(0));
}

TEST(EmuLaneMask, Constants) {
  // v_cndmask_b32 v100, v1, v2 with the constant 5 (133) as mask: lanes 0 and 2.
  Snippet s;
  s.inputs = {broadcast(1), broadcast(2)};
  s.body = "\t.long 0xd5010064, 0x02160501\n";
  EXPECT_EQ(run(s)[0], byLane([](uint32_t l) { return l == 0 || l == 2 ? 2 : 1; }));
}

TEST(EmuVopd, CountsAsOneInstruction) {
  Snippet s;
  s.inputs = {broadcast(1), broadcast(2)};
  uint64_t before = run(s).run.instructions;
  s.body = "\tv_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n";
  EXPECT_EQ(run(s).run.instructions, before + 1);
  s.body = "\tv_dual_fmac_f32 v20, v1, v2 :: v_dual_fmac_f32 v21, v2, v1\n";
  EXPECT_EQ(run(s).run.instructions, before + 1);
}

TEST(EmuVopd, EveryComponentOperation) {
  struct Case {
    const char *x;
    uint32_t expected;
  };
  // v20 = 10, v1 = 2, v2 = 3 as floats; the Y half is an idle move.
  const Case cases[] = {{"fmac_f32 v20, v1, v2", f32(16)},
                        {"fmaak_f32 v20, v1, v2, 0x40800000", f32(10)},
                        {"fmamk_f32 v20, v1, 0x40800000, v2", f32(11)},
                        {"mul_f32 v20, v1, v2", f32(6)},
                        {"add_f32 v20, v1, v2", f32(5)},
                        {"sub_f32 v20, v1, v2", f32(-1)},
                        {"subrev_f32 v20, v1, v2", f32(1)},
                        {"mul_dx9_zero_f32 v20, v1, v2", f32(6)},
                        {"mov_b32 v20, v1", f32(2)},
                        {"cndmask_b32 v20, v1, v2", f32(3)},
                        {"max_f32 v20, v1, v2", f32(3)},
                        {"min_f32 v20, v1, v2", f32(2)}};
  for (const Case &c : cases) {
    Snippet s;
    s.inputs = {broadcast(f32(2)), broadcast(f32(3))};
    s.body = std::string("\ts_mov_b32 vcc_lo, -1\n\tv_mov_b32 v20, 0x41200000\n\tv_dual_") + c.x +
             " :: v_dual_mov_b32 v23, s10\n\tv_mov_b32 v100, v20\n";
    EXPECT_EQ(run(s)[0][8], c.expected) << c.x;
  }
  const Case yOnly[] = {
      {"add_nc_u32 v21, 40, v2", 45}, {"lshlrev_b32 v21, 4, v2", 80}, {"and_b32 v21, 4, v2", 4}};
  for (const Case &c : yOnly) {
    Snippet s;
    s.inputs = {broadcast(1), broadcast(5)};
    s.body = std::string("\tv_dual_mov_b32 v20, v1 :: v_dual_") + c.x + "\n\tv_mov_b32 v100, v21\n";
    EXPECT_EQ(run(s)[0][8], c.expected) << c.x;
  }
}

TEST(EmuVopd, RespectsExec) {
  Snippet s;
  s.inputs = {broadcast(f32(2)), broadcast(f32(3))};
  s.outputs = 2;
  s.body = "\tv_mov_b32 v100, 0\n\tv_mov_b32 v101, 0\n\ts_mov_b32 exec_lo, 0x00ff00ff\n"
           "\tv_dual_fmac_f32 v100, v1, v2 :: v_dual_fmac_f32 v101, v2, v1\n";
  SnippetResult r = run(s);
  Row expected = byLane([](uint32_t l) { return l & 8 ? 0 : f32(6); });
  EXPECT_EQ(r[0], expected);
  EXPECT_EQ(r[1], expected);
}

/// v100 = v1 through a DPP move; lanes that are left alone show 7.
Row dpp(const std::string &control, const std::string &exec = "-1") {
  Snippet s;
  s.inputs = {numbered};
  s.body = "\tv_mov_b32 v100, 7\n\ts_mov_b32 exec_lo, " + exec + "\n\tv_mov_b32_dpp v100, v1 " +
           control + "\n";
  return run(s)[0];
}

TEST(EmuDpp, Sources) {
  EXPECT_EQ(dpp("quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return 100 + (l ^ 3); }));
  EXPECT_EQ(dpp("row_shr:1 row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return l % 16 ? 100 + l - 1 : 7; }));
  EXPECT_EQ(dpp("row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1"),
            byLane([](uint32_t l) { return l % 16 ? 100 + l - 1 : 0; }));
  EXPECT_EQ(dpp("row_shl:15 row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return l % 16 == 0 ? 100 + l + 15 : 7; }));
  EXPECT_EQ(dpp("row_ror:4 row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return 100 + (l & 16) + ((l - 4) & 15); }));
  EXPECT_EQ(dpp("row_mirror row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return 100 + (l & 16) + 15 - l % 16; }));
  EXPECT_EQ(dpp("row_half_mirror row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return 100 + (l & 24) + 7 - l % 8; }));
  EXPECT_EQ(dpp("row_share:5 row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return 100 + (l & 16) + 5; }));
  EXPECT_EQ(dpp("row_xmask:6 row_mask:0xf bank_mask:0xf"),
            byLane([](uint32_t l) { return 100 + (l ^ 6); }));
  EXPECT_EQ(dpp("dpp8:[7,6,5,4,3,2,1,0]"), byLane([](uint32_t l) { return 100 + (l ^ 7); }));
}

TEST(EmuDpp, MasksAndInactiveSources) {
  EXPECT_EQ(dpp("row_mirror row_mask:0x1 bank_mask:0x3"),
            byLane([](uint32_t l) { return l < 8 ? 100 + 15 - l : 7; }));
  // Lane 3 is inactive: whoever reads it keeps the old value, gets 0, or the value with FI.
  Row kept = dpp("row_share:3 row_mask:0xf bank_mask:0xf", "0xfffffff7");
  EXPECT_EQ(kept[0], 7u);
  EXPECT_EQ(kept[16], 119u);
  EXPECT_EQ(dpp("row_share:3 row_mask:0xf bank_mask:0xf bound_ctrl:1", "0xfffffff7")[0], 0u);
  EXPECT_EQ(dpp("row_share:3 row_mask:0xf bank_mask:0xf fi:1", "0xfffffff7")[0], 103u);
}

TEST(EmuDpp, WithArithmeticAndModifiers) {
  Snippet s;
  s.inputs = {byLane([](uint32_t l) { return f32(float(l)); })};
  s.body = "\tv_add_f32_dpp v100, -v1, v1 row_xmask:1 row_mask:0xf bank_mask:0xf\n";
  EXPECT_EQ(run(s)[0], byLane([](uint32_t l) { return f32(float(l) - float(l ^ 1)); }));
}

Row ofOne(const std::string &body, unsigned outputs = 1) {
  Snippet s;
  s.inputs = {numbered, byLane([](uint32_t l) { return 4 * (31 - l); })};
  s.outputs = outputs;
  s.body = body;
  return run(s)[0];
}

TEST(EmuPermute, LdsCrossbar) {
  EXPECT_EQ(ofOne("\tds_bpermute_b32 v100, v2, v1\n"), byLane([](uint32_t l) { return 131 - l; }));
  EXPECT_EQ(ofOne("\tds_permute_b32 v100, v2, v1\n"), byLane([](uint32_t l) { return 131 - l; }));
  EXPECT_EQ(ofOne("\tds_swizzle_b32 v100, v1 offset:swizzle(SWAP,16)\n"),
            byLane([](uint32_t l) { return 100 + (l ^ 16); }));
  EXPECT_EQ(ofOne("\tds_swizzle_b32 v100, v1 offset:swizzle(QUAD_PERM,1,0,3,2)\n"),
            byLane([](uint32_t l) { return 100 + (l ^ 1); }));
  EXPECT_EQ(ofOne("\tds_swizzle_b32 v100, v1 offset:swizzle(BROADCAST,8,3)\n"),
            byLane([](uint32_t l) { return 100 + (l & 24) + 3; }));
  // A source that EXEC switches off gives 0.
  EXPECT_EQ(ofOne("\tv_mov_b32 v100, 7\n\ts_mov_b32 exec_lo, 0xffff\n"
                  "\tds_bpermute_b32 v100, v2, v1\n"),
            byLane([](uint32_t l) { return l < 16 ? 0u : 7u; }));
}

TEST(EmuPermute, PermlaneAndReadlane) {
  EXPECT_EQ(ofOne("\ts_mov_b32 s10, 0x76543210\n\ts_mov_b32 s11, 0xfedcba98\n"
                  "\tv_permlanex16_b32 v100, v1, s10, s11\n"),
            byLane([](uint32_t l) { return 100 + (l ^ 16); }));
  EXPECT_EQ(ofOne("\ts_mov_b32 s10, 0\n\tv_permlane16_b32 v100, v1, s10, s10\n"),
            byLane([](uint32_t l) { return 100 + (l & 16); }));
  EXPECT_EQ(ofOne("\ts_mov_b32 exec_lo, 0xf00\n\tv_readfirstlane_b32 s10, v1\n"
                  "\tv_readlane_b32 s11, v1, 35\n\ts_mov_b32 exec_lo, -1\n"
                  "\ts_add_u32 s10, s10, s11\n\tv_mov_b32 v100, s10\n"),
            broadcast(108 + 103));
  EXPECT_EQ(ofOne("\tv_mov_b32 v100, v1\n\ts_mov_b32 exec_lo, 0\n\tv_writelane_b32 v100, 5, 9\n"),
            byLane([](uint32_t l) { return l == 9 ? 5 : 100 + l; }));
}

TEST(EmuPermute, IndexedRegistersWithDpp) {
  Snippet s;
  s.inputs = {byLane([](uint32_t l) { return l; }), byLane([](uint32_t l) { return 100 + l; })};
  s.outputs = 2;
  s.body = R"(
    s_mov_b32 m0, 1
    v_mov_b32 v101, 7
    v_movrels_b32_dpp v100, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
    v_movreld_b32_dpp v100, v1 quad_perm:[3,2,1,0] row_mask:0x1 bank_mask:0xf)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return l % 16 ? 99 + l : 0; }));
  EXPECT_EQ(r[1], byLane([](uint32_t l) { return l < 16 ? l ^ 3 : 7; }));
}

TEST(EmuPermute, IndexedRegisters) {
  EXPECT_EQ(ofOne("\ts_mov_b32 m0, 1\n\tv_movrels_b32 v100, v1\n"),
            byLane([](uint32_t l) { return 4 * (31 - l); }));
  EXPECT_EQ(ofOne("\ts_mov_b32 m0, 3\n\tv_movreld_b32 v97, v1\n"), numbered);
  EXPECT_EQ(ofOne("\tv_mov_b32 v100, 9\n\tv_swap_b32 v100, v1\n"), numbered);
}

} // namespace

} // namespace emuLaneTest
