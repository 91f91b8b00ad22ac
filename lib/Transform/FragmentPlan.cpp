// A memory instruction waits until the wave's VALU pipeline is empty, 17 to 18 cycles (trace;
// rdna3-facts 6.1). So the loads of a step stay together: all of them go to one place among the
// FMACs in front of it, or, where registers become free on the way, to two.

#include "Transform/FragmentPlan.h"

#include "Analysis/Waits.h"
#include "Transform/Hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace rdna {
namespace {

constexpr unsigned kFirstLatency = 35, kCyclesPerLine = 2; ///< 64 bits of each lane.
/// Less than that is not worth a change.
constexpr unsigned leastGain = 8;
/// Places that are tried are so many FMACs apart.
constexpr unsigned placeStep = 4;

/// Where the loads of a group would go.
struct PlanChoice {
  std::vector<std::pair<uint32_t, Vgpr>> at; ///< By member.
  unsigned least = 0;                        ///< FMACs in front of the first use of any.
  unsigned places = 1;
};

class Planner {
public:
  Planner(FragmentModel &model, FragmentPlan &plan) : model_(model), plan_(plan) {
    const Block &block = model.block();
    for (uint32_t i = block.first; i < block.last; ++i)
      if (isFmac(model.inst(i)))
        fmacs_.push_back(i);
    plan.latency.assign(model.fragments().size(), kFirstLatency);
  }

  void run() {
    const size_t count = model_.fragments().size();
    lowest_ = model_.block().first;
    for (size_t f = 0; f < count;) {
      std::vector<size_t> group{f++};
      while (f < count && model_.fmacsBefore(fragment(f).load) ==
                              model_.fmacsBefore(fragment(group.front()).load))
        group.push_back(f++);
      visit(group);
      lowest_ = std::max(lowest_, fragment(group.back()).place);
    }
  }

private:
  Fragment &fragment(size_t f) { return model_.fragments()[f]; }

  void visit(std::vector<size_t> group) {
    const unsigned latency = latencyOf(model_, group);
    for (const size_t f : group)
      plan_.latency[f] = latency;
    if (model_.fmacsBefore(fragment(group.front()).load) == 0)
      return; // The first step's.
    const std::optional<size_t> stuck = firstStuck(group);
    if (stuck) {
      const Fragment &load = fragment(group[*stuck]);
      if (load.firstUse != model_.block().last)
        refuse(load,
               fmt::format("it keeps its place behind line {}", model_.inst(load.obstacle).line));
      group.resize(*stuck);
    }
    if (group.empty())
      return;
    const unsigned was = leastOf(group);
    if (was >= latency)
      return;
    for (const size_t f : group)
      model_.release(fragment(f));
    const std::optional<PlanChoice> choice = choose(group, latency);
    if (choice && choice->least >= was + leastGain) {
      for (size_t m = 0; m < group.size(); ++m)
        std::tie(fragment(group[m]).place, fragment(group[m]).reg) = choice->at[m];
      ++plan_.groups;
    }
    for (const size_t f : group)
      model_.occupy(fragment(f));
    if (!choice || choice->least < was + leastGain)
      explain(group, was);
  }

  /// The first that cannot pass an FMAC; those behind it cannot either.
  std::optional<size_t> firstStuck(const std::vector<size_t> &group) {
    for (size_t m = 0; m < group.size(); ++m) {
      const Fragment &load = fragment(group[m]);
      if (model_.fmacsBefore(std::max(load.limit, lowest_)) == model_.fmacsBefore(load.load))
        return m;
    }
    return std::nullopt;
  }

  unsigned distance(size_t f, uint32_t place) {
    return model_.fmacsBefore(fragment(f).firstUse) - model_.fmacsBefore(place);
  }
  unsigned leastOf(const std::vector<size_t> &group) {
    unsigned least = ~0U;
    for (const size_t f : group)
      least = std::min(least, distance(f, fragment(f).place));
    return least;
  }

  /// Does the wave stand there anyway, its pipeline empty?
  bool isBehindWait(uint32_t place) const {
    for (uint32_t i = place; i-- > model_.block().first;) {
      if (const auto counts = waitCounts(model_.inst(i)))
        return counts->lgkm.has_value();
      if (model_.inst(i).unit != Unit::Control)
        return false;
    }
    return false;
  }

  /// Places to try, the farthest first: as far from the first use as latency asks for, or somewhat
  /// farther if the wave stands there anyway.
  std::vector<uint32_t> placesFor(const std::vector<size_t> &group, unsigned latency) {
    uint32_t use = model_.block().last;
    for (const size_t f : group)
      use = std::min(use, fragment(f).firstUse);
    const unsigned end = model_.fmacsBefore(fragment(group.front()).load);
    const unsigned uses = model_.fmacsBefore(use);
    const unsigned wanted = uses > latency ? uses - latency : 0;
    std::vector<uint32_t> places;
    for (unsigned n = wanted; n > 0 && wanted - n < latency / 2; --n)
      if (isBehindWait(fmacs_[n - 1])) {
        places.push_back(fmacs_[n - 1]);
        break;
      }
    for (unsigned n = wanted; n < end; ++n)
      if ((uses - n) % placeStep == 0 || n == wanted || isBehindWait(fmacs_[n]))
        places.push_back(fmacs_[n]);
    std::erase_if(places, [&](uint32_t place) { return place < lowest_; });
    return places;
  }

