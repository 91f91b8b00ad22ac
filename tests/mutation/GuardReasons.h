//===- GuardReasons.h - accepted mutants of branches and guards ------------===//
#pragma once

#include "mutation/Judge.h"

namespace rdna::mutation {

/// A guard of unrolled iterations may ask for more than it has to.
std::optional<std::string> guardReason(const Step &step, const Mutant &mutant,
                                       const Module &mutated);

/// A test of what the branch in front of its block has decided: wherever one of the constants that
/// are compared makes a difference, both texts go on at the same place.
std::optional<std::string> decidedReason(const Step &step, const Mutant &mutant,
                                         const Module &mutated);

/// A branch to a branch.
std::optional<std::string> branchReason(const Step &step, const Mutant &mutant,
                                        const Module &mutated);

} // namespace rdna::mutation
