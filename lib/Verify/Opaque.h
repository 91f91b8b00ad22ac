//===- Opaque.h - functions that can only be accepted unchanged -----------===//
#pragma once

#include "Analysis/Cfg.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna::verify {

/// Something in a function that the symbolic execution does not understand.
struct OpaqueSpot {
  enum class Why : uint8_t {
    Unknown,  ///< What it does.
    Distance, ///< It depends on how many bytes lie between two places: even hints change that.
    /// Which registers it uses: FunctionProof follows it, what knows accesses alone cannot.
    Registers,
  };
  uint32_t instruction;
  std::string reason;
  Why why = Why::Unknown;
};
std::vector<OpaqueSpot> opaqueSpots(const Module &module, const Cfg &cfg);
/// The first of them.
std::optional<OpaqueSpot> findOpaque(const Module &module, const Cfg &cfg);

/// Does the instruction make the address of a long branch? Who uses what it writes for anything
/// else uses the distance of two places.
bool isInLongBranch(const Module &module, const Instruction &inst);
/// Does it go behind where a long branch asks for the place that it stands at? Then the registers
/// say where that goes.
bool entersLongBranch(const Module &module, const Instruction &branch);

/// s_clause, s_delay_alu, s_setprio: change nothing that can be computed.
bool isHint(const Instruction &inst);
enum class Hints : uint8_t { Compare, Ignore };

/// Same instructions in the same words, same labels at the same places.
bool isUnchanged(const Module &before, const Function &oldFunction, const Module &after,
                 const Function &newFunction, Hints hints);

/// A line of the rewritten text if code that no path of the original reaches has changed in more
/// than hints.
std::optional<uint32_t> changedUnreachable(const Module &before, const Cfg &oldCfg,
                                           const Module &after, const Cfg &newCfg);

/// Does the function end in a jump or an end, or fall into code that may be entered from anywhere?
bool isLeftByKnownWays(const Module &module, const Function &function);

} // namespace rdna::verify
