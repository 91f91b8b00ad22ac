// The whole text: what is around the code, function by function, and the rules.

#include "Verify/Verify.h"

#include "Verify/AheadProof.h"
#include "Verify/BufferProof.h"
#include "Verify/Document.h"
#include "Verify/FunctionProof.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace rdna {

static llvm::Error refuse(const Module &after, uint32_t line, std::string_view message) {
  return makeError(Failure::Refused, after.atLine(line, message, Severity::Error));
}

namespace {
/// The rules that one function of a text breaks.
struct RuleFaults {
  std::vector<verify::RuleFault> all;
  verify::FaultsByInstruction byInstruction;
  RuleFaults(const Module &module, uint32_t function)
      : all(verify::findRuleFaults(module, function)) {
    for (const verify::RuleFault &fault : all)
      if (fault.instruction)
        byInstruction.emplace(*fault.instruction, fault.rule);
  }
};
} // namespace

/// How often is the rule broken by instructions of this text?
static size_t countAlike(const Module &module, const RuleFaults &faults, std::string_view text,
                         std::string_view rule) {
  return llvm::count_if(faults.all, [&](const verify::RuleFault &fault) {
    return fault.instruction && fault.rule == rule &&
           module.instructionText(module.instructions()[*fault.instruction]) == text;
  });
}

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

/// Adds the rules that directives of the rewritten function break, and those of the original do
/// not.
static void addDirectiveFaults(const RuleFaults &oldFaults, const RuleFaults &newFaults,
                               Proof &proof) {
  for (const verify::RuleFault &fault : newFaults.all)
    if (!fault.instruction && llvm::none_of(oldFaults.all, [&](const verify::RuleFault &other) {
          return !other.instruction && other.rule == fault.rule;
        }))
      proof.brokenRules.push_back(asError(fault.diagnostic));
}

/// Do descriptor and metadata say the same?
static bool declareTheSame(const Function &was, const Function &now) {
  const auto isSame = [](const auto &a, const auto &b) {
    return a.first == b.first && a.second.value == b.second.value;
  };
  return llvm::equal(was.descriptor, now.descriptor, isSame) &&
         llvm::equal(was.metadata, now.metadata, isSame);
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
  /// Nothing to prove, whatever the rest of the text has become.
  bool isSettled() const {
    return isUnchanged(verify::Hints::Compare) && verify::isLeftByKnownWays(after, now());
  }
};
} // namespace

/// A load ahead that the original has made before is either made for nothing, as the last one of a
/// prefetch whose index wraps, or the next of another loop over the same rows. Neither text says
/// which, so the proof is tried both ways: each is a proof of its own.
static std::pair<std::shared_ptr<verify::AheadProof>, std::optional<verify::BufferFault>>
runAhead(const Module &before, const Module &after, uint32_t function, const Correspondence &claim,
         Proof &proof) {
  constexpr unsigned mostTries = 4;
  const auto outside = claim.assumptions.contains(Assumption::LdsInBounds)
                           ? verify::OutsideLds::Excluded
                           : verify::OutsideLds::Refused;
  const Proof fresh = proof;
  std::optional<verify::BufferFault> firstFault;
  std::set<uint32_t> first;
  for (unsigned tries = 1;; ++tries) {
    proof = fresh;
    auto ahead = std::make_shared<verify::AheadProof>(before, after, function, *claim.rebuffered,
                                                      outside, first, proof);
    const auto fault = ahead->run();
    if (!fault)
      return {ahead, std::nullopt};
    if (!firstFault)
      firstFault = fault;
    const auto repeat = ahead->lastRepeat();
    if (!repeat || tries == mostTries)
      return {ahead, firstFault};
    first.insert(*repeat);
  }
}

