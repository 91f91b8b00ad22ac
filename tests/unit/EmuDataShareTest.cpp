//===- EmuDataShareTest.cpp - GDS, global wave sync, LDS-direct, halting waves ---===//
#include "EmuGrid.h"
#include "EmuSnippet.h"

namespace emuDataShareTest {

using namespace rdna::test;

namespace {

const std::string window = "s_mov_b32 m0, 0x01000040\n"; // 64 bytes of GDS from 256
const std::string lds = keepDenormals + "\t.amdhsa_group_segment_fixed_size 256\n";

TEST(EmuGds, IsNotTheLdsAndM0IsItsWindow) {
  Snippet s;
  s.directives = lds;
  s.outputs = 3;
  s.body = window + R"(
    v_mov_b32 v20, 8
    v_mov_b32 v21, 7
    v_mov_b32 v22, 1
    ds_store_b32 v20, v21
    ds_store_b32 v20, v22 gds
    ds_add_rtn_u32 v100, v20, v21 gds
    ds_load_b32 v101, v20
    s_mov_b32 m0, 0x01080040
    v_mov_b32 v20, 0
    ds_load_b32 v102, v20 gds)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return 1 + 7 * l; }));
  EXPECT_EQ(r[1], broadcast(7));
  EXPECT_EQ(r[2], broadcast(1 + 7 * 32)); // The same dword through a window that begins at 264.
  EXPECT_TRUE(r.run.outOfBounds.empty());
}

TEST(EmuGds, OutsideOfTheWindowReadsZero) {
  Snippet s;
  s.body = window + "v_mov_b32 v20, 64\nds_load_b32 v100, v20 gds";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], broadcast(0));
  ASSERT_EQ(r.run.outOfBounds.size(), 1u);
  EXPECT_EQ(r.run.outOfBounds[0].lanes, 32u);
}

TEST(EmuGds, AppendCountsAcrossAllWorkgroups) {
  // Every wave appends its lanes to one counter; the counts seen are 0, 32, 64, ...
  std::array<uint32_t, 8> out{};
  auto program = rdna::emu::Program::create(kernelImage(R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    s_mov_b32 m0, 0x00000010
    v_mov_b32 v1, 0
    s_cmp_lg_u32 s15, 0
    s_cbranch_scc1 counted
    ds_store_b32 v1, v1 gds
counted:
    ds_append v2 gds
    s_lshl_b32 s15, s15, 2
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, s15
    global_store_b32 v1, v2, s[4:5]
    s_endpgm
)",
                                                        "\t.amdhsa_user_sgpr_count 15\n"));
  ASSERT_TRUE(bool(program));
  auto *data = out.data();
  rdna::emu::Launch launch;
  launch.grid = {8, 1, 1};
  launch.block = {32, 1, 1};
  launch.threads = 4;
  launch.kernarg = std::as_bytes(std::span(&data, 1));
  launch.regions.push_back({"out", reinterpret_cast<std::byte *>(data), sizeof out});
  auto result = (*program)->run(launch);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(out, (std::array<uint32_t, 8>{0, 32, 64, 96, 128, 160, 192, 224}));
}

TEST(EmuGds, OrderedCount) {
  // Counter 1 (offset0 4) and its successor: lanes 0 and 1 add 10 and 11; then lane 0 exchanges.
  Snippet s;
  s.inputs = {byLane([](uint32_t l) { return 10 + l; })};
  s.outputs = 3;
  s.body = R"(
    s_mov_b32 m0, 0x00000010
    v_mov_b32 v20, 0
    v_mov_b32 v21, 0
    v_mov_b32 v100, 99
    ds_store_2addr_b32 v20, v20, v21 offset0:1 offset1:2 gds
    ds_ordered_count v100, v1 offset:0x4004 gds
    ds_ordered_count v101, v1 offset:0x4004 gds
    ds_ordered_count v102, v20 offset:0x1004 gds)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][0], 0u);
  EXPECT_EQ(r[0][1], 0u);
  EXPECT_EQ(r[0][2], 99u);
  EXPECT_EQ(r[1][0], 10u);
  EXPECT_EQ(r[1][1], 11u);
  EXPECT_EQ(r[2][0], 20u);
}

