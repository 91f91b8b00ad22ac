//===- Counters.h - which wait counters an instruction bumps --------------===//
//
// Source: ISA guide 5.6 and 8.2, LLVM's SIInsertWaitcnts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include <array>
#include <cstdint>
#include <optional>

namespace rdna {

/// One kind of outstanding operation. Operations of one class complete in issue order, those of
/// different classes in any order, although Lds and Scalar share lgkmcnt, Vector and Sampler vmcnt.
enum class WaitClass : uint8_t { Vector, Sampler, Store, Lds, Scalar };
inline constexpr unsigned kWaitClasses = 5;

enum class WaitCounter : uint8_t { Vm, Vs, Lgkm };
inline constexpr unsigned kWaitCounters = 3;
WaitCounter counterOf(WaitClass cls);

/// What an instruction adds: FLAT adds to two classes.
struct CounterEvents {
  std::array<uint8_t, kWaitClasses> weight{}; ///< By WaitClass; 0 for none.
  bool any() const;
  uint8_t operator[](WaitClass cls) const { return weight[static_cast<size_t>(cls)]; }
};
CounterEvents counterEvents(const Instruction &inst);

/// What a wait instruction waits for: at most that many outstanding operations.
struct Wait {
  std::array<std::optional<unsigned>, kWaitCounters> atMost;
};
std::optional<Wait> waitOf(const Instruction &inst);

} // namespace rdna
