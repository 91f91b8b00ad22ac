//===- Lanes.h - kernels of integers, and what each work-item must give ----===//
#pragma once

#include "device-math/Run.h"

#include "Support/Random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace rdna::devicemath {

using Words = std::vector<uint32_t>;
/// As many as lanes.json says.
inline constexpr uint32_t count = 1024, block = 256, lanes = 32;
inline constexpr uint64_t seed = 7;

struct Sample {
  Words x = Words(count), y = Words(count);
  Sample() {
    Random random(seed);
    for (uint32_t i = 0; i < count; ++i) {
      x[i] = i < 64 ? i : static_cast<uint32_t>(random.next());
      y[i] = static_cast<uint32_t>(random.next());
    }
  }
  uint64_t wide(uint32_t i) const { return uint64_t{x[i]} << 32 | y[i]; }
  int32_t signedX(uint32_t i) const { return static_cast<int32_t>(x[i]); }
  int32_t signedY(uint32_t i) const { return static_cast<int32_t>(y[i]); }
};

/// The result of work-item i.
struct Kernel {
  const char *name;
  std::function<uint32_t(const Sample &, uint32_t i)> wanted;
};

/// Runs the kernel as every compiler writes it. `made` is applied to both sides.
inline void expectAsOnTheHost(
    const Kernel &kernel,
    const std::function<uint32_t(uint32_t)> &made = [](uint32_t word) { return word; }) {
  const Sample sample;
  for (const test::CompiledKernel &file : compiledAs("lanes")) {
    const Words got =
        results<uint32_t>(file, std::string("run_") + kernel.name, {sample.x, sample.y});
    for (uint32_t i = 0; i < count; ++i)
      ASSERT_EQ(made(got[i]), made(kernel.wanted(sample, i)))
          << fmt::format("{}, seed {}, work-item {}: {:#x}, {:#x}", file.assembly, seed, i,
                         sample.x[i], sample.y[i]);
  }
}

} // namespace rdna::devicemath