std::string failure(const std::string &body) {
  Snippet s;
  s.body = body;
  auto result = tryRun(s);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(EmuGws, WhatNeedNotWaitGoesOn) {
  EXPECT_EQ(failure("s_mov_b32 m0, 0\nv_mov_b32 v20, 2\nds_gws_init v20 offset:3 gds\n"
                    "ds_gws_sema_p offset:3 gds\nds_gws_sema_v offset:3 gds\n"
                    "ds_gws_sema_p offset:3 gds\nds_gws_sema_p offset:3 gds\n"
                    "ds_gws_sema_br v20 offset:3 gds\nds_gws_sema_p offset:3 gds\n"
                    "ds_gws_sema_release_all offset:3 gds"),
            "");
  // The only wave of a barrier that expects no others.
  EXPECT_EQ(failure("s_mov_b32 m0, 0\nv_mov_b32 v20, 0\nds_gws_init v20 gds\n"
                    "ds_gws_barrier v20 gds\nds_gws_barrier v20 gds"),
            "");
}

TEST(EmuGws, WhatWouldWaitIsRefused) {
  const std::string text = "waits here for other workgroups";
  EXPECT_NE(failure("s_mov_b32 m0, 0\nv_mov_b32 v20, 1\nds_gws_init v20 offset:3 gds\n"
                    "ds_gws_sema_p offset:3 gds\nds_gws_sema_p offset:3 gds")
                .find(text),
            std::string::npos);
  EXPECT_NE(failure("s_mov_b32 m0, 0x10000\nv_mov_b32 v20, 1\nds_gws_init v20 gds\n"
                    "ds_gws_barrier v20 gds")
                .find(text),
            std::string::npos);
}

/// Workgroups of `waves` waves, which add their number + 1 to a word of their own, meet at `meet`,
/// and leave what all of them have added.
struct Together {
  std::vector<uint32_t> parts, sums;
  std::string failure;
};

Together runTogether(const std::string &meet, unsigned groups, unsigned waves) {
  const std::string text = "\ts_mov_b32 s20, s13\n\ts_load_b128 s[4:7], s[0:1], 0x0\n"
                           "\ts_load_b32 s8, s[0:1], 0x10\n\ts_waitcnt lgkmcnt(0)\n"
                           "\ts_lshl_b32 s9, s20, 2\n\tv_mov_b32 v1, s9\n"
                           "\ts_add_i32 s10, s20, 1\n\tv_mov_b32 v2, s10\n"
                           "\tv_and_b32 v0, 0x3ff, v0\n\tv_and_b32 v3, 31, v0\n"
                           "\tv_cmp_eq_u32 vcc_lo, 0, v3\n\ts_and_b32 exec_lo, exec_lo, vcc_lo\n"
                           "\tglobal_atomic_add_u32 v1, v2, s[4:5]\n\ts_waitcnt_vscnt null, 0x0\n"
                           "\ts_mov_b32 m0, 0\n\tv_mov_b32 v20, 0\n" +
                           meet +
                           "\n\ts_mov_b32 s11, 0\n\tv_mov_b32 v4, 0\n\tv_mov_b32 v5, 0\n"
                           ".Ladd:\n\tglobal_load_b32 v6, v5, s[4:5]\n\ts_waitcnt vmcnt(0)\n"
                           "\tv_add_nc_u32 v4, v4, v6\n\tv_add_nc_u32 v5, 4, v5\n"
                           "\ts_add_i32 s11, s11, 1\n\ts_cmp_lt_u32 s11, s8\n"
                           "\ts_cbranch_scc1 .Ladd\n\tglobal_store_b32 v1, v4, s[6:7]\n"
                           "\ts_endpgm\n";
  Together result;
  auto program = rdna::emu::Program::create(kernelImage(text, allIds));
  if (!program) {
    result.failure = llvm::toString(program.takeError());
    return result;
  }
  result.parts.resize(groups + 1); // And a word for the meeting.
  result.sums.resize(groups);
  struct {
    uint64_t parts, sums;
    uint32_t groups, padding;
  } arguments{reinterpret_cast<uint64_t>(result.parts.data()),
              reinterpret_cast<uint64_t>(result.sums.data()), groups, 0};
  rdna::emu::Launch launch;
  launch.grid = {groups, 1, 1};
  launch.block = {32 * waves, 1, 1};
  launch.residency = rdna::emu::Residency::Together;
  launch.instructionBudget = 1000000;
  launch.kernarg = std::as_bytes(std::span(&arguments, 1));
  launch.regions.push_back({"parts", reinterpret_cast<std::byte *>(result.parts.data()),
                            result.parts.size() * sizeof(uint32_t)});
  launch.regions.push_back({"sums", reinterpret_cast<std::byte *>(result.sums.data()),
                            result.sums.size() * sizeof(uint32_t)});
  auto run = (*program)->run(launch);
  if (!run)
    result.failure = llvm::toString(run.takeError());
  return result;
}

TEST(EmuTogether, ABarrierOfAllWorkgroups) {
  for (const unsigned waves : {1u, 3u}) {
    const Together r = runTogether("\tds_gws_barrier v20 gds", 5, waves);
    EXPECT_EQ(r.failure, "");
    EXPECT_EQ(r.sums, std::vector<uint32_t>(5, 15 * waves));
  }
}

TEST(EmuTogether, AWorkgroupMayWaitForWhatAnotherStores) {
  const std::string spin = "\tv_mov_b32 v7, 1\n\tv_lshlrev_b32 v8, 2, s8\n"
                           "\tglobal_atomic_add_u32 v8, v7, s[4:5]\n"
                           ".Lspin:\n\ts_sleep 1\n\tglobal_load_b32 v9, v8, s[4:5] glc\n"
                           "\ts_waitcnt vmcnt(0)\n\tv_readfirstlane_b32 s12, v9\n"
                           "\ts_cmp_lt_u32 s12, s8\n\ts_cbranch_scc1 .Lspin";
  const Together r = runTogether(spin, 6, 1);
  EXPECT_EQ(r.failure, "");
  EXPECT_EQ(r.sums, std::vector<uint32_t>(6, 21));
}

TEST(EmuTogether, WaitingForWhatHasEndedIsAnError) {
  const std::string firstEnds = "\ts_cmp_eq_u32 s20, 0\n\ts_cbranch_scc1 .Lend\n"
                                "\tds_gws_barrier v20 gds\n\ts_branch .Lgo\n"
                                ".Lend:\n\ts_endpgm\n.Lgo:";
  const std::string text = "a wave waits here for others that have ended or wait elsewhere";
  EXPECT_NE(runTogether(firstEnds, 3, 1).failure.find(text), std::string::npos);
  const std::string apart = "\tv_readfirstlane_b32 s12, v0\n\ts_cmp_eq_u32 s12, 0\n"
                            "\ts_cbranch_scc1 .Lfirst\n\ts_barrier\n\ts_branch .Lgo\n"
                            ".Lfirst:\n\tds_gws_barrier v20 gds\n.Lgo:";
  EXPECT_NE(runTogether(apart, 2, 2).failure.find(text), std::string::npos);
}

TEST(EmuLdsDirect, TypesAndBounds) {
  Snippet s;
  s.directives = lds;
  s.outputs = 6;
  s.body = "v_mov_b32 v20, 16\nv_mov_b32 v21, 0x8081f2f3\nds_store_b32 v20, v21\n";
  const uint32_t m0[] = {16, 1 << 16 | 18, 2 << 16 | 16, 4 << 16 | 16, 5 << 16 | 18, 2 << 16 | 256};
  for (unsigned k = 0; k < 6; ++k)
    s.body += "s_mov_b32 m0, " + std::to_string(m0[k]) + "\nlds_direct_load v" +
              std::to_string(100 + k) + " wait_vdst:0\n";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], broadcast(0xf3));
  EXPECT_EQ(r[1], broadcast(0x8081));
  EXPECT_EQ(r[2], broadcast(0x8081f2f3));
  EXPECT_EQ(r[3], broadcast(0xfffffff3));
  EXPECT_EQ(r[4], broadcast(0xffff8081));
  EXPECT_EQ(r[5], broadcast(0));
  EXPECT_EQ(r.run.outOfBounds.size(), 1u);
}

