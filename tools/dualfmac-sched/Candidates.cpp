#include "Candidates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

namespace rdna::dualfmac {

using namespace timing;
using generate::KernelShape;
using generate::KernelSpec;
using generate::Source;

namespace {

/// Clocks of a compute unit in a rough count: what its blocks issue, what they read from LDS and
/// from memory, or the latency of the steps of the blocks that cannot run beside each other. Only
/// to leave out what is far off.
double roughClocks(const KernelShape &shape, const Problem &p, const Machine &machine) {
  const KernelSpec &s = shape.spec;
  const double blocks = double(llvm::divideCeil(p.m, s.blockRows)) *
                        double(llvm::divideCeil(p.n, s.blockColumns)) * s.splitK;
  const double depth = double(p.k) / s.splitK;
  const double ofUnit = std::ceil(blocks / machine.device().cus);
  // Dual FMACs and the loads of pairs of elements. A unit has two SIMDs: one may have a wave more.
  const double waves = ofUnit * shape.waves();
  const double pairsOfElements =
      (shape.isScalar() ? 0 : shape.threadRows / 2.0) + shape.threadColumns / 2.0;
  const double issue = std::ceil(waves / 2) * depth *
                       (shape.threadRows * shape.threadColumns / 2.0 + pairsOfElements);
  const double lds = waves * depth * readPasses(shape);
  constexpr double stepLatency = 700, atOnce = 4;
  const double latency = std::ceil(ofUnit / atOnce) * depth / s.bk * stepLatency;
  const double loads = ofUnit * double(s.blockRows + s.blockColumns) * depth / 16.0;
  // The kernel that adds the parts has to be launched, and they go to memory and back.
  constexpr double launch = 12000;
  const Device &card = machine.device();
  const double bytesAClock = card.dramGBs * 1000 / card.boostMHz;
  const double sum = s.splitK == 1 ? 0 : launch + 8.0 * p.m * p.n * s.splitK / bytesAClock;
  return std::max({issue, lds, latency, loads}) + 0.1 * (issue + lds + latency + loads) + sum;
}

/// K in parts, where there are fewer blocks than compute units and each part has several steps.
std::vector<KernelSpec> inParts(const KernelSpec &spec, const Problem &p, const Machine &machine) {
  std::vector<KernelSpec> specs;
  const bool mayBeSplit = spec.edges == generate::Edges::Guarded &&
                          spec.batches == generate::Batches::One && spec.swizzle == 1;
  const uint64_t blocks =
      uint64_t{llvm::divideCeil(p.m, spec.blockRows)} * llvm::divideCeil(p.n, spec.blockColumns);
  for (const unsigned parts : {4u, 16u, 64u})
    if (mayBeSplit && blocks < machine.device().cus && p.k >= 4 * parts * spec.bk) {
      specs.push_back(spec);
      specs.back().splitK = parts;
    }
  return specs;
}

/// The rows of a scalar side are those of a whole wave, so they are many; with matrices by columns
/// that side is B's.
std::vector<std::pair<unsigned, unsigned>> threadTiles(Source source, generate::Order order) {
  if (source == Source::Lds)
    return {{2, 4}, {4, 4}, {4, 8}, {8, 4}, {8, 8}, {8, 16}, {16, 8}};
  std::vector<std::pair<unsigned, unsigned>> tiles{{32, 4}, {16, 4}, {16, 8}, {32, 2}, {16, 2}};
  if (order == generate::Order::Column)
    for (auto &[rows, columns] : tiles)
      std::swap(rows, columns);
  return tiles;
}

} // namespace

bool suits(const KernelSpec &s, const Problem &p) {
  return s.edges == generate::Edges::Guarded ||
         (p.m % s.blockRows == 0 && p.n % s.blockColumns == 0 && p.k % s.bk == 0);
}

bool isSeed(const KernelSpec &s) {
  const auto numbers = [](const KernelSpec &k) {
    return std::tuple(k.blockRows, k.blockColumns, k.threadRows, k.threadColumns, k.bk, k.stages,
                      k.splitK);
  };
  KernelSpec seed;
  if (s.source == Source::Scalar)
    std::tie(seed.threadRows, seed.threadColumns) = threadTiles(Source::Scalar, s.order).front();
  return numbers(s) == numbers(seed);
}

std::vector<KernelSpec> enumerate(const KernelSpec &base, Sums sums, const Problem &p,
                                  const Machine &machine) {
  std::vector<std::pair<double, KernelSpec>> all;
  const auto add = [&](const KernelSpec &spec) {
    const unsigned waves =
        spec.blockRows * spec.blockColumns / (32 * spec.threadRows * spec.threadColumns);
    const bool isTurned = spec.source == Source::Lds && spec.threadRows > spec.threadColumns &&
                          spec.blockRows <= spec.blockColumns;
    if (waves < 1 || waves > 16 || isTurned || !suits(spec, p))
      return;
    for (const KernelSpec &next :
         sums == Sums::InParts ? inParts(spec, p, machine) : std::vector{spec})
      if (auto shape = generate::shapeOf(next))
        all.emplace_back(roughClocks(*shape, p, machine), next);
      else
        llvm::consumeError(shape.takeError());
  };
  for (const unsigned rows : {32u, 64u, 128u, 256u})
    for (const unsigned columns : {32u, 64u, 128u, 256u})
      for (const auto &[threadRows, threadColumns] : threadTiles(base.source, base.order))
        for (const unsigned bk : {8u, 16u})
          for (const unsigned stages : {1u, 2u}) {
            KernelSpec spec = base;
            std::tie(spec.blockRows, spec.blockColumns) = std::pair(rows, columns);
            std::tie(spec.threadRows, spec.threadColumns) = std::pair(threadRows, threadColumns);
            spec.bk = bk;
            spec.stages = stages;
            add(spec);
          }
  llvm::stable_sort(all, [](const auto &x, const auto &y) { return x.first < y.first; });
  // One of a size of blocks and threads: the count is too rough to tell which is best, and the
  // others are its neighbours.
  std::set<std::array<unsigned, 3>> sizes;
  std::vector<KernelSpec> specs;
  for (const auto &[clocks, spec] : all)
    if (isSeed(spec) && p.m / 128.0 * p.n / 128 >= machine.device().cus)
      specs.insert(specs.begin(), spec);
    else if (sizes
                 .insert({spec.blockRows * spec.blockColumns, spec.threadRows * spec.threadColumns,
                          spec.splitK})
                 .second)
      specs.push_back(spec);
  return specs;
}

std::vector<KernelSpec> neighboursOf(const KernelSpec &spec, const Freedom &freedom) {
  std::vector<KernelSpec> all;
  const auto add = [&](auto change) {
    KernelSpec next = spec;
    change(next);
    all.push_back(std::move(next));
  };
  add([](KernelSpec &s) { s.stages = 3 - s.stages; });
  add([](KernelSpec &s) { s.bk *= 2; });
  add([](KernelSpec &s) { s.bk /= 2; });
  add([](KernelSpec &s) { std::swap(s.blockRows, s.blockColumns); });
  add([](KernelSpec &s) { std::swap(s.threadRows, s.threadColumns); });
  for (const auto &[one, other] :
       {std::pair(&KernelSpec::blockRows, &KernelSpec::blockColumns),
        std::pair(&KernelSpec::blockColumns, &KernelSpec::blockRows),
        std::pair(&KernelSpec::threadRows, &KernelSpec::threadColumns),
        std::pair(&KernelSpec::threadColumns, &KernelSpec::threadRows)}) {
    add([one](KernelSpec &s) { s.*one *= 2; });
    add([one](KernelSpec &s) { s.*one /= 2; });
    add([one, other](KernelSpec &s) { s.*one *= 2, s.*other /= 2; });
  }
  if (spec.splitK == 1)
    for (const unsigned swizzle : freedom.swizzles)
      if (swizzle != spec.swizzle)
        add([swizzle](KernelSpec &s) { s.swizzle = swizzle; });
  if (spec.splitK > 1) {
    add([](KernelSpec &s) { s.splitK *= 2; });
    add([](KernelSpec &s) { s.splitK /= 2; });
  }
  return all;
}

} // namespace rdna::dualfmac
