#include "Verify/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace rdna::verify {
namespace {

constexpr int kNowhere = -1;

/// Where values are made in a list, the last occurrence at the back.
using Places = std::unordered_map<Value, llvm::SmallVector<uint32_t, 1>>;

template <typename List> Places placesOf(const List &list) {
  Places places;
  for (uint32_t i = 0; i < list.size(); ++i)
    for (const Value part : list[i].parts)
      places[part].push_back(i);
  return places;
}

/// First and last place of what the original has as one: it may have been split.
struct Span {
  int first = kNowhere, last = kNowhere;
  void add(int place) {
    first = first == kNowhere ? place : std::min(first, place);
    last = std::max(last, place);
  }
};

/// Where the rewritten code has what the original has at each place; kNowhere if it has it no more.
/// Of several equal ones the last belong together: the rewritten code may have made one of two
/// loads, and then counts as the later one, which more had been waited for.
template <typename List> std::vector<Span> matched(const List &old, const Places &now) {
  std::unordered_map<Value, uint32_t> seen;
  std::vector<Span> result(old.size());
  for (size_t i = old.size(); i-- > 0;)
    for (const Value part : old[i].parts) {
      const uint32_t fromBack = seen[part]++;
      const auto it = now.find(part);
      if (it == now.end() || fromBack >= it->second.size())
        continue;
      result[i].add(static_cast<int>(it->second[it->second.size() - 1 - fromBack]));
    }
  return result;
}

/// The latest place in the rewritten code of the original's first so many operations.
struct Latest {
  std::vector<int> flag; ///< Of acquires.
  std::vector<int> sync; ///< Of atomics and accesses with cache bits.
  std::vector<int> any;  ///< Of all that touch memory.
};

Latest latestOf(const std::vector<Issued> &operations, const std::vector<Span> &places) {
  Latest latest;
  int flag = kNowhere, sync = kNowhere, any = kNowhere;
  for (size_t i = 0;; ++i) {
    latest.flag.push_back(flag);
    latest.sync.push_back(sync);
    latest.any.push_back(any);
    if (i == operations.size())
      return latest;
    const Use use = operations[i].use;
    if (use == Use::Exchange)
      continue;
    any = std::max(any, places[i].last);
    if (use == Use::Flag || use == Use::Sync)
      flag = std::max(flag, places[i].last);
    if (use == Use::Sync)
      sync = std::max(sync, places[i].last);
  }
}

class Comparison {
public:
  Comparison(const ExprPool &pool, const Trace &before, const Trace &after,
             const OutstandingCounts &atStart, Ordering ordering)
      : pool_(pool), before_(before), after_(after), atStart_(atStart), ordering_(ordering) {}

  std::optional<SegmentFault> run() {
    if (after_.accesses.empty())
      return std::nullopt;
    for (unsigned cls = 0; cls < kWaitClasses; ++cls)
      latest_[cls] = latestOf(before_.operations[cls],
                              matched(before_.operations[cls], placesOf(after_.operations[cls])));
    const Places places = placesOf(after_.accesses);
    const std::vector<Span> positions = matched(before_.accesses, places);
    if (auto fault = compareQueues(positions))
      return fault;
    std::unordered_map<Value, uint32_t> seen;
    for (size_t i = before_.accesses.size(); i-- > 0;)
      for (const Value part : before_.accesses[i].parts) {
        const uint32_t fromBack = seen[part]++;
        const auto it = places.find(part);
        if (it == places.end() || fromBack >= it->second.size())
          continue;
        const AccessEvent &now = after_.accesses[it->second[it->second.size() - 1 - fromBack]];
        if (auto fault = compareAccess(before_.accesses[i], now))
          return fault;
      }
    return std::nullopt;
  }

private:
  /// What must be complete before an access because it is so in the original.
  const std::vector<int> &needed(unsigned cls, Use use) const {
    const Latest &latest = latest_[cls];
    if (use == Use::Sync)
      return latest.any;
    if (ordering_ == Ordering::SyncOnly)
      return latest.sync;
    const bool isLds = static_cast<WaitClass>(cls) == WaitClass::Lds;
    return use == Use::Store && isLds ? latest.any : latest.flag;
  }
  bool needsInherited(unsigned cls, Use use) const {
    const OutstandingCounts::Class &start = atStart_.of[cls];
    if (start.any == 0)
      return false;
    if (ordering_ == Ordering::SyncOnly)
      return use == Use::Sync || start.sync != 0;
    const bool isLds = static_cast<WaitClass>(cls) == WaitClass::Lds;
    return start.flag != 0 || use == Use::Sync || (use == Use::Store && isLds);
  }

  std::optional<SegmentFault> compareAccess(const AccessEvent &was, const AccessEvent &now) const {
    for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
      const AccessEvent::Progress &old = was.progress[cls], &own = now.progress[cls];
      const bool isEarly = needed(cls, was.use)[old.done] >= static_cast<int>(own.done) ||
                           (own.inherited > old.inherited && needsInherited(cls, was.use));
      if (isEarly)
        return SegmentFault{now.instruction,
                            fmt::format("is issued before the wait that may order memory between "
                                        "waves: {}",
                                        pool_.render(was.parts.front()))};
    }
    return std::nullopt;
  }

  /// Loads of one queue are made in order without any wait.
  std::optional<SegmentFault> compareQueues(const std::vector<Span> &positions) const {
    if (ordering_ == Ordering::SyncOnly)
      return std::nullopt;
    int flag[2] = {kNowhere, kNowhere};
    for (size_t i = 0; i < before_.accesses.size(); ++i) {
      const AccessEvent &access = before_.accesses[i];
      const Span position = positions[i];
      if (position.last == kNowhere)
        continue;
      if (position.first < flag[access.isLds])
        return SegmentFault{after_.accesses[static_cast<size_t>(position.first)].instruction,
                            "passes a load that may tell what another wave has done: " +
                                pool_.render(access.parts.front())};
      if (access.use == Use::Flag || access.use == Use::Sync)
        flag[access.isLds] = std::max(flag[access.isLds], position.last);
    }
    return std::nullopt;
  }

  const ExprPool &pool_;
  const Trace &before_, &after_;
  const OutstandingCounts &atStart_;
  const Ordering ordering_;
  std::array<Latest, kWaitClasses> latest_;
};

} // namespace

std::optional<SegmentFault> compareOrder(const ExprPool &pool, const Trace &before,
                                         const Trace &after, const OutstandingCounts &atStart,
                                         Ordering ordering) {
  return Comparison(pool, before, after, atStart, ordering).run();
}

} // namespace rdna::verify
