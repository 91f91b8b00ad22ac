//===- KernelHarness.h - runs what was generated on the emulator ------------===//
#pragma once

#include "Generate/KernelText.h"
#include "KernelRun.h"
#include "Run/Buffers.h"
#include "Run/Reference.h"
#include "Support/Random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace rdna::test {

using namespace generate;

struct Problem {
  unsigned m, n, k;
  unsigned padA = 0, padB = 0, padC = 0;
  float alpha = 1.25f, beta = 0.5f;
  unsigned batches = 1;
  std::optional<uint64_t> delays; ///< In place of the checks.
};

/// Generated kernels of a file, assembled and loaded: one, or that and the one that adds its parts.
struct Generated {
  KernelText kernel;
  unsigned parts = 1, bk = 1;
  std::string plain; ///< Launch description that has a reference, which that of parts has not.
  object::CodeObject object;
  std::vector<std::unique_ptr<run::LoadedKernel>> loaded;

  explicit Generated(const KernelSpec &spec) : Generated(unwrap(generateKernel(spec), "generate")) {
    parts = spec.splitK;
    bk = spec.bk;
    KernelSpec whole = spec;
    whole.splitK = 1;
    plain = launchOf(unwrap(shapeOf(whole), "shape"), Part::Product);
  }
  explicit Generated(KernelText text)
      : kernel(std::move(text)), plain(kernel.launch),
        object(unwrap(object::loadCodeObjectBytes(kernel.text, kernel.name + ".s"), kernel.name)) {
    for (const object::Kernel &each : object.kernels)
      loaded.push_back(unwrap(run::createEmulatorBackend()->load(object, each), each.name));
  }
  Generated(const Generated &) = delete;
  Generated &operator=(const Generated &) = delete;
};

inline run::ResolvedLaunch launchFor(const std::string &text, const Problem &p) {
  const run::LaunchDescription description =
      unwrap(run::parseLaunchDescription(text, "launch.json"), "launch");
  run::Parameters parameters;
  for (const auto &[name, value] :
       {std::pair("M", p.m), std::pair("N", p.n), std::pair("K", p.k), std::pair("padA", p.padA),
        std::pair("padB", p.padB), std::pair("padC", p.padC)})
    parameters[name] = value;
  if (description.parameters.contains("batches"))
    parameters["batches"] = p.batches;
  run::ResolvedLaunch launch = unwrap(run::resolve(description, parameters), "launch");
  // Text has no infinity and no NaN.
  for (run::ResolvedArgument &argument : launch.arguments)
    for (const auto &[name, value] : {std::pair("alpha", p.alpha), std::pair("beta", p.beta)})
      if (argument.name == name)
        std::memcpy(argument.bytes.data(), &value, sizeof value);
  if (launch.gemm) {
    launch.gemm->alpha = p.alpha;
    launch.gemm->beta = p.beta;
  }
  return launch;
}

inline std::span<float> floats(run::Buffer &buffer) {
  return {reinterpret_cast<float *>(buffer.bytes.data()), buffer.bytes.size() / 4};
}

/// NaN in all elements that are not in the matrix.
inline void spoilPadding(std::span<float> buffer, const run::MatrixPlace &place, uint64_t rows,
                         uint64_t columns, uint64_t batches) {
  std::vector<bool> isUsed(buffer.size());
  for (uint64_t batch = 0; batch < batches; ++batch)
    for (uint64_t row = 0; row < rows; ++row)
      for (uint64_t column = 0; column < columns; ++column)
        isUsed[place.at(row, column, batch)] = true;
  for (size_t i = 0; i < buffer.size(); ++i)
    if (!isUsed[i])
      buffer[i] = std::numeric_limits<float>::quiet_NaN();
}

/// Runs the kernels one behind the other; what the emulator finds.
inline std::string runAll(Generated &g, const Problem &p, run::BufferSet &buffers) {
  run::RunOptions options;
  options.instructionBudget = waveBudget;
  options.delaySeed = p.delays;
  if (!p.delays)
    options.checks = emu::CheckSet::all();
  std::string trouble;
  for (size_t i = 0; i < g.loaded.size(); ++i) {
    const auto launch = launchFor(i == 0 ? g.kernel.launch : g.kernel.sumLaunch, p);
    auto outcome = g.loaded[i]->run(launch, buffers, options);
    if (!outcome)
      return llvm::toString(outcome.takeError());
    if (g.parts > 1) // The workspace: it is written now.
      buffers.buffers().back().facts.init = run::Init::Zero;
    for (const auto &finding : outcome->findings)
      trouble += fmt::format("{}: {}, line {}: {}\n", finding.finding.rule, finding.finding.message,
                             finding.line, finding.finding.instruction);
    for (const auto &finding : outcome->bounds)
      trouble += fmt::format("outside: {} {}\n", finding.instruction, finding.nearest);
  }
  return trouble;
}

