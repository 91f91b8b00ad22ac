#include "Choose.h"

#include "Tune.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna::dualfmac {

using namespace tune;
using generate::KernelSpec;

/// Tiles that are small enough for any size, and those that are good for large ones.
static Space spaceFor(const KernelSpec &spec, const Freedom &freedom) {
  Space space;
  space.elements = freedom.elements;
  space.threadTiles = {{2, 4}, {4, 4}, {4, 8}, {8, 4}, {8, 8}, {8, 16}, {16, 8}};
  space.scalarTiles = {{32, 4}, {16, 4}, {16, 8}, {23, 8}, {24, 8}, {32, 2}, {16, 2}, {8, 2}};
  space.waves = {{1, 1}, {2, 1}, {4, 1}, {8, 1}};
  space.bk = {8, 16};
  space.fragments = {spec.fragments};
  space.swizzle = freedom.swizzles;
  space.splitK = {1, 4, 16, 64};
  space.hints = freedom.hints;
  return space;
}

llvm::Expected<SearchResult> chooseTile(const KernelSpec &spec, const Freedom &freedom,
                                        const Problem &problem, const timing::Machine &machine,
                                        Effort effort) {
  Subject subject{machine, problem, spec};
  subject.base.processor = machine.device().processor;
  auto store = Store::open(std::string(Store::kInMemory), Store::Missing::IsMade);
  if (!store)
    return store.takeError();
  SearchOptions options;
  options.rough = effort.estimated;
  const auto kinds = static_cast<unsigned>(2 * freedom.elements.size());
  options.best = effort.simulated * kinds;
  options.neighbours = effort.neighbours;
  options.check = SearchOptions::Check::None; // Kernels of the generator are right: tests say so.
  auto result = search(**store, spaceFor(spec, freedom), subject, tuneVersion(), options);
  if (!result)
    return result;
  const auto &ranking = result->ranking;
  if (!ranking.empty() && ranking.front().model->verdict == Outcome::Verdict::Fits)
    return result;
  // What the card has no room for is no candidate, and the only reason if there is none.
  if (!result->refused.empty())
    return makeError(
        Failure::Refused, "",
        fmt::format("--for: no kernel can be launched: {}", result->refused.begin()->first));
  return makeError(Failure::BadInput, "",
                   fmt::format("--for: no tile fits the other options{}",
                               spec.edges == generate::Edges::Exact
                                   ? " and divides the size, as --edges exact needs"
                                   : ""));
}

const KernelSpec &bestOf(const SearchResult &result) {
  return result.points.legal[result.ranking.front().point].spec;
}

/// Which matrix a wave has in SGPRs; with + if lanes load their own elements of the other.
static std::string fromScalars(const KernelSpec &spec) {
  if (elementsOf(spec) == Elements::Lds)
    return "-";
  return fmt::format("{}{}", spec.order == generate::Order::Column ? "B" : "A",
                     elementsOf(spec) == Elements::Direct ? "+" : "");
}

std::string candidateTable(const SearchResult &result, const Problem &problem) {
  std::string text = fmt::format(
      "candidates for {}; all times are predicted, in ms\n"
      "  block     thread  SGPRs bk stages parts swizzle hints  estimate  model (interval)\n",
      toString(problem));
  for (const Ranked &ranked : result.ranking) {
    const KernelSpec &s = result.points.legal[ranked.point].spec;
    text += fmt::format("  {:<9} {:<7} {:<5} {:>2} {:>6} {:>5} {:>7} {:<5} {:>9.4f}",
                        fmt::format("{}x{}", s.blockRows, s.blockColumns),
                        fmt::format("{}x{}", s.threadRows, s.threadColumns), fromScalars(s), s.bk,
                        s.stages, s.splitK, s.swizzle,
                        s.hints == generate::Hints::None ? "none" : "all",
                        ranked.estimate.milliseconds);
    if (ranked.model && ranked.model->verdict == Outcome::Verdict::Fits)
      text += fmt::format("  {:.4f} ({:.4f} to {:.4f})", ranked.model->milliseconds,
                          ranked.model->low, ranked.model->high);
    text += '\n';
  }
  return text;
}

} // namespace rdna::dualfmac
