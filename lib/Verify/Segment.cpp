#include "Verify/Segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    return "LDS access";
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

/// Everything that may be under way in the rewritten code may be so in the original.
static std::optional<std::string> morePending(const ExprPool &pool, const PendingSet &before,
                                              const PendingSet &after) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    const char *what = name(static_cast<WaitClass>(cls));
    if (after[cls].inherited > before[cls].inherited)
      return fmt::format("a {} from before this piece of code that the original has waited for may "
                         "still be under way",
                         what);
    for (const Outstanding &operation : after[cls].issued)
      for (const Value value : operation.parts)
        if (!isPart(before[cls].issued, value))
          return fmt::format("a {} that the original has waited for may still be under way: {}",
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
      return fmt::format("the {}s that are under way at the end of this piece of code are not in "
                         "the original's order, and later waits count them",
                         name(static_cast<WaitClass>(cls)));
  }
  return std::nullopt;
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
  if (before.order == Trace::Order::Exact || after.order == Trace::Order::Exact) {
    const size_t common = std::min(before.sequence.size(), after.sequence.size());
    for (size_t i = 0; i < common; ++i)
      if (before.sequence[i].first != after.sequence[i].first)
        return SegmentFault{after.sequence[i].second,
                            "memory operations and waits around an atomic or a load with cache "
                            "bits must keep their order"};
    if (before.sequence.size() != after.sequence.size())
      return SegmentFault{lastInstruction, "memory operations or waits around an atomic or a load "
                                           "with cache bits were added or removed"};
  }
  if (const auto fault = morePending(pool, before.pending, after.pending))
    return SegmentFault{lastInstruction, *fault};
  if (const auto fault = endsDifferently(before.pending, after.pending, drainsLds))
    return SegmentFault{lastInstruction, *fault};
  return std::nullopt;
}

} // namespace rdna::verify
