#include "Pipeline/WholeProof.h"

#include "Symbolic/Compose.h"
#include "Verify/Verify.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

llvm::Expected<WholeProof> WholeProof::of(const Module &original) {
  // The pipeline's own does not outlive the first step.
  auto parsed = Module::parse(std::string(original.text()), original.file());
  if (!parsed)
    return parsed.takeError();
  WholeProof whole;
  whole.original_ = std::move(*parsed);
  return whole;
}

/// The first line of what an error says.
static std::string reasonOf(llvm::Error error) {
  std::string reason;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &input) {
        if (!input.diagnostics().empty())
          reason = input.diagnostics().front().message;
      },
      [&](const llvm::ErrorInfoBase &other) { reason = other.message(); });
  return reason;
}

void WholeProof::add(const ProvenStep &step) {
  const auto &functions = original_->functions();
  for (const Correspondence &claim : step.claims) {
    Composed &composed = functions_[claim.function];
    composed.claim.function = claim.function;
    ++composed.steps;
    const auto function =
        llvm::find_if(functions, [&](const Function &f) { return f.name == claim.function; });
    if (!composed.obstacle.empty() || function == functions.end())
      continue;
    const auto index = static_cast<uint32_t>(function - functions.begin());
    auto both =
        compose(*original_, buildCfg(*original_, index), composed.claim, step.before, claim);
    if (both)
      composed.claim = std::move(*both);
    else
      composed.obstacle = reasonOf(both.takeError());
  }
}

std::vector<WholeProof::Verdict> WholeProof::prove(const Module &result) const {
  std::vector<Verdict> verdicts;
  std::vector<Correspondence> claims;
  for (const auto &[name, composed] : functions_) {
    verdicts.push_back({name, composed.steps, composed.obstacle});
    if (composed.obstacle.empty())
      claims.push_back(composed.claim);
  }
  auto proven = proveFunctions(*original_, result, claims);
  const std::string all = proven ? "" : reasonOf(proven.takeError());
  for (Verdict &verdict : verdicts) {
    if (!verdict.obstacle.empty())
      continue;
    verdict.obstacle = all;
    for (size_t n = 0; all.empty() && n < proven->size(); ++n)
      if (const FunctionVerdict &of = (*proven)[n];
          !of.refusals.empty() && original_->functions()[of.function].name == verdict.function)
        verdict.obstacle = of.refusals.front().message;
  }
  return verdicts;
}

} // namespace rdna
