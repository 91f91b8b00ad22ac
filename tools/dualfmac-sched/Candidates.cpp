#include "Candidates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace rdna::dualfmac {

using namespace timing;
using generate::KernelSpec;

namespace {

/// Clocks of a compute unit in a rough count: its blocks' FMACs, or the latency of the steps of
/// the blocks that cannot run beside each other. Only to leave out what is far off.
double roughClocks(const KernelSpec &s, const Problem &p, const Machine &machine) {
  const double blocks = double(llvm::divideCeil(p.m, s.blockRows)) *
                        double(llvm::divideCeil(p.n, s.blockColumns)) * s.splitK;
  const double depth = double(p.k) / s.splitK;
  const double ofUnit = std::ceil(blocks / machine.device().cus);
  const double issue = ofUnit * s.blockRows * s.blockColumns * depth / 128.0;
  constexpr double stepLatency = 700, atOnce = 4;
  const double latency = std::ceil(ofUnit / atOnce) * depth / s.bk * stepLatency;
  const double loads = ofUnit * double(s.blockRows + s.blockColumns) * depth / 16.0;
  // The kernel that adds the parts has to be launched, and they go to memory and back.
  constexpr double launch = 12000;
  const Device &card = machine.device();
  const double bytesAClock = card.dramGBs * 1000 / card.boostMHz;
  const double sum = s.splitK == 1 ? 0 : launch + 8.0 * p.m * p.n * s.splitK / bytesAClock;
  return std::max({issue, latency, loads}) + 0.1 * (issue + latency + loads) + sum;
}

/// K in parts, where there are fewer blocks than compute units and each part has several steps.
std::vector<KernelSpec> withParts(const KernelSpec &spec, const Problem &p,
                                  const Machine &machine) {
  std::vector<KernelSpec> specs{spec};
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

} // namespace

bool suits(const KernelSpec &s, const Problem &p) {
  return s.edges == generate::Edges::Guarded ||
         (p.m % s.blockRows == 0 && p.n % s.blockColumns == 0 && p.k % s.bk == 0);
}

bool isKernel8(const KernelSpec &s) {
  const KernelSpec kernel8;
  const auto numbers = [](const KernelSpec &k) {
    return std::tuple(k.blockRows, k.blockColumns, k.threadRows, k.threadColumns, k.bk, k.stages,
                      k.splitK);
  };
  return numbers(s) == numbers(kernel8);
}

std::vector<KernelSpec> enumerate(const KernelSpec &base, const Problem &p,
                                  const Machine &machine) {
  std::vector<std::pair<double, KernelSpec>> all;
  for (const unsigned rows : {32u, 64u, 128u, 256u})
    for (const unsigned columns : {32u, 64u, 128u, 256u})
      for (const auto &[threadRows, threadColumns] : std::vector<std::pair<unsigned, unsigned>>{
               {4, 4}, {4, 8}, {8, 4}, {8, 8}, {8, 16}, {16, 8}})
        for (const unsigned bk : {8u, 16u})
          for (const unsigned stages : {1u, 2u}) {
            KernelSpec spec = base;
            std::tie(spec.blockRows, spec.blockColumns) = std::pair(rows, columns);
            std::tie(spec.threadRows, spec.threadColumns) = std::pair(threadRows, threadColumns);
            spec.bk = bk;
            spec.stages = stages;
            const unsigned waves = rows * columns / (32 * threadRows * threadColumns);
            if (waves < 1 || waves > 16 || (threadRows > threadColumns && rows <= columns))
              continue;
            if (!suits(spec, p))
              continue;
            for (const KernelSpec &next : withParts(spec, p, machine))
              if (auto shape = generate::shapeOf(next))
                all.emplace_back(roughClocks(next, p, machine), next);
              else
                llvm::consumeError(shape.takeError());
          }
  llvm::stable_sort(all, [](const auto &x, const auto &y) { return x.first < y.first; });
  // Of a size of blocks no more than a few: the count is too rough to tell which is best.
  constexpr unsigned alike = 3;
  std::map<std::pair<unsigned, unsigned>, unsigned> ofSize;
  std::vector<KernelSpec> specs;
  for (const auto &[clocks, spec] : all)
    if (isKernel8(spec) && p.m / 128.0 * p.n / 128 >= machine.device().cus)
      specs.insert(specs.begin(), spec);
    else if (++ofSize[{spec.blockRows * spec.blockColumns, spec.splitK}] <= alike)
      specs.push_back(spec);
  return specs;
}

std::vector<KernelSpec> neighboursOf(const KernelSpec &spec) {
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
  if (spec.splitK > 1) {
    add([](KernelSpec &s) { s.splitK *= 2; });
    add([](KernelSpec &s) { s.splitK /= 2; });
  }
  return all;
}

} // namespace rdna::dualfmac
