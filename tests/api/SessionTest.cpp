//===- SessionTest.cpp - stepping through a workgroup ---------------------===//
#include "Snippet.h"

#include "rdna3emu.h"

#include <memory>

using namespace rdna::test;

namespace {

std::string lastError() { return rdna3emu_last_error(); }

constexpr uint32_t ldsGranule = 512;

struct Session {
  rdna3emu_kernel *kernel = nullptr;
  rdna3emu_session *session = nullptr;

  explicit Session(const std::string &text, uint32_t workItems = 32, uint32_t workgroup = 0,
                   uint64_t budget = 0) {
    const auto words = machineCode(text);
    rdna3emu_code code = RDNA3EMU_CODE_INIT;
    code.code = words.data();
    code.code_bytes = words.size() * 4;
    code.rsrc2 = 2 << 1 | 1 << 7 | 1 << 15;
    EXPECT_EQ(rdna3emu_kernel_from_code(&code, &kernel), 0) << lastError();
    rdna3emu_launch launch = RDNA3EMU_LAUNCH_INIT;
    launch.grid[0] = 8;
    launch.block[0] = workItems;
    launch.instruction_budget = budget;
    const uint32_t id[3] = {workgroup, 0, 0};
    EXPECT_EQ(rdna3emu_session_create(kernel, &launch, id, &session), 0) << lastError();
  }
  ~Session() {
    rdna3emu_session_free(session);
    rdna3emu_kernel_free(kernel);
  }
  uint64_t get(int32_t name, uint32_t wave = 0) const {
    uint64_t value = ~uint64_t(0);
    EXPECT_EQ(rdna3emu_read_register(session, wave, name, &value), 0) << lastError();
    return value;
  }
  uint32_t sgpr(uint32_t number, uint32_t wave = 0) const {
    uint32_t value = ~0u;
    EXPECT_EQ(rdna3emu_read_sgpr(session, wave, number, &value), 0) << lastError();
    return value;
  }
  uint64_t step(uint64_t count, uint32_t wave = 0) {
    uint64_t executed = 0;
    EXPECT_EQ(rdna3emu_step(session, wave, count, &executed), 0) << lastError();
    return executed;
  }
};

TEST(ApiSession, StepsWholeInstructions) {
  Session s("\tv_mov_b32 v1, 3\n\tv_mov_b32 v2, 4\n"
            // A pair that reads what it writes: several operations of the emulator, one step.
            "\tv_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n"
            "\ts_mov_b32 s5, 7\n\ts_cmp_eq_u32 s5, 7\n\ts_endpgm\n",
            32, 5);
  EXPECT_EQ(rdna3emu_session_waves(s.session), 1u);
  EXPECT_EQ(s.get(RDNA3EMU_PC), 0u);
  EXPECT_EQ(s.get(RDNA3EMU_EXEC), 0xffffffffu);
  EXPECT_EQ(s.sgpr(2), 5u); // The workgroup's id.
  EXPECT_EQ(s.step(2), 2u);
  EXPECT_EQ(s.get(RDNA3EMU_PC), 8u);
  EXPECT_EQ(s.step(1), 1u);
  EXPECT_EQ(s.get(RDNA3EMU_PC), 16u);
  EXPECT_EQ(s.get(RDNA3EMU_EXECUTED), 3u);
  uint32_t lanes[32];
  ASSERT_EQ(rdna3emu_read_vgpr(s.session, 0, 1, lanes), 0);
  EXPECT_EQ(lanes[31], 4u);
  ASSERT_EQ(rdna3emu_read_vgpr(s.session, 0, 2, lanes), 0);
  EXPECT_EQ(lanes[0], 3u);
  EXPECT_EQ(s.step(100), 3u);
  EXPECT_EQ(s.sgpr(5), 7u);
  EXPECT_EQ(s.get(RDNA3EMU_SCC), 1u);
  EXPECT_EQ(rdna3emu_session_state(s.session, 0), RDNA3EMU_WAVE_ENDED);
  EXPECT_EQ(s.step(1), 0u);
}

TEST(ApiSession, WritesState) {
  Session s("\tv_add_nc_u32 v1, v1, s4\n\tds_store_b32 v2, v1\n\ts_trap 2\n\ts_endpgm\n");
  uint32_t lanes[32];
  for (uint32_t l = 0; l < 32; ++l)
    lanes[l] = 4 * l;
  EXPECT_EQ(rdna3emu_write_vgpr(s.session, 0, 1, lanes), 0);
  EXPECT_EQ(rdna3emu_write_vgpr(s.session, 0, 2, lanes), 0);
  EXPECT_EQ(rdna3emu_write_sgpr(s.session, 0, 4, 1000), 0);
  EXPECT_EQ(rdna3emu_write_register(s.session, 0, RDNA3EMU_EXEC, 0x0000ffff), 0);
  const uint32_t seven = 7;
  EXPECT_EQ(rdna3emu_write_lds(s.session, 124, &seven, 4), 0);
  EXPECT_EQ(s.step(2), 2u);
  uint32_t lds[32];
  ASSERT_EQ(rdna3emu_read_lds(s.session, 0, lds, sizeof lds), 0);
  EXPECT_EQ(lds[15], 1060u);
  EXPECT_EQ(lds[16], 0xa5a5a5a5u); // Its lane was not active.
  EXPECT_EQ(lds[31], 7u);
  // Past the trap, to the end.
  EXPECT_EQ(rdna3emu_write_register(s.session, 0, RDNA3EMU_PC, s.get(RDNA3EMU_PC) + 4), 0)
      << lastError();
  EXPECT_EQ(s.step(1), 1u);
  EXPECT_EQ(rdna3emu_session_state(s.session, 0), RDNA3EMU_WAVE_ENDED);
}

TEST(ApiSession, StopsAtBreakpointsAndBarriers) {
  Session s("\ts_mov_b32 s4, 0\n.Lloop:\n\ts_add_u32 s4, s4, 1\n\ts_cmp_lt_u32 s4, 3\n"
            "\ts_cbranch_scc1 .Lloop\n\ts_barrier\n\ts_mov_b32 s5, 1\n\ts_endpgm\n",
            64);
  ASSERT_EQ(rdna3emu_session_waves(s.session), 2u);
  EXPECT_EQ(rdna3emu_set_breakpoint(s.session, 4), 0);
  uint32_t wave = 7;
  for (uint32_t pass = 0; pass < 3; ++pass) {
    ASSERT_EQ(rdna3emu_continue(s.session, &wave), 0) << lastError();
    EXPECT_EQ(wave, 0u);
    EXPECT_EQ(s.get(RDNA3EMU_PC), 4u);
    EXPECT_EQ(s.sgpr(4), pass);
  }
  EXPECT_EQ(rdna3emu_clear_breakpoint(s.session, 4), 0);
  EXPECT_EQ(s.step(100), 4u); // add, compare, branch, barrier
  EXPECT_EQ(rdna3emu_session_state(s.session, 0), RDNA3EMU_WAVE_AT_BARRIER);
  EXPECT_EQ(s.step(1), 0u);
  EXPECT_EQ(s.step(100, 1), 11u);
  EXPECT_EQ(rdna3emu_session_state(s.session, 0), RDNA3EMU_WAVE_READY);
  EXPECT_EQ(rdna3emu_session_state(s.session, 1), RDNA3EMU_WAVE_READY);
  ASSERT_EQ(rdna3emu_continue(s.session, &wave), 0) << lastError();
  EXPECT_EQ(wave, 0xffffffffu);
  EXPECT_EQ(rdna3emu_session_state(s.session, 1), RDNA3EMU_WAVE_ENDED);
  EXPECT_EQ(s.sgpr(5, 1), 1u);
}

TEST(ApiSession, SaysWhyAWaveFails) {
  Session s("\ts_nop 0\n\ts_mov_b64 s[4:5], 0\n\ts_setpc_b64 s[4:5]\n");
  uint64_t executed = 9;
  EXPECT_EQ(rdna3emu_step(s.session, 0, 10, &executed), RDNA3EMU_LEFT_CODE);
  EXPECT_NE(lastError().find("s_setpc_b64"), std::string::npos) << lastError();
  EXPECT_EQ(rdna3emu_session_state(s.session, 0), RDNA3EMU_WAVE_FAILED);
  EXPECT_EQ(s.step(1), 0u);

  Session endless(".Lforever:\n\ts_branch .Lforever\n", 32, 0, 100);
  uint32_t wave = 0;
  EXPECT_EQ(rdna3emu_continue(endless.session, &wave), RDNA3EMU_BUDGET);
}

TEST(ApiSession, SaysWhatIsWrongWithItsArguments) {
  Session s("\ts_nop 0\n\ts_endpgm\n");
  uint64_t value = 0;
  uint32_t word = 0, lanes[32] = {};
  const int32_t bad = RDNA3EMU_INVALID_ARGUMENT;
  EXPECT_EQ(rdna3emu_step(nullptr, 0, 1, nullptr), bad);
  EXPECT_EQ(rdna3emu_step(s.session, 1, 1, nullptr), bad);
  EXPECT_EQ(rdna3emu_continue(nullptr, nullptr), bad);
  EXPECT_EQ(rdna3emu_session_state(s.session, 1), bad);
  EXPECT_EQ(rdna3emu_session_waves(nullptr), 0u);
  EXPECT_EQ(rdna3emu_read_register(s.session, 0, 99, &value), bad);
  EXPECT_EQ(rdna3emu_read_register(s.session, 0, RDNA3EMU_PC, nullptr), bad);
  EXPECT_EQ(rdna3emu_write_register(s.session, 0, RDNA3EMU_PC, 2), bad);
  EXPECT_EQ(rdna3emu_write_register(s.session, 0, RDNA3EMU_EXECUTED, 2), bad);
  EXPECT_EQ(rdna3emu_write_register(s.session, 0, RDNA3EMU_M0, uint64_t(1) << 32), bad);
  EXPECT_EQ(rdna3emu_read_sgpr(s.session, 0, 106, &word), bad);
  EXPECT_EQ(rdna3emu_read_sgpr(s.session, 0, 0, nullptr), bad);
  EXPECT_EQ(rdna3emu_write_sgpr(s.session, 0, 106, 0), bad);
  EXPECT_EQ(rdna3emu_read_vgpr(s.session, 0, 256, lanes), bad);
  EXPECT_EQ(rdna3emu_read_vgpr(s.session, 0, 0, nullptr), bad);
  EXPECT_EQ(rdna3emu_write_vgpr(s.session, 0, 256, lanes), bad);
  EXPECT_EQ(rdna3emu_write_vgpr(s.session, 0, 0, nullptr), bad);
  EXPECT_EQ(rdna3emu_read_lds(s.session, ldsGranule - 3, &word, 4), bad);
  EXPECT_EQ(rdna3emu_read_lds(s.session, ldsGranule - 4, &word, 4), 0) << lastError();
  EXPECT_EQ(rdna3emu_read_lds(s.session, 0, nullptr, 4), bad);
  EXPECT_EQ(rdna3emu_write_lds(s.session, ~0u, &word, 4), bad);
  EXPECT_EQ(rdna3emu_set_breakpoint(s.session, 2), bad);
  rdna3emu_launch launch = RDNA3EMU_LAUNCH_INIT;
  rdna3emu_session *other = nullptr;
  const uint32_t outside[3] = {1, 0, 0};
  EXPECT_EQ(rdna3emu_session_create(s.kernel, &launch, outside, &other), bad);
  EXPECT_EQ(rdna3emu_session_create(s.kernel, &launch, nullptr, &other), bad);
  EXPECT_EQ(rdna3emu_session_create(s.kernel, &launch, outside, nullptr), bad);
  EXPECT_EQ(other, nullptr);
  rdna3emu_session_free(nullptr);
}

} // namespace
