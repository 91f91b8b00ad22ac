//===- StoresInFlight.h - stores that neither text has waited for -----------===//
//
// Others may conclude from an access to memory that stores in front of it are done which were
// waited for. Two texts make their stores together, so numbers are enough.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/AccessLog.h"

namespace rdna::verify {

/// What holds of all ways that have come to one place: the new text has at most so many stores and
/// atomics in flight, and the original at least as many as the new one, or as that limit.
class StoresInFlight {
public:
  /// Both texts make one.
  void issue();
  void wait(TextSide side, unsigned atMost);
  void join(const StoresInFlight &other);
  /// Does all that holds of this one hold of the other?
  bool covers(const StoresInFlight &other) const;
  /// Has the new text waited for whatever the original has waited for?
  bool areOrdered() const { return limit_ == kNone; }

private:
  static constexpr unsigned kMany = 64, kNone = ~0u; ///< No counter counts more than 63.
  void settle();
  unsigned most_ = 0, limit_ = kNone;
};

} // namespace rdna::verify
