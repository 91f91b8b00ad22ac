#include "Runner.h"

#include "Run/Compare.h"
#include "Run/Verify.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rdna::fuzz {

template <typename T> static T unwrap(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// A wave that loops for ever is wrong, not slow.
static constexpr uint64_t waveBudget = 2'000'000;

static Findings summarize(const run::RunOutcome &outcome) {
  Findings findings;
  for (const run::CheckFinding &entry : outcome.findings) {
    const emu::Finding &f = entry.finding;
    findings.rules.insert(fmt::format("{}: {}", emu::toString(f.check), f.rule));
    if (findings.first.empty())
      findings.first =
          fmt::format("line {} '{}': {} [{}]", entry.line, f.instruction, f.message, f.rule);
  }
  return findings;
}

run::RunOutcome Runner::launch(const object::CodeObject &object, const Input &input,
                               emu::CheckSet checks) const {
  const object::Kernel *kernel = unwrap(object.kernel("k"));
  const auto loaded = unwrap(backend_->load(object, *kernel));
  input.buffers->fill(input.seed);
  run::RunOptions options;
  options.threads = 1;
  options.instructionBudget = waveBudget;
  options.engine = emu::Engine::Interpreter;
  options.checks = checks;
  return unwrap(loaded->run(input.launch, *input.buffers, options));
}

Runner::Runner(const std::string &text, const std::string &launchText)
    : original_(unwrap(object::loadCodeObjectBytes(text, "original.s"))),
      backend_(run::createEmulatorBackend()) {
  const auto description = unwrap(run::parseLaunchDescription(launchText, "launch.json"));
  for (const run::Init init : {run::Init::Random, run::Init::Nan}) {
    Input input;
    input.launch = run::withInput(unwrap(run::resolve(description, {})), init);
    input.seed = inputs_.size() + 1;
    input.buffers = unwrap(run::BufferSet::allocate(input.launch));
    inputs_.push_back(std::move(input));
  }
  for (Input &input : inputs_) {
    emu::CheckSet checks;
    if (&input == inputs_.data()) {
      checks = emu::CheckSet::all();
      checks.add(emu::Check::IndexWrap);
    }
    const run::RunOutcome outcome = launch(original_, input, checks);
    if (!checks.empty())
      findings_ = summarize(outcome);
    if (!outcome.bounds.empty())
      findings_.rules.insert("bounds");
    input.results = input.buffers->snapshot();
  }
}

Runner::Verdict Runner::compare(const std::string &text, Depth depth) const {
  Verdict verdict;
  auto object = object::loadCodeObjectBytes(text, "rewrite.s");
  if (!object) {
    verdict.difference = "does not link: " + llvm::toString(object.takeError());
    return verdict;
  }
  for (const Input &input : inputs_) {
    const bool checked = depth == Depth::Checks && &input == inputs_.data();
    run::RunOutcome outcome;
    try {
      outcome = launch(*object, input, checked ? emu::CheckSet::all() : emu::CheckSet());
    } catch (const std::runtime_error &error) {
      verdict.difference = error.what();
      return verdict;
    }
    const auto &buffers = input.buffers->buffers();
    for (size_t n = 0; n < buffers.size() && verdict.difference.empty(); ++n) {
      const run::Difference difference =
          run::compare(buffers[n].bytes, input.results[n], buffers[n].facts.type);
      if (difference.mismatches)
        verdict.difference = fmt::format("input {}: {}: {}", input.seed, buffers[n].facts.name,
                                         run::describe(difference));
    }
    if (!outcome.bounds.empty() && !findings_.rules.contains("bounds"))
      verdict.newFinding = run::describeWithLine(outcome.bounds[0]);
    if (!checked)
      continue;
    const Findings findings = summarize(outcome);
    for (const std::string &rule : findings.rules)
      if (!findings_.rules.contains(rule))
        verdict.newFinding = rule + ": " + findings.first;
  }
  return verdict;
}

} // namespace rdna::fuzz
