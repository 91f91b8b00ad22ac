#include "Verify/IndexBounds.h"

#include "Verify/FunctionProof.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace rdna::verify {

class IndexBounds::Here final : public Leaves {
public:
  Here(IndexBounds &owner, const LaunchRanges &ranges) : owner_(owner), ranges_(ranges) {}
  bool isEntry(unsigned scope) const override { return scope == owner_.entry_; }
  Interval rangeOf(unsigned reg, unsigned scope) const override {
    const auto it = owner_.blocks_.find(scope);
    return it == owner_.blocks_.end() ? Interval::dword()
                                      : owner_.scalars_.at(it->second, reg, ranges_);
  }
  bool isLaunchMask(unsigned reg, unsigned scope) const override {
    const auto it = owner_.blocks_.find(scope);
    return it != owner_.blocks_.end() && owner_.scalars_.isLaunchMask(it->second, reg);
  }

private:
  IndexBounds &owner_;
  const LaunchRanges &ranges_;
};

IndexBounds::IndexBounds(const Module &module, const Cfg &cfg)
    : function_(module.functions()[cfg.functionIndex]), registers_(launchRegisters(function_)),
      scalars_(module, cfg) {}

/// As Assumption::NoIndexWrap has it.
static bool isSo(Bounds &bounds, const ExprPool::IndexFact &fact) {
  const auto lies = [&](const ExprPool::Polynomial &integer, int64_t most) {
    const auto range = bounds.ofInteger(integer);
    return range && (range->isNone() || (range->least >= 0 && range->most <= most));
  };
  for (const ExprPool::IndexFact::Index &index : fact.indices)
    if (!lies(index.integer, index.extension == ExprPool::IndexFact::Index::Extension::Sign
                                 ? INT32_MAX
                                 : UINT32_MAX))
      return false;
  return lies(fact.offset, UINT32_MAX);
}

bool IndexBounds::holds(ExprPool &pool, const ExprPool::IndexFact &fact, const PathConditions &path,
                        const LaunchRanges &ranges, unsigned cuts) {
  const Here here(*this, ranges);
  const LaunchFacts launch{function_, *registers_, ranges};
  Bounds bounds(pool, here, launch, path,
                isLaunchMask(pool, here, fact.exec) ? Bounds::Lanes::Launched : Bounds::Lanes::Any);
  const bool isFact = isSo(bounds, fact);
  used_.insert(bounds.used().begin(), bounds.used().end());
  if (isFact || cuts == 0)
    return isFact;
  // Each launch is on one side.
  for (const auto &[quantity, first] : bounds.cuts()) {
    LaunchRanges below = ranges, above = ranges;
    rangeOf(below, quantity) = rangeOf(below, quantity).atMost(first - 1);
    rangeOf(above, quantity) = rangeOf(above, quantity).atLeast(first);
    if (!rangeOf(below, quantity).isNone() && !rangeOf(above, quantity).isNone())
      return holds(pool, fact, path, below, cuts - 1) && holds(pool, fact, path, above, cuts - 1);
  }
  return false;
}

bool IndexBounds::holds(ExprPool &pool, const ExprPool::IndexFact &fact, const PathConditions &path,
                        const LaunchRanges &ranges) {
  constexpr unsigned mostCuts = 4;
  return registers_ && holds(pool, fact, path, ranges, mostCuts);
}

bool IndexBounds::allHold(ExprPool &pool, const LaunchRanges &ranges) {
  return std::all_of(noted_.begin(), noted_.end(), [&](const Noted &noted) {
    return holds(pool, noted.fact, noted.path, ranges);
  });
}

namespace {

/// A box of launches: arguments up to a number, workgroups of a grid that covers as many items.
struct Box {
  int64_t least = 0, most = 0;
};

LaunchRanges rangesOf(const Given &given, const std::set<Quantity> &open, const Box &box,
                      int64_t items) {
  LaunchRanges ranges = given.ranges;
  for (const Quantity &quantity : open)
    rangeOf(ranges, quantity) = quantity.kind == Quantity::Kind::Kernarg
                                    ? Interval::between(box.least, box.most)
                                    : Interval::upTo(std::max<int64_t>(box.most / items, 1) - 1);
  return ranges;
}

} // namespace

std::vector<std::string> IndexBounds::largest(ExprPool &pool, const Given &given) {
  used_.clear();
  if (!registers_ || noted_.empty() || allHold(pool, given.ranges))
    return {};
  // One fact that does not hold ends allHold(); all of them say what they look at.
  for (const Noted &noted : noted_)
    holds(pool, noted.fact, noted.path, given.ranges);
  std::set<Quantity> open = used_;
  open.insert(scalars_.used().begin(), scalars_.used().end());
  LaunchRanges start = given.ranges;
  std::erase_if(open, [&](const Quantity &q) { return rangeOf(start, q) != Interval::dword(); });
  const bool hasArgument = std::any_of(open.begin(), open.end(), [](const Quantity &q) {
    return q.kind == Quantity::Kind::Kernarg;
  });
  if (!hasArgument)
    return {};
  const auto items = static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(workitemRange(function_, given.ranges, 0).most + 1)));
  const auto isEnough = [&](const Box &box) {
    return allHold(pool, rangesOf(given, open, box, items));
  };
  std::optional<Box> found;
  for (const int64_t least : {0, 1})
    for (int bit = 31; bit >= 1 && !found; --bit)
      if (const Box box{least, int64_t(1) << bit}; isEnough(box))
        found = box;
  if (!found)
    return {};
  // What was looked at need not matter: the low half of a pointer, say.
  for (const Quantity &quantity : std::set<Quantity>(open)) {
    open.erase(quantity);
    if (!isEnough(*found))
      open.insert(quantity);
  }
  // Between two powers of two only where nothing else would have to change with it.
  if (open.size() == 1 && open.begin()->kind == Quantity::Kind::Kernarg)
    for (int64_t step = found->most / 2; step > 0; step /= 2)
      if (const Box box{found->least, found->most + step}; isEnough(box))
        found = box;
  std::vector<std::string> said;
  for (const Quantity &quantity : open) {
    LaunchRanges ranges = rangesOf(given, open, *found, items);
    const Interval range = rangeOf(ranges, quantity);
    const std::string name = nameOf(function_, quantity, given.names);
    if (quantity.kind != Quantity::Kind::Kernarg)
      said.push_back(fmt::format("{} < {}", name, range.most + 1));
    else
      said.push_back(fmt::format("{}{} <= {}", found->least ? "1 <= " : "", name, range.most));
  }
  return said;
}

bool indicesStayWhole(const Module &module, uint32_t function, const LaunchRanges &ranges) {
  const Cfg cfg = buildCfg(module, function);
  const Function &range = module.functions()[function];
  const auto insts =
      llvm::ArrayRef(module.instructions()).slice(range.first, range.last - range.first);
  // Of FLAT's addresses nothing is assumed, so there are no facts.
  const bool hasFlat =
      llvm::any_of(insts, [](const Instruction &inst) { return inst.unit == Unit::Flat; });
  if (!launchRegisters(range) || !cfg.isComplete() || !cfg.calls.empty() ||
      findOpaque(module, cfg) || hasFlat)
    return false;
  // Along the paths of a proof that the kernel equals itself.
  Correspondence claim;
  claim.function = module.functions()[function].name;
  claim.assumptions.insert(Assumption::NoIndexWrap);
  Proof proof;
  const auto simulation = std::make_unique<FunctionProof>(module, module, function, &claim, proof);
  return !simulation->run() && simulation->indicesHold(ranges);
}

} // namespace rdna::verify
