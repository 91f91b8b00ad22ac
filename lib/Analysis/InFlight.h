//===- InFlight.h - what may be in flight where a piece of code begins ------===//
//
// For passes, which go by it when they move waits. The proof has its own (Verify/Outstanding.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Counters.h"

#include <array>
#include <vector>

namespace rdna {

/// At a block's start, or behind a call. Counts saturate at 64, which no counter exceeds.
struct InFlight {
  static constexpr uint8_t kMany = 64;
  struct Class {
    uint8_t most = 0;     ///< Operations of the class that may be in flight.
    bool mayFlag = false; ///< One of them may be an acquire.
    bool maySync = false; ///< ... an atomic, or an access with cache bits.
    bool operator==(const Class &) const = default;
  };
  std::array<Class, kWaitClasses> of;
  bool operator==(const InFlight &) const = default;

  /// Where anybody may have called: everything may be in flight.
  static InFlight unknown();
};

/// By block. `flags` is loadsLookedAt() of the function. Nothing is in flight when a kernel starts;
/// what a function's caller or callee has left is unknown.
std::vector<InFlight> computeInFlight(const Module &module, const Cfg &cfg,
                                      const std::vector<uint8_t> &flags);

} // namespace rdna
