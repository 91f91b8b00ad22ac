// Faults planted in rewritten kernels: the verifier must object to each of them, or the mutant must
// be the same program, shown by running it and by an argument of its own.

#include "Support/Random.h"
#include "mutation/Judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace rdna::mutation {

using test::CompiledKernel;

namespace {

struct Row {
  size_t sites = 0, notAssembling = 0, byProof = 0, byRules = 0;
  std::map<std::string, size_t> survived; ///< By reason.

  void add(const Row &other) {
    sites += other.sites;
    notAssembling += other.notAssembling;
    byProof += other.byProof;
    byRules += other.byRules;
    for (const auto &[reason, count] : other.survived)
      survived[reason] += count;
  }
  size_t survivors() const {
    size_t total = 0;
    for (const auto &[reason, count] : survived)
      total += count;
    return total;
  }
  size_t applied() const { return notAssembling + byProof + byRules + survivors(); }
};

using Table = std::map<std::string, Row>; // by operator

void print(const Table &table, const std::string &title) {
  fmt::print("{}\n{:22} {:>7} {:>8} {:>10} {:>16} {:>9}\n", title, "operator", "applied",
             "of sites", "no assembly", "killed by proof/rules", "survived");
  Row sum;
  std::map<std::string, size_t> reasons;
  const auto line = [](const std::string &name, const Row &row) {
    fmt::print("{:22} {:7} {:8} {:11} {:>21} {:9}", name, row.applied(), row.sites,
               row.notAssembling, fmt::format("{} / {}", row.byProof, row.byRules),
               row.survivors());
    const char *separator = "  ";
    for (const auto &[reason, count] : row.survived) {
      fmt::print("{}{} {}", separator, count, reason);
      separator = ", ";
    }
    fmt::print("\n");
  };
  for (const Operator &op : operators())
    if (const auto row = table.find(op.name); row != table.end()) {
      line(op.name, row->second);
      sum.add(row->second);
    }
  sum.survived = {{"", sum.survivors()}};
  line("all", sum);
  std::fflush(stdout);
}

/// The sum over the kernels that this process has tested.
class Total : public testing::Environment {
public:
  static Table table;
  static unsigned kernels;
  void TearDown() override {
    if (kernels > 1)
      print(table, fmt::format("\n{} kernels", kernels));
  }
};
Table Total::table;
unsigned Total::kernels = 0;
const auto *const total = testing::AddGlobalTestEnvironment(new Total);

/// Every site of a kernel with fewer instructions than this; a sample of the others.
constexpr size_t kSmall = 300;
constexpr size_t kSample = 40;
constexpr uint64_t kSeed = 20240611;

struct Subjected {
  std::string kernel, compiler;
};

void PrintTo(const Subjected &subjected, std::ostream *out) {
  *out << subjected.kernel << " of " << subjected.compiler;
}

CompiledKernel find(const std::string &name, const std::string &compiler) {
  for (const CompiledKernel &kernel : test::compiledKernels())
    if (kernel.name == name && kernel.compiler == compiler && kernel.optimization == "O3")
      return kernel;
  throw std::runtime_error("no kernel " + name + " of " + compiler);
}

} // namespace

class MutationTest : public testing::TestWithParam<Subjected> {
protected:
  void mutate(const Laboratory &laboratory, const Step &step, const Operator &op, Row &row);
  void examine(const Laboratory &laboratory, const Step &step, const Operator &op,
               const Mutant &mutant, const std::string &text, const Module &mutated, Row &row);
};

void MutationTest::examine(const Laboratory &laboratory, const Step &step, const Operator &op,
                           const Mutant &mutant, const std::string &text, const Module &mutated,
                           Row &row) {
  const std::string wrong = laboratory.runAgainstOriginal(text);
  const auto reason = reasonOf(op, step, mutant, mutated, kSeed);
  ++row.survived[reason.value_or("WITHOUT REASON")];
  if (!wrong.empty())
    ADD_FAILURE() << "accepted, but computes something else: " << op.name << ": " << mutant.what
                  << "\n"
                  << wrong;
  else if (!reason)
    ADD_FAILURE() << "accepted without a reason: " << op.name << ": " << mutant.what;
}

void MutationTest::mutate(const Laboratory &laboratory, const Step &step, const Operator &op,
                          Row &row) {
  std::vector<Mutant> mutants = op.sites(makeSubject(*step.after, step.function));
  row.sites += mutants.size();
  const Function &function = step.after->functions()[step.function];
  if (function.last - function.first >= kSmall && mutants.size() > kSample) {
    Random random(kSeed);
    for (size_t i = 0; i < kSample; ++i)
      std::swap(mutants[i], mutants[i + random.below(static_cast<uint32_t>(mutants.size() - i))]);
    mutants.resize(kSample);
  }
  for (const Mutant &mutant : mutants) {
    const std::string text = applyEdits(*step.after, mutant.edits);
    if (text == step.after->text())
      continue; // two equal operands
    std::unique_ptr<Module> mutated;
    switch (judge(step, text, mutated)) {
    case Verdict::NotAssembling:
      ++row.notAssembling;
      break;
    case Verdict::KilledByProof:
      ++row.byProof;
      break;
    case Verdict::KilledByRules:
      ++row.byRules;
      break;
    case Verdict::Survived:
      examine(laboratory, step, op, mutant, text, *mutated, row);
      break;
    }
  }
}

TEST_P(MutationTest, EveryFaultIsSeen) {
  const Laboratory laboratory(find(GetParam().kernel, GetParam().compiler));
  ASSERT_FALSE(laboratory.steps().empty()) << "this kernel is not rewritten";
  EXPECT_EQ(laboratory.runAgainstOriginal(laboratory.rewritten()), "");
  Table table;
  for (const Step &step : laboratory.steps()) {
    std::unique_ptr<Module> same;
    ASSERT_EQ(judge(step, std::string(step.after->text()), same), Verdict::Survived)
        << "the unmutated rewrite is refused";
    for (const Operator &op : operators())
      mutate(laboratory, step, op, table[op.name]);
  }
  print(table, fmt::format("{} of {}, {} step(s), seed {}", GetParam().kernel, GetParam().compiler,
                           laboratory.steps().size(), kSeed));
  ++Total::kernels;
  for (const auto &[name, row] : table)
    Total::table[name].add(row);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, MutationTest,
    testing::Values(Subjected{"kernel5", "clang-16"}, Subjected{"kernel5", "clang-19"},
                    Subjected{"kernel5", "clang-22"}, Subjected{"sgemm_3x5", "clang-22"},
                    Subjected{"sgemm_4x4", "clang-16"}, Subjected{"nbody", "clang-19"},
                    Subjected{"dot", "clang-22"}, Subjected{"iir", "clang-22"},
                    Subjected{"gemv_sgpr", "clang-16"}, Subjected{"complex_mac", "clang-19"},
                    Subjected{"literal_fma", "clang-22"}, Subjected{"mixed_vopd", "clang-16"},
                    Subjected{"fft_radix4", "clang-19"}, Subjected{"predicated", "clang-22"},
                    Subjected{"nested_loops", "clang-19"}),
    [](const auto &test) {
      std::string name = test.param.kernel + "_" + test.param.compiler;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

} // namespace rdna::mutation
