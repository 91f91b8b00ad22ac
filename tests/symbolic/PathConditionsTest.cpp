// What follows from the conditions of a path holds: random scalar programs, whose conditions are
// learnt as they came out on the emulator, one after the other; what is then concluded of the
// others must be what they are there.

#include "Programs.h"

#include "Symbolic/PathConditions.h"

namespace rdna::test::pathConditionsTest {
namespace {

using verify::Value;

struct Condition {
  Value value;
  uint32_t is;
};

class SymbolicFacts : public testing::TestWithParam<unsigned> {};

TEST_P(SymbolicFacts, WhatFollowsHolds) {
  const uint64_t seed = setting("RDNA_SEED", 1) + 1'000'000 * GetParam();
  const uint64_t programs = setting("RDNA_PROGRAMS", 10000) / 2;
  const Code code(conditionSequences(seed, 40), {});
  Twin twin(code.pool());
  uint64_t concluded = 0, asked = 0;
  for (uint64_t n = 0; n < programs && !HasFailure(); ++n) {
    Random random(seed * 1000003 + n);
    twin.forget();
    twin.begin(nearbyStart(random));
    std::vector<Condition> conditions;
    std::string listing;
    for (unsigned count = 10 + random.below(20); count > 0; --count)
      for (const unsigned instruction :
           code.sequences()[random.below(unsigned(code.sequences().size()))]) {
        listing += "\t" + code.pool().line(instruction) + "\n";
        ASSERT_EQ(twin.step(instruction), Twin::Outcome::Same) << twin.difference() << listing;
        conditions.push_back({twin.state()[kScc], twin.scalar(kScc)});
        const RegUnit unit = RegUnit::scalar(16 + random.below(8));
        conditions.push_back({twin.state()[unit], twin.scalar(unit)});
      }
    verify::ExprPool &values = twin.values();
    verify::PathConditions facts;
    for (unsigned learnt = 1 + random.below(6); learnt > 0; --learnt) {
      const Condition &c = conditions[random.below(unsigned(conditions.size()))];
      facts.learn(values, c.value, c.is != 0);
    }
    for (const Condition &c : conditions) {
      const bool isConstant = values.asConstant(c.value).has_value();
      asked += !isConstant;
      const auto nonzero = facts.isNonzero(values, c.value);
      if (!nonzero)
        continue;
      concluded += !isConstant;
      EXPECT_EQ(*nonzero, c.is != 0)
          << values.render(c.value) << "\nprogram " << n << " of RDNA_SEED=" << seed << "\n"
          << listing;
    }
  }
  EXPECT_GT(concluded, asked / 50);
  std::printf("%llu programs, %llu of %llu conditions follow, seed %llu\n",
              static_cast<unsigned long long>(programs), static_cast<unsigned long long>(concluded),
              static_cast<unsigned long long>(asked), static_cast<unsigned long long>(seed));
}
INSTANTIATE_TEST_SUITE_P(Part, SymbolicFacts, testing::Range(0u, 2u));

} // namespace
} // namespace rdna::test::pathConditionsTest
