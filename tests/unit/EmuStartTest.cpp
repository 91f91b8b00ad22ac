//===- EmuStartTest.cpp - registers at the start of a wave, hardware registers ===//
#include "EmuGrid.h"

#include "Support/Diagnostic.h"

namespace emuStartTest {

using namespace rdna::test;
using namespace rdna::emu;

namespace {

/// The values of scalar expressions, one per output row.
std::vector<uint32_t> scalars(const std::string &body, unsigned count,
                              const std::string &directives = keepDenormals) {
  Snippet s;
  s.body = body + "\n";
  for (unsigned n = 0; n < count; ++n)
    s.body += "\tv_mov_b32 v" + std::to_string(100 + n) + ", s" + std::to_string(20 + n) + "\n";
  s.outputs = count;
  s.directives = directives;
  SnippetResult r = run(s);
  std::vector<uint32_t> values;
  for (unsigned n = 0; n < count; ++n)
    values.push_back(r[n][0]);
  return values;
}

TEST(EmuHardwareRegister, ModeStartsAsTheDescriptorSays) {
  // Round 32 up (1), round 64 down (2 << 2), denormals 32 flushed, 64 kept (3 << 6), DX10_CLAMP and
  // IEEE (bits 8, 9), FP16_OVFL (23), divide by zero traps (14).
  EXPECT_EQ(scalars("s_getreg_b32 s20, hwreg(HW_REG_MODE)", 1,
                    "\t.amdhsa_float_round_mode_32 1\n\t.amdhsa_float_round_mode_16_64 2\n"
                    "\t.amdhsa_fp16_overflow 1\n\t.amdhsa_exception_fp_ieee_div_zero 1\n"),
            std::vector<uint32_t>{0x008043c9u});
  EXPECT_EQ(scalars("s_getreg_b32 s20, hwreg(HW_REG_MODE)", 1,
                    "\t.amdhsa_ieee_mode 0\n\t.amdhsa_dx10_clamp 0\n"),
            std::vector<uint32_t>{0x000000c0u});
}

TEST(EmuHardwareRegister, FieldsAreReadAndWritten) {
  EXPECT_EQ(scalars("s_mov_b32 s10, 0x2d\n\ts_setreg_b32 hwreg(HW_REG_MODE, 2, 4), s10\n"
                    "\ts_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 8)\n"
                    "\ts_setreg_imm32_b32 hwreg(HW_REG_MODE), -1\n"
                    "\ts_getreg_b32 s21, hwreg(HW_REG_MODE)\n"
                    "\ts_setreg_imm32_b32 hwreg(HW_REG_STATUS, 0, 1), 1\n\ts_cmp_eq_u32 0, 1\n"
                    "\ts_setreg_imm32_b32 hwreg(HW_REG_STATUS, 0, 1), 1\n"
                    "\ts_getreg_b32 s22, hwreg(HW_REG_STATUS, 0, 1)\n\ts_round_mode 0\n",
                    3),
            // 0xf0 with bits 5:2 = 0xd; then every bit that exists; STATUS is not writable.
            (std::vector<uint32_t>{0xf4, 0x089ff7ffu, 0}));
}

TEST(EmuHardwareRegister, StatusFollowsTheWave) {
  EXPECT_EQ(scalars("s_mov_b32 vcc_lo, 0\n\ts_cmp_eq_u32 0, 0\n"
                    "\ts_getreg_b32 s20, hwreg(HW_REG_STATUS)\n"
                    "\ts_mov_b32 vcc_lo, 1\n\ts_cmp_eq_u32 0, 1\n"
                    "\ts_mov_b32 exec_lo, 0\n\ts_getreg_b32 s21, hwreg(HW_REG_STATUS)\n"
                    "\ts_mov_b32 exec_lo, -1",
                    2),
            (std::vector<uint32_t>{1 | 1 << 10 | 1 << 16, 1 << 9 | 1 << 16}));
}

TEST(EmuHardwareRegister, AllocationsApertureAndCounters) {
  std::vector<uint32_t> r = scalars("s_getreg_b32 s20, hwreg(HW_REG_GPR_ALLOC, 12, 8)\n"
                                    "\ts_getreg_b32 s21, hwreg(HW_REG_LDS_ALLOC, 12, 9)\n"
                                    "\ts_mov_b64 s[10:11], src_shared_base\n"
                                    "\ts_lshr_b32 s22, s11, 16\n"
                                    "\ts_getreg_b32 s23, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\n"
                                    "\ts_getreg_b32 s24, hwreg(HW_REG_SHADER_CYCLES, 0, 20)\n"
                                    "\ts_nop 0\n\ts_nop 0\n"
                                    "\ts_getreg_b32 s25, hwreg(HW_REG_SHADER_CYCLES, 0, 20)\n",
                                    6, "\t.amdhsa_group_segment_fixed_size 1000\n");
  EXPECT_EQ(r[0], 31u); // 256 registers in blocks of 8, less one.
  EXPECT_EQ(r[1], 4u);  // 1000 bytes in units of 256.
  EXPECT_EQ(r[2], r[3]);
  EXPECT_EQ(r[5] - r[4], 3u);
}

TEST(EmuControl, TrapsHaltsAndMessages) {
  Snippet s;
  s.body = "\tv_mov_b32 v100, 7\n\ts_trap 3\n\ts_sethalt 0\n\ts_sleep 10\n\ts_setprio 3\n"
           "\ts_sendmsg sendmsg(MSG_INTERRUPT)\n";
  EXPECT_EQ(run(s)[0], broadcast(7)); // llvm.debugtrap without a debugger goes on.
  s.body = "\ts_trap 2";
  EXPECT_NE(errorOf(s).find("executes a trap"), std::string::npos);
  s.body = "\ts_sethalt 5";
  EXPECT_NE(errorOf(s).find("halts"), std::string::npos);
  s.body = "\ts_sendmsghalt sendmsg(MSG_INTERRUPT)";
  EXPECT_NE(errorOf(s).find("halts"), std::string::npos);
  s.body = "\ts_code_end";
  EXPECT_NE(errorOf(s).find("leaves the kernel's code"), std::string::npos);
  std::vector<uint32_t> r = scalars("s_sendmsg_rtn_b64 s[10:11], sendmsg(MSG_RTN_GET_REALTIME)\n"
                                    "\ts_nop 0\n"
                                    "\ts_sendmsg_rtn_b64 s[12:13], sendmsg(MSG_RTN_GET_REALTIME)\n"
                                    "\ts_sendmsg_rtn_b32 s21, sendmsg(MSG_RTN_GET_DOORBELL)\n"
                                    "\ts_waitcnt lgkmcnt(0)\n\ts_sub_u32 s20, s12, s10\n",
                                    2);
  EXPECT_EQ(r, (std::vector<uint32_t>{2, 0}));
}

TEST(EmuControl, SleepLetsAnotherWaveRun) {
  // Wave 0 spins on a flag of wave 1 a million times less often than a time slice would take it.
  Grid g;
  g.directives = "\t.amdhsa_group_segment_fixed_size 64\n";
  g.block = {64, 1, 1};
  g.items = 64;
  g.body = R"(
    v_lshlrev_b32 v3, 2, v0
    v_mov_b32 v4, 0
    v_mov_b32 v5, 42
    s_mov_b32 s22, 0
    v_readfirstlane_b32 s20, v0
    s_cmp_eq_u32 s20, 0
    s_cbranch_scc0 .Lset
  .Lspin:
    s_sleep 1
    s_add_u32 s22, s22, 1
    ds_load_b32 v2, v4
    v_readfirstlane_b32 s21, v2
    s_cmp_eq_u32 s21, 42
    s_cbranch_scc0 .Lspin
    s_branch .Ldone
  .Lset:
    ds_store_b32 v4, v5
  .Ldone:
    v_mov_b32 v2, s22)";
  std::vector<uint32_t> out = runGrid(g);
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[63], 0u);
}

