#include "Verify/Segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace rdna::verify {

static const char *name(WaitClass cls) {
  switch (cls) {
  case WaitClass::Vector:
    return "vector memory load";
  case WaitClass::Sampler:
    return "image sample";
  case WaitClass::Store:
    return "store";
  case WaitClass::Lds:
    return "LDS operation";
  case WaitClass::Scalar:
    return "scalar load or message";
  }
  return "";
}

static bool isPart(const std::vector<Outstanding> &issued, Value value) {
  return std::any_of(issued.begin(), issued.end(), [&](const Outstanding &o) {
    return std::find(o.parts.begin(), o.parts.end(), value) != o.parts.end();
  });
}

/// Everything that may be in flight in the rewritten code may be so in the original.
static std::optional<std::string> morePending(const ExprPool &pool, const PendingSet &before,
                                              const PendingSet &after) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    const char *what = name(static_cast<WaitClass>(cls));
    if (after[cls].inherited > before[cls].inherited)
      return fmt::format(
          "one {} from before this piece of code that the original has waited for may "
          "still be in flight",
          what);
    for (const Outstanding &operation : after[cls].issued)
      for (const Value value : operation.parts)
        if (!isPart(before[cls].issued, value))
          return fmt::format("one {} that the original has waited for may still be in flight: {}",
                             what, pool.render(value));
  }
  return std::nullopt;
}

/// At a segment's end order matters too, because later waits count: the rewritten code's list must
/// be the tail of the original's. Of LDS operations it need not be if all are waited for next.
static std::optional<std::string> endsDifferently(const PendingSet &before, const PendingSet &after,
                                                  llvm::function_ref<bool()> drainsLds) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    const auto &old = before[cls].issued, &now = after[cls].issued;
    const bool isTail =
        now.size() <= old.size() && std::equal(now.rbegin(), now.rend(), old.rbegin());
    const bool same = isTail && (after[cls].inherited == 0 || now.size() == old.size());
    if (!same && !(static_cast<WaitClass>(cls) == WaitClass::Lds && drainsLds()))
      return fmt::format("the {}s that are in flight at the end of this piece of code are not in "
                         "the original's order, and later waits count them",
                         name(static_cast<WaitClass>(cls)));
  }
  return std::nullopt;
}

/// Exceptions are remembered until somebody reads them, so operations stay between the fences that
/// they stood between.
static bool raisesOthers(const Trace &before, const Trace &after) {
  const auto between = [](const Trace &trace, size_t fence) {
    const size_t from = fence == 0 ? 0 : trace.fences[fence - 1].sums;
    const size_t to = fence == trace.fences.size() ? trace.sums.size() : trace.fences[fence].sums;
    return std::set<Value>(trace.sums.begin() + static_cast<std::ptrdiff_t>(from),
                           trace.sums.begin() + static_cast<std::ptrdiff_t>(to));
  };
  if (before.sums.empty() && after.sums.empty())
    return false;
  for (size_t fence = 0; fence <= before.fences.size(); ++fence)
    if (between(before, fence) != between(after, fence))
      return true;
  return false;
}

std::optional<SegmentFault> compareSegments(const ExprPool &pool, const Trace &before,
                                            const Trace &after, uint32_t lastInstruction,
                                            llvm::function_ref<bool()> drainsLds) {
  std::unordered_map<Value, unsigned> available;
  for (const auto &[value, instruction] : before.loads)
    ++available[value];
  for (const auto &[value, instruction] : after.loads) {
    const auto it = available.find(value);
    if (it == available.end() || it->second == 0)
      return SegmentFault{
          instruction,
          fmt::format("reads memory that the original does not read here: {}", pool.render(value))};
    --it->second;
  }
  for (size_t i = 0; i < after.fences.size() && i < before.fences.size(); ++i)
    if (const auto fault = morePending(pool, before.fences[i].pending, after.fences[i].pending))
      return SegmentFault{after.fences[i].instruction, *fault};
  if (before.fences.size() != after.fences.size())
    return SegmentFault{after.fences.empty() ? lastInstruction : after.fences.back().instruction,
                        fmt::format("{} barriers and other fences where the original has {}",
                                    after.fences.size(), before.fences.size())};
  if (raisesOthers(before, after))
    return SegmentFault{lastInstruction, "the floating-point operations between two places where "
                                         "exceptions can be read are not the original's"};
  if (const auto fault = morePending(pool, before.pending, after.pending))
    return SegmentFault{lastInstruction, *fault};
  if (const auto fault = endsDifferently(before.pending, after.pending, drainsLds))
    return SegmentFault{lastInstruction, *fault};
  return std::nullopt;
}

} // namespace rdna::verify
