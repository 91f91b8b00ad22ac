// Every instruction that the proof has a normal form for, by itself and in the sequences that
// belong together, on corner values: what the emulator computes is what the symbolic value means.
// RDNA_SEED chooses other values than the default.

#include "Programs.h"

#include <fmt/format.h>

#include <set>

namespace rdna::test::opsTest {
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

/// Random amounts leave out some, and each may be a case of its own.
TEST(SymbolicOps, EachShiftByEachAmount) {
  std::vector<std::vector<std::string>> shifts;
  for (unsigned amount = 0; amount <= 64; ++amount)
    for (const char *shift :
         {"v_lshlrev_b32_e32 v3, {}, v2", "v_lshrrev_b32_e32 v3, {}, v2",
          "v_ashrrev_i32_e32 v3, {}, v2", "v_lshlrev_b64 v[4:5], {}, v[2:3]",
          "v_lshrrev_b64 v[4:5], {}, v[2:3]", "v_ashrrev_i64 v[4:5], {}, v[2:3]",
          "v_lshl_add_u32 v4, v2, {}, v3", "v_add_lshl_u32 v4, v2, v3, {}",
          "v_lshl_or_b32 v4, v2, {}, v3", "v_alignbit_b32 v4, v2, v3, {}",
          "s_lshl_b32 s16, s17, {}", "s_lshr_b32 s16, s17, {}", "s_ashr_i32 s16, s17, {}",
          "s_lshl_b64 s[16:17], s[18:19], {}", "s_lshr_b64 s[16:17], s[18:19], {}",
          "s_ashr_i64 s[16:17], s[18:19], {}"})
      shifts.push_back({fmt::format(fmt::runtime(shift), amount)});
  const Code code(shifts, {});
  ASSERT_EQ(code.sequences().size(), shifts.size());
  Twin twin(code.pool());
  Random random(setting("RDNA_SEED", 1));
  for (const auto &sequence : code.sequences())
    for (unsigned n = 0; n < 4; ++n) {
      twin.forget();
      twin.begin(randomStart(random));
      EXPECT_EQ(twin.step(sequence.front()), Twin::Outcome::Same) << twin.difference();
    }
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
} // namespace rdna::test::opsTest