TEST(EmuControl, IndirectCallsThroughATable) {
  // Each lane's function by a loop over the distinct targets, as compilers emit it.
  Snippet s;
  s.body = R"(
    s_getpc_b64 s[10:11]
  .Lhere:
    s_add_u32 s12, s10, .Ltwice-.Lhere
    s_addc_u32 s13, s11, 0
    s_add_u32 s14, s10, .Lminus-.Lhere
    s_addc_u32 s15, s11, 0
    v_and_b32 v20, 1, v1
    v_cmp_eq_u32 vcc_lo, 1, v20
    v_mov_b32 v21, s12
    v_mov_b32 v22, s13
    v_mov_b32 v23, s14
    v_mov_b32 v24, s15
    v_cndmask_b32 v21, v21, v23, vcc_lo
    v_cndmask_b32 v22, v22, v24, vcc_lo
    s_mov_b32 s40, exec_lo
  .Lwaterfall:
    v_readfirstlane_b32 s16, v21
    v_readfirstlane_b32 s17, v22
    v_cmp_eq_u64 vcc_lo, s[16:17], v[21:22]
    s_and_saveexec_b32 s41, vcc_lo
    s_swappc_b64 s[30:31], s[16:17]
    s_xor_b32 exec_lo, exec_lo, s41
    s_cbranch_execnz .Lwaterfall
    s_mov_b32 exec_lo, s40)";
  s.inputs = {byLane([](uint32_t l) { return l; })};
  s.afterEnd = "\n.Ltwice:\n\tv_lshlrev_b32 v100, 1, v1\n\ts_setpc_b64 s[30:31]\n"
               ".Lminus:\n\tv_sub_nc_u32 v100, 0, v1\n\ts_setpc_b64 s[30:31]\n";
  EXPECT_EQ(run(s)[0], byLane([](uint32_t l) { return l & 1 ? 0 - l : 2 * l; }));
}

