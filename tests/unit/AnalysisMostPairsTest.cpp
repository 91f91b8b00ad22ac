#include "Analysis/MostPairs.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace analysisMostPairsTest {

using namespace rdna;

namespace {

/// The largest matching among operations of which neither needs the other, by trying all.
unsigned byTrying(llvm::ArrayRef<llvm::BitVector> needs, uint32_t left) {
  if (left == 0)
    return 0;
  unsigned first = 0;
  while ((left >> first & 1) == 0)
    ++first;
  left &= ~(1u << first);
  unsigned most = byTrying(needs, left);
  for (unsigned other = first + 1; other < needs.size(); ++other)
    if ((left >> other & 1) != 0 && !needs[other].test(first))
      most = std::max(most, 1 + byTrying(needs, left & ~(1u << other)));
  return most;
}

std::vector<llvm::BitVector> randomOrder(std::mt19937 &random, unsigned count, double density) {
  std::bernoulli_distribution isNeeded(density);
  std::vector<llvm::BitVector> needs(count, llvm::BitVector(count));
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < i; ++j)
      if (isNeeded(random)) {
        needs[i].set(j);
        needs[i] |= needs[j];
      }
  return needs;
}

TEST(AnalysisMostPairs, AgreesWithTryingAll) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 600; ++round) {
    const auto needs = randomOrder(random, 1 + round % 10, 0.05 + 0.01 * (round % 45));
    EXPECT_EQ(mostPairs(needs), byTrying(needs, (1u << needs.size()) - 1)) << "round " << round;
  }
}

TEST(AnalysisMostPairs, Extremes) {
  EXPECT_EQ(mostPairs({}), 0U);
  std::mt19937 random(1);
  EXPECT_EQ(mostPairs(randomOrder(random, 1000, 0.0)), 500U);
  EXPECT_EQ(mostPairs(randomOrder(random, 1000, 1.0)), 0U);
}

} // namespace

} // namespace analysisMostPairsTest
