// Remapping against the size of a block: an outer product of 8 x 8 written out step after step,
// with registers as a compiler leaves them, and dual-issued operations of several kinds. The
// counter is microseconds for each operation, proof included; the goal is 2000 at most, whatever
// the size.

#include "Pipeline/Registry.h"
#include "Support/Random.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <numeric>
#include <vector>

using namespace rdna;

namespace {

constexpr unsigned kAccumulators = 64, kFragments = 48;

std::string head() {
  std::string text = "\t.text\n\t.globl\tk\n\t.p2align\t8\n\t.type\tk,@function\nk:\n";
  for (unsigned r = 1; r < 2 + kFragments + kAccumulators; ++r)
    text += fmt::format("\tv_mov_b32_e32 v{}, 0\n", r);
  return text + "\ts_mov_b32 s4, 0\n.Lloop:\n";
}

std::string tail() {
  std::string text = "\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, 64\n\ts_cbranch_scc1 .Lloop\n"
                     "\ts_load_b64 s[0:1], s[0:1], null\n\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned r = 2 + kFragments; r < 2 + kFragments + kAccumulators; ++r)
    text += fmt::format("\tglobal_store_b32 v0, v{}, s[0:1] offset:{}\n", r, 4 * (r % 1000));
  return text + "\ts_endpgm\n.Lend:\n\t.size\tk, .Lend-k\n\t.amdhsa_kernel k\n"
                "\t.amdhsa_group_segment_fixed_size 32768\n\t.amdhsa_next_free_vgpr 128\n"
                "\t.amdhsa_next_free_sgpr 8\n\t.end_amdhsa_kernel\n";
}

/// Steps of an outer product; which registers hold what changes from step to step.
std::string products(unsigned fmacs) {
  Random random(1);
  std::vector<unsigned> accumulators(kAccumulators), order(kAccumulators);
  std::iota(accumulators.begin(), accumulators.end(), 2 + kFragments);
  std::iota(order.begin(), order.end(), 0);
  const auto shuffle = [&](std::vector<unsigned> &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[random.below(static_cast<uint32_t>(i))]);
  };
  shuffle(accumulators);
  std::string text = head();
  unsigned done = 0;
  for (unsigned step = 0; done < fmacs; ++step) {
    std::vector<unsigned> tuples(kFragments / 4);
    std::iota(tuples.begin(), tuples.end(), 0);
    shuffle(tuples);
    for (unsigned t = 0; t < 4; ++t)
      text += fmt::format("\tds_load_b128 v[{}:{}], v1 offset:{}\n", 2 + 4 * tuples[t],
                          5 + 4 * tuples[t], 64 * (step % 256) + 16 * t);
    text += "\ts_waitcnt lgkmcnt(0)\n";
    shuffle(order);
    for (const unsigned at : order) {
      const unsigned row = at / 8, column = at % 8;
      if (done++ < fmacs)
        text += fmt::format("\tv_fmac_f32_e32 v{}, v{}, v{}\n", accumulators[at],
                            2 + 4 * tuples[row / 4] + row % 4,
                            2 + 4 * tuples[2 + column / 4] + column % 4);
    }
  }
  return text + tail();
}

/// Dual instructions with the additions, products and FMACs that happen to be legal.
std::string duals(unsigned count) {
  static constexpr const char *kNames[] = {"fmac", "mul", "add", "sub", "max"};
  Random random(2);
  const auto reg = [&](unsigned modulo, unsigned rest, unsigned first, unsigned size) {
    unsigned r = 0;
    do
      r = first + random.below(size);
    while (r % modulo != rest);
    return r;
  };
  std::string text = head();
  for (unsigned i = 0; i < count; ++i) {
    const unsigned bank0 = random.below(4), bank1 = random.below(4);
    const auto half = [&](unsigned side) {
      return fmt::format("v_dual_{}_f32 v{}, v{}, v{}", kNames[random.below(5)],
                         reg(2, side, 2 + kFragments, kAccumulators),
                         reg(4, (bank0 + side) & 3, 2, kFragments),
                         reg(4, (bank1 + side) & 3, 2, kFragments));
    };
    const std::string x = half(0);
    text += "\t" + x + " :: " + half(1) + "\n";
  }
  return text + tail();
}

void remap(benchmark::State &state, const std::string &text) {
  for (auto _ : state) {
    auto module = Module::parse(text, "k.s");
    if (!module) {
      state.SkipWithError("does not parse");
      llvm::consumeError(module.takeError());
      return;
    }
    auto result = runPipeline(std::move(*module), remapPipeline());
    if (!result) {
      state.SkipWithError("refused");
      llvm::consumeError(result.takeError());
      return;
    }
  }
  state.counters["us_per_op"] = benchmark::Counter(static_cast<double>(state.range(0)) * 1e-6,
                                                   benchmark::Counter::kIsIterationInvariantRate |
                                                       benchmark::Counter::kInvert);
}

void BM_RemapProducts(benchmark::State &state) {
  remap(state, products(static_cast<unsigned>(state.range(0))));
}

void BM_RemapDuals(benchmark::State &state) {
  remap(state, duals(static_cast<unsigned>(state.range(0))));
}

BENCHMARK(BM_RemapProducts)
    ->Arg(100)
    ->Arg(200)
    ->Arg(500)
    ->Arg(1000)
    ->Arg(2000)
    ->Arg(5000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_RemapDuals)
    ->Arg(100)
    ->Arg(200)
    ->Arg(500)
    ->Arg(1000)
    ->Arg(2000)
    ->Arg(5000)
    ->Unit(benchmark::kMillisecond);

} // namespace