TEST(EmuStart, EveryUserSgprInItsOrder) {
  // dispatch_ptr s[0:1], queue_ptr s[2:3], kernarg s[4:5], dispatch_id s[6:7], private size s8;
  // then the ids without padding from s9 on, then the workgroup info.
  Grid g;
  g.directives = "\t.amdhsa_user_sgpr_dispatch_ptr 1\n\t.amdhsa_user_sgpr_queue_ptr 1\n"
                 "\t.amdhsa_user_sgpr_dispatch_id 1\n\t.amdhsa_user_sgpr_private_segment_size 1\n"
                 "\t.amdhsa_private_segment_fixed_size 48\n"
                 "\t.amdhsa_enable_private_segment 1\n"
                 "\t.amdhsa_user_sgpr_count 9\n\t.amdhsa_system_sgpr_workgroup_id_x 1\n"
                 "\t.amdhsa_system_sgpr_workgroup_id_y 1\n"
                 "\t.amdhsa_system_sgpr_workgroup_id_z 1\n"
                 "\t.amdhsa_system_sgpr_workgroup_info 1\n";
  g.grid = {2, 2, 2};
  g.block = {40, 1, 1};
  g.items = 8 * 8;
  // runGrid() has loaded the output's address through s[0:1], which is the packet here: bytes 0..7,
  // header and sizes. The first lane stores eight words per workgroup; wave 1 stores nothing.
  g.body = R"(
    s_waitcnt lgkmcnt(0)
    s_mov_b64 s[20:21], s[4:5]
    s_load_b64 s[22:23], s[0:1], 0x28
    s_waitcnt lgkmcnt(0)
    s_load_b64 s[4:5], s[22:23], 0x0
    s_load_b32 s24, s[0:1], 0x18
    s_mov_b32 exec_lo, 0x1
    v_cmpx_gt_u32 32, v0
    s_lshl_b32 s25, s11, 1
    s_add_u32 s25, s25, s10
    s_lshl_b32 s25, s25, 1
    s_add_u32 s25, s25, s9
    s_lshl_b32 s26, s25, 5
    v_mov_b32 v3, s26
    v_mov_b32 v4, s20
    v_mov_b32 v5, s21
    v_mov_b32 v6, s6
    v_mov_b32 v7, s8
    v_mov_b32 v8, s12
    v_mov_b32 v9, s25
    v_mov_b32 v2, s25
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v10, s24
    global_store_b32 v3, v4, s[4:5] offset:4
    global_store_b32 v3, v5, s[4:5] offset:8
    global_store_b32 v3, v6, s[4:5] offset:12
    global_store_b32 v3, v7, s[4:5] offset:16
    global_store_b32 v3, v8, s[4:5] offset:20
    global_store_b32 v3, v10, s[4:5] offset:24)";
  std::vector<uint32_t> out = runGrid(g);
  for (uint32_t group = 0; group < 8; ++group) {
    EXPECT_EQ(out[8 * group + 0], group);
    EXPECT_EQ(out[8 * group + 1], 0x00030002u);    // Packet: type 2, three dimensions.
    EXPECT_EQ(out[8 * group + 2], 40u | 1u << 16); // Workgroup size x, y.
    EXPECT_EQ(out[8 * group + 3], 0u);             // Dispatch id.
    EXPECT_EQ(out[8 * group + 4], 48u);
    EXPECT_EQ(out[8 * group + 5], 0x80000002u); // First of two waves.
    EXPECT_EQ(out[8 * group + 6], 48u);
  }
}

