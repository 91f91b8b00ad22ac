//===- Verify.h - proof that a rewritten function computes the same -------===//
//
// The verifier trusts nothing of a pass but its claim: it gets the two printed texts, parsed anew,
// and the claimed correspondence of registers at the start of each old basic block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Claim.h"
#include "Symbolic/Given.h"
#include "Symbolic/Proof.h"

#include "Asm/Module.h"

#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace rdna {

/// Proves that `after` computes the same as `before` in every function, under the claims. The error
/// (Failure::Refused) says what could not be proven, at a line of `after`.
llvm::Expected<Proof> proveEquivalent(const Module &before, const Module &after,
                                      const std::vector<Correspondence> &claims);

/// What the proof says of one function.
struct FunctionVerdict {
  uint32_t function = 0;                 ///< In both texts.
  Proof proof;                           ///< If nothing is refused.
  std::vector<Diagnostic> refusals = {}; ///< Broken rules too; empty if it is proven.
};

/// The same by function: those that changed, in text order, each judged by itself. The others cost
/// a comparison. The error is for what belongs to none of them.
llvm::Expected<std::vector<FunctionVerdict>>
proveFunctions(const Module &before, const Module &after,
               const std::vector<Correspondence> &claims);

/// Rules that hold of one text by itself: waits dominate uses, hazards that the hardware does not
/// interlock, s_clause members, register counts of the descriptor, VOPD parity hazards. One
/// diagnostic for each violation.
///
/// Severity::Error for what is wrong on any machine, Severity::Warning for what compilers' own
/// output has as well (VOPD parity, s_setprio's range, dealloc_vgprs without s_nop).
std::vector<Diagnostic> checkStructure(const Module &module);

} // namespace rdna
