#include "Pipeline/NeverWorse.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

static std::string more(std::string_view what, uint64_t before, uint64_t after) {
  return fmt::format("more {}: {} -> {}", what, before, after);
}

static uint64_t fall(uint64_t before, uint64_t after) { return before - std::min(before, after); }

/// But for LDS accesses.
static std::optional<std::string> worseArithmetic(const CodeCounts &was, const CodeCounts &is) {
  if (is.singleFmas > was.singleFmas)
    return more("single FMAs", was.singleFmas, is.singleFmas);
  if (is.conflicts > was.conflicts)
    return more("bank conflicts", was.conflicts, is.conflicts);
  if (is.hazards > was.hazards)
    return more("parity hazards", was.hazards, is.hazards);
  if (is.valu > was.valu + fall(was.repeatedConflicts, is.repeatedConflicts))
    return more("VALU instructions", was.valu, is.valu);
  return std::nullopt;
}

static std::optional<std::string> worseLds(const CodeCounts &was, const CodeCounts &is) {
  const uint64_t gain = fall(was.valu + was.conflicts, is.valu + is.conflicts);
  if (is.ldsAccesses <= was.ldsAccesses + gain)
    return std::nullopt;
  return more("LDS accesses than it gains", was.ldsAccesses, is.ldsAccesses);
}

std::optional<std::string> whatIsWorse(const CodeCounts &was, const CodeCounts &is) {
  if (auto worse = worseArithmetic(was, is))
    return worse;
  return worseLds(was, is);
}

/// How many waves fit is the launch's, not the code's.
static std::optional<std::string> fewerWaves(const Derived &derived, const PassRequest &request) {
  const Function &was = derived.before.functions()[derived.function];
  if (!was.isKernel() || request.occupancy == OccupancyLoss::Allow)
    return std::nullopt;
  const auto waves = [](const Function &kernel) {
    return occupancy(occupancyQuery(kernel, std::nullopt)).wavesPerSimd;
  };
  const unsigned before = waves(was), after = waves(derived.after.functions()[derived.function]);
  if (after >= before)
    return std::nullopt;
  return fmt::format("kernel '{}' would fall from {} to {} waves per SIMD", was.name, before,
                     after);
}

static std::optional<std::string> worseIteration(const NestCounts &was, const NestCounts &is) {
  for (const auto &[label, before] : was.iteration)
    if (const auto now = is.iteration.find(label); now != is.iteration.end())
      if (const auto worse = worseArithmetic(before, now->second))
        return fmt::format("an iteration of {} would have {}", label, *worse);
  return std::nullopt;
}

/// LDS accesses more against what all code has gained, each loop by itself, moves around it apart.
static std::optional<std::string> worseLds(const Cfg &cfg, const KnownTripCounts &iterations,
                                           const NestCounts &was, const NestCounts &is) {
  int64_t balance = 0; // Of one run of the function.
  std::map<uint32_t, int64_t> ofIteration;
  const auto own = [&](const std::string &label) -> int64_t {
    const auto before = was.own.find(label), now = is.own.find(label);
    if (before == was.own.end() || now == is.own.end())
      return 0;
    const CodeCounts &b = before->second, &n = now->second;
    return static_cast<int64_t>(fall(b.valu + b.conflicts, n.valu + n.conflicts) + b.ldsAccesses -
                                n.ldsAccesses);
  };
  for (uint32_t l = 0; l < cfg.loops.size(); ++l) {
    int64_t here = own(cfg.loops[l].label);
    for (std::optional<uint32_t> at = l; at; at = cfg.loops[*at].parent) {
      ofIteration[*at] += here;
      const auto known = iterations.find(cfg.loops[*at].label);
      here *= static_cast<int64_t>(
          std::min<uint64_t>(known == iterations.end() ? 1 : known->second, 64));
    }
    balance += here;
  }
  const auto worse = [&](std::string_view where) {
    return fmt::format("{} would have more LDS accesses than it gains: {} -> {} in the function",
                       where, was.function.ldsAccesses, is.function.ldsAccesses);
  };
  for (const auto &[l, iteration] : ofIteration)
    if (iteration < 0)
      return worse("an iteration of " + cfg.loops[l].label);
  return balance + own("") < 0 ? std::optional(worse("the function")) : std::nullopt;
}

bool hasMoreHazards(const Derived &derived) {
  const auto hazards = [&](const Module &module) {
    const Function &function = module.functions()[derived.function];
    return countRange(module, function.first, function.last).hazards;
  };
  return hazards(derived.after) > hazards(derived.before);
}

std::optional<std::string> whatIsWorse(const Derived &derived, const Proposal &proposal,
                                       const PassRequest &request) {
  if (auto waves = fewerWaves(derived, request))
    return waves;
  if (proposal.claim.copiesCode() || proposal.price == Price::Anything)
    return std::nullopt;
  const Cfg cfgBefore = buildCfg(derived.before, derived.function);
  const Cfg cfgAfter = buildCfg(derived.after, derived.function);
  // Both run as often, so what is known of either text holds for both.
  KnownTripCounts iterations = knownTripCounts(derived.before, cfgBefore);
  iterations.merge(knownTripCounts(derived.after, cfgAfter));
  const NestCounts was = countNest(derived.before, cfgBefore, iterations);
  const NestCounts is = countNest(derived.after, cfgAfter, iterations);
  if (proposal.price == Price::AnythingForHazards && is.function.hazards < was.function.hazards)
    return std::nullopt;
  if (auto worse = worseIteration(was, is))
    return worse;
  if (proposal.price != Price::LdsAccesses)
    if (auto worse = worseLds(cfgBefore, iterations, was, is))
      return worse;
  const auto worse = worseArithmetic(was.function, is.function);
  if (!worse)
    return std::nullopt;
  return fmt::format("the function would have {}{}", *worse,
                     iterations.empty() ? "" : " (inner loops by their trip count)");
}

} // namespace rdna
