//===- Outstanding.h - what may be in flight where a segment begins -----------===//
//
// The proof's own count. Passes have theirs (Analysis/InFlight.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Counters.h"

#include <array>
#include <vector>

namespace rdna::verify {

/// At a block's start, or behind a call.
struct OutstandingCounts {
  static constexpr uint8_t kMany = 64; ///< More than any counter counts.
  /// Bit k: of the operation behind which k others of the class were issued. The highest bit stands
  /// for all that have as many or more.
  struct Class {
    uint64_t any = 0;
    uint64_t flag = 0;    ///< It may be an acquire.
    uint64_t sync = 0;    ///< ... an atomic, or an access with cache bits.
    uint64_t outside = 0; ///< The caller, or a callee, may have left it.
    bool operator==(const Class &) const = default;

    /// So many may be in flight.
    uint8_t most() const;
    /// So many have been issued since what is left from outside, at least.
    uint8_t sinceOutside() const;
  };
  std::array<Class, kWaitClasses> of;
  bool operator==(const OutstandingCounts &) const = default;

  /// Where anybody may have called: everything may be in flight.
  static OutstandingCounts unknown();
  /// `isFlag`: is what it loads looked at?
  void step(const Instruction &inst, bool isFlag);
  void join(const OutstandingCounts &other);
};

/// By block. `flags` is flagLoads() of the function. Nothing is in flight when a kernel starts;
/// what a function's caller or callee has left is unknown.
std::vector<OutstandingCounts> computeOutstanding(const Module &module, const Cfg &cfg,
                                                  const std::vector<uint8_t> &flags);

} // namespace rdna::verify
