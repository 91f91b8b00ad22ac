//===- Demand.h - what the original still needs of each register ----------===//
//
// Liveness for a proof: in lanes that are active at a point and in lanes that are not, separately,
// and only through instructions whose result is needed. A register that nobody needs may hold
// anything in the rewritten code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/LaneSets.h"

#include <bitset>
#include <vector>

namespace rdna::verify {

/// VGPRs by lanes, and everything else.
struct Needs : LaneSets {
  std::bitset<kRegUnits> scalar;
  bool operator==(const Needs &) const = default;
};

/// Needs at the start of each block.
std::vector<Needs> computeNeeds(const Module &module, const Cfg &cfg);

/// Needs behind one instruction, from those at the starts of the blocks.
Needs needsAfter(const Module &module, const Cfg &cfg, const std::vector<Needs> &atStart,
                 uint32_t instruction);

} // namespace rdna::verify
