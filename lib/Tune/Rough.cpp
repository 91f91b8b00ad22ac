#include "Tune/Rough.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace rdna::tune {

using generate::KernelShape;
using generate::KernelSpec;

bool isSeed(const KernelSpec &s) {
  const auto numbers = [](const KernelSpec &k) {
    return std::tuple(k.blockRows, k.blockColumns, k.threadRows, k.threadColumns, k.bk, k.stages,
                      k.splitK);
  };
  KernelSpec seed;
  seed.order = s.order;
  if (elementsOf(s) == Elements::Scalar)
    setScalarTile(seed, {32, 4}, {4, 1});
  if (elementsOf(s) == Elements::Direct) {
    setScalarTile(seed, {23, 8}, {2, 1});
    seed.bk = 16;
  }
  return numbers(s) == numbers(seed);
}

/// Clocks of a compute unit: what its blocks issue, what they read from LDS and from memory, or the
/// latency of the steps of the blocks that cannot run beside each other.
static double roughClocks(const KernelShape &shape, const Problem &p,
                          const timing::Machine &machine) {
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
  const double latency =
      shape.isDirect() ? 0 : std::ceil(ofUnit / atOnce) * depth / s.bk * stepLatency;
  // 64 bytes a clock come from the cache.
  const double loads = shape.isDirect()
                           ? waves * depth * 2 * shape.threadColumns
                           : ofUnit * double(s.blockRows + s.blockColumns) * depth / 16.0;
  // The kernel that adds the parts has to be launched, and they go to memory and back.
  constexpr double launch = 12000;
  const timing::Device &card = machine.device();
  const double bytesAClock = card.dramGBs * 1000 / card.boostMHz;
  const double sum = s.splitK == 1 ? 0 : launch + 8.0 * p.m * p.n * s.splitK / bytesAClock;
  return std::max({issue, lds, latency, loads}) + 0.1 * (issue + lds + latency + loads) + sum;
}

/// K in parts pays where there are fewer blocks than compute units and each part has several steps;
/// of tiles that are turned the other way is as good.
static bool isWorthIt(const KernelShape &shape, const Problem &p, const timing::Machine &machine) {
  const KernelSpec &s = shape.spec;
  const uint64_t blocks =
      uint64_t{llvm::divideCeil(p.m, s.blockRows)} * llvm::divideCeil(p.n, s.blockColumns);
  if (s.splitK > 1 &&
      (s.swizzle > 1 || blocks >= machine.device().cus || p.k < 4 * s.splitK * s.bk))
    return false;
  const bool isTurned =
      !shape.isScalar() && s.threadRows > s.threadColumns && s.blockRows <= s.blockColumns;
  return shape.waves() <= 16 && !isTurned;
}

std::vector<Point> roughBest(const std::vector<Point> &points, size_t ofKind,
                             const Subject &subject) {
  const Problem &p = subject.problem;
  const bool isLarge = p.m / 128.0 * p.n / 128 >= subject.machine.device().cus;
  std::vector<std::pair<double, const Point *>> all;
  for (const Point &point : points)
    if (auto shape = generate::shapeOf(point.spec)) {
      if (isWorthIt(*shape, p, subject.machine))
        all.emplace_back(roughClocks(*shape, p, subject.machine), &point);
    } else {
      llvm::consumeError(shape.takeError());
    }
  llvm::stable_sort(all, [](const auto &x, const auto &y) { return x.first < y.first; });
  std::set<std::array<unsigned, 4>> sizes;
  std::map<Kind, size_t> counts;
  std::vector<Point> best;
  for (const auto &[clocks, point] : all) {
    const KernelSpec &s = point->spec;
    const Kind kind = kindOf(s);
    const auto isNew = [&] {
      return sizes
          .insert({static_cast<unsigned>(kind.first), s.blockRows * s.blockColumns,
                   s.threadRows * s.threadColumns, s.splitK})
          .second;
    };
    if ((isLarge && isSeed(s)) || (counts[kind] < ofKind && isNew())) {
      ++counts[kind];
      best.push_back(*point);
    }
  }
  return best;
}

} // namespace rdna::tune
