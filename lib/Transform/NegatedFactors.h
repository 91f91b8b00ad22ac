//===- NegatedFactors.h - negated factors in registers of their own --------===//
//
// No VOPD slot has modifiers, so `v_fma_f32 v0, -v1, v2, v0` stands alone: every other one of a
// complex product, all of a factorization. With the negated value in a register it is an FMAC.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Liveness.h"
#include "Code/Edit.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>
#include <vector>

namespace rdna {

/// The text with such registers. It has the same blocks.
struct NegatedFactors {
  std::vector<TextEdit> edits; ///< Of the old text.
  std::unique_ptr<Module> module;
  Cfg cfg;
  unsigned values = 0; ///< Each costs an instruction in front of the first FMA that has it.
  unsigned vgprs = 0;  ///< Highest that is written, plus one.

  /// The old instruction of a new one; nothing for the negations.
  std::optional<uint32_t> oldOf(uint32_t instruction) const;

  std::vector<uint32_t> turns; ///< The negations in the new text, in order.
};

struct NegationRequest {
  llvm::ArrayRef<uint32_t> blocks; ///< To look at.
  unsigned budget = 0;             ///< Registers below it may be taken.
  unsigned leastUses = 0;          ///< Of a value.
  unsigned parity = 0; ///< Of registers to take, if none has fewer conflicts: 0 even, 1 odd.
};

/// Of values that at least so many FMAs of a block negate, added to what they accumulate. The sign
/// is turned by an integer addition of 2^31, which VOPD has and which is exact for NaN as well. In
/// the value's own register, if nobody else reads it from there on, otherwise in one that holds
/// nothing; a value for which there is none stays as it is. Nothing if there are no such values.
std::optional<NegatedFactors> separateNegations(const Module &module, const Cfg &cfg,
                                                const Liveness &liveness,
                                                const NegationRequest &request);

} // namespace rdna
