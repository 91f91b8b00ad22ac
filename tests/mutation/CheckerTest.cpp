// Every wait and every barrier of correct kernels is deleted, one at a time. The checker must
// report the mutant, or an argument that knows nothing of the checker must show that it is
// harmless.

#include "Emu/Check.h"
#include "Run/Backend.h"
#include "Run/LaunchDescription.h"
#include "mutation/BarrierUse.h"
#include "mutation/Judge.h"
#include "mutation/WaitWalk.h"

#include "Support/File.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stdexcept>

namespace rdna::mutation::checkerTest {

using test::CompiledKernel;

namespace {

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

enum class Text { Compiled, Rewritten };

struct Subject {
  const char *name; ///< As in the manifest.
  Text text = Text::Compiled;
  /// A second launch, where the description's own does not take every path.
  std::pair<const char *, int64_t> parameter{"", 0};
  std::string title() const {
    return fmt::format("{}{}", name, text == Text::Rewritten ? "_rewritten" : "");
  }
};

constexpr Subject subjects[] = {{"kernel1"},
                                {"kernel2"},
                                {"kernel3"},
                                {"kernel4"},
                                {"kernel5"},
                                {"histogram"},
                                {"softmax", Text::Compiled, {"columns", 32}},
                                {"dot"},
                                {"prefix_sum"},
                                {"fft_radix4"},
                                {"sgemm_4x4"},
                                {"cgemm"},
                                {"conv2d"},
                                {"kernel5", Text::Rewritten},
                                {"sgemm_4x4", Text::Rewritten},
                                {"kernel4", Text::Rewritten}};

CompiledKernel compiled(const char *name) {
  for (const CompiledKernel &kernel : test::compiledKernels())
    if (kernel.name == name && kernel.compiler == "clang-22" && kernel.optimization == "O3")
      return kernel;
  throw std::runtime_error(fmt::format("no kernel {} in the manifest", name));
}

/// A launch of one kernel text after the other.
class Runner {
public:
  Runner(const std::string &launchFile, const run::Parameters &parameters)
      : backend_(run::createEmulatorBackend()),
        launch_(unwrap(run::resolve(
            unwrap(run::parseLaunchDescription(unwrap(readInput(launchFile)), launchFile)),
            parameters))),
        buffers_(unwrap(run::BufferSet::allocate(launch_))) {}

