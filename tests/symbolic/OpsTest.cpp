// Every instruction that the proof has a normal form for, by itself and in the sequences that
// belong together, on corner values: what the emulator computes is what the symbolic value means.
// RDNA_SEED chooses other values than the default.

#include "Programs.h"

#include <set>

namespace rdna::test {
namespace {

TEST(SymbolicOps, EachOnCornerValues) {
  const uint64_t seed = setting("RDNA_SEED", 1);
  const Code code(seed, 12, 0);
  Twin twin(code.pool());
  Random random(seed);
  for (const auto &sequence : code.sequences()) {
    for (unsigned n = 0; n < 12; ++n) {
      twin.forget();
      twin.begin(randomStart(random));
      for (const unsigned instruction : sequence) {
        const auto outcome = twin.step(instruction);
        if (outcome == Twin::Outcome::Left)
          break;
        EXPECT_EQ(outcome, Twin::Outcome::Same) << twin.difference() << "\nseed " << seed;
        if (outcome != Twin::Outcome::Same)
          break;
      }
    }
  }
  std::printf("%zu sequences of %u instructions, seed %llu\n", code.sequences().size(),
              code.pool().size(), static_cast<unsigned long long>(seed));
}

/// Not by a mistake of the generator only: all operations with a meaning were results that were
/// compared. Those that only stand inside of others are compared through these.
TEST(SymbolicOps, AllMeaningsAreCompared) {
  Meaning::compared().clear();
  const Code code(1, 12, 0);
  ProgramRun run(code, 1);
  run.programs(1500);
  const std::set<std::string> inner{"modifier1", "modifier2",    "modifier3",     "long sum64",
                                    "long sum",  "long product", "long product64"};
  for (const std::string &name : Meaning::operations()) {
    const bool isCompared = inner.contains(name) || Meaning::compared()[name] > 0;
    EXPECT_TRUE(isCompared) << name;
  }
}

} // namespace
} // namespace rdna::test
