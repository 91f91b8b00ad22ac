//===- Opaque.h - functions that can only be accepted unchanged -----------===//
#pragma once

#include "Analysis/Cfg.h"

#include <optional>
#include <string>

namespace rdna::verify {

/// Something in a function that the symbolic execution does not understand.
struct OpaqueSpot {
  uint32_t instruction;
  std::string reason;
};
std::optional<OpaqueSpot> findOpaque(const Module &module, const Cfg &cfg);

/// Same instructions in the same words, same labels at the same places.
bool isUnchanged(const Module &before, const Function &oldFunction, const Module &after,
                 const Function &newFunction);

/// Does the function end in a jump or an end, or fall into code that may be entered from anywhere?
bool isLeftByKnownWays(const Module &module, const Function &function);

} // namespace rdna::verify
