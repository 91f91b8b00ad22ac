//===- EmuLaunchTest.cpp - kernel start, control flow, scheduling, errors ---===//
#include "EmuGrid.h"

#include "Support/Diagnostic.h"

namespace emuLaunchTest {

using namespace rdna::test;
using namespace rdna::emu;

namespace {

TEST(EmuControl, LoopsAndBranches) {
  Snippet s;
  s.body = R"(
    s_mov_b32 s10, 0
    v_mov_b32 v100, 0
  .Lloop:
    v_add_nc_u32 v100, 3, v100
    s_add_u32 s10, s10, 1
    s_cmp_lt_u32 s10, 10
    s_cbranch_scc1 .Lloop
    s_mov_b32 exec_lo, 0
    s_cbranch_execnz .Lskip
    s_mov_b32 exec_lo, 0xf0
    v_mov_b32 v100, 1
  .Lskip:)";
  EXPECT_EQ(run(s)[0], byLane([](uint32_t l) { return l >= 4 && l < 8 ? 1 : 30; }));
}

TEST(EmuControl, CallsThroughRegisters) {
  Snippet s;
  s.body = R"(
    v_mov_b32 v100, 1
    s_getpc_b64 s[10:11]
  .Lhere:
    s_add_u32 s10, s10, .Lfunction-.Lhere
    s_addc_u32 s11, s11, 0
    s_swappc_b64 s[30:31], s[10:11]
    v_add_nc_u32 v100, 5, v100
    s_call_b64 s[30:31], .Lfunction)";
  s.afterEnd = "\n.Lfunction:\n\tv_lshlrev_b32 v100, 1, v100\n\ts_setpc_b64 s[30:31]\n";
  EXPECT_EQ(run(s)[0], broadcast(14)); // (1 * 2 + 5) * 2
}

TEST(EmuErrors, StopWithTextOffsetAndRefusal) {
  Snippet s;
  s.body = "\tv_interp_p10_f32 v1, v2, v3, v4";
  EXPECT_NE(errorOf(s).find("does not implement"), std::string::npos);
  EXPECT_NE(errorOf(s).find("v_interp_p10_f32"), std::string::npos);
  s.body = "\t.long 0xffffffff";
  EXPECT_NE(errorOf(s).find("no gfx1100 instruction"), std::string::npos);
  s.body = "\ts_mov_b64 s[10:11], 0\n\ts_setpc_b64 s[10:11]";
  EXPECT_NE(errorOf(s).find("leaves the kernel's code"), std::string::npos);
  s.body = ".Lforever:\n\ts_branch .Lforever";
  EXPECT_NE(errorOf(s).find("instruction budget"), std::string::npos);
  s.body = "\ts_trap 2";
  EXPECT_NE(errorOf(s).find("trap"), std::string::npos);
  // Only an instruction that is reached is an error.
  s.body = "\ts_branch .Lover\n\tds_gws_barrier v1 gds\n\t.long 0xffffffff\n.Lover:\n"
           "\tv_mov_b32 v100, 3";
  EXPECT_EQ(run(s)[0], broadcast(3));
}

TEST(EmuErrors, CarryTheOffset) {
  Snippet s;
  s.body = "\ts_trap 2";
  auto result = tryRun(s);
  ASSERT_FALSE(result);
  llvm::handleAllErrors(result.takeError(), [](const EmulationError &e) {
    EXPECT_EQ(e.instruction(), "s_trap 2");
    EXPECT_NE(e.codeOffset(), 0u);
  });
}

