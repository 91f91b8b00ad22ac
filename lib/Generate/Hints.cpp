#include "Generate/Hints.h"

#include "Generate/KernelText.h"
#include "Generate/LoopText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <cmath>

namespace rdna::generate {

/// Twice as much and half as much are equally far away; of two numbers, a bit of both rather than
/// all of one.
static double apart(unsigned x, unsigned y) {
  const double twofold = std::log2((x + 0.01) / (y + 0.01));
  return twofold * twofold;
}

namespace {

/// Collects variants of one option and puts the nearest first.
template <typename Spec> class Nearest {
public:
  void add(double distance, Spec spec, std::string words) {
    found_.emplace_back(distance, Variant<Spec>{std::move(spec), std::move(words)});
  }
  void moveTo(std::vector<Variant<Spec>> &all) {
    llvm::stable_sort(found_, [](const auto &x, const auto &y) { return x.first < y.first; });
    for (auto &[distance, variant] : found_)
      all.push_back(std::move(variant));
    found_.clear();
  }

private:
  std::vector<std::pair<double, Variant<Spec>>> found_;
};

} // namespace

static llvm::Error extended(llvm::Error error, const std::string &words) {
  return llvm::handleErrors(std::move(error), [&](const InputError &refusal) -> llvm::Error {
    std::vector<Diagnostic> all = refusal.diagnostics();
    all.back().message += "; " + words;
    return llvm::make_error<InputError>(refusal.failure(), std::move(all));
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void addTiles(const LoopSpec &spec, std::vector<Variant<LoopSpec>> &all) {
  Nearest<LoopSpec> nearest;
  const auto size = [](unsigned asked) { return std::clamp(asked, 2u, 64u); };
  const auto add = [&](unsigned rows, unsigned columns, double extra) {
    LoopSpec next = spec;
    next.tile.rows = rows;
    next.tile.columns = columns;
    nearest.add(extra + apart(rows, spec.tile.rows) + apart(columns, spec.tile.columns), next,
                fmt::format("--tile {}x{} fits", rows, columns));
  };
  // Only one number is changed if that will do.
  constexpr double both = 100;
  for (unsigned rows = 2; rows <= size(spec.tile.rows); ++rows)
    for (unsigned columns = 2; columns <= size(spec.tile.columns); ++columns)
      add(rows, columns, rows != spec.tile.rows && columns != spec.tile.columns ? both : 0);
  nearest.moveTo(all);
}

static void addStrides(const LoopSpec &spec, std::vector<Variant<LoopSpec>> &all) {
  for (const auto &[name, stride] :
       {std::pair('a', &LoopSpec::aStride), std::pair('b', &LoopSpec::bStride)}) {
    if (!(spec.*stride))
      continue;
    LoopSpec next = spec;
    next.*stride = static_cast<unsigned>(llvm::alignTo(*(spec.*stride), 8));
    all.push_back({next, fmt::format("--{}-stride {} fits", name, *(next.*stride))});
  }
}

std::vector<Variant<LoopSpec>> variantsOf(const LoopSpec &spec) {
  std::vector<Variant<LoopSpec>> all;
  addStrides(spec, all);
  LoopSpec next = spec;
  for (unsigned rows : {4u, 8u, 2u, 16u, 1u, 32u}) {
    std::tie(next.laneRows, next.laneColumns) = std::pair(rows, 32 / rows);
    all.push_back({next, fmt::format("--lanes {}x{} fits", rows, 32 / rows)});
  }
  next = spec;
  next.tile.fragments = 0;
  all.push_back({next, "without --fragments it fits"});
  next = spec;
  for (unsigned steps = std::min(spec.tile.steps, 256u); steps >= 1; --steps) {
    next.tile.steps = steps;
    all.push_back({next, fmt::format("--steps {} fits", steps)});
  }
  for (const auto &[name, stride] :
       {std::pair('a', &LoopSpec::aStride), std::pair('b', &LoopSpec::bStride)}) {
    next = spec;
    (next.*stride).reset();
    if (spec.*stride)
      all.push_back({next, fmt::format("without --{}-stride it fits", name)});
  }
  addTiles(spec, all);
  next = spec;
  next.lastVgpr = 255;
  all.push_back({next, fmt::format("--vgprs {}:255 fits", spec.firstVgpr)});
  return all;
}

llvm::Error withHint(llvm::Error error, const LoopSpec &spec) {
  for (const Variant<LoopSpec> &variant : variantsOf(spec)) {
    auto loop = generateLoop(variant.spec);
    if (loop)
      return extended(std::move(error), variant.words);
    llvm::consumeError(loop.takeError());
  }
  return error;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static void addPowers(const KernelSpec &spec, unsigned KernelSpec::*number, unsigned most,
                      std::string_view option, std::vector<Variant<KernelSpec>> &all) {
  Nearest<KernelSpec> nearest;
  for (unsigned power = 1; power <= most; power *= 2) {
    KernelSpec next = spec;
    next.*number = power;
    if (power != spec.*number)
      nearest.add(apart(power, spec.*number), next, fmt::format("{} {} fits", option, power));
  }
  nearest.moveTo(all);
}

/// Multiples of what 32 lanes tile in any arrangement, at, above and below the size and its halves.
static void addBlocks(const KernelSpec &spec, std::vector<Variant<KernelSpec>> &all) {
  Nearest<KernelSpec> nearest;
  const auto sizes = [](unsigned asked, unsigned unit) {
    std::vector<unsigned> found;
    for (unsigned size = std::min(asked, 1024u); size > 0 && unit > 0; size /= 2)
      for (const uint64_t next : {llvm::alignDown(size, unit), llvm::alignTo(size, unit)})
        if (next >= 2 && next <= 1024 && !llvm::is_contained(found, next))
          found.push_back(static_cast<unsigned>(next));
    return found;
  };
  for (const unsigned laneRows : {4u, 8u, 2u, 16u, 1u, 32u})
    for (const unsigned rows : sizes(spec.blockRows, laneRows * spec.threadRows))
      for (const unsigned columns : sizes(spec.blockColumns, 32 / laneRows * spec.threadColumns)) {
        KernelSpec next = spec;
        next.blockRows = rows;
        next.blockColumns = columns;
        nearest.add(apart(rows, spec.blockRows) + apart(columns, spec.blockColumns), next,
                    fmt::format("--block-tile {}x{} fits", rows, columns));
      }
  nearest.moveTo(all);
}

/// With another layout too, where scalar elements want one.
static void addThreads(const KernelSpec &spec, std::vector<Variant<KernelSpec>> &all) {
  Nearest<KernelSpec> nearest;
  KernelSpec turned = spec;
  (spec.order == Order::Column ? turned.b : turned.a) = Transpose::Yes;
  const std::string layout = fmt::format("--layout {}{} ", turned.a == Transpose::Yes ? 't' : 'n',
                                         turned.b == Transpose::Yes ? 't' : 'n');
  for (const unsigned rows : {2u, 4u, 6u, 8u, 12u, 16u, 24u, 32u})
    for (const unsigned columns : {2u, 4u, 6u, 8u, 12u, 16u, 24u, 32u}) {
      const double distance = apart(rows, spec.threadRows) + apart(columns, spec.threadColumns);
      const std::string words = fmt::format("--thread-tile {}x{} fits", rows, columns);
      for (const KernelSpec *from : {&spec, static_cast<const KernelSpec *>(&turned)}) {
        KernelSpec next = *from;
        next.threadRows = rows;
        next.threadColumns = columns;
        if (from == &spec)
          nearest.add(distance, next, words);
        else if (spec.source == Source::Scalar)
          nearest.add(distance + 100, next, layout + words);
      }
    }
  nearest.moveTo(all);
}

std::vector<Variant<KernelSpec>> variantsOf(const KernelSpec &spec) {
  std::vector<Variant<KernelSpec>> all;
  const auto add = [&](auto KernelSpec::*member, auto value, const char *words) {
    KernelSpec next = spec;
    next.*member = value;
    all.push_back({next, words});
  };
  if (spec.waves)
    add(&KernelSpec::waves, std::nullopt, "without --waves it fits");
  addPowers(spec, &KernelSpec::bk, 32, "--bk", all);
  addPowers(spec, &KernelSpec::swizzle, 64, "--swizzle", all);
  addPowers(spec, &KernelSpec::splitK, 64, "--split-k", all);
  add(&KernelSpec::stages, 2u, "--stages 2 fits");
  add(&KernelSpec::stages, 1u, "--stages 1 fits");
  add(&KernelSpec::fragments, 0u, "without --fragments it fits");
  KernelSpec next = spec;
  (spec.order == Order::Column ? next.b : next.a) = Transpose::Yes;
  if (spec.otherSource == Source::Vgpr)
    (spec.order == Order::Column ? next.a : next.b) = Transpose::No;
  all.push_back({next, fmt::format("--layout {}{} fits", next.a == Transpose::Yes ? 't' : 'n',
                                   next.b == Transpose::Yes ? 't' : 'n')});
  addBlocks(spec, all);
  addThreads(spec, all);
  add(&KernelSpec::name, std::string(), "without --name it fits");
  return all;
}

llvm::Error withHint(llvm::Error error, const KernelSpec &spec) {
  for (const Variant<KernelSpec> &variant : variantsOf(spec))
    if (canGenerate(variant.spec))
      return extended(std::move(error), variant.words);
  return error;
}

} // namespace rdna::generate
