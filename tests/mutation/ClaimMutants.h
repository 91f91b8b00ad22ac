//===- ClaimMutants.h - claims that say something else ---------------------===//
#pragma once

#include "Asm/Module.h"
#include "Support/Random.h"
#include "Symbolic/Claim.h"

#include <string>
#include <vector>

namespace rdna::mutation {

struct ClaimMutant {
  std::string what; ///< For messages and tables.
  Correspondence claim;
};

/// The claim with one thing changed, dropped or added: an equation, part of one, or a point. What
/// is added speaks of `registers`, as those that a planted fault touches are.
ClaimMutant mutateClaim(const Correspondence &claim, const Module &before,
                        const std::vector<RegUnit> &registers, Random &random);

/// What instructions name.
std::vector<RegUnit> registersOf(const Module &module, const std::vector<uint32_t> &instructions);

} // namespace rdna::mutation
