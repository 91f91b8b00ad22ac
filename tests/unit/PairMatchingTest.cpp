#include "Transform/PairMatching.h"

#include "gtest/gtest.h"

namespace rdna::pairMatchingTest {
namespace {

// Even operations are 0, 2 and 4, odd ones 1, 3 and 5.
constexpr size_t kEven[] = {0, 2, 4};

PairMatching matchingOf(std::initializer_list<std::pair<size_t, size_t>> pairs) {
  PairMatching matching;
  matching.reset(6);
  for (const auto &[a, b] : pairs)
    matching.join(a, b);
  return matching;
}

TEST(PairMatching, AugmentsAlongOthersPartners) {
  PairMatching matching = matchingOf({{0, 1}});
  matching.augmentFrom(kEven, {{1, 3}, {}, {1}, {}, {}, {}});
  EXPECT_EQ(matching.partner(2), 1U);
  EXPECT_EQ(matching.partner(0), 3U);
  EXPECT_TRUE(matching.isAlone(4));
}

TEST(PairMatching, NobodyLosesHisPartner) {
  PairMatching matching = matchingOf({{0, 1}});
  matching.augmentFrom(kEven, {{1}, {}, {1}, {}, {1}, {}});
  EXPECT_EQ(matching.partner(0), 1U);
  EXPECT_TRUE(matching.isAlone(2));
}

TEST(PairMatching, BadPairsGoWhereAsManyOthersAreLeft) {
  PairMatching matching = matchingOf({{0, 1}, {2, 3}});
  const auto isBad = [](size_t a, size_t b) { return a + 1 == b; };
  // 0 finds 5; 2 finds nobody, and nobody finds 3.
  matching.replace(kEven, {{5}, {}, {}, {}, {}, {}}, isBad);
  EXPECT_EQ(matching.partner(0), 5U);
  EXPECT_TRUE(matching.isAlone(1));
  EXPECT_EQ(matching.partner(2), 3U);
}

TEST(PairMatching, ABadPairGoesForOneOfAnotherEvenOperation) {
  PairMatching matching = matchingOf({{0, 1}});
  matching.replace(kEven, {{}, {}, {}, {}, {1}, {}}, [](size_t a, size_t) { return a == 0; });
  EXPECT_EQ(matching.partner(4), 1U);
  EXPECT_TRUE(matching.isAlone(0));
}

} // namespace
} // namespace rdna::pairMatchingTest
