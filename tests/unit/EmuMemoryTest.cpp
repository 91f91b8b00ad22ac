//===- EmuMemoryTest.cpp - LDS, global, flat, scratch, atomics, bounds ----===//
#include "EmuSnippet.h"

namespace emuMemoryTest {

using namespace rdna::test;
using rdna::emu::OutOfBounds;

namespace {

const Row numbered = byLane([](uint32_t l) { return 0x01020300u + l; });
const std::string lds4k = keepDenormals + "\t.amdhsa_group_segment_fixed_size 4096\n";
const std::string scratch64 = keepDenormals + "\t.amdhsa_private_segment_fixed_size 64\n"
                                              "\t.amdhsa_enable_private_segment 1\n";

SnippetResult withLds(const std::string &body, unsigned outputs = 1) {
  Snippet s;
  s.inputs = {numbered, byLane([](uint32_t l) { return 16 * l; })};
  s.outputs = outputs;
  s.directives = lds4k;
  s.body = body;
  return run(s);
}

TEST(EmuLds, WidthsAndOffsets) {
  // v2 = lane * 16; four dwords per lane.
  SnippetResult r = withLds(R"(
    v_mov_b32 v20, v1
    v_add_nc_u32 v21, 1, v1
    v_add_nc_u32 v22, 2, v1
    v_add_nc_u32 v23, 3, v1
    ds_store_b128 v2, v[20:23] offset:512
    ds_load_b64 v[30:31], v2 offset:520
    v_mov_b32 v100, v30
    v_mov_b32 v101, v31
    ds_load_2addr_b32 v[32:33], v2 offset0:128 offset1:131
    v_mov_b32 v102, v32
    v_mov_b32 v103, v33
    ds_load_u8 v104, v2 offset:513
    ds_load_i16 v105, v2 offset:514
    v_mov_b32 v106, 0x11112222
    ds_load_u16_d16_hi v106, v2 offset:512
    ds_load_b96 v[40:42], v2 offset:516
    v_mov_b32 v107, v42)",
                            8);
  EXPECT_EQ(r[0][5], numbered[5] + 2);
  EXPECT_EQ(r[1][5], numbered[5] + 3);
  EXPECT_EQ(r[2][5], numbered[5]);
  EXPECT_EQ(r[3][5], numbered[5] + 3);
  EXPECT_EQ(r[4][5], 3u);
  EXPECT_EQ(r[5][5], 0x0102u);
  EXPECT_EQ(r[6][5], 0x03052222u);
  EXPECT_EQ(r[7][5], numbered[5] + 3);
}

TEST(EmuLds, Stride64AndTheAddressRegisterAsDestination) {
  SnippetResult r = withLds(R"(
    v_lshlrev_b32 v20, 2, v0
    ds_store_2addr_stride64_b32 v20, v1, v2 offset0:1 offset1:2
    ds_load_2addr_stride64_b32 v[20:21], v20 offset0:1 offset1:2
    v_mov_b32 v100, v20
    v_mov_b32 v101, v21)",
                            2);
  EXPECT_EQ(r[0], numbered);
  EXPECT_EQ(r[1], byLane([](uint32_t l) { return 16 * l; }));
}

TEST(EmuLds, AtomicsOfAllLanesOnOneWord) {
  SnippetResult r = withLds(R"(
    v_mov_b32 v20, 0
    v_mov_b32 v21, 8
    ds_store_b32 v20, v20
    ds_add_u32 v20, v21
    ds_add_rtn_u32 v100, v20, v21
    ds_load_b32 v101, v20
    v_mov_b32 v22, 1.0
    ds_store_b32 v20, v22 offset:4
    ds_add_f32 v20, v22 offset:4
    ds_load_b32 v102, v20 offset:4
    v_mov_b32 v23, 0x7fffffff
    ds_max_i32 v20, v0 offset:0
    ds_cmpstore_rtn_b32 v103, v20, v0, v23
    ds_storexchg_rtn_b32 v104, v20, v0)",
                            5);
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return 256 + 8 * l; })); // In lane order.
  EXPECT_EQ(r[1][0], 512u);
  EXPECT_EQ(r[2][0], f32(33));
  EXPECT_EQ(r[3][7], 512u);
  EXPECT_EQ(r[4][0], 512u);
  EXPECT_EQ(r[4][9], 8u); // Lane 8 stored before.
}

