#include "Verify/ScalarRanges.h"

#include "Isa/Branch.h"

#include <algorithm>

namespace rdna::verify {

/// The unknowns of BlockValues: their scope is the block.
class ScalarRanges::Here final : public Leaves {
public:
  Here(const ScalarRanges &owner, const Solution *solution, const std::set<Place> &masks)
      : owner_(owner), solution_(solution), masks_(masks) {}
  bool isEntry(unsigned scope) const override { return scope == 0; }
  Interval rangeOf(unsigned reg, unsigned scope) const override {
    const Place place{scope, reg};
    if (!solution_ || !owner_.places_.contains(place))
      return Interval::dword();
    const auto it = solution_->find(place);
    return it == solution_->end() ? Interval::none() : it->second; // Nobody has come by yet.
  }
  bool isLaunchMask(unsigned reg, unsigned scope) const override {
    return masks_.contains({scope, reg});
  }

private:
  const ScalarRanges &owner_;
  const Solution *solution_;
  const std::set<Place> &masks_;
};

ScalarRanges::ScalarRanges(const Module &module, const Cfg &cfg)
    : module_(module), cfg_(cfg), function_(module.functions()[cfg.functionIndex]),
      registers_(launchRegisters(function_)), values_(module, cfg, pool_) {
  // A loop around the whole kernel would find other things in the first block than the launch left.
  const bool isKnown = registers_ && cfg.isComplete() && cfg.calls.empty() && !cfg.blocks.empty() &&
                       cfg.blocks[0].predecessors.empty();
  if (!isKnown)
    return;
  findPlaces();
  findMasks();
}

void ScalarRanges::findPlaces() {
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const Block &block = cfg_.blocks[b];
    if (!block.reachable || block.immediateDominator == b || block.predecessors.size() == 1)
      continue;
    for (unsigned i = 256; i < kRegUnits; ++i) {
      if (values_.atStart(b).reg[i] != pool_.unknown(Unknown::Register, i, b))
        continue;
      Unknowns &place = places_[{b, i}];
      for (const uint32_t from : block.predecessors)
        if (cfg_.blocks[from].reachable)
          place.arrivals.push_back({from, values_.atEnd(from).reg[i]});
    }
  }
  for (const auto &[place, unknowns] : places_)
    for (const Arrival &arrival : unknowns.arrivals)
      if (!onEdge_.contains({arrival.from, place.first}))
        onEdge_[{arrival.from, place.first}] = factsOn(arrival.from, place.first);
}

/// All of them until one is found that is none.
void ScalarRanges::findMasks() {
  for (const auto &[place, unknowns] : places_)
    masks_.insert(place);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    const Here here(*this, nullptr, masks_);
    for (const auto &[place, unknowns] : places_)
      if (masks_.contains(place) && !std::all_of(unknowns.arrivals.begin(), unknowns.arrivals.end(),
                                                 [&](const Arrival &arrival) {
                                                   return verify::isLaunchMask(pool_, here,
                                                                               arrival.value);
                                                 })) {
        masks_.erase(place);
        isChanged = true;
      }
  }
}

/// What holds at a block because of the branches that led there.
const PathConditions &ScalarRanges::factsAt(uint32_t block) {
  std::vector<uint32_t> chain{block};
  while (!facts_.contains(chain.back()) &&
         cfg_.blocks[chain.back()].immediateDominator != chain.back())
    chain.push_back(cfg_.blocks[chain.back()].immediateDominator);
  for (; !chain.empty(); chain.pop_back()) {
    const uint32_t b = chain.back();
    if (facts_.contains(b))
      continue;
    const uint32_t dominator = cfg_.blocks[b].immediateDominator;
    if (dominator == b)
      facts_[b] = {};
    else
      facts_[b] =
          cfg_.blocks[b].predecessors.size() == 1 ? factsOn(dominator, b) : facts_.at(dominator);
  }
  return facts_.at(block);
}

PathConditions ScalarRanges::factsOn(uint32_t from, uint32_t to) {
  PathConditions facts = factsAt(from);
  const Block &block = cfg_.blocks[from];
  const Instruction &last = module_.instructions()[block.last - 1];
  if (!isConditionalBranch(last.op))
    return facts;
  const auto target = module_.labelTarget(module_.branchTarget(last));
  const bool isBranch = target && *target == cfg_.blocks[to].first;
  const bool isNext = block.last == cfg_.blocks[to].first;
  if (isBranch == isNext) // Both ways lead there.
    return facts;
  const BranchCondition condition = branchCondition(last.op);
  facts.learn(pool_, values_.atEnd(from)[condition.unit], isBranch == isTakenOn(condition, true));
  return facts;
}

