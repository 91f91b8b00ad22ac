#include "Pipeline/Prove.h"

#include <fmt/format.h>

namespace rdna {

llvm::Expected<Proof> proveRewrite(const Module &before, const Module &after,
                                   const Correspondence &claim) {
  auto proof = proveEquivalent(before, after, {claim});
  if (!proof)
    return proof;
  if (!proof->brokenRules.empty())
    return llvm::make_error<InputError>(Failure::Refused, std::move(proof->brokenRules));
  proof->assumptions = claim.assumptions;
  if (!claim.assumptions.contains(Assumption::NoIndexWrap))
    proof->given = claim.given.said;
  return proof;
}

static const Function *functionNamed(const Module &module, std::string_view name) {
  for (const Function &function : module.functions())
    if (function.name == name)
      return &function;
  return nullptr;
}

llvm::Expected<ProvenText> proveText(const Module &before, std::unique_ptr<Module> after,
                                     Correspondence &claim, const std::set<Assumption> &allowed) {
  auto proof = proveRewrite(before, *after, claim);
  const Function *function = functionNamed(*after, claim.function);
  if (!proof && function && allowed.contains(Assumption::NoSyncWithoutBarrier) &&
      claim.assumptions.insert(Assumption::NoSyncWithoutBarrier).second) {
    llvm::consumeError(proof.takeError());
    std::vector<TextEdit> edits;
    declareAssumption(*after, *function, Assumption::NoSyncWithoutBarrier, edits);
    auto declared = Module::parse(applyEdits(*after, std::move(edits)), after->file());
    if (!declared)
      return declared.takeError();
    after = std::move(*declared);
    proof = proveRewrite(before, *after, claim);
  }
  if (!proof)
    return proof.takeError();
  return ProvenText{std::move(after), std::move(*proof)};
}

static constexpr std::string_view assumes = "; rdna-assume: ", isGiven = "; rdna-given: ";

/// A comment below the function's label, once.
static void declare(const Module &module, const Function &function, const std::string &declaration,
                    std::vector<TextEdit> &edits) {
  for (uint32_t line = function.line + 1; line <= module.lineCount(); ++line) {
    const std::string_view text = module.lineText(line);
    if (text == declaration)
      return;
    if (!text.starts_with(assumes) && !text.starts_with(isGiven))
      break;
  }
  const uint32_t place = module.lineBegin(function.line + 1);
  edits.push_back({place, place, fmt::format("{}{}", declaration, lineEnding(module))});
}

void declareAssumption(const Module &module, const Function &function, Assumption assumption,
                       std::vector<TextEdit> &edits) {
  declare(module, function, fmt::format("{}{}", assumes, toString(assumption)), edits);
}

void declareGiven(const Module &module, const Function &function, const verify::Given &given,
                  std::vector<TextEdit> &edits) {
  for (const std::string &range : verify::canonicalText(given.ranges))
    declare(module, function, fmt::format("{}{}", isGiven, range), edits);
}

llvm::Expected<Diagnostic> takenBack(const Module &before, uint32_t line, std::string_view step,
                                     llvm::Error error) {
  std::string reason;
  llvm::Error other =
      llvm::handleErrors(std::move(error), [&](std::unique_ptr<InputError> input) -> llvm::Error {
        if (input->failure() != Failure::Refused || input->diagnostics().empty())
          return llvm::Error(std::move(input));
        reason = input->diagnostics().front().message;
        return llvm::Error::success();
      });
  if (other)
    return other;
  return before.atLine(line,
                       fmt::format("{} was taken back, it could not be proven: {}", step, reason),
                       Severity::Remark);
}

} // namespace rdna
