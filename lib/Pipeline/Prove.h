//===- Prove.h - what every rewrite must pass ------------------------------===//
#pragma once

#include "Verify/Verify.h"

namespace rdna {

/// Proves a rewrite equal under a claim, and that it breaks no rule which the original kept.
inline llvm::Expected<Proof> proveRewrite(const Module &before, const Module &after,
                                          const Correspondence &claim) {
  auto proof = proveEquivalent(before, after, {claim});
  if (!proof)
    return proof;
  if (!proof->brokenRules.empty())
    return llvm::make_error<InputError>(Failure::Refused, std::move(proof->brokenRules));
  return proof;
}

} // namespace rdna