TEST(EmuHalt, AWaveThatNothingResumesIsAnError) {
  EXPECT_EQ(failure("s_sethalt 0\ns_setkill 0\ns_ttracedata\ns_atc_probe 1, s[4:5], 0"), "");
  EXPECT_NE(failure("s_sethalt 1").find("halts here"), std::string::npos);
  EXPECT_NE(failure("s_sendmsghalt 1").find("halts here"), std::string::npos);
}

TEST(EmuHalt, OtherEndsOfAProgram) {
  // The stores of the outputs are not reached, and it is no error.
  for (const char *end : {"s_setkill 1", "s_endpgm_saved", "s_endpgm_ordered_ps_done"}) {
    Snippet s;
    s.body = std::string("v_mov_b32 v100, 7\n") + end;
    EXPECT_EQ(run(s)[0], broadcast(0)) << end;
  }
}

TEST(EmuHalt, ReturnFromTrapIsAJump) {
  Snippet s;
  s.body = R"(
    v_mov_b32 v100, 1
    s_getpc_b64 s[20:21]
    s_add_u32 s20, s20, 16
    s_addc_u32 s21, s21, 0
    s_rfe_b64 s[20:21]
    s_sethalt 1
    v_mov_b32 v100, 2)";
  // From behind S_GETPC: s_add 4 (inline constant), s_addc 4, s_rfe 4, s_sethalt 4.
  EXPECT_EQ(run(s)[0], broadcast(2));
}

} // namespace

} // namespace emuDataShareTest