TEST(EmuLaunch, WorkgroupAndWorkItemIds) {
  // As compilers do for gfx1100: 13 user SGPRs declared, so the ids are in s13, s14, s15.
  Grid g;
  g.directives = allIds;
  g.grid = {2, 3, 2};
  g.block = {5, 3, 2}; // 30 work-items: a partial wave.
  g.items = 12 * 30;
  g.body = R"(
    v_and_b32 v4, 0x3ff, v0
    v_bfe_u32 v5, v0, 10, 10
    v_bfe_u32 v6, v0, 20, 10
    s_mul_i32 s20, s15, 3
    s_add_u32 s20, s20, s14
    s_lshl_b32 s20, s20, 1
    s_add_u32 s20, s20, s13
    s_mul_i32 s21, s20, 30
    v_mad_u32_u24 v7, v6, 3, v5
    v_mad_u32_u24 v7, v7, 5, v4
    v_add_nc_u32 v3, s21, v7
    v_lshlrev_b32 v3, 2, v3
    v_lshl_or_b32 v2, s20, 16, v7)";
  for (unsigned threads : {1u, 4u}) {
    g.threads = threads;
    std::vector<uint32_t> out = runGrid(g);
    for (uint32_t group = 0; group < 12; ++group)
      for (uint32_t item = 0; item < 30; ++item)
        EXPECT_EQ(out[group * 30 + item], group << 16 | item);
  }
}

TEST(EmuLaunch, OnlyTheGivenWorkgroups) {
  Grid g;
  g.directives = allIds;
  g.grid = {8, 1, 1};
  g.items = 8;
  g.only = {{2, 0, 0}, {7, 0, 0}};
  g.body = "\tv_mov_b32 v2, s13\n\tv_lshlrev_b32 v3, 2, v2\n";
  std::vector<uint32_t> out = runGrid(g);
  for (uint32_t n = 0; n < 8; ++n)
    EXPECT_EQ(out[n], n == 2 || n == 7 ? n : 0xeeeeeeeeu);
}

TEST(EmuLaunch, BarriersJoinTheWavesOfAGroup) {
  // Each wave publishes in LDS, then reads the next wave's value; twice around.
  Grid g;
  g.directives = allIds + "\t.amdhsa_group_segment_fixed_size 1024\n";
  g.block = {256, 1, 1};
  g.items = 256;
  g.body = R"(
    v_lshlrev_b32 v3, 2, v0
    v_mov_b32 v2, v0
    v_add_nc_u32 v4, 128, v3
    v_and_b32 v4, 0x3fc, v4
    s_mov_b32 s20, 3
  .Lround:
    ds_store_b32 v3, v2
    s_barrier
    ds_load_b32 v2, v4
    s_barrier
    s_sub_u32 s20, s20, 1
    s_cmp_lg_u32 s20, 0
    s_cbranch_scc1 .Lround)";
  std::vector<uint32_t> out = runGrid(g);
  for (uint32_t n = 0; n < 256; ++n)
    EXPECT_EQ(out[n], (n + 96) % 256);
}

TEST(EmuLaunch, AWaveMaySpinOnAnother) {
  // Wave 0 waits for a flag that wave 1 sets; wave 1 ends without meeting the barrier's other side.
  Grid g;
  g.directives = "\t.amdhsa_group_segment_fixed_size 64\n";
  g.block = {64, 1, 1};
  g.items = 64;
  g.body = R"(
    v_lshlrev_b32 v3, 2, v0
    v_mov_b32 v4, 0
    v_mov_b32 v5, 42
    v_mov_b32 v2, v5
    v_readfirstlane_b32 s20, v0
    s_cmp_eq_u32 s20, 0
    s_cbranch_scc0 .Lset
  .Lspin:
    ds_load_b32 v2, v4
    v_readfirstlane_b32 s21, v2
    s_cmp_eq_u32 s21, 42
    s_cbranch_scc0 .Lspin
    s_branch .Ldone
  .Lset:
    ds_store_b32 v4, v5
  .Ldone:)";
  std::vector<uint32_t> out = runGrid(g);
  EXPECT_EQ(out, std::vector<uint32_t>(64, 42));
}