TEST(EmuStart, WorkItemIdsByDimension) {
  // 7 x 3 x 2 = 42 work-items: the second wave has ten. Each stores v0 as it came.
  for (unsigned dims : {0u, 1u, 2u}) {
    Grid g;
    g.directives = "\t.amdhsa_system_vgpr_workitem_id " + std::to_string(dims) +
                   "\n\t.amdhsa_user_sgpr_count 15\n"
                   "\t.amdhsa_system_sgpr_workgroup_info 1\n";
    g.block = {7, 3, 2};
    g.items = 64;
    // The flat number is wave * 32 + lane; the workgroup info in s16 tells the first wave.
    g.body = "\tv_mov_b32 v2, v0\n\tv_mbcnt_lo_u32_b32 v3, -1, 0\n\tv_lshlrev_b32 v3, 2, v3\n"
             "\ts_cmp_lt_i32 s16, 0\n\ts_cselect_b32 s20, 0, 128\n\tv_add_nc_u32 v3, s20, v3\n";
    std::vector<uint32_t> out = runGrid(g);
    for (uint32_t n = 0; n < 64; ++n) {
      uint32_t x = n % 7, y = n / 7 % 3, z = n / 21;
      uint32_t id = x | (dims > 0 ? y << 10 : 0) | (dims > 1 ? z << 20 : 0);
      EXPECT_EQ(out[n], n < 42 ? id : 0xeeeeeeeeu) << dims;
    }
  }
}

TEST(EmuStart, DynamicLdsFollowsTheStaticPart) {
  Grid g;
  g.directives = "\t.amdhsa_group_segment_fixed_size 64\n";
  g.block = {32, 1, 1};
  g.items = 32;
  g.dynamicLds = 64;
  g.body = "\tv_lshlrev_b32 v3, 2, v0\n\tv_add_nc_u32 v4, 7, v0\n\tds_store_b32 v3, v4\n"
           "\tds_load_b32 v2, v3\n";
  std::vector<uint32_t> out = runGrid(g);
  for (uint32_t n = 0; n < 32; ++n)
    EXPECT_EQ(out[n], n + 7);
}

TEST(EmuStart, ScratchIsOneSegmentPerLaneAndAnAperture) {
  Snippet s;
  s.directives = "\t.amdhsa_private_segment_fixed_size 32\n\t.amdhsa_enable_private_segment 1\n";
  s.outputs = 3;
  s.body = R"(
    scratch_store_b32 off, v1, off offset:8
    s_mov_b32 s20, 4
    scratch_load_b32 v100, off, s20 offset:4
    s_mov_b64 s[22:23], src_private_base
    v_mov_b32 v21, s23
    v_mov_b32 v20, 8
    flat_load_b32 v101, v[20:21]
    v_mov_b32 v20, 12
    v_add_nc_u32 v22, 5, v1
    flat_store_b32 v[20:21], v22
    scratch_load_b32 v102, v20, off
    s_waitcnt vmcnt(0))";
  s.inputs = {byLane([](uint32_t l) { return 1000 + l; })};
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], s.inputs[0]);
  EXPECT_EQ(r[1], s.inputs[0]);
  EXPECT_EQ(r[2], byLane([](uint32_t l) { return 1005 + l; }));
}

} // namespace

} // namespace emuStartTest
