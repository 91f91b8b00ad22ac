// Faults that are planted into the main loop of generated kernels: the race check, the wait check
// or the emulator's delays must find each of them, and nothing in the kernel as it was.

#include "generate/KernelHarness.h"

namespace faultTest {

using namespace rdna;
using namespace rdna::generate;
using namespace rdna::test;

namespace {

constexpr unsigned kSeeds = 20; ///< The bench takes 1000.

/// Of 2 x 2 blocks and a few steps: one for 32-bit accesses, one for 128-bit ones.
const Problem kNarrow{65, 63, 41, 0, 0, 0, 1.25f, 0.5f, 1, {}};
const Problem kWide{64, 36, 40, 0, 0, 0, 1.25f, 0.5f, 1, {}};

/// Kernels of every kind: elements by one or two sets of registers from LDS, or scalar ones; each
/// matrix as it is or transposed.
std::vector<KernelSpec> kinds(unsigned stages) {
  std::vector<KernelSpec> all;
  for (const Transpose a : {Transpose::No, Transpose::Yes})
    for (const Transpose b : {Transpose::No, Transpose::Yes})
      for (const unsigned sets : {1u, 2u, 3u}) {
        if (sets == 3 && a == Transpose::No)
          continue; // Scalar ones are of a transposed A.
        KernelSpec spec = sets == 3 ? specOf(16, 64, 8, 2, 8) : specOf(32, 32, 4, 4, 8);
        spec.a = a;
        spec.b = b;
        spec.stages = stages;
        spec.source = sets == 3 ? Source::Scalar : Source::Lds;
        spec.fragments = sets == 3 ? 0 : sets;
        all.push_back(spec);
      }
  return all;
}

/// The kernel with `what` replaced where it stands the `nth` time (from 0) in the main loop of that
/// path; empty if it does not stand there so often.
std::string planted(const KernelText &kernel, const std::string &path, const std::string &what,
                    const std::string &with, unsigned nth) {
  const std::string label = "." + std::string("L") + kernel.name + path;
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

bool isFound(const KernelText &kernel, const std::string &text, Problem problem) {
  Generated g(KernelText{text, kernel.launch, kernel.name, kernel.vgprs, kernel.ldsBytes, {}, {}});
  if (!troubleOf(g, problem).empty())
    return true;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    problem.delays = seed;
    if (!troubleOf(g, problem).empty())
      return true;
  }
  return false;
}

using Replacement = std::pair<std::string, std::string>;

/// How many faults there were.
unsigned checkFaults(const KernelSpec &spec, const std::string &path, const Problem &problem,
                     const std::vector<Replacement> &replacements) {
  const KernelText kernel = unwrap(generateKernel(spec), "generate");
  unsigned faults = 0;
  for (const auto &[what, with] : replacements)
    for (unsigned nth = 0;; ++nth) {
      const std::string text = planted(kernel, path, what, with, nth);
      if (text.empty())
        break;
      ++faults;
      EXPECT_TRUE(isFound(kernel, text, problem))
          << kernel.name << path << ": " << what << " " << nth;
    }
  return faults;
}

const std::vector<Replacement> kBarriersAndWaits{{"s_barrier\n", "s_nop 0\n"},
                                                 {"s_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(1)"},
                                                 {"s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(1)"}};
/// The addresses of one stage stay where they are.
const std::vector<Replacement> kStages{{"v_add_nc_u32_e32", "; "}, {"v_subrev_nc_u32_e32", "; "}};

TEST(GenerateFaults, EveryBarrierAndWait) {
  unsigned faults = 0;
  for (const unsigned stages : {1u, 2u})
    for (const KernelSpec &spec : kinds(stages))
      faults += checkFaults(spec, "_narrow_", kNarrow, kBarriersAndWaits);
  std::printf("%u faults\n", faults);
  EXPECT_GT(faults, 200u);
}

TEST(GenerateFaults, WrongStage) {
  unsigned faults = 0;
  for (const KernelSpec &spec : kinds(2)) {
    const unsigned here = checkFaults(spec, "_narrow_", kNarrow, kStages);
    EXPECT_GE(here, 2u);
    faults += here;
  }
  std::printf("%u faults\n", faults);
}

TEST(GenerateFaults, DISABLED_WidePaths) {
  for (const unsigned stages : {1u, 2u})
    for (const KernelSpec &spec : kinds(stages)) {
      unsigned faults = checkFaults(spec, "_wide_", kWide, kBarriersAndWaits);
      if (stages == 2)
        faults += checkFaults(spec, "_wide_", kWide, kStages);
      EXPECT_GT(faults, 0u);
      std::printf("%u faults in %s\n", faults, unwrap(shapeOf(spec), "shape").name.c_str());
    }
}

/// Two problems for each kind of two-stage kernel.
void checkSchedules(unsigned seeds) {
  for (const KernelSpec &spec : kinds(2)) {
    Generated g(spec);
    for (Problem problem : {kNarrow, kWide}) {
      check(g, problem);
      for (unsigned seed = 1; seed <= seeds; ++seed) {
        problem.delays = seed;
        check(g, problem);
      }
    }
    std::printf("%s: race check and %u schedules, twice\n", g.kernel.name.c_str(), seeds);
  }
}

TEST(GenerateFaults, NoneWithoutFaults) { checkSchedules(kSeeds); }
TEST(GenerateFaults, DISABLED_ThousandSchedules) { checkSchedules(1000); }

} // namespace

} // namespace faultTest