TEST(EmuLds, OutOfRangeReadsZeroAndIsReported) {
  SnippetResult r = withLds(R"(
    v_mov_b32 v100, 7
    v_lshlrev_b32 v20, 8, v0
    ds_store_b32 v20, v1
    ds_load_b32 v100, v20)");
  // Lane l addresses 256 * l; 4096 bytes hold lanes 0 to 15.
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return l < 16 ? numbered[l] : 0; }));
  ASSERT_EQ(r.run.outOfBounds.size(), 2u);
  EXPECT_EQ(r.run.outOfBounds[0].kind, OutOfBounds::Kind::Write);
  EXPECT_EQ(r.run.outOfBounds[0].lanes, 16u);
  EXPECT_EQ(r.run.outOfBounds[0].nearest, "LDS offset 4096 of 4096");
  EXPECT_EQ(r.run.outOfBounds[1].kind, OutOfBounds::Kind::Read);
  EXPECT_EQ(r.run.outOfBounds[1].instruction, "ds_load_b32 v100, v20");
}

TEST(EmuGlobal, OutOfRangeReadsZeroWritesAreDroppedAndFolded) {
  Snippet s;
  s.inputs = {numbered};
  s.body = R"(
    v_lshlrev_b32 v20, 3, v0
    v_mov_b32 v100, 7
    s_mov_b32 s10, 2
  .Lagain:
    global_load_b32 v100, v20, s[6:7]
    s_sub_u32 s10, s10, 1
    s_cmp_lg_u32 s10, 0
    s_cbranch_scc1 .Lagain
    global_store_b32 v255, v1, s[6:7] offset:256)";
  SnippetResult r = run(s);
  // The input has 128 bytes: lanes 16 to 31 read past it, twice; every lane writes past it.
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return l < 16 ? numbered[2 * l] : 0; }));
  ASSERT_EQ(r.run.outOfBounds.size(), 2u);
  EXPECT_EQ(r.run.outOfBounds[0].kind, OutOfBounds::Kind::Read);
  EXPECT_EQ(r.run.outOfBounds[0].lanes, 32u);
  EXPECT_EQ(r.run.outOfBounds[0].nearest, "0 bytes past the end of in");
  EXPECT_EQ(r.run.outOfBounds[1].kind, OutOfBounds::Kind::Write);
  EXPECT_EQ(r.run.outOfBounds[1].lanes, 32u);
}

TEST(EmuGlobal, AddressFormsAndWidths) {
  Snippet s;
  s.inputs = {numbered, byLane([](uint32_t l) { return 0x80u + l; })};
  s.outputs = 6;
  s.body = R"(
    v_mov_b32 v20, s6
    v_mov_b32 v21, s7
    v_add_co_u32 v20, vcc_lo, v20, v255
    v_add_co_ci_u32 v21, vcc_lo, 0, v21, vcc_lo
    global_load_b32 v100, v[20:21], off
    global_load_i8 v101, v255, s[6:7] offset:128
    flat_load_b32 v102, v[20:21] offset:128
    v_mov_b32 v103, 0x11112222
    global_load_d16_hi_b16 v103, v255, s[6:7]
    s_add_u32 s10, s6, 256
    s_addc_u32 s11, s7, 0
    global_load_b32 v104, v255, s[10:11] offset:-128
    v_mov_b32 v22, 0
    global_load_b128 v[24:27], v22, s[6:7] offset:16
    s_waitcnt vmcnt(0)
    v_mov_b32 v105, v27)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], numbered);
  EXPECT_EQ(r[1], byLane([](uint32_t l) { return 0xffffff80u + l; }));
  EXPECT_EQ(r[2], byLane([](uint32_t l) { return 0x80u + l; }));
  EXPECT_EQ(r[3], byLane([](uint32_t l) { return (0x0300u + l) << 16 | 0x2222u; }));
  EXPECT_EQ(r[4], byLane([](uint32_t l) { return 0x80u + l; }));
  EXPECT_EQ(r[5], broadcast(numbered[7]));
  EXPECT_TRUE(r.run.outOfBounds.empty());
}

