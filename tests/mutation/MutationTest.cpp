// Faults planted in rewritten kernels: the verifier must object to each of them, or the mutant must
// be the same program, shown by running it and by an argument of its own.

#include "Setting.h"
#include "Support/Random.h"
#include "mutation/Judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna::mutation::mutationTest {

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
const size_t sampled = test::setting("RDNA_MUTANTS", 10); ///< Of one operator.
constexpr uint64_t kSeed = 20240611;

struct Subjected {
  std::string kernel, compiler;
  std::string pass = "vgpr-remap";
  std::optional<unsigned> factor = std::nullopt; ///< Iterations at a time.
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

/// A sample of many mutants, half of it of lines that the rewrite wrote.
static std::vector<Mutant> sample(const Step &step, std::vector<Mutant> mutants) {
  std::set<std::string_view> oldLines;
  for (uint32_t line = 1; line <= step.before->lineCount(); ++line)
    oldLines.insert(step.before->lineText(line));
  const auto isOld = [&](const Mutant &mutant) {
    return std::all_of(mutant.instructions.begin(), mutant.instructions.end(), [&](uint32_t i) {
      return oldLines.count(step.after->lineText(step.after->instructions()[i].line)) > 0;
    });
  };
  const auto middle = std::stable_partition(mutants.begin(), mutants.end(), isOld);
  Random random(kSeed);
  std::vector<Mutant> chosen;
  const auto take = [&](auto first, auto last, size_t count) {
    for (; count > 0 && first != last; --count, ++first) {
      std::swap(*first, first[random.below(static_cast<uint32_t>(last - first))]);
      chosen.push_back(std::move(*first));
    }
  };
  const auto old = static_cast<size_t>(middle - mutants.begin()), fresh = mutants.size() - old;
  const size_t ofOld = std::min(old, std::max(sampled / 2, sampled - std::min(fresh, sampled)));
  take(mutants.begin(), middle, ofOld);
  take(middle, mutants.end(), sampled - ofOld);
  return chosen;
}

void MutationTest::mutate(const Laboratory &laboratory, const Step &step, const Operator &op,
                          Row &row) {
  std::vector<Mutant> mutants = op.sites(makeSubject(*step.after, step.function));
  row.sites += mutants.size();
  const Function &function = step.after->functions()[step.function];
  if (function.last - function.first >= kSmall && mutants.size() > sampled)
    mutants = sample(step, std::move(mutants));
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
  const Laboratory laboratory(find(GetParam().kernel, GetParam().compiler), GetParam().pass,
                              GetParam().factor);
  if (laboratory.steps().empty())
    GTEST_SKIP() << "the pass leaves this kernel alone";
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

/// Of different shapes, one compiler or another each.
static const std::vector<Subjected> &subjects() {
  static const std::vector<Subjected> all = {
      {"kernel5", "clang-16"},
      {"kernel5", "clang-19"},
      {"kernel5", "clang-22"},
      {"sgemm_3x5", "clang-22"},
      {"sgemm_4x4", "clang-16"},
      {"nbody", "clang-19"},
      {"iir", "clang-22"},
      {"gemv_sgpr", "clang-16"},
      {"complex_mac", "clang-19"},
      {"literal_fma", "clang-22"},
      {"mixed_vopd", "clang-16"},
      {"fft_radix4", "clang-19"},
      {"predicated", "clang-22"},
      {"nested_loops", "clang-19"},
      {"several_loops", "clang-19"},
      {"mandelbrot", "clang-22"},
      {"softmax", "clang-19"},
      {"scalar_alpha", "clang-22"},
      {"horner_literal", "clang-16"},
      {"kernel5", "clang-22", "unroll"},
      {"sgemm_3x5", "clang-16", "unroll"},
      {"cgemm", "clang-19", "unroll"},
      {"fft_radix2", "clang-22", "unroll"},
      {"several_loops", "clang-22", "unroll", 3},
      {"horner_literal", "clang-19", "unroll", 2},
      {"kernel1", "clang-16", "unroll", 4},
      {"kernel5", "clang-16", "sgpr-base"},
      {"kernel5", "clang-22", "sgpr-base"},
      {"conv2d", "clang-16", "sgpr-base"},
      {"cgemm", "clang-22", "sgpr-base"},
      {"several_loops", "clang-19", "sgpr-base"},
      {"gemv_sgpr", "clang-22", "sgpr-base"},
      {"row_major", "clang-19", "sgpr-base"},
      {"kernel4", "clang-19", "spread-loads"},
      {"kernel5", "clang-22", "spread-loads"},
  };
  return all;
}

TEST(MutationSubjects, AtLeastTenAreRewritten) {
  size_t rewritten = 0;
  for (const Subjected &subject : subjects())
    rewritten += !Laboratory(find(subject.kernel, subject.compiler), subject.pass, subject.factor)
                      .steps()
                      .empty();
  EXPECT_GE(rewritten, 10U) << "of " << subjects().size();
}

INSTANTIATE_TEST_SUITE_P(Kernels, MutationTest, testing::ValuesIn(subjects()),
                         [](const auto &test) {
                           std::string name = test.param.kernel + "_" + test.param.compiler;
                           if (test.param.pass == "unroll")
                             name += test.param.factor ? "_guarded" : "_unrolled";
                           if (test.param.pass == "sgpr-base")
                             name += "_based";
                           if (test.param.pass == "spread-loads")
                             name += "_spread";
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
} // namespace rdna::mutation::mutationTest