  std::optional<PlanChoice> choose(const std::vector<size_t> &group, unsigned latency) {
    const std::vector<uint32_t> places = placesFor(group, latency);
    std::optional<PlanChoice> best;
    for (size_t a = 0; a < places.size(); ++a) {
      PlanChoice choice;
      VgprSet taken;
      const size_t first = fill(group, 0, places[a], taken, choice);
      if (first > 0 && first < group.size())
        for (size_t b = a + 1; b < places.size(); ++b) {
          PlanChoice both = choice;
          both.places = 2;
          VgprSet takenToo = taken;
          if (fill(group, first, places[b], takenToo, both) == group.size()) {
            take(group, latency, std::move(both), best);
            break;
          }
        }
      if (first == group.size()) {
        take(group, latency, std::move(choice), best);
        break; // A later place is no better.
      }
    }
    return best;
  }

  /// Gives registers to members from `from` on, if they may stand there; the first that has none.
  size_t fill(const std::vector<size_t> &group, size_t from, uint32_t place, VgprSet &taken,
              PlanChoice &choice) {
    for (size_t m = from; m < group.size(); ++m) {
      const auto reg = registerFor(group, m, place, taken);
      if (!reg)
        return m;
      choice.at.emplace_back(place, *reg);
      for (unsigned d = 0; d < fragment(group[m]).dwords; ++d)
        taken.set(reg->number + d);
    }
    return group.size();
  }

  /// At home if that is free, else in a tuple of the same banks; one that is nobody's home first.
  std::optional<Vgpr> registerFor(const std::vector<size_t> &group, size_t m, uint32_t place,
                                  const VgprSet &taken) {
    const Fragment &load = fragment(group[m]);
    if (place < load.limit)
      return std::nullopt;
    const bool isInternal = load.scope == Fragment::Scope::Internal;
    llvm::SmallVector<VgprSet, 4> busy;
    for (const uint32_t end : load.ends)
      busy.push_back(model_.busy(place, isInternal ? end : load.load - 1) | model_.pending(place) |
                     taken);
    const auto isFree = [&](unsigned first, const VgprSet &others) {
      for (unsigned d = 0; d < load.dwords; ++d)
        if (first + d > 255 || busy[d].test(first + d) || others.test(first + d) ||
            !model_.usable().test(first + d))
          return false;
      return true;
    };
    VgprSet none, homes;
    if (isFree(load.home.number, none))
      return load.home;
    if (!isInternal)
      return std::nullopt;
    for (const size_t f : group)
      for (unsigned d = 0; d < fragment(f).dwords; ++d)
        homes.set(fragment(f).home.number + d);
    for (const VgprSet &others : {homes, none})
      for (unsigned first = load.home.number % 4; first < 256; first += 4)
        if (isFree(first, others))
          return Vgpr{static_cast<uint8_t>(first)};
    return std::nullopt;
  }

  /// More than latency asks for is worth nothing, a place less is.
  void take(const std::vector<size_t> &group, unsigned latency, PlanChoice choice,
            std::optional<PlanChoice> &best) {
    choice.least = ~0U;
    for (size_t m = 0; m < group.size(); ++m)
      choice.least = std::min(choice.least, distance(group[m], choice.at[m].first));
    const auto worth = [&](const PlanChoice &it) {
      return std::pair(std::min(it.least, latency), -static_cast<int>(it.places));
    };
    if (!best || worth(choice) > worth(*best))
      best = std::move(choice);
  }

  void refuse(const Fragment &load, std::string reason) {
    plan_.refusals.push_back({model_.inst(load.load).line, std::move(reason)});
  }

  /// Which registers there are none for, where the loads would have to be.
  void explain(const std::vector<size_t> &group, unsigned was) {
    for (const size_t f : group)
      model_.release(fragment(f));
    const std::vector<uint32_t> places = placesFor(group, was + leastGain);
    std::string tuples;
    unsigned missing = 0;
    VgprSet taken;
    for (size_t m = 0; m < group.size() && !places.empty(); ++m) {
      const Fragment &load = fragment(group[m]);
      if (const auto reg = registerFor(group, m, places.front(), taken)) {
        for (unsigned d = 0; d < load.dwords; ++d)
          taken.set(reg->number + d);
        continue;
      }
      missing += load.dwords;
      tuples += (tuples.empty() ? "" : ", ") +
                toString(RegRange{RegUnit::vgpr(load.home.number),
                                  static_cast<uint8_t>(load.dwords), Half::Whole});
    }
    for (const size_t f : group)
      model_.occupy(fragment(f));
    if (missing > 0)
      refuse(fragment(group.front()),
             fmt::format("{} VGPRs are missing for a second {}", missing, tuples));
    else
      refuse(fragment(group.front()), "there is no place in front of it");
  }

  FragmentModel &model_;
  FragmentPlan &plan_;
  std::vector<uint32_t> fmacs_;
  uint32_t lowest_ = 0; ///< No load passes the ones in front of it.
};

} // namespace

unsigned latencyOf(const FragmentModel &model, const std::vector<size_t> &group) {
  unsigned cycles = kFirstLatency;
  for (const size_t f : group)
    cycles += kCyclesPerLine * ((model.fragments()[f].dwords + 1) / 2);
  return cycles;
}

FragmentPlan planFragments(FragmentModel &model) {
  FragmentPlan plan;
  Planner(model, plan).run();
  return plan;
}

} // namespace rdna
