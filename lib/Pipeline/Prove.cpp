#include "Pipeline/Prove.h"
#include "Code/Derive.h"

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
    auto declared = derive(*after, std::move(edits));
    if (!declared)
      return declared.takeError();
    after = std::move(*declared);
    proof = proveRewrite(before, *after, claim);
  }
  if (!proof)
    return proof.takeError();
  return ProvenText{std::move(after), std::move(*proof)};
}

void declareAssumption(const Module &module, const Function &function, Assumption assumption,
                       std::vector<TextEdit> &edits) {
  constexpr std::string_view comment = "; rdna-assume: ";
  const std::string declaration = fmt::format("{}{}", comment, toString(assumption));
  uint32_t line = function.line + 1;
  for (; line <= module.lineCount() && module.lineText(line).starts_with(comment); ++line)
    if (module.lineText(line) == declaration)
      return;
  const uint32_t place = module.lineBegin(function.line + 1);
  edits.push_back(
      {place, place, Code::layout(fmt::format("{}{}", declaration, lineEnding(module)))});
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
