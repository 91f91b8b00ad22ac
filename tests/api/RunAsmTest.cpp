//===- RunAsmTest.cpp - run_asm() of librdna3emu.so -----------------------===//
#include "Snippet.h"

#include "rdna3emu.h"

#include <cfenv>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <xmmintrin.h>

using namespace rdna::test;

namespace {

constexpr uint32_t userSgprs(uint32_t n) { return n << 1; }
constexpr uint32_t idX = 1 << 7, idY = 1 << 8, idZ = 1 << 9;
constexpr uint32_t ldsGranules(uint32_t n) { return n << 15; }
constexpr uint32_t itemDimensions(uint32_t n) { return (n - 1) << 11; }

struct Dispatch {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {32, 1, 1};
  uint32_t rsrc2 = userSgprs(2);
  uint32_t scratchBytes = 0;
};

int32_t run(const std::vector<uint32_t> &code, const void *kernarg, const Dispatch &d = {}) {
  return run_asm(code.data(), uint32_t(code.size() * 4), d.grid[0], d.grid[1], d.grid[2],
                 d.block[0], d.block[1], d.block[2], kernarg, d.rsrc2, d.scratchBytes);
}

/// A kernel that puts v1 to out[4 * v0], where v0 holds the work-item's x.
std::vector<uint32_t> storing(const std::string &body) {
  return machineCode("\ts_load_b64 s[20:21], s[0:1], 0x0\n" + body +
                     "\n\tv_and_b32 v0, 0x3ff, v0\n\tv_lshlrev_b32 v0, 2, v0\n"
                     "\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b32 v0, v1, s[20:21]\n\ts_endpgm\n");
}

std::string lastError() { return rdna3emu_last_error(); }

TEST(RunAsm, PutsIdsBehindTheUserSgprs) {
  for (uint32_t user : {2u, 8u, 13u}) {
    const std::string s = std::to_string(user), t = std::to_string(user + 1),
                      u = std::to_string(user + 2);
    auto code = machineCode("\ts_load_b64 s[20:21], s[0:1], 0x0\n\ts_lshl_b32 s22, s" + u +
                            ", 2\n\ts_add_u32 s22, s22, s" + t +
                            "\n\ts_mul_i32 s22, s22, 3\n\ts_add_u32 s22, s22, s" + s +
                            // Linear id in a grid of 3 x 4 x 5, as index and as value.
                            "\n\tv_mov_b32 v1, s22\n\tv_lshlrev_b32 v2, 2, v1\n"
                            "\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b32 v2, v1, s[20:21]\n"
                            "\ts_endpgm\n");
    std::vector<uint32_t> out(60, ~0u);
    const void *kernarg[] = {out.data()};
    ASSERT_EQ(
        run(code, kernarg,
            {.grid = {3, 4, 5}, .block = {1, 1, 1}, .rsrc2 = userSgprs(user) | idX | idY | idZ}),
        0)
        << lastError();
    for (uint32_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out[i], i) << user;
  }
}

TEST(RunAsm, PacksWorkItemIds) {
  std::vector<uint32_t> out(4 * 3 * 2, ~0u);
  const void *kernarg[] = {out.data()};
  auto code = machineCode("\ts_load_b64 s[20:21], s[0:1], 0x0\n\tv_and_b32 v1, 0x3ff, v0\n"
                          "\tv_bfe_u32 v2, v0, 10, 10\n\tv_bfe_u32 v3, v0, 20, 10\n"
                          "\tv_mad_u32_u24 v4, v3, 3, v2\n\tv_lshl_add_u32 v4, v4, 2, v1\n"
                          "\tv_lshlrev_b32 v4, 2, v4\n\ts_waitcnt lgkmcnt(0)\n"
                          "\tglobal_store_b32 v4, v0, s[20:21]\n\ts_endpgm\n");
  Dispatch d{.block = {4, 3, 2}, .rsrc2 = userSgprs(2) | itemDimensions(3)};
  ASSERT_EQ(run(code, kernarg, d), 0) << lastError();
  for (uint32_t z = 0; z < 2; ++z)
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < 4; ++x)
        EXPECT_EQ(out[(z * 3 + y) * 4 + x], z << 20 | y << 10 | x);
}

TEST(RunAsm, CountsLdsInGranules) {
  // Stores to the last dword of the first granule and to the first one behind it.
  auto code = storing("\tv_mov_b32 v2, 0\n\tv_mov_b32 v3, 7\n\tds_store_b32 v2, v3 offset:508\n"
                      "\tds_store_b32 v2, v3 offset:512\n\tds_load_b32 v4, v2 offset:508\n"
                      "\tds_load_b32 v5, v2 offset:512\n\ts_waitcnt lgkmcnt(0)\n"
                      "\tv_lshl_add_u32 v1, v4, 8, v5");
  std::vector<uint32_t> out(32);
  const void *kernarg[] = {out.data()};
  ASSERT_EQ(run(code, kernarg, {.rsrc2 = userSgprs(2) | ldsGranules(1)}), 0) << lastError();
  EXPECT_EQ(out[5], 0x700u);
  ASSERT_EQ(run(code, kernarg, {.rsrc2 = userSgprs(2) | ldsGranules(2)}), 0) << lastError();
  EXPECT_EQ(out[5], 0x707u);
}

