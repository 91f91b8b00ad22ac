// What executes a kernel: when compiled code takes over, and that nobody can tell from outside.

#include "EmuSnippet.h"

namespace rdna::test::emuEngineTest {
namespace {

/// Four waves exchange values through LDS, iteration after iteration: out[t] = the sum over the
/// iterations of what the work-item half a workgroup away had.
std::string exchange(unsigned iterations) {
  return "\ts_load_b64 s[4:5], s[0:1], 0x0\n\tv_and_b32 v1, 0x3ff, v0\n\tv_lshlrev_b32 v2, 2, v1\n"
         "\tv_xor_b32 v3, 0x100, v2\n\tv_mov_b32 v4, 0\n\ts_mov_b32 s6, " +
         std::to_string(iterations) +
         "\n.Lloop:\n\tv_add_nc_u32 v5, v1, s6\n\tds_store_b32 v2, v5\n\ts_waitcnt lgkmcnt(0)\n"
         "\ts_barrier\n\tds_load_b32 v6, v3\n\ts_waitcnt lgkmcnt(0)\n\tv_add_nc_u32 v4, v4, v6\n"
         "\ts_barrier\n\ts_sub_u32 s6, s6, 1\n\ts_cmp_lg_u32 s6, 0\n\ts_cbranch_scc1 .Lloop\n"
         "\tglobal_store_b32 v2, v4, s[4:5]\n\ts_endpgm\n";
}

struct EngineRun {
  std::vector<uint32_t> out = std::vector<uint32_t>(128);
  emu::RunResult result;
  std::string error;
};

EngineRun runOn(emu::Engine engine, const std::string &text, uint64_t budget = 0) {
  EngineRun r;
  auto program = emu::Program::create(
      kernelImage(text, "\t.amdhsa_group_segment_fixed_size 1024\n" + keepDenormals));
  EXPECT_TRUE(bool(program));
  uint64_t arguments[2] = {reinterpret_cast<uint64_t>(r.out.data()), 0};
  emu::Launch launch;
  launch.block = {128, 1, 1};
  launch.kernarg = std::as_bytes(std::span(arguments));
  launch.engine = engine;
  launch.instructionBudget = budget;
  launch.regions.push_back({"out", reinterpret_cast<std::byte *>(r.out.data()), r.out.size() * 4});
  auto result = (*program)->run(launch);
  if (result)
    r.result = *result;
  else
    r.error = llvm::toString(result.takeError());
  return r;
}

TEST(EmuEngine, BarriersAndLdsInCompiledCode) {
  EngineRun interpreted = runOn(emu::Engine::Interpreter, exchange(50));
  EngineRun compiled = runOn(emu::Engine::Jit, exchange(50));
  EXPECT_EQ(interpreted.out[0], 50u * 64 + 50 * 51 / 2); // Item 64 had 64 + iteration.
  EXPECT_EQ(interpreted.out, compiled.out);
  EXPECT_EQ(interpreted.result.instructions, compiled.result.instructions);
  EXPECT_EQ(interpreted.result.compiledInstructions, 0u);
  EXPECT_GT(compiled.result.compiledInstructions, compiled.result.instructions / 2);
}

TEST(EmuEngine, ShortLaunchesAreInterpreted) {
  EXPECT_EQ(runOn(emu::Engine::Auto, exchange(50)).result.compiledInstructions, 0u);
}

TEST(EmuEngine, CompiledCodeTakesOverALongLaunchWhileItRuns) {
  // 4 waves of 11 instructions an iteration: far beyond the 20 million that are always interpreted.
  EngineRun r = runOn(emu::Engine::Auto, exchange(3'000'000));
  EXPECT_GT(r.result.compiledInstructions, 0u);
  EXPECT_LT(r.result.compiledInstructions, r.result.instructions);
  uint64_t iterations = 3'000'000;
  EXPECT_EQ(r.out[0], uint32_t(iterations * 64 + iterations * (iterations + 1) / 2));
}

TEST(EmuEngine, TheBudgetEndsBothAtTheSameInstruction) {
  const std::string endless = ".Lloop:\n\tv_add_nc_u32 v1, 1, v1\n\ts_branch .Lloop\n\ts_endpgm\n";
  EngineRun interpreted = runOn(emu::Engine::Interpreter, endless, 100'000);
  EngineRun compiled = runOn(emu::Engine::Jit, endless, 100'000);
  EXPECT_NE(interpreted.error.find("budget"), std::string::npos) << interpreted.error;
  EXPECT_EQ(interpreted.error, compiled.error);
}

TEST(EmuEngine, ErrorsComeFromCompiledCodeAsWell) {
  const std::string leaves = "\tv_mov_b32 v1, 0\n\ts_mov_b64 s[4:5], 64\n\ts_setpc_b64 s[4:5]\n";
  EngineRun interpreted = runOn(emu::Engine::Interpreter, leaves);
  EXPECT_FALSE(interpreted.error.empty());
  EXPECT_EQ(interpreted.error, runOn(emu::Engine::Jit, leaves).error);
}

} // namespace
} // namespace rdna::test::emuEngineTest
