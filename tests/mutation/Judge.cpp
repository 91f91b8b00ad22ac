#include "mutation/Judge.h"

#include "Run/Verify.h"
#include "Support/File.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace rdna::mutation {

template <typename T> static T unwrap(llvm::Expected<T> value, const std::string &what) {
  if (!value)
    throw std::runtime_error(what + ": " + llvm::toString(value.takeError()));
  return std::move(*value);
}

Verdict judge(const Step &step, const std::string &text, std::unique_ptr<Module> &mutant) {
  auto parsed = Module::parse(text, step.after->file());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return Verdict::NotAssembling;
  }
  mutant = std::move(*parsed);
  auto proof = proveEquivalent(*step.before, *mutant, {step.claim});
  if (!proof) {
    llvm::consumeError(proof.takeError());
    return Verdict::KilledByProof;
  }
  return proof->brokenRules.empty() ? Verdict::Survived : Verdict::KilledByRules;
}

Laboratory::Laboratory(const test::CompiledKernel &kernel, const std::string &pass,
                       std::optional<unsigned> factor)
    : backend_(run::createEmulatorBackend()) {
  const std::string source = unwrap(readInput(kernel.assembly), kernel.assembly);
  original_ = unwrap(object::loadCodeObjectBytes(source, kernel.assembly), kernel.assembly);
  launch_ = unwrap(
      run::parseLaunchDescription(unwrap(readInput(kernel.launch), kernel.launch), kernel.launch),
      kernel.launch);
  PassChoice choice{{pass}, {}};
  if (factor)
    choice.values["unroll"] = *factor;
  if (pass != "sgpr-base")
    choice.names.insert("vgpr-remap");
  if (pass == "spread-loads")
    choice.names.insert({"sgpr-base", "unroll"});
  Pipeline pipeline{.passes = choosePasses(choice)};
  if (choice.names.contains("sgpr-base"))
    pipeline.request.assumptions = {Assumption::NoIndexWrap};
  pipeline.onStep = [&](const ProvenStep &proven) {
    if (proven.pass != pass) // The passes before the one that is looked at.
      return;
    for (const Correspondence &claim : proven.claims) {
      // The step's modules do not outlive it.
      Step step;
      step.before =
          unwrap(Module::parse(std::string(proven.before.text()), kernel.assembly), "before");
      step.after =
          unwrap(Module::parse(std::string(proven.after.text()), kernel.assembly), "after");
      step.claim = claim;
      const auto &functions = step.after->functions();
      step.function = static_cast<uint32_t>(
          std::find_if(functions.begin(), functions.end(),
                       [&](const Function &f) { return f.name == claim.function; }) -
          functions.begin());
      steps_.push_back(std::move(step));
    }
  };
  rewritten_ =
      unwrap(runPipeline(unwrap(Module::parse(source, kernel.assembly), kernel.assembly), pipeline),
             kernel.assembly)
          .text;
}

std::string Laboratory::runAgainstOriginal(const std::string &text) const {
  auto object = object::loadCodeObjectBytes(text, "mutant.s");
  if (!object)
    return "does not link: " + llvm::toString(object.takeError());
  const object::Kernel *kernel = unwrap(object->kernel(launch_.kernel), "mutant");
  const object::Kernel *original = unwrap(original_.kernel(launch_.kernel), "original");
  run::VerifyOptions options;
  options.run.instructionBudget = 5'000'000; // A wave that loops for ever is wrong, not slow.
  options.run.threads = 1;                   // The tests themselves run side by side.
  auto cases = run::verify(*backend_, launch_, {&*object, kernel}, {&original_, original}, options);
  if (!cases)
    return "cannot be run: " + llvm::toString(cases.takeError());
  std::vector<std::string> problems;
  for (const run::VerifyCase &one : *cases)
    problems.insert(problems.end(), one.problems.begin(), one.problems.end());
  return fmt::format("{}", fmt::join(problems, "; "));
}

} // namespace rdna::mutation