Interval ScalarRanges::arriving(const Place &place, const LaunchFacts &launch,
                                const Solution &solution) {
  const Here here(*this, &solution, masks_);
  Interval result = Interval::none();
  for (const auto &[from, value] : places_.at(place).arrivals) {
    const PathConditions &facts = onEdge_.at({from, place.first});
    Bounds bounds(pool_, here, launch, facts, Bounds::Lanes::Any);
    result = join(result, bounds.of(value));
    used_.insert(bounds.used().begin(), bounds.used().end());
  }
  return result;
}

/// Numbers that may stop a counter.
std::set<int64_t> ScalarRanges::thresholds(const LaunchFacts &launch) {
  std::set<int64_t> numbers{INT32_MAX, UINT32_MAX};
  const Here here(*this, nullptr, masks_); // Of counters themselves nothing is known.
  const PathConditions none{};
  Bounds bounds(pool_, here, launch, none, Bounds::Lanes::Any);
  const auto add = [&](Value value) {
    const Interval range = bounds.of(value);
    if (range.isNone())
      return;
    numbers.insert(range.most);
    if (range.most > 0)
      numbers.insert(range.most - 1);
  };
  for (const auto &[edge, facts] : onEdge_)
    for (const PathConditions::Fact &fact : facts.all())
      for (const char *name : {"less-u32", "less-i32", "is-zero"})
        if (const auto sides = pool_.madeBy(pool_.signature(name), fact.value))
          for (const Value side : *sides) {
            add(side);
            // Of a difference that is compared with zero, what is subtracted.
            for (const ExprPool::Term &term : pool_.termsOf(side, ExprPool::Width::Dword))
              add(term.atoms.empty() ? pool_.constant(0 - static_cast<uint32_t>(term.factor))
                                     : term.atoms[0]);
          }
  return numbers;
}

/// What arrives is added; true if that was anything new.
bool ScalarRanges::grow(Solution &solution, const LaunchFacts &launch,
                        const std::set<int64_t> &jumps, unsigned round) {
  constexpr unsigned exactRounds = 3, mostRounds = 64;
  bool isGrown = false;
  for (const auto &[place, unknowns] : places_) {
    const Interval now = arriving(place, launch, solution);
    if (now.isNone())
      continue;
    const auto [it, isNew] = solution.try_emplace(place, now);
    if (isNew || it->second.contains(now)) {
      isGrown |= isNew;
      continue;
    }
    Interval next = join(it->second, now);
    if (round >= exactRounds && next.most > it->second.most)
      next = Interval{next.least, *jumps.lower_bound(next.most), next.step}.normalised();
    if (round >= exactRounds && next.least < it->second.least)
      next = Interval{next.step ? next.least % static_cast<int64_t>(next.step) : 0, next.most,
                      next.step}
                 .normalised();
    if (round >= mostRounds)
      next = Interval::dword();
    it->second = next;
    isGrown = true;
  }
  return isGrown;
}

/// What has grown too far.
void ScalarRanges::shrink(Solution &solution, const LaunchFacts &launch) {
  for (auto &[place, range] : solution) {
    const Interval now = arriving(place, launch, solution);
    if (!now.isNone() && range.contains(now))
      range = now;
  }
}

/// Whatever a path does not keep to is dropped, until all paths keep to what is left.
void ScalarRanges::check(Solution &solution, const LaunchFacts &launch) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (const auto &[place, unknowns] : places_) {
      const Interval now = arriving(place, launch, solution);
      const auto it = solution.find(place);
      if (now.isNone() || (it != solution.end() && it->second.contains(now)))
        continue;
      solution[place] = Interval::dword();
      isChanged = true;
    }
  }
}

const ScalarRanges::Solution &ScalarRanges::solutionFor(const LaunchRanges &ranges) {
  for (const auto &[known, solution] : solutions_)
    if (known == ranges)
      return solution;
  Solution solution;
  const LaunchFacts launch{function_, *registers_, ranges};
  const std::set<int64_t> jumps = thresholds(launch);
  for (unsigned round = 0; grow(solution, launch, jumps, round); ++round) {
  }
  shrink(solution, launch);
  shrink(solution, launch);
  check(solution, launch);
  return solutions_.emplace_back(ranges, std::move(solution)).second;
}

Interval ScalarRanges::at(uint32_t block, unsigned reg, const LaunchRanges &ranges) {
  if (!places_.contains({block, reg}))
    return Interval::dword();
  const Solution &solution = solutionFor(ranges);
  const auto it = solution.find({block, reg});
  return it == solution.end() ? Interval::none() : it->second;
}

} // namespace rdna::verify
