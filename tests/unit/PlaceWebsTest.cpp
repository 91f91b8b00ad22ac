// Registers of wanted banks: who stays, who is driven out, and when there is no answer.

#include "Transform/PlaceWebs.h"

#include <gtest/gtest.h>

namespace rdna::placeWebsTest {
namespace {

/// Values that all live at once, with these homes.
struct Crowd {
  FunctionWebs webs;
  Interference apart;

  explicit Crowd(std::initializer_list<unsigned> homes) {
    for (const unsigned home : homes)
      webs.home.push_back(Vgpr{static_cast<uint8_t>(home)});
    apart.homes.resize(homes.size());
    apart.others.resize(homes.size());
    for (WebId w = 0; w < homes.size(); ++w)
      for (WebId other = 0; other < homes.size(); ++other)
        if (other != w)
          apart.others[w].push_back(other);
  }

  std::optional<std::vector<unsigned>> place(std::vector<WebGroup> groups, unsigned budget) const {
    const auto registers = placeWebs(webs, apart, std::move(groups), budget);
    if (!registers)
      return std::nullopt;
    std::vector<unsigned> numbers;
    for (const Vgpr reg : registers->of)
      numbers.push_back(reg.number);
    return numbers;
  }
};

using Numbers = std::vector<unsigned>;

TEST(PlaceWebs, AGoodHomeIsKept) {
  const Crowd crowd{5, 2};
  EXPECT_EQ(crowd.place({{{0}, {1, 3}}, {{1}, {2, 0}}}, 8), (Numbers{5, 2}));
}

TEST(PlaceWebs, BanksDecideElsewhere) {
  const Crowd crowd{5};
  EXPECT_EQ(crowd.place({{{0}, {2}}}, 8), (Numbers{2}));
}

/// The first one lives where the second alone can.
TEST(PlaceWebs, WhoeverHasNoChoiceDrivesOthersOut) {
  Crowd crowd{0, 4};
  for (const unsigned reg : {4U, 8U})
    crowd.apart.homes[1].set(reg);
  EXPECT_EQ(crowd.place({{{0}, {0}}, {{1}, {0}}}, 12), (Numbers{4, 0}));
}

TEST(PlaceWebs, OfEqualRegistersTheOneThatOthersCannotUse) {
  Crowd crowd{1, 3};
  crowd.apart.homes[1].set(4);
  EXPECT_EQ(crowd.place({{{0}, {0}}, {{1}, {0}}}, 8), (Numbers{4, 0}));
}

TEST(PlaceWebs, GroupsGetNeighbours) {
  const Crowd crowd{9, 12, 2};
  EXPECT_EQ(crowd.place({{{2}, {2, 0}}, {{0, 1}, {2}}}, 8), (Numbers{6, 7, 2}));
  EXPECT_EQ(crowd.place({{{2}, {2, 0}}, {{0, 1}, {2}}}, 7), (Numbers{2, 3, 6}))
      << "the single one goes";
}

TEST(PlaceWebs, AWorseBankRatherThanNone) {
  const Crowd crowd{0, 0};
  EXPECT_EQ(crowd.place({{{0}, {0}, {1}}, {{1}, {0}, {1}}}, 4), (Numbers{0, 1}));
}

TEST(PlaceWebs, NoRoomNoAnswer) {
  const Crowd crowd{0, 0};
  EXPECT_FALSE(crowd.place({{{0}, {0}}, {{1}, {0}}}, 4));
  Crowd blocked{0};
  blocked.apart.homes[0].set(0);
  EXPECT_FALSE(blocked.place({{{0}, {0}}}, 4));
}

} // namespace
} // namespace rdna::placeWebsTest
