// All passes of dualfmac-sched on ladder kernel 5, proofs included, and how they grow with the code
// that they make.

#include "Pipeline/Registry.h"
#include "Support/File.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

using namespace rdna;

namespace {

void climbText(benchmark::State &state, const std::string &text, const Pipeline &pipeline) {
  for (auto _ : state) {
    auto module = Module::parse(text, "bench.s");
    if (!module) {
      llvm::consumeError(module.takeError());
      return state.SkipWithError("does not parse");
    }
    auto result = runPipeline(std::move(*module), pipeline);
    if (!result) {
      llvm::consumeError(result.takeError());
      return state.SkipWithError("refused");
    }
    benchmark::DoNotOptimize(result->text);
  }
}

void BM_LadderKernel5(benchmark::State &state, const char *name) {
  auto text = readInput(std::string(RDNA_KERNEL_DIR) + "/" + name);
  if (!text) {
    llvm::consumeError(text.takeError());
    return state.SkipWithError("kernel not built");
  }
  Pipeline pipeline{.passes = choosePasses({})};
  pipeline.request.assumptions = {Assumption::NoIndexWrap};
  climbText(state, *text, pipeline);
}
BENCHMARK_CAPTURE(BM_LadderKernel5, clang16, "kernel5.clang-16.O3.s")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_LadderKernel5, clang19, "kernel5.clang-19.O3.s")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_LadderKernel5, clang22, "kernel5.clang-22.O3.s")
    ->Unit(benchmark::kMillisecond);

/// A loop of 100 instructions, unrolled for the argument's trip count.
void BM_Unroll(benchmark::State &state) {
  std::string text =
      "\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\ts_mov_b32 s4, 0\n"
      ".Lloop:\n\tds_load_b64 v[2:3], v1\n\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned n = 0; n < 94; ++n)
    text += fmt::format("\tv_fmac_f32 v{}, v2, v3\n", 10 + n);
  text += fmt::format("\tv_add_nc_u32 v1, 4, v1\n\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, {}\n"
                      "\ts_cbranch_scc1 .Lloop\n\ts_endpgm\n.Lfunc_end0:\n\t.amdhsa_kernel k\n"
                      "\t.amdhsa_next_free_vgpr 128\n\t.amdhsa_next_free_sgpr 32\n"
                      "\t.end_amdhsa_kernel\n",
                      state.range(0));
  climbText(state, text, {.passes = choosePasses({{"unroll"}, {{"max-code-bytes", 1U << 30}}})});
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_Unroll)
    ->RangeMultiplier(4)
    ->Range(4, 1024)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

/// The shape of kernel 5: a step of a guarded prefetch, an inner loop of 100 instructions whose
/// iterations (the argument) are written out, and LDS stores. The prefetch is spread, which doubles
/// the code: 512 iterations are 100,000 instructions. The remapping leaves blocks of this size
/// alone.
void BM_AllPasses(benchmark::State &state) {
  std::string text = "\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n"
                     "\ts_mov_b32 s6, 0\n.Lstep:\n\ts_cmp_ge_u32 s6, s7\n"
                     "\ts_cbranch_scc1 .Ljoin\n";
  for (unsigned n = 0; n < 8; ++n)
    text += fmt::format("\tglobal_load_b32 v{}, v0, s[{}:{}]\n", 110 + n, 16 + 2 * n, 17 + 2 * n);
  text += ".Ljoin:\n\tv_mov_b32 v1, v120\n\ts_mov_b32 s4, 0\n"
          ".Lloop:\n\tds_load_b64 v[2:3], v1\n\tds_load_b64 v[4:5], v1 offset:8\n"
          "\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned n = 0; n < 93; ++n)
    text += fmt::format("\tv_fmac_f32 v{}, v{}, v{}\n", 10 + n, 2 + n % 2, 4 + n % 2);
  text += fmt::format("\tv_add_nc_u32 v1, 4, v1\n\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, {}\n"
                      "\ts_cbranch_scc1 .Lloop\n\ts_waitcnt vmcnt(0)\n",
                      state.range(0));
  for (unsigned n = 0; n < 8; n += 2)
    text += fmt::format("\tds_store_b32 v121, v{} offset:{}\n", 110 + n, 4096 + 4 * n);
  text += "\ts_add_i32 s6, s6, 8\n\ts_cmp_lt_u32 s6, s8\n\ts_cbranch_scc1 .Lstep\n.Ldone:\n"
          "\ts_endpgm\n.Lfunc_end0:\n\t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 128\n"
          "\t.amdhsa_next_free_sgpr 48\n\t.end_amdhsa_kernel\n";
  climbText(state, text,
            {.passes = choosePasses({{}, {{"max-code-bytes", 1U << 30}, {"max-block-fmas", 50}}})});
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_AllPasses)
    ->RangeMultiplier(4)
    ->Range(8, 512)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

} // namespace