TEST(RunAsm, GivesEachLaneItsScratch) {
  auto code = storing("\tv_mov_b32 v2, 60\n\tscratch_store_b32 v2, v0, off\n"
                      "\ts_waitcnt_vscnt null, 0x0\n\tscratch_load_b32 v1, v2, off\n"
                      "\ts_waitcnt vmcnt(0)");
  std::vector<uint32_t> out(32, ~0u);
  const void *kernarg[] = {out.data()};
  ASSERT_EQ(run(code, kernarg, {.rsrc2 = userSgprs(2) | 1, .scratchBytes = 64}), 0) << lastError();
  for (uint32_t l = 0; l < 32; ++l)
    EXPECT_EQ(out[l], l);
  // One byte too few: the accesses have no effect.
  ASSERT_EQ(run(code, kernarg, {.rsrc2 = userSgprs(2) | 1, .scratchBytes = 63}), 0) << lastError();
  EXPECT_EQ(out[9], 0u);
}

TEST(RunAsm, FindsConstantsBehindTheCode) {
  // The constant lies behind code_bytes: only an address relative to the caller's copy finds it.
  auto code = storing("\ts_getpc_b64 s[4:5]\n.Lhere:\n\ts_add_u32 s4, s4, .Lend-.Lhere+28\n"
                      "\ts_addc_u32 s5, s5, 0\n\ts_load_b32 s6, s[4:5], 0x0\n"
                      "\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v1, s6\n.Lend:");
  const auto codeBytes = uint32_t(code.size() * 4);
  // Behind .Lend: v_and (8 bytes with its literal), shift, wait, store (8), end: 28 bytes.
  code.push_back(0x12345678);
  std::vector<uint32_t> out(32);
  const void *kernarg[] = {out.data()};
  ASSERT_EQ(run_asm(code.data(), codeBytes, 1, 1, 1, 32, 1, 1, kernarg, userSgprs(2), 0), 0)
      << lastError();
  EXPECT_EQ(out[31], 0x12345678u);
}