/// Proves one function whose LDS is arranged anew.
static llvm::Error proveRebuffered(const FunctionPair &pair, const Correspondence &claim,
                                   Proof &proof) {
  const auto &[before, after, f] = pair;
  const RuleFaults oldFaults(before, f), newFaults(after, f);
  const Cfg oldCfg = buildCfg(before, f), newCfg = buildCfg(after, f);
  for (const bool isOld : {true, false})
    if (const auto spot = verify::findOpaque(isOld ? before : after, isOld ? oldCfg : newCfg)) {
      const Instruction &inst = (isOld ? before : after).instructions()[spot->instruction];
      return refuse(after, isOld ? pair.now().line : inst.line,
                    fmt::format("'{}' was changed, although line {} of it {}", pair.was().name,
                                inst.line, spot->reason));
    }
  if (const auto line = verify::changedUnreachable(before, oldCfg, after, newCfg))
    return refuse(after, *line, "code that nothing reaches was changed");
  std::function<std::set<uint32_t>(uint32_t)> originalsOf;
  std::function<bool(uint32_t)> hasArrived = [](uint32_t) { return false; };
  std::optional<verify::BufferFault> fault;
  if (claim.loads == Correspondence::Loads::Ahead) {
    std::shared_ptr<verify::AheadProof> ahead;
    std::tie(ahead, fault) = runAhead(before, after, f, claim, proof);
    originalsOf = [ahead](uint32_t inst) { return ahead->originalsOf(inst); };
    hasArrived = [ahead](uint32_t inst) { return ahead->hasArrived(inst); };
  } else {
    const auto inOrder =
        std::make_shared<verify::BufferProof>(before, after, f, *claim.rebuffered, proof);
    fault = inOrder->run();
    originalsOf = [inOrder](uint32_t inst) { return inOrder->originalsOf(inst); };
  }
  if (fault)
    return fault->instruction
               ? makeError(Failure::Refused,
                           after.at(after.instructions()[*fault->instruction], fault->message))
               : refuse(after, pair.now().line, fault->message);
  proof.method = "simulation of a whole workgroup";
  for (const verify::RuleFault &fault : newFaults.all) {
    if (!fault.instruction)
      continue;
    const std::set<uint32_t> originals = originalsOf(*fault.instruction);
    const auto breaksToo = [&](uint32_t original) {
      const auto [begin, end] = oldFaults.byInstruction.equal_range(original);
      return std::any_of(begin, end, [&](const auto &entry) { return entry.second == fault.rule; });
    };
    // What is wrong on any machine may make other values than the ones that were compared, unless
    // it is wrong on no way that there is: the rule knows nothing of which ways there are.
    const bool isHarmless = fault.diagnostic.severity != Severity::Error;
    const std::string_view text = after.instructionText(after.instructions()[*fault.instruction]);
    const auto isOneOfAsMany = [&] { // It computes what others compute as well.
      return countAlike(after, newFaults, text, fault.rule) <=
             countAlike(before, oldFaults, text, fault.rule);
    };
    const bool isExcused = fault.rule == "waits" && hasArrived(*fault.instruction)
                               ? llvm::any_of(originals, breaksToo)
                               : isHarmless && !originals.empty() &&
                                     (llvm::all_of(originals, breaksToo) ||
                                      (llvm::any_of(originals, breaksToo) && isOneOfAsMany()));
    if (!isExcused)
      proof.brokenRules.push_back(asError(fault.diagnostic));
  }
  addDirectiveFaults(oldFaults, newFaults, proof);
  return llvm::Error::success();
}

/// Proves one function that changed, and adds the rules that it breaks anew to the proof.
static llvm::Error proveFunction(const FunctionPair &pair, const Correspondence *claim,
                                 Proof &proof) {
  const auto &[before, after, f] = pair;
  const RuleFaults oldFaults(before, f), newFaults(after, f);
  const auto proofOf = std::make_unique<verify::FunctionProof>(before, after, f, claim, proof);
  auto oldOpaque = verify::opaqueSpots(before, proofOf->cfg());
  auto newOpaque = verify::opaqueSpots(after, proofOf->newCfg());
  if (!claim || !claim->followsRegisters())
    for (auto *spots : {&oldOpaque, &newOpaque})
      llvm::erase_if(*spots, [](const verify::OpaqueSpot &spot) {
        return spot.why == verify::OpaqueSpot::Why::Registers;
      });
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
    proofOf->watch(oldFaults.byInstruction, newFaults.byInstruction);
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
    if (!fault.instruction)
      continue;
    const bool isExcused =
        differsInHints
            ? hasCounterpart(before, pair.was(), oldFaults.byInstruction, after, pair.now(), fault)
            : proofOf->isExcused(*fault.instruction, fault.rule);
    if (!isExcused)
      proof.brokenRules.push_back(asError(fault.diagnostic));
  }
  addDirectiveFaults(oldFaults, newFaults, proof);
  return llvm::Error::success();
}

