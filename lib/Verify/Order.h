//===- Order.h - what waits say of memory between waves ---------------------===//
//
// The rules of docs/design.md, "The memory model", for one segment.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/Outstanding.h"
#include "Verify/Segment.h"

namespace rdna::verify {

/// Which order the original may count on besides that of its own values.
enum class Ordering : uint8_t {
  Full,
  /// Assumption::NoSyncWithoutBarrier: plain loads and stores synchronise nothing by themselves.
  SyncOnly,
};

/// At every access of the rewritten code, what the original was sure to have completed before the
/// same access is complete, as far as an acquire or a release could need it.
std::optional<SegmentFault> compareOrder(const ExprPool &pool, const Trace &before,
                                         const Trace &after, const OutstandingCounts &atStart,
                                         Ordering ordering);

} // namespace rdna::verify
