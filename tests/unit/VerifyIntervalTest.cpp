// Intervals with steps, held against every number that they stand for.

#include "Support/Random.h"
#include "Symbolic/Interval.h"

#include <gtest/gtest.h>

#include <set>

namespace rdna::verify::verifyIntervalTest {
namespace {

std::set<int64_t> numbersOf(const Interval &a) {
  std::set<int64_t> numbers;
  if (a.isNone())
    return numbers;
  for (int64_t n = a.least; n <= a.most; n += a.step ? static_cast<int64_t>(a.step) : 1)
    numbers.insert(n);
  return numbers;
}

Interval someInterval(Random &random) {
  const auto least = static_cast<int64_t>(random.below(40)) - 20;
  return Interval{least, least + static_cast<int64_t>(random.below(30)), random.below(7) + 1}
      .normalised();
}

void expectHolds(const Interval &all, int64_t number, const char *what) {
  EXPECT_TRUE(all.contains(Interval::of(number)))
      << what << ": " << number << " in " << all.least << ".." << all.most << " by " << all.step;
}

TEST(VerifyInterval, HoldsWhatItsPartsMake) {
  Random random(7);
  for (unsigned round = 0; round < 400; ++round) {
    const Interval a = someInterval(random), b = someInterval(random);
    const Interval sum = add(a, b).value(), product = multiply(a, b).value(), both = join(a, b);
    for (const int64_t x : numbersOf(a)) {
      expectHolds(both, x, "join");
      expectHolds(moduloDword(a), static_cast<uint32_t>(x), "modulo 2^32");
      for (const int64_t y : numbersOf(b)) {
        expectHolds(sum, x + y, "sum");
        expectHolds(product, x * y, "product");
      }
    }
  }
}

TEST(VerifyInterval, BoundsCutExactly) {
  Random random(8);
  for (unsigned round = 0; round < 400; ++round) {
    const Interval a = someInterval(random);
    const auto bound = static_cast<int64_t>(random.below(80)) - 40;
    std::set<int64_t> below, above, without = numbersOf(a);
    for (const int64_t x : without)
      (x <= bound ? below : above).insert(x);
    EXPECT_EQ(numbersOf(a.atMost(bound)), below) << round;
    EXPECT_EQ(numbersOf(a.atLeast(bound + 1)), above) << round;
    if (bound == a.least || bound == a.most)
      without.erase(bound);
    EXPECT_EQ(numbersOf(a.without(bound)), without) << round;
  }
}

TEST(VerifyInterval, ContainsWhatIsASubset) {
  Random random(9);
  for (unsigned round = 0; round < 2000; ++round) {
    const Interval a = someInterval(random), b = someInterval(random);
    const auto whole = numbersOf(a), part = numbersOf(b);
    EXPECT_EQ(a.contains(b), std::includes(whole.begin(), whole.end(), part.begin(), part.end()))
        << round;
  }
}

TEST(VerifyInterval, StepsSurviveTheCornerIfTheyArePowersOfTwo) {
  const Interval around = moduloDword({-8, 24, 8});
  EXPECT_EQ(around, (Interval{0, 0xfffffff8, 8}));
  EXPECT_EQ(moduloDword({-12, 24, 12}), (Interval{0, 0xfffffffc, 4}));
  EXPECT_EQ(moduloDword({-8, -1, 1}), (Interval{0xfffffff8, 0xffffffff, 1}));
  EXPECT_EQ(multiply({INT64_MAX / 2, INT64_MAX / 2 + 4, 1}, Interval::of(3)), std::nullopt);
}

} // namespace
} // namespace rdna::verify::verifyIntervalTest
