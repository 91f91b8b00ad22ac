// Every program with calls, as every compiler writes it or as it was written by hand: it really
// calls, computes what its reference computes, and does so without luck.

#include "KernelRun.h"
#include "calls/References.h"
#include "corpus/Expect.h"

#include "Emu/Observe/Listener.h"
#include "Emu/Observe/Observer.h"
#include "Emu/Opcodes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace rdna::calls {

using test::CompiledKernel;
using test::unwrap;

namespace {

/// A wave of these programs executes some hundreds of instructions.
constexpr uint64_t budget = 100'000;

/// Counts the calls that waves execute.
class CallCounter : public emu::Observer {
public:
  std::unique_ptr<emu::Listener> create(const emu::LaunchState &) override {
    class Counter : public emu::Listener {
    public:
      explicit Counter(std::atomic<uint64_t> &calls) : calls_(calls) {}
      Hears hears() const override { return Hears::Before; }
      void before(emu::Record &record) override {
        const std::string_view name = record.inst().op->name;
        calls_ += name == "s_swappc_b64" || name == "s_call_b64";
      }

    private:
      std::atomic<uint64_t> &calls_;
    };
    return std::make_unique<Counter>(calls);
  }
  std::atomic<uint64_t> calls = 0;
};

/// What the compilers leave, and what is none of the programs' faults:
/// - vopd-parity, mad64-overlap, dealloc-vgprs: as in the kernels without calls, see
///   docs/howto-check.md.
/// - memory-without-lanes: a function saves a VGPR's inactive lanes even if there are none, and
///   stores under a condition without a branch.
/// - trans-use: clang 16 returns a root right behind v_sqrt, and the caller multiplies it.
bool compilersLeave(const emu::Finding &finding, const CompiledKernel &kernel) {
  if (kernel.compiler == "by-hand")
    return false;
  if (finding.rule == "vopd-parity" || finding.rule == "mad64-overlap")
    return true;
  if (finding.rule == "memory-without-lanes")
    return finding.instruction.starts_with("scratch_") || kernel.name == "callee_atomics";
  if (finding.rule == "dealloc-vgprs")
    return kernel.compiler == "clang-16";
  return finding.rule == "trans-use" && kernel.compiler == "clang-16" &&
         kernel.name == "divide_sqrt";
}

std::vector<CompiledKernel> compiledAs(const std::string &name) {
  std::vector<CompiledKernel> result = test::compiledKernels("calls");
  std::erase_if(result, [&](const CompiledKernel &kernel) { return kernel.name != name; });
  return result;
}

class CallsTest : public testing::TestWithParam<std::string> {
protected:
  std::vector<CompiledKernel> compiled_ = compiledAs(GetParam());
  run::ResolvedLaunch launch_ = test::launchOf(compiled_.front());
  std::unique_ptr<run::BufferSet> buffers_ = unwrap(run::BufferSet::allocate(launch_), "buffers");

  /// Runs one text on fresh buffers.
  run::RunOutcome run(const CompiledKernel &kernel, const run::RunOptions &options) {
    const test::EmulatedFile file(kernel.assembly, launch_.kernel);
    buffers_->fill(0);
    return unwrap(file.loaded->run(launch_, *buffers_, options), kernel.assembly);
  }
};

} // namespace

TEST_P(CallsTest, MatchesReference) {
  const auto found = references().find(GetParam());
  ASSERT_NE(found, references().end()) << "no reference for this program";
  buffers_->fill(0);
  Arguments wanted = corpus::argumentsOf(launch_, *buffers_);
  found->second.compute(wanted);
  for (const CompiledKernel &kernel : compiled_) {
    SCOPED_TRACE(kernel.assembly);
    run::RunOptions options;
    options.instructionBudget = budget;
    const run::RunOutcome outcome = run(kernel, options);
    EXPECT_TRUE(outcome.bounds.empty()) << "accesses out of bounds";
    corpus::expectContents(*buffers_, wanted, found->second.tolerance);
  }
}

TEST_P(CallsTest, CallsWithoutLuck) {
  for (const CompiledKernel &kernel : compiled_) {
    SCOPED_TRACE(kernel.assembly);
    CallCounter counter;
    run::RunOptions options;
    options.instructionBudget = budget;
    options.checks = emu::CheckSet::all();
    options.observers = {&counter};
    for (const run::CheckFinding &found : run(kernel, options).findings)
      if (!compilersLeave(found.finding, kernel))
        ADD_FAILURE() << fmt::format("line {}: '{}': {} [{}]", found.line,
                                     found.finding.instruction, found.finding.message,
                                     found.finding.rule);
    EXPECT_GT(counter.calls, 0U);
  }
}

static std::set<std::string> programs() {
  std::set<std::string> result;
  for (const CompiledKernel &kernel : test::compiledKernels("calls"))
    result.insert(kernel.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Programs, CallsTest, testing::ValuesIn(programs()),
                         [](const auto &test) { return test.param; });

/// Three compilers at two levels, so that nothing above runs over an empty list.
TEST(CallsCorpus, IsComplete) {
  size_t compiled = 0, byHand = 0;
  for (const CompiledKernel &kernel : test::compiledKernels("calls"))
    ++(kernel.compiler == "by-hand" ? byHand : compiled);
  EXPECT_GE(compiled, 36U * 3 * 2);
  EXPECT_GE(byHand, 7U);
  EXPECT_EQ(references().size(), programs().size());
}

} // namespace rdna::calls