  std::vector<run::CheckFinding> findings(const std::string &text) {
    const object::CodeObject object = unwrap(object::loadCodeObjectBytes(text, "mutant.s"));
    const object::Kernel *kernel = unwrap(object.kernel(launch_.kernel));
    buffers_->fill(1);
    run::RunOptions options;
    options.checks = unwrap(emu::parseChecks("waits,races,barriers"));
    options.instructionBudget = 5'000'000;
    options.threads = 1;
    // Neighbours in both directions; more of the same would only take longer.
    for (uint32_t y = 0; y < std::min(launch_.grid[1], 2u); ++y)
      for (uint32_t x = 0; x < std::min(launch_.grid[0], 2u); ++x)
        options.onlyWorkgroups.push_back({x, y, 0});
    return unwrap(unwrap(backend_->load(object, *kernel))->run(launch_, *buffers_, options))
        .findings;
  }
  /// Whether a barrier keeps accesses to LDS of two waves apart.
  bool orders(const Module &module, const Instruction &barrier) const {
    const object::CodeObject object =
        unwrap(object::loadCodeObjectBytes(module.text(), "original.s"));
    const object::Kernel *kernel = unwrap(object.kernel(launch_.kernel));
    for (const uint64_t offset : barriersThatOrder(object, *kernel, launch_))
      if (object.lineAt(offset) == barrier.line)
        return true;
    return false;
  }

private:
  std::unique_ptr<run::Backend> backend_;
  run::ResolvedLaunch launch_;
  std::unique_ptr<run::BufferSet> buffers_;
};

uint32_t functionOf(const Module &module, const Instruction &inst) {
  for (uint32_t f = 0; f < module.functions().size(); ++f)
    if (inst.index >= module.functions()[f].first && inst.index < module.functions()[f].last)
      return f;
  throw std::runtime_error("an instruction outside of every function");
}

std::string without(const Module &module, std::initializer_list<const Instruction *> deleted) {
  std::string text(module.text());
  for (const Instruction *inst : deleted) // A line keeps its number.
    text.replace(inst->begin, inst->end - inst->begin, inst->end - inst->begin, ' ');
  return text;
}

/// Whether `module` without `deleted` touches no register too early, and has nothing more in flight
/// at any barrier, by walking both texts with the queues of ISA 5.6.
bool sameByOrder(const Module &module, std::initializer_list<const Instruction *> deleted) {
  const auto mutated = unwrap(Module::parse(without(module, deleted), "mutant.s"));
  const Instruction &first = **deleted.begin();
  return walkWaits(module, *mutated, functionOf(module, first), first.line);
}

/// Why the deletion of `inst` changes nothing; empty if no argument applies. None of them uses the
/// checker.
std::string harmless(const Module &module, const Instruction &inst, const Runner &runner) {
  if (inst.unit == Unit::Barrier)
    return !runner.orders(module, inst) ? "barrier orders nothing" : "";
  if (sameByOrder(module, {&inst}))
    return "redundant by order";
  // A wait that only serves a barrier which itself could go.
  const auto &all = module.instructions();
  const Instruction *next = inst.index + 1 < all.size() ? &all[inst.index + 1] : nullptr;
  if (next == nullptr || next->unit != Unit::Barrier || runner.orders(module, *next))
    return "";
  const auto relaxed = unwrap(Module::parse(without(module, {next}), "relaxed.s"));
  return sameByOrder(*relaxed, {&relaxed->instructions()[inst.index]}) ? "barrier orders nothing"
                                                                       : "";
}

bool isWait(const Instruction &inst) {
  return inst.unit == Unit::Wait && inst.op != Op::s_waitcnt_depctr;
}

class Checker : public testing::TestWithParam<Subject> {};

TEST_P(Checker, NoticesEveryDeletedWaitAndBarrier) {
  const CompiledKernel kernel = compiled(GetParam().name);
  const std::string text = GetParam().text == Text::Rewritten
                               ? Laboratory(kernel, "vgpr-remap").rewritten()
                               : unwrap(readInput(kernel.assembly));
  const auto module = unwrap(Module::parse(text, kernel.assembly));
  Runner runner(kernel.launch, {});
  std::optional<Runner> other;
  if (const auto &[name, value] = GetParam().parameter; *name != 0)
    other.emplace(kernel.launch, run::Parameters{{name, value}});
  const auto findings = [&](const std::string &mutant) {
    auto list = runner.findings(mutant);
    return list.empty() && other ? other->findings(mutant) : list;
  };
  for (const run::CheckFinding &finding : findings(text))
    ADD_FAILURE() << "the kernel itself, line " << finding.line << ": " << finding.finding.message;
  size_t mutants = 0, reported = 0;
  std::map<std::string, size_t> reasons;
  for (const Instruction &inst : module->instructions()) {
    if (!isWait(inst) && inst.unit != Unit::Barrier)
      continue;
    ++mutants;
    if (!findings(without(*module, {&inst})).empty()) {
      ++reported;
      continue;
    }
    const std::string reason = harmless(*module, inst, runner);
    ++reasons[reason];
    EXPECT_NE(reason, "") << "line " << inst.line << ": "
                          << std::string(module->instructionText(inst));
  }
  fmt::print("{:22} {:4} mutants, {:4} reported", GetParam().title(), mutants, reported);
  for (const auto &[reason, count] : reasons)
    fmt::print(", {} harmless ({})", count, reason.empty() ? "UNEXPLAINED" : reason);
  fmt::print("\n");
  EXPECT_GT(reported, 0u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Checker, testing::ValuesIn(subjects),
                         [](const auto &info) { return info.param.title(); });

} // namespace
} // namespace rdna::mutation::checkerTest
