//===- Proof.h - what a proof says that was found ---------------------------===//
#pragma once

#include "Symbolic/Claim.h"

#include <set>
#include <string>
#include <vector>

namespace rdna {

struct Proof {
  std::string method; ///< "block-wise symbolic simulation"
  unsigned blockPairs = 0;
  unsigned values = 0; ///< Live values that were compared.
  unsigned loads = 0;  ///< Dword loads that were matched.
  /// What checkStructure (lib/Verify) says of the rewritten text and not of the original's
  /// corresponding instruction, warnings included, all as errors: a rewrite may keep a compiler's
  /// fault, but must not add one. Instructions correspond if they compute the same, at the same
  /// point of a path.
  std::vector<Diagnostic> brokenRules;
  std::set<Assumption> assumptions; ///< Of the claim.
  std::vector<std::string> given;   ///< Of the claim: the launches that it speaks of.
  /// Where NoIndexWrap is assumed: launches for which it provably holds, if any were found.
  std::vector<std::string> holdsFor;
};

} // namespace rdna