TEST(EmuLaunch, FloatAtomicsDoNotDependOnTheThreadCount) {
  // Sums of very different magnitude: the order of workgroups decides the result.
  Grid g;
  g.directives = allIds;
  g.grid = {64, 1, 1};
  g.items = 66;
  g.body = R"(
    v_mov_b32 v2, s13
    v_lshlrev_b32 v4, 20, v2
    v_or_b32 v4, 0x3f800001, v4
    v_mov_b32 v5, 0
    s_waitcnt lgkmcnt(0)
    global_atomic_add_f32 v5, v4, s[4:5] offset:256
    v_lshlrev_b32 v3, 2, v2)";
  std::vector<uint32_t> first = runGrid(g);
  for (unsigned threads : {2u, 8u}) {
    g.threads = threads;
    EXPECT_EQ(runGrid(g), first);
  }
}

TEST(EmuLaunch, UninitialisedRegistersAreRecognisable) {
  Snippet s;
  s.outputs = 3;
  s.body = "\tv_mov_b32 v100, v33\n\tv_mov_b32 v101, s77\n\tds_load_b32 v102, v255\n";
  s.directives = "\t.amdhsa_group_segment_fixed_size 256\n";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return 0xffa50000u | 33 << 8 | l; }));
  EXPECT_EQ(r[1], broadcast(0xffa6004du));
  EXPECT_EQ(r[2], broadcast(0xa5a5a5a5u));
}

TEST(EmuLaunch, DispatchPacketAndUserSgprOrder) {
  Snippet s;
  s.outputs = 2;
  // dispatch_ptr comes before the kernarg pointer, so the helper's s[0:1] would be the packet.
  auto image = kernelImage("\ts_load_b64 s[4:5], s[2:3], 0x0\n\ts_load_b32 s6, s[0:1], 0x4\n"
                           "\ts_load_b32 s7, s[0:1], 0xc\n\tv_lshlrev_b32 v3, 2, v0\n"
                           "\tv_mov_b32 v1, s6\n\tv_mov_b32 v2, s7\n"
                           "\tglobal_store_b32 v3, v1, s[4:5]\n"
                           "\tglobal_store_b32 v3, v2, s[4:5] offset:128\n\ts_endpgm\n",
                           "\t.amdhsa_user_sgpr_dispatch_ptr 1\n");
  auto program = Program::create(std::move(image));
  ASSERT_TRUE(bool(program));
  std::vector<uint32_t> out(64);
  uint64_t argument = reinterpret_cast<uint64_t>(out.data());
  Launch launch;
  launch.block = {32, 1, 1};
  launch.grid = {1, 1, 1};
  launch.kernarg = std::as_bytes(std::span(&argument, 1));
  launch.regions.push_back({"out", reinterpret_cast<std::byte *>(out.data()), out.size() * 4});
  auto result = (*program)->run(launch);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(out[3], 0x00010020u); // workgroup_size_x 32, workgroup_size_y 1
  EXPECT_EQ(out[35], 32u);        // grid_size_x
}

TEST(EmuLaunch, RefusesImpossibleShapes) {
  auto program = Program::create(kernelImage("\ts_endpgm\n"));
  ASSERT_TRUE(bool(program));
  Launch launch;
  launch.block = {2048, 1, 1};
  EXPECT_TRUE(bool(llvm::errorToBool((*program)->run(launch).takeError())));
  launch.block = {32, 1, 1};
  launch.dynamicLdsBytes = 70000;
  EXPECT_TRUE(bool(llvm::errorToBool((*program)->run(launch).takeError())));
  launch.dynamicLdsBytes = 0;
  launch.onlyWorkgroups = {{1, 0, 0}};
  EXPECT_TRUE(bool(llvm::errorToBool((*program)->run(launch).takeError())));
}

TEST(EmuLaunch, HostileImagesAreErrors) {
  KernelImage image;
  EXPECT_TRUE(llvm::errorToBool(Program::create(image).takeError()));
  image.image.resize(16, std::byte(0xff));
  image.codeEnd = 64;
  EXPECT_TRUE(llvm::errorToBool(Program::create(image).takeError()));
  image.codeEnd = 16;
  image.entryOffset = 2;
  EXPECT_TRUE(llvm::errorToBool(Program::create(image).takeError()));
}

} // namespace

} // namespace emuLaunchTest
