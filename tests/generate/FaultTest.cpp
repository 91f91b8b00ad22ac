// Faults that are planted into the main loop of generated kernels: the race check, the wait check
// or the emulator's delays must find each of them, and nothing in the kernel as it was.

#include "generate/KernelHarness.h"

using namespace rdna;
using namespace rdna::generate;
using namespace rdna::test;

namespace {

constexpr unsigned kSeeds = 20; ///< The bench takes 1000.

/// Its kernel of a few steps, of 2 x 2 blocks.
const Problem kProblem{65, 63, 41, 0, 0, 0, 1.25f, 0.5f, 1, {}};

KernelSpec specOfKind(unsigned stages, unsigned fragments, Transpose a) {
  KernelSpec spec = specOf(32, 32, 4, 4, 8);
  spec.stages = stages;
  spec.fragments = fragments;
  spec.a = a;
  return spec;
}

/// The kernel with `what` replaced where it stands the `nth` time (from 0) in the loop that this
/// problem takes; empty if it does not stand there so often.
std::string planted(const KernelText &kernel, const std::string &what, const std::string &with,
                    unsigned nth) {
  const std::string label = "." + std::string("L") + kernel.name + "_narrow_";
  size_t at = kernel.text.find(label + "loop:");
  const size_t end = kernel.text.find(label + "last:");
  for (unsigned n = 0; at != std::string::npos; ++n) {
    at = kernel.text.find(what, at + 1);
    if (at >= end)
      return {};
    if (n == nth)
      return std::string(kernel.text).replace(at, what.size(), with);
  }
  return {};
}

bool isFound(const KernelText &kernel, const std::string &text) {
  Generated g(KernelText{text, kernel.launch, kernel.name, kernel.vgprs, kernel.ldsBytes, {}, {}});
  Problem problem = kProblem;
  if (!troubleOf(g, problem).empty())
    return true;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    problem.delays = seed;
    if (!troubleOf(g, problem).empty())
      return true;
  }
  return false;
}

TEST(GenerateFaults, EveryBarrierAndWait) {
  unsigned faults = 0;
  for (const unsigned stages : {1u, 2u})
    for (const unsigned fragments : {1u, 2u})
      for (const Transpose a : {Transpose::No, Transpose::Yes}) {
        const KernelText kernel =
            unwrap(generateKernel(specOfKind(stages, fragments, a)), "generate");
        for (const auto &[what, with] : std::vector<std::pair<std::string, std::string>>{
                 {"s_barrier\n", "s_nop 0\n"},
                 {"s_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(1)"},
                 {"s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(1)"}})
          for (unsigned nth = 0;; ++nth) {
            const std::string text = planted(kernel, what, with, nth);
            if (text.empty())
              break;
            ++faults;
            EXPECT_TRUE(isFound(kernel, text)) << kernel.name << ": " << what << " " << nth;
          }
      }
  EXPECT_GT(faults, 80u);
}

/// The addresses of one stage stay where they are.
TEST(GenerateFaults, WrongStage) {
  const KernelText kernel = unwrap(generateKernel(specOfKind(2, 1, Transpose::No)), "generate");
  unsigned faults = 0;
  for (const std::string what : {"v_add_nc_u32_e32", "v_subrev_nc_u32_e32"})
    for (unsigned nth = 0;; ++nth) {
      const std::string text = planted(kernel, what, "; ", nth);
      if (text.empty())
        break;
      ++faults;
      EXPECT_TRUE(isFound(kernel, text)) << what << " " << nth;
    }
  EXPECT_EQ(faults, 4u);
}

TEST(GenerateFaults, NoneWithoutFaults) {
  for (const unsigned stages : {1u, 2u})
    for (const unsigned fragments : {1u, 2u}) {
      Generated g(specOfKind(stages, fragments, Transpose::No));
      Problem problem = kProblem;
      for (unsigned seed = 1; seed <= kSeeds; ++seed) {
        problem.delays = seed;
        check(g, problem);
      }
    }
}

TEST(GenerateFaults, DISABLED_ThousandSchedules) {
  for (const unsigned fragments : {1u, 2u}) {
    Generated g(specOfKind(2, fragments, Transpose::No));
    Problem problem = kProblem;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
      problem.delays = seed;
      check(g, problem);
    }
    std::printf("%s: 1000 schedules\n", g.kernel.name.c_str());
  }
}

} // namespace
