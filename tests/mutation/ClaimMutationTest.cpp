// Hostile claims: the claim of a rewrite is changed, and the rewrite with it. The proof must refuse
// the pair, or the mutant must compute the same: a claim can cost a proof, but never make one.

#include "mutation/ClaimMutants.h"
#include "mutation/Judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace rdna::mutation::claimMutationTest {
namespace {

constexpr uint64_t kSeed = 20261124;
constexpr unsigned kAlone = 60, kPairs = 200; ///< By kernel.

struct Subjected {
  const char *kernel, *compiler, *pass;
  std::optional<unsigned> factor = std::nullopt;
};
void PrintTo(const Subjected &subjected, std::ostream *out) {
  *out << subjected.kernel << " of " << subjected.compiler << ", " << subjected.pass;
}

struct Row {
  unsigned refused = 0, accepted = 0;
};
using Table = std::map<std::string, Row>;

void print(const std::string &title, const Table &table) {
  fmt::print("{}\n{:22} {:>8} {:>9}\n", title, "", "refused", "accepted");
  for (const auto &[what, row] : table)
    fmt::print("{:22} {:8} {:9}\n", what, row.refused, row.accepted);
}

class ClaimMutationTest : public testing::TestWithParam<Subjected> {
protected:
  const Step &anyStep(const Laboratory &laboratory) {
    const auto &steps = laboratory.steps();
    return steps[random_.below(static_cast<uint32_t>(steps.size()))];
  }
  /// A fault in the rewrite; nothing if there is no place for the one that was drawn.
  std::optional<Mutant> anyFault(const Step &step) {
    const auto &all = operators();
    const Operator &op = all[random_.below(static_cast<uint32_t>(all.size()))];
    std::vector<Mutant> sites = op.sites(makeSubject(*step.after, step.function));
    if (sites.empty())
      return std::nullopt;
    return std::move(sites[random_.below(static_cast<uint32_t>(sites.size()))]);
  }
  static std::vector<RegUnit> registersOf(const Step &step) {
    const Function &function = step.after->functions()[step.function];
    std::vector<uint32_t> all(function.last - function.first);
    std::iota(all.begin(), all.end(), function.first);
    return mutation::registersOf(*step.after, all);
  }
  static Verdict judgeWith(const Step &step, const Correspondence &claim, const std::string &text) {
    auto parsed = Module::parse(text, step.after->file());
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      return Verdict::NotAssembling;
    }
    auto proof = proveEquivalent(*step.before, **parsed, {claim});
    if (!proof) {
      llvm::consumeError(proof.takeError());
      return Verdict::KilledByProof;
    }
    return proof->brokenRules.empty() ? Verdict::Survived : Verdict::KilledByRules;
  }

  Random random_{kSeed};
};

TEST_P(ClaimMutationTest, NoClaimMakesAWrongRewriteRight) {
  const auto &[kernel, compiler, pass, factor] = GetParam();
  const auto kernels = test::compiledKernels();
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto &one) {
    return one.name == kernel && one.compiler == compiler && one.optimization == "O3";
  });
  ASSERT_NE(found, kernels.end());
  const Laboratory laboratory(*found, pass, factor);
  ASSERT_FALSE(laboratory.steps().empty());
  Table alone, pairs;
  for (unsigned n = 0; n < kAlone; ++n) {
    const Step &step = anyStep(laboratory);
    const ClaimMutant mutant = mutateClaim(step.claim, *step.before, registersOf(step), random_);
    const bool isAccepted = judgeWith(step, mutant.claim, std::string(step.after->text())) ==
                            Verdict::Survived; // The rewrite is right, so it may be.
    ++(isAccepted ? alone[mutant.what].accepted : alone[mutant.what].refused);
  }
  for (unsigned n = 0; n < kPairs; ++n) {
    const Step &step = anyStep(laboratory);
    const auto fault = anyFault(step);
    if (!fault)
      continue;
    const ClaimMutant mutant = mutateClaim(
        step.claim, *step.before, mutation::registersOf(*step.after, fault->instructions), random_);
    const std::string text = applyEdits(*step.after, fault->edits);
    if (judgeWith(step, mutant.claim, text) != Verdict::Survived) {
      ++pairs[mutant.what].refused;
      continue;
    }
    ++pairs[mutant.what].accepted;
    EXPECT_EQ(laboratory.runAgainstOriginal(text), "")
        << "accepted, but computes something else: " << fault->what << ", with " << mutant.what;
  }
  print("the rewrite as it is, another claim", alone);
  print("a fault in the rewrite, another claim", pairs);
  unsigned refused = 0;
  for (const auto &[what, row] : alone)
    refused += row.refused;
  EXPECT_GT(refused, 0U) << "nothing that a claim says is looked at";
}

INSTANTIATE_TEST_SUITE_P(Kernels, ClaimMutationTest,
                         testing::Values(Subjected{"sgemm_3x5", "clang-22", "vgpr-remap"},
                                         Subjected{"several_loops", "clang-22", "unroll", 3},
                                         Subjected{"fft_radix2", "clang-22", "unroll"},
                                         Subjected{"gemv_sgpr", "clang-22", "sgpr-base"},
                                         Subjected{"kernel4", "clang-19", "spread-loads"}),
                         [](const auto &test) {
                           std::string name =
                               fmt::format("{}_{}", test.param.kernel, test.param.pass);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
} // namespace rdna::mutation::claimMutationTest
