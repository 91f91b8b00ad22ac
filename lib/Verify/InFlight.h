//===- InFlight.h - what may be under way where a piece of code begins ------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Counters.h"

#include <array>
#include <vector>

namespace rdna::verify {

/// At a block's start, or behind a call. Counts saturate at 64, which no counter exceeds.
struct InFlight {
  static constexpr uint8_t kMany = 64;
  struct Class {
    uint8_t most = 0;     ///< Operations of the class that may be under way.
    bool mayFlag = false; ///< One of them may be an acquire.
    bool maySync = false; ///< ... an atomic, or an access with cache bits.
    bool operator==(const Class &) const = default;
  };
  /// What the caller, or a callee, may have left: in which classes, and how many operations have
  /// been issued since, at least.
  struct Outside {
    bool any = false;
    uint8_t least = 0;
    bool operator==(const Outside &) const = default;
  };
  std::array<Class, kWaitClasses> of;
  std::array<Outside, kWaitClasses> outside;
  bool operator==(const InFlight &) const = default;

  /// Where anybody may have called: everything may be under way.
  static InFlight unknown();
};

/// By block. `flags` is flagLoads() of the function. Nothing is under way when a kernel starts;
/// what a function's caller or callee has left is unknown.
std::vector<InFlight> computeInFlight(const Module &module, const Cfg &cfg,
                                      const std::vector<uint8_t> &flags);

/// May the code be entered with operations under way?
bool isEnteredUnknown(const Function &function);

} // namespace rdna::verify
