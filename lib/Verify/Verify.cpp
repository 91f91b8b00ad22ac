// The whole text: what is around the code, function by function, and the rules.

#include "Verify/Verify.h"

#include "Verify/Document.h"
#include "Verify/FunctionProof.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace rdna {

static llvm::Error refuse(const Module &after, uint32_t line, std::string_view message) {
  return makeError(Failure::Refused, after.atLine(line, message, Severity::Error));
}

namespace {
/// The rules that both texts break, by function.
struct RuleFaults {
  std::vector<verify::RuleFault> all;
  std::vector<verify::FaultsByInstruction> byFunction;
  explicit RuleFaults(const Module &module)
      : all(verify::findRuleFaults(module)), byFunction(module.functions().size()) {
    for (const verify::RuleFault &fault : all)
      if (fault.instruction)
        byFunction[fault.function].emplace(*fault.instruction, fault.rule);
  }
};
} // namespace

static Diagnostic asError(Diagnostic diagnostic) {
  diagnostic.severity = Severity::Error;
  return diagnostic;
}

/// Does the original break the rule at the same place? For functions that differ in hints only.
static bool hasCounterpart(const Module &before, const Function &was,
                           const verify::FaultsByInstruction &known, const Module &after,
                           const Function &now, const verify::RuleFault &fault) {
  const auto placeIn = [](const Module &module, const Function &function, uint32_t instruction) {
    return std::count_if(module.instructions().begin() + function.first,
                         module.instructions().begin() + instruction,
                         [](const Instruction &inst) { return !verify::isHint(inst); });
  };
  const auto place = placeIn(after, now, *fault.instruction);
  const std::string_view text = after.instructionText(after.instructions()[*fault.instruction]);
  return std::any_of(known.begin(), known.end(), [&](const auto &entry) {
    return entry.second == fault.rule &&
           before.instructionText(before.instructions()[entry.first]) == text &&
           placeIn(before, was, entry.first) == place;
  });
}

/// The same rule, broken by a directive of the same function.
static bool hasDirectiveFault(const std::vector<verify::RuleFault> &known,
                              const verify::RuleFault &fault) {
  return std::any_of(known.begin(), known.end(), [&](const verify::RuleFault &other) {
    return !other.instruction && other.rule == fault.rule && other.function == fault.function;
  });
}

namespace {
/// One function in both texts.
struct FunctionPair {
  const Module &before, &after;
  uint32_t index;
  const Function &was() const { return before.functions()[index]; }
  const Function &now() const { return after.functions()[index]; }
  bool isUnchanged(verify::Hints hints) const {
    return verify::isUnchanged(before, was(), after, now(), hints);
  }
};
} // namespace

/// Proves one function that changed, and adds the rules that it breaks anew to the proof.
static llvm::Error proveFunction(const FunctionPair &pair, const Correspondence *claim,
                                 const RuleFaults &oldFaults, const RuleFaults &newFaults,
                                 Proof &proof) {
  const auto &[before, after, f] = pair;
  const auto proofOf = std::make_unique<verify::FunctionProof>(before, after, f, claim, proof);
  const auto oldOpaque = verify::opaqueSpots(before, proofOf->cfg());
  const auto newOpaque = verify::opaqueSpots(after, proofOf->newCfg());
  const auto countsBytes = [](const std::vector<verify::OpaqueSpot> &spots) {
    return llvm::any_of(spots, [](const verify::OpaqueSpot &spot) {
      return spot.why == verify::OpaqueSpot::Why::Distance;
    });
  };
  const bool differsInHints =
      !countsBytes(oldOpaque) && !countsBytes(newOpaque) && pair.isUnchanged(verify::Hints::Ignore);
  if (!differsInHints && !(oldOpaque.empty() && newOpaque.empty())) {
    const bool isOld = newOpaque.empty();
    const verify::OpaqueSpot &spot = isOld ? oldOpaque.front() : newOpaque.front();
    const Instruction &inst = (isOld ? before : after).instructions()[spot.instruction];
    return refuse(after, isOld ? pair.now().line : inst.line,
                  fmt::format("'{}' was changed, although line {} of it {}", pair.was().name,
                              inst.line, spot.reason));
  }
  if (!differsInHints) {
    if (const auto line =
            verify::changedUnreachable(before, proofOf->cfg(), after, proofOf->newCfg()))
      return refuse(after, *line, "code that nothing reaches was changed");
    proofOf->watch(oldFaults.byFunction[f], newFaults.byFunction[f]);
    if (const auto fault = proofOf->run()) {
      if (fault->instruction >= after.instructions().size())
        return refuse(after, pair.now().line, fault->message);
      return makeError(Failure::Refused,
                       after.at(after.instructions()[fault->instruction], fault->message));
    }
    if (claim)
      proof.holdsFor = proofOf->whereIndicesHold();
  }
  for (const verify::RuleFault &fault : newFaults.all) {
    if (fault.function != f || !fault.instruction)
      continue;
    const bool isExcused =
        differsInHints
            ? hasCounterpart(before, pair.was(), oldFaults.byFunction[f], after, pair.now(), fault)
            : proofOf->isExcused(*fault.instruction, fault.rule);
    if (!isExcused)
      proof.brokenRules.push_back(asError(fault.diagnostic));
  }
  return llvm::Error::success();
}

llvm::Expected<Proof> proveEquivalent(const Module &before, const Module &after,
                                      const std::vector<Correspondence> &claims) {
  Proof proof;
  proof.method = "block-wise symbolic simulation";
  if (const auto fault = verify::compareDocuments(before, after))
    return refuse(after, fault->line, fault->message);
  const RuleFaults oldFaults(before), newFaults(after);
  for (uint32_t f = 0; f < before.functions().size(); ++f) {
    const FunctionPair pair{before, after, f};
    if (pair.was().name != pair.now().name || pair.was().kind != pair.now().kind)
      return refuse(after, pair.now().line, "the functions are not in the original's order");
    if (pair.isUnchanged(verify::Hints::Compare) && verify::isLeftByKnownWays(after, pair.now()))
      continue;
    const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Correspondence &c) {
      return c.function == pair.was().name;
    });
    if (llvm::Error error = proveFunction(pair, claim == claims.end() ? nullptr : &*claim,
                                          oldFaults, newFaults, proof))
      return error;
  }
  for (const verify::RuleFault &fault : newFaults.all)
    if (!fault.instruction && !hasDirectiveFault(oldFaults.all, fault))
      proof.brokenRules.push_back(asError(fault.diagnostic));
  if (const auto fault = verify::compareRegisterCounts(before, after))
    return refuse(after, fault->line, fault->message);
  return proof;
}

} // namespace rdna