namespace {
enum class Looked : uint8_t { AtNothing, Closely };

/// Two texts that are the same around their code.
class TextPair {
public:
  TextPair(const Module &before, const Module &after, const std::vector<Correspondence> &claims)
      : before_(before), after_(after) {
    for (const Correspondence &claim : claims) {
      claims_.emplace(claim.function, &claim);
      if (claim.rebuffered)
        resized_.insert(claim.function);
    }
  }

  llvm::Error compareTexts() const {
    if (const auto fault = verify::compareDocuments(before_, after_, resized_))
      return refuse(after_, fault->line, fault->message);
    for (uint32_t f = 0; f < before_.functions().size(); ++f)
      if (const FunctionPair pair = at(f);
          pair.was().name != pair.now().name || pair.was().kind != pair.now().kind)
        return refuse(after_, pair.now().line, "the functions are not in the original's order");
    return llvm::Error::success();
  }

  /// Adds what was compared and broken to `proof`.
  llvm::Expected<Looked> look(uint32_t f, Proof &proof) const {
    const FunctionPair pair = at(f);
    const auto claim = claims_.find(pair.was().name);
    if (claim != claims_.end() && claim->second->rebuffered) {
      if (llvm::Error error = proveRebuffered(pair, *claim->second, proof))
        return error;
      return Looked::Closely;
    }
    if (!pair.isSettled()) {
      if (llvm::Error error =
              proveFunction(pair, claim == claims_.end() ? nullptr : claim->second, proof))
        return error;
      return Looked::Closely;
    }
    if (declareTheSame(pair.was(), pair.now()))
      return Looked::AtNothing;
    addDirectiveFaults(RuleFaults(before_, f), RuleFaults(after_, f), proof);
    return Looked::Closely;
  }

  llvm::Error compareCounts(uint32_t f) const {
    if (const auto fault = verify::compareRegisterCounts(before_, after_, f))
      return refuse(after_, fault->line, fault->message);
    return llvm::Error::success();
  }

private:
  FunctionPair at(uint32_t f) const { return {before_, after_, f}; }

  const Module &before_, &after_;
  std::map<std::string_view, const Correspondence *> claims_;
  std::set<std::string, std::less<>> resized_; ///< Functions whose size of LDS may change.
};
} // namespace

static constexpr const char *kMethod = "block-wise symbolic simulation";

llvm::Expected<Proof> proveEquivalent(const Module &before, const Module &after,
                                      const std::vector<Correspondence> &claims) {
  Proof proof;
  proof.method = kMethod;
  const TextPair texts(before, after, claims);
  if (llvm::Error error = texts.compareTexts())
    return error;
  for (uint32_t f = 0; f < before.functions().size(); ++f)
    if (auto looked = texts.look(f, proof); !looked)
      return looked.takeError();
  for (uint32_t f = 0; f < before.functions().size(); ++f)
    if (llvm::Error error = texts.compareCounts(f))
      return error;
  return proof;
}

/// The diagnostics of a refusal; any other error comes back.
static llvm::Error takeRefusal(llvm::Error error, std::vector<Diagnostic> &refusals) {
  return llvm::handleErrors(
      std::move(error), [&](std::unique_ptr<InputError> input) -> llvm::Error {
        if (input->failure() != Failure::Refused || input->diagnostics().empty())
          return llvm::Error(std::move(input));
        refusals = input->diagnostics();
        return llvm::Error::success();
      });
}

llvm::Expected<std::vector<FunctionVerdict>>
proveFunctions(const Module &before, const Module &after,
               const std::vector<Correspondence> &claims) {
  const TextPair texts(before, after, claims);
  if (llvm::Error error = texts.compareTexts())
    return error;
  std::vector<FunctionVerdict> verdicts;
  for (uint32_t f = 0; f < before.functions().size(); ++f) {
    FunctionVerdict verdict{f, {}};
    verdict.proof.method = kMethod;
    auto looked = texts.look(f, verdict.proof);
    llvm::Error error = looked ? texts.compareCounts(f) : looked.takeError();
    if (llvm::Error other = takeRefusal(std::move(error), verdict.refusals))
      return other;
    if (verdict.refusals.empty())
      verdict.refusals = verdict.proof.brokenRules;
    if (!verdict.refusals.empty() || *looked == Looked::Closely)
      verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

} // namespace rdna
