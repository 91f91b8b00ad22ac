// Equal values mean equal bits: random straight-line programs of the whole op table, executed by
// the emulator and symbolically. RDNA_SEED and RDNA_PROGRAMS choose others than the default.

#include "Programs.h"

namespace rdna::test::programsTest {
namespace {

/// Four parts, so that they can run side by side.
class SymbolicPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(SymbolicPrograms, EqualValuesAreEqualBits) {
  const uint64_t seed = setting("RDNA_SEED", 1) + 1'000'000 * GetParam();
  const uint64_t programs = setting("RDNA_PROGRAMS", 10000) / 4;
  const Code code(seed, 6, 3000);
  ProgramRun run(code, seed);
  run.programs(programs);
  std::printf("%llu programs with 3 changed copies each, %llu instructions of %u, %llu left early, "
              "seed %llu\n",
              static_cast<unsigned long long>(programs),
              static_cast<unsigned long long>(run.executed), code.pool().size(),
              static_cast<unsigned long long>(run.left), static_cast<unsigned long long>(seed));
  EXPECT_LT(run.left, programs * 4 / 5);
}
INSTANTIATE_TEST_SUITE_P(Part, SymbolicPrograms, testing::Range(0u, 4u));

} // namespace
} // namespace rdna::test::programsTest
