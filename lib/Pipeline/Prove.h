//===- Prove.h - what every rewrite must pass ------------------------------===//
#pragma once

#include "Asm/Edit.h"
#include "Verify/Verify.h"

#include <memory>
#include <set>
#include <string>

namespace rdna {

/// Proves a rewrite equal under a claim, and that it breaks no rule which the original kept.
llvm::Expected<Proof> proveRewrite(const Module &before, const Module &after,
                                   const Correspondence &claim);

struct ProvenText {
  std::unique_ptr<Module> module;
  Proof proof;
};

/// The same for a text that has just been read. Assumption::NoSyncWithoutBarrier, if it is allowed,
/// is added to the claim and declared in the text only where the proof needs it.
llvm::Expected<ProvenText> proveText(const Module &before, std::unique_ptr<Module> after,
                                     Correspondence &claim, const std::set<Assumption> &allowed);

/// The edit that says below a function's label what its rewrite assumes; nothing if it says so
/// already. The assembler carries it into the code object, and a second run finds it there.
void declareAssumption(const Module &module, const Function &function, Assumption assumption,
                       std::vector<TextEdit> &edits);

/// The same of the launches that it was proven for: a line for each range, by offset or id.
void declareGiven(const Module &module, const Function &function, const verify::Given &given,
                  std::vector<TextEdit> &edits);

/// A step whose proof is refused is taken back by itself: the remark that says so, at a line of the
/// text that stays. Any other error comes back as it is.
llvm::Expected<Diagnostic> takenBack(const Module &before, uint32_t line, std::string_view step,
                                     llvm::Error error);

} // namespace rdna
