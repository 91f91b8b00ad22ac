//===- Invariant.h - the equations of a claim, as the proof takes them ------===//
#pragma once

#include "Symbolic/Claim.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace rdna::verify {

/// What is claimed of one place where paths meet. Without equations it is the identity.
struct Invariant {
  /// Where the rewritten code has each VGPR of the original: in active lanes, and in the others.
  std::array<uint8_t, 256> active, inactive;
  /// Registers of the original that are sums of others there, instead.
  std::vector<const Equation *> computed;
  std::vector<const Equation *> hints;
  Invariant();
};

/// Sorts equations, which must outlive the result; or says what is wrong with them.
std::optional<std::string> readEquations(llvm::ArrayRef<Equation> equations, Invariant &result);

} // namespace rdna::verify
