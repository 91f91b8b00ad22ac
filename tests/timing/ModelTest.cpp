// Parts of the timing model by themselves.

#include "Timing/Alcop.h"
#include "Timing/Machine.h"
#include "Timing/Memory.h"
#include "Timing/Recording.h"

#include <gtest/gtest.h>

#include <set>

namespace modelTest {

using namespace rdna;
using namespace rdna::timing;

namespace {

std::array<uint64_t, 32> strided(uint64_t step) {
  std::array<uint64_t, 32> at{};
  for (unsigned lane = 0; lane < 32; ++lane)
    at[lane] = lane * step;
  return at;
}

TEST(LdsPasses, NeighboursNeedAPassForEachDword) {
  EXPECT_EQ(ldsPasses(strided(4), ~0u, 4), 1u);
  EXPECT_EQ(ldsPasses(strided(8), ~0u, 8), 2u);
  EXPECT_EQ(ldsPasses(strided(16), ~0u, 16), 4u);
}

TEST(LdsPasses, ConflictsAndBroadcasts) {
  EXPECT_EQ(ldsPasses(strided(128), ~0u, 4), 32u); // All in one bank.
  EXPECT_EQ(ldsPasses(strided(132), ~0u, 4), 1u);  // Padded by a dword.
  EXPECT_EQ(ldsPasses(strided(0), ~0u, 4), 1u);    // One dword for all.
  EXPECT_EQ(ldsPasses(strided(8), ~0u, 4), 2u);
  EXPECT_EQ(ldsPasses(strided(128), 1, 4), 1u);
  EXPECT_EQ(ldsPasses(strided(128), 0, 4), 0u);
}

TEST(Tags, LeastRecentlyUsedGoesFirst) {
  Tags tags(4, 2); // Two sets.
  EXPECT_FALSE(tags.touch(0));
  EXPECT_FALSE(tags.touch(2));
  EXPECT_TRUE(tags.touch(0));
  EXPECT_FALSE(tags.touch(4)); // Takes the place of 2.
  EXPECT_TRUE(tags.touch(0));
  EXPECT_FALSE(tags.touch(2));
}

TEST(Machine, EveryConstantHasASourceAndLiesInItsRange) {
  std::set<std::string_view> names;
  unsigned fitted = 0;
  for (const ConstantRow &row : constantRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.source.empty()) << row.name;
    EXPECT_LE(row.low, row.value) << row.name;
    EXPECT_GE(row.high, row.value) << row.name;
    fitted += row.certainty == Certainty::Fitted;
  }
  EXPECT_LE(fitted, 3u);
}

TEST(Machine, FilesChangeADevice) {
  auto machine = readMachine(
      R"({"base": "7900xtx", "cus": 40, "constants": {"BankPenalty": 0.25}})", "m.json");
  ASSERT_TRUE(bool(machine));
  EXPECT_EQ(machine->device().cus, 40u);
  EXPECT_EQ((*machine)[Constant::BankPenalty], 0.25);
  for (const char *text :
       {"{}", "[]", R"({"base": "9000"})", R"({"base": "7600", "cu": 3})",
        R"({"base": "7600", "constants": {"Bank": 1}})", R"({"base": "7600", "cus": -1})", "{"}) {
    auto bad = readMachine(text, "m.json");
    EXPECT_FALSE(bool(bad)) << text;
    llvm::consumeError(bad.takeError());
  }
}

TEST(Alcop, LoopsOfLoadAndUse) {
  const auto loop = [](double load, double together, double stages) {
    return pipelinedLoop({.load = load, .use = 5, .together = together, .stages = stages}, 100);
  };
  EXPECT_EQ(loop(10, 5, 1), 1500);  // Nothing overlaps.
  EXPECT_EQ(loop(4, 5, 2), 500);    // Hidden by the other stage.
  EXPECT_EQ(loop(10, 15, 1), 1500); // Hidden by two other workers.
  EXPECT_EQ(loop(10, 20, 1), 2000); // By three.
  EXPECT_EQ(loop(25, 5, 2), 1500);  // Half of it.
  EXPECT_EQ(loop(25, 5, 1), 3000);  // Workers that share nothing wait side by side.
}

/// Of a wave that goes on behind its record, what lies behind is as the second half of that is.
TEST(Alcop, ARecordThatEndsGoesOnAsItsSecondHalf) {
  auto machine = machineByName("7900xtx");
  ASSERT_TRUE(bool(machine));
  Recording recording;
  recording.ops.resize(2);
  recording.ops[0].issue = IssueClass::Scalar;
  recording.ops[1].issue = IssueClass::Vector;
  GroupStream group;
  group.waves.resize(1);
  group.waves[0].steps = {0, 0, 0, 1, 0, 1, 0, 1};
  group.waves[0].executed = 8;
  recording.groups.push_back(group);
  EXPECT_EQ(countNest(recording, *machine).vectorClocks, 3);
  recording.groups[0].waves[0].executed = 108;
  EXPECT_EQ(countNest(recording, *machine).vectorClocks, 3 + 50);
}

/// A fragment is loaded during the use of another one where FMACs stand between loads and wait.
TEST(Alcop, FragmentsThatAreLoadedAhead) {
  auto machine = machineByName("7900xtx");
  ASSERT_TRUE(bool(machine));
  Recording recording;
  recording.ops.resize(3);
  enum : uint32_t { Load, Fmac, Wait };
  recording.ops[Load].issue = IssueClass::Lds;
  recording.ops[Load].resultDwords = 4;
  recording.ops[Fmac].issue = IssueClass::Vector;
  recording.ops[Wait].issue = IssueClass::Wait;
  recording.ops[Wait].wait.lgkm = 0;
  GroupStream group;
  group.waves.resize(1);
  group.waves[0].memory.resize(2);
  const auto stages = [&](std::vector<uint32_t> steps) {
    group.waves[0].executed = steps.size();
    group.waves[0].steps = std::move(steps);
    recording.groups = {group};
    return countNest(recording, *machine).fragmentStages;
  };
  EXPECT_EQ(stages({Load, Wait, Fmac, Fmac, Load, Wait, Fmac, Fmac}), 1);
  EXPECT_EQ(stages({Load, Fmac, Fmac, Wait, Load, Fmac, Fmac, Wait}), 2);
}

} // namespace

} // namespace modelTest