TEST(EmuGlobal, Atomics) {
  Snippet s;
  s.inputs = {broadcast(5), byLane([](uint32_t) { return f32(0.5f); })};
  s.outputs = 4;
  s.body = R"(
    v_mov_b32 v20, 0
    v_mov_b32 v21, 2
    global_atomic_add_u32 v20, v21, s[6:7]
    global_load_b32 v100, v20, s[6:7]
    global_atomic_add_u32 v101, v20, v21, s[6:7] glc
    global_atomic_add_f32 v20, v2, s[6:7] offset:128
    global_load_b32 v102, v20, s[6:7] offset:128
    v_mov_b32 v22, 0x1234
    v_mov_b32 v23, 5
    global_atomic_cmpswap_b32 v103, v255, v[22:23], s[6:7] offset:4 glc
    s_waitcnt vmcnt(0))";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][0], 69u);
  EXPECT_EQ(r[1], byLane([](uint32_t l) { return 69 + 2 * l; }));
  EXPECT_EQ(r[2][0], f32(16.5f));
  EXPECT_EQ(r[3][0], 5u);
}

TEST(EmuGlobal, ScalarLoadsBeyondARegion) {
  Snippet s;
  s.inputs = {numbered};
  s.outputs = 2;
  s.body = R"(
    s_load_b64 s[10:11], s[6:7], 0x7c
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v100, s10
    v_mov_b32 v101, s11)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][0], numbered[31]);
  EXPECT_EQ(r[1][0], 0u);
  ASSERT_EQ(r.run.outOfBounds.size(), 1u);
  EXPECT_EQ(r.run.outOfBounds[0].lanes, 1u);
}

TEST(EmuScratch, IsPrivateToTheLane) {
  Snippet s;
  s.inputs = {numbered};
  s.outputs = 4;
  s.directives = scratch64;
  s.body = R"(
    s_mov_b32 s10, 8
    v_mov_b32 v20, 4
    scratch_store_b32 off, v1, s10 offset:4
    scratch_load_b32 v100, v20, off offset:8
    scratch_load_u8 v101, off, off offset:13
    s_mov_b64 s[12:13], src_private_base
    v_mov_b32 v30, 12
    v_mov_b32 v31, s13
    flat_load_b32 v102, v[30:31]
    v_mov_b32 v103, 7
    scratch_load_b32 v103, off, off offset:64)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], numbered);
  EXPECT_EQ(r[1], broadcast(3));
  EXPECT_EQ(r[2], numbered);
  EXPECT_EQ(r[3], broadcast(0));
  ASSERT_EQ(r.run.outOfBounds.size(), 1u);
  EXPECT_EQ(r.run.outOfBounds[0].nearest, "scratch offset 64 of 64");
}

TEST(EmuFlat, MixesLdsAndGlobalLanes) {
  Snippet s;
  s.inputs = {numbered};
  s.directives = lds4k;
  s.body = R"(
    v_mov_b32 v20, 0x55
    ds_store_b32 v255, v20
    s_mov_b64 s[12:13], src_shared_base
    v_add_co_u32 v30, vcc_lo, s6, v255
    v_add_co_ci_u32 v31, vcc_lo, s7, 0, vcc_lo
    s_mov_b32 exec_lo, 0xff
    v_mov_b32 v30, v255
    v_mov_b32 v31, s13
    s_mov_b32 exec_lo, -1
    flat_load_b32 v100, v[30:31])";
  EXPECT_EQ(run(s)[0], byLane([](uint32_t l) { return l < 8 ? 0x55 : numbered[l]; }));
}

TEST(EmuBuffer, ResourceBoundsAreSilent) {
  Snippet s;
  s.inputs = {numbered};
  s.outputs = 2;
  s.body = R"(
    s_mov_b32 s12, s6
    s_mov_b32 s13, s7
    s_mov_b32 s14, 64
    s_mov_b32 s15, 0
    buffer_load_b32 v100, v255, s[12:15], 0 offen
    s_buffer_load_b32 s20, s[12:15], 0x3c
    s_buffer_load_b32 s21, s[12:15], 0x40
    s_add_u32 s20, s20, s21
    v_mov_b32 v101, s20)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return l < 16 ? numbered[l] : 0; }));
  EXPECT_EQ(r[1][0], numbered[15]);
  EXPECT_TRUE(r.run.outOfBounds.empty());
}

} // namespace

} // namespace emuMemoryTest
