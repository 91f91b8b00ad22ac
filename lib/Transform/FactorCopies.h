//===- FactorCopies.h - factors in a second register -----------------------===//
//
// No VOPD slot has modifiers, so `v_fma_f32 v0, -v1, v2, v0` stands alone: every other one of a
// complex product, all of a factorization. With the negated value in a register it is an FMAC.
//
// A scalar factor has to be src0, so two products of one VGPR by scalars both have it as src1, and
// there the two halves must read different banks: a row of weights times one activation stands
// alone, too. With a copy for every other one they have partners.
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

/// Which factors get a second register.
enum class CopyOf : uint8_t {
  Negated, ///< Those that FMAs negate, added to what they accumulate.
  Scaled,  ///< Those that products and FMACs multiply by scalars.
};

/// The text with such registers. It has the same blocks.
struct FactorCopies {
  std::vector<TextEdit> edits; ///< Of the old text.
  std::unique_ptr<Module> module;
  Cfg cfg;
  unsigned values = 0; ///< Each costs an instruction in front of the first use of the copy.
  unsigned vgprs = 0;  ///< Highest that is written, plus one.

  /// The old instruction of a new one; nothing for what makes a copy.
  std::optional<uint32_t> oldOf(uint32_t instruction) const;

  std::vector<uint32_t> producers; ///< What makes a copy in the new text, in order.
};

struct CopyRequest {
  llvm::ArrayRef<uint32_t> blocks; ///< To look at.
  CopyOf which = CopyOf::Negated;
  unsigned budget = 0;    ///< Registers below it may be taken.
  unsigned leastUses = 0; ///< Of a value in a block.
  /// Of negated values' registers, if none has fewer conflicts: 0 even, 1 odd. The copy of a scaled
  /// value has the other parity than the value.
  unsigned parity = 0;
};

/// The sign is turned by an integer addition of 2^31, which VOPD has and which is exact for NaN as
/// well: in the value's own register, if nobody else reads it from there on, otherwise in one that
/// holds nothing. A copy always goes to one that holds nothing. A value for which there is none
/// stays as it is. Nothing if there are no such values.
std::optional<FactorCopies> copyFactors(const Module &module, const Cfg &cfg,
                                        const Liveness &liveness, const CopyRequest &request);

} // namespace rdna