TEST(RunAsm, SaysWhatIsWrongWithItsArguments) {
  const auto code = machineCode("\ts_endpgm\n");
  EXPECT_EQ(run(code, nullptr), RDNA3EMU_OK);
  EXPECT_EQ(lastError(), "");
  EXPECT_EQ(run_asm(nullptr, 4, 1, 1, 1, 1, 1, 1, nullptr, 0, 0), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("null pointer"), std::string::npos) << lastError();
  EXPECT_EQ(run_asm(code.data(), 3, 1, 1, 1, 1, 1, 1, nullptr, 0, 0), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("3 bytes"), std::string::npos) << lastError();
  for (unsigned d = 0; d < 3; ++d) {
    Dispatch empty;
    empty.grid[d] = 0;
    EXPECT_EQ(run(code, nullptr, empty), RDNA3EMU_INVALID_ARGUMENT);
    Dispatch flat;
    flat.block[d] = 0;
    EXPECT_EQ(run(code, nullptr, flat), RDNA3EMU_INVALID_ARGUMENT);
    EXPECT_NE(lastError().find("empty"), std::string::npos) << lastError();
  }
  EXPECT_EQ(run(code, nullptr, {.block = {1025, 1, 1}}), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(run(code, nullptr, {.block = {32, 33, 1}}), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(run(code, nullptr, {.grid = {~0u, ~0u, ~0u}}), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(run(code, nullptr, {.rsrc2 = ldsGranules(129)}), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("LDS"), std::string::npos) << lastError();
  EXPECT_EQ(run(code, nullptr, {.scratchBytes = ~0u}), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("scratch"), std::string::npos) << lastError();
}

TEST(RunAsm, SaysWhatIsWrongWithTheCode) {
  auto expect = [](const std::vector<uint32_t> &code, int32_t status, const std::string &words) {
    EXPECT_EQ(run(code, nullptr), status) << lastError();
    EXPECT_NE(lastError().find(words), std::string::npos) << lastError();
  };
  expect(machineCode("\texp mrt0 v0, v0, v0, v0 done\n\ts_endpgm\n"), RDNA3EMU_UNIMPLEMENTED,
         "exp mrt0");
  expect({0xffffffff}, RDNA3EMU_UNDECODABLE, "offset 0x0");
  expect({0xbf800000, 0xbf800000}, RDNA3EMU_LEFT_CODE, "leaves the kernel's code");
  expect(machineCode("\ts_mov_b64 s[4:5], 0\n\ts_setpc_b64 s[4:5]\n"), RDNA3EMU_LEFT_CODE,
         "s_setpc_b64");
  expect({0xbfa01000}, RDNA3EMU_LEFT_CODE, "s_branch"); // Far behind the end.
  // To the last dword before the code, where an offset plus 4 wraps to 0.
  expect({0xbfa0fffe}, RDNA3EMU_LEFT_CODE, "s_branch");
  expect(machineCode("\ts_trap 2\n\ts_endpgm\n"), RDNA3EMU_TRAP, "s_trap 2");
  rdna3emu_set_run_asm_budget(1000);
  expect({0xbfa0ffff}, RDNA3EMU_BUDGET, "budget");
  rdna3emu_set_run_asm_budget(uint64_t(1) << 30);
}

TEST(RunAsm, ReadsNothingBehindTheCode) {
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  auto *two = static_cast<char *>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(two, MAP_FAILED);
  ASSERT_EQ(mprotect(two + page, page, PROT_NONE), 0);
  // Ends in the first half of an instruction of two dwords, on the last bytes of a page.
  const uint32_t cut[] = {0xbf800000, 0xf4080100};
  char *code = two + page - sizeof cut;
  std::memcpy(code, cut, sizeof cut);
  EXPECT_NE(run_asm(code, sizeof cut, 1, 1, 1, 32, 1, 1, nullptr, userSgprs(2), 0), 0);
  const uint32_t whole[] = {0xbf800000, 0xbfb00000};
  std::memcpy(code, whole, sizeof whole);
  EXPECT_EQ(run_asm(code, sizeof whole, 1, 1, 1, 32, 1, 1, nullptr, userSgprs(2), 0), 0)
      << lastError();
  munmap(two, 2 * page);
}

TEST(RunAsm, LeavesTheHostsFloatingPointEnvironment) {
  // 1 + 2^-24 is a tie in f32 and inexact; the smallest denormal doubled needs denormals.
  auto code = storing("\tv_mov_b32 v2, 0x33800000\n\tv_add_f32 v1, 1.0, v2\n\tv_mov_b32 v3, 1\n"
                      "\tv_add_f32 v3, v3, v3\n\tv_xor_b32 v1, v1, v3");
  std::vector<uint32_t> out(32);
  const void *kernarg[] = {out.data()};
  const unsigned before = _mm_getcsr();
  std::fesetround(FE_UPWARD);
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_OVERFLOW);
  _mm_setcsr(_mm_getcsr() | 0x8040); // FTZ and DAZ
  const unsigned mine = _mm_getcsr();
  const int32_t status = run(code, kernarg);
  const unsigned after = _mm_getcsr();
  const int rounding = std::fegetround(); // The x87's too.
  const int flags = std::fetestexcept(FE_ALL_EXCEPT);
  std::fesetenv(FE_DFL_ENV);
  _mm_setcsr(before);
  ASSERT_EQ(status, 0) << lastError();
  EXPECT_EQ(after, mine);
  EXPECT_EQ(rounding, FE_UPWARD);
  EXPECT_EQ(flags, FE_OVERFLOW);
  EXPECT_EQ(out[0], 0x3f800000u ^ 2u);
}

TEST(RunAsm, SeesChangedCodeAtTheSameAddress) {
  std::vector<uint32_t> out(32);
  const void *kernarg[] = {out.data()};
  auto code = storing("\tv_mov_b32 v1, 1"), other = storing("\tv_mov_b32 v1, 2");
  ASSERT_EQ(code.size(), other.size());
  ASSERT_EQ(run(code, kernarg), 0);
  EXPECT_EQ(out[3], 1u);
  std::copy(other.begin(), other.end(), code.begin());
  ASSERT_EQ(run(code, kernarg), 0);
  EXPECT_EQ(out[3], 2u);
}

TEST(RunAsm, RunsOnManyThreadsAtOnce) {
  // Assembled here: linking gives a thread LLVM's signal stack, which AddressSanitizer takes for
  // its own when that thread ends.
  std::vector<std::vector<uint32_t>> codes;
  for (uint32_t t = 0; t < 8; ++t)
    codes.push_back(storing("\tv_mov_b32 v1, " + std::to_string(t)));
  std::vector<std::thread> threads;
  std::vector<std::string> errors(8);
  std::vector<std::vector<uint32_t>> out(8, std::vector<uint32_t>(32));
  for (uint32_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const void *kernarg[] = {out[t].data()};
      for (int n = 0; n < 50; ++n) {
        if (run(codes[t], kernarg) != 0)
          errors[t] += lastError();
        // A failure of one thread is no other thread's.
        if (t % 2 && (run({0xffffffff}, nullptr) != RDNA3EMU_UNDECODABLE || lastError().empty()))
          errors[t] += "no error";
        if (t % 2 == 0 && !lastError().empty())
          errors[t] += "someone else's error: " + lastError();
      }
    });
  for (std::thread &t : threads)
    t.join();
  for (uint32_t t = 0; t < 8; ++t) {
    EXPECT_EQ(errors[t], "");
    EXPECT_EQ(out[t], std::vector<uint32_t>(32, t));
  }
}

} // namespace