/// K in parts of whole steps: each in the order of k, then the parts in theirs.
inline std::string comparedInParts(const Generated &g, const run::GemmOperands &operands) {
  const run::GemmShape &s = operands.shape;
  const uint64_t whole = uint64_t{g.bk} * g.parts, length = (s.k + whole - 1) / whole * g.bk;
  for (uint64_t row = 0; row < s.m; ++row)
    for (uint64_t column = 0; column < s.n; ++column) {
      float total = 0;
      for (unsigned part = 0; part < g.parts; ++part) {
        float sum = 0;
        for (uint64_t k = part * length; k < std::min(s.k, (part + 1) * length); ++k)
          sum = std::fma(operands.a[s.a.at(row, k, 0)], operands.b[s.b.at(k, column, 0)], sum);
        total = part == 0 ? sum : total + sum;
      }
      const float before = s.beta == 0 ? 0 : s.beta * operands.before[s.c.at(row, column, 0)];
      const float wanted = s.k == 0      ? before
                           : s.beta == 0 ? s.alpha * total
                                         : std::fma(s.alpha, total, before);
      const float got = operands.after[s.c.at(row, column, 0)];
      if (std::bit_cast<uint32_t>(got) != std::bit_cast<uint32_t>(wanted) &&
          !(std::isnan(got) && std::isnan(wanted)))
        return fmt::format("row {}, column {}: {}, in parts {}\n", row, column, got, wanted);
    }
  return {};
}

/// Bit for bit the stated order of operations, and within the bound of OpenBLAS.
inline std::string compared(const Generated &g, const run::GemmOperands &operands) {
  std::vector<run::Tile> tiles;
  const run::GemmShape &shape = operands.shape;
  for (uint64_t batch = 0; batch < shape.batches; ++batch)
    tiles.push_back({0, shape.m, 0, shape.n, batch});
  std::string trouble;
  if (g.parts > 1) {
    trouble = comparedInParts(g, operands);
  } else if (const auto result = run::checkGemm(operands, tiles, 2); !result.exact) {
    trouble = fmt::format("{}: {} differ, the first at {}\n", result.method,
                          result.difference.mismatches, result.difference.firstIndex);
  }
  if (const auto result = run::checkGemmBound(operands, tiles); !result.withinBound)
    trouble += fmt::format("{}: {} outside, the first at {}\n", result.method,
                           result.difference.mismatches, result.difference.firstIndex);
  return trouble;
}

/// What is wrong with a run; empty if nothing is.
inline std::string troubleOf(Generated &g, const Problem &p) {
  const run::ResolvedLaunch plain = launchFor(g.plain, p);
  if (!plain.gemm)
    return "the launch describes no product";
  const run::GemmShape &shape = *plain.gemm;
  auto buffers = unwrap(run::BufferSet::allocate(launchFor(g.kernel.launch, p)), "buffers");
  buffers->fill(p.m + 1000 * p.n + 7 * p.k);
  auto &all = buffers->buffers();
  spoilPadding(floats(all[0]), shape.a, shape.m, shape.k, shape.batches);
  spoilPadding(floats(all[1]), shape.b, shape.k, shape.n, shape.batches);
  spoilPadding(floats(all[2]), shape.c, shape.m, shape.n, shape.batches);
  const std::span<float> c = floats(all[2]);
  if (p.beta == 0) // C is not read.
    std::fill(c.begin(), c.end(), std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> before(c.begin(), c.end());
  std::string trouble = runAll(g, p, *buffers);
  trouble +=
      compared(g, {floats(all[0]).data(), floats(all[1]).data(), before.data(), c.data(), shape});
  for (uint64_t batch = 0; batch < shape.batches; ++batch)
    for (uint64_t row = 0; row < shape.m; ++row)
      for (uint64_t column = 0; column < shape.n; ++column)
        c[shape.c.at(row, column, batch)] = std::numeric_limits<float>::quiet_NaN();
  if (!std::all_of(c.begin(), c.end(), [](float value) { return std::isnan(value); }))
    trouble += "something was written behind a row of C\n";
  return trouble;
}

inline void check(Generated &g, const Problem &p) {
  EXPECT_EQ(troubleOf(g, p), "") << fmt::format(
      "{}: {}x{}x{}, padding {} {} {}, alpha {}, beta {}, {} batches, delays {}", g.kernel.name,
      p.m, p.n, p.k, p.padA, p.padB, p.padC, p.alpha, p.beta, p.batches, p.delays.value_or(0));
}

inline KernelSpec specOf(unsigned blockRows, unsigned blockColumns, unsigned threadRows,
                         unsigned threadColumns, unsigned bk) {
  KernelSpec spec;
  spec.blockRows = blockRows;
  spec.blockColumns = blockColumns;
  spec.threadRows = threadRows;
  spec.threadColumns = threadColumns;
  spec.bk = bk;
  return spec;
}

/// Sizes below, at and above a tile's and a step's, even and odd, with and without padding.
inline void checkSizes(const KernelSpec &spec) {
  Generated g(spec);
  const unsigned m = spec.blockRows, n = spec.blockColumns, k = spec.bk;
  const unsigned batches = spec.batches == Batches::Strided ? 2 : 1;
  for (const auto &[rows, columns, depth] :
       std::vector<std::array<unsigned, 3>>{{1, 1, 1},
                                            {7, 5, 3},
                                            {m, n, k},
                                            {m, n, 3 * k},
                                            {m + 1, n - 1, 2 * k + 1},
                                            {m - 1, 2 * n + 3, 4 * k - 1},
                                            {2 * m, n + 4, 2 * k + 4}}) {
    check(g, {rows, columns, depth, 0, 0, 0, 1.25f, 0.5f, batches, {}});
    check(g, {rows, columns, depth, 3, 1, 5, -0.5f, 0.0f, batches, {}});
  }
  check(g, {m, n, 4 * k, 4, 8, 4, 1.0f, 1.0f, batches, {}});
  check(g, {m + 3, n, 5 * k + 2, 4, 8, 4, 1.0f, 1.0f, batches, 11});
}

} // namespace rdna::test
