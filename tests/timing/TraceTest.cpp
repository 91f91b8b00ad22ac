// The issue model against thread traces of real hardware, which lie beside the repository if they
// are there at all.

#include "Support/File.h"
#include "Timing/Replay.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace traceTest {

using namespace rdna;
using namespace rdna::timing;

namespace {

class TraceTest : public testing::Test {
protected:
  static std::vector<Gap> gapsOf(Trace &trace, const std::string &name) {
    auto text = readInput(std::string(RDNA_TRACE_DIR) + "/" + name);
    if (!text) {
      llvm::consumeError(text.takeError());
      return {};
    }
    auto read = readTrace(*text, name);
    auto machine = machineByName("7900xtx");
    if (!read || !machine) {
      ADD_FAILURE() << llvm::toString(read ? machine.takeError() : read.takeError());
      llvm::consumeError(read ? llvm::Error::success() : machine.takeError());
      return {};
    }
    trace = std::move(*read);
    return replay(trace, *machine);
  }
  void SetUp() override {
    if (!std::filesystem::exists(RDNA_TRACE_DIR))
      GTEST_SKIP() << "no thread traces in " RDNA_TRACE_DIR;
  }
  static double percent(unsigned part, unsigned whole) { return 100.0 * part / whole; }
};

TEST_F(TraceTest, VectorIssueOfOddOccurrences) {
  Trace trace;
  const auto gaps = gapsOf(trace, "ops/ops_run0_se1.csv");
  const GapScore odd = score(gaps, GapKind::Vector, Occurrences::Odd);
  ASSERT_GT(odd.samples, 280u);
  EXPECT_GE(percent(odd.exact, odd.samples), 95);
  EXPECT_GE(percent(odd.withinOne, odd.samples), 99);
  EXPECT_GT(odd.exact, odd.constantExact);
}

TEST_F(TraceTest, ScalarAndLdsIssueOfOddOccurrences) {
  Trace trace;
  const auto gaps = gapsOf(trace, "ops/ops_run0_se1.csv");
  const GapScore scalar = score(gaps, GapKind::Scalar, Occurrences::Odd);
  EXPECT_GE(percent(scalar.exact, scalar.samples), 95);
  EXPECT_GE(percent(scalar.withinOne, scalar.samples), 99);
  EXPECT_GT(scalar.exact, scalar.constantExact);
  const GapScore lds = score(gaps, GapKind::Lds, Occurrences::Odd);
  EXPECT_GE(percent(lds.exact, lds.samples), 90);
  EXPECT_GT(lds.exact, lds.constantExact);
}

TEST_F(TraceTest, BarriersAndWaitsForLds) {
  for (const char *name : {"sync/sync_run0_se1.csv", "sync/sync_run1_se1.csv"}) {
    Trace trace;
    const auto gaps = gapsOf(trace, name);
    const GapScore barrier = score(gaps, GapKind::Barrier, Occurrences::All);
    EXPECT_EQ(barrier.samples, 2u) << name;
    EXPECT_EQ(barrier.withinTwo, barrier.samples) << name;
    const GapScore wait = score(gaps, GapKind::LdsWait, Occurrences::All);
    EXPECT_EQ(wait.samples, 4u) << name;
    EXPECT_EQ(wait.exact, wait.samples) << name;
  }
}

// What follows from issue to issue with nothing measured in between but the waits for cold memory.
TEST_F(TraceTest, DurationsOfWaves) {
  for (const char *name : {"sync/sync_run0_se1.csv", "sync/sync_run1_se1.csv",
                           "plus/plus_run0_se1.csv", "plus/plus_run1_se1.csv"}) {
    Trace trace;
    (void)gapsOf(trace, name);
    const auto waves = durations(trace, llvm::cantFail(machineByName("7900xtx")));
    EXPECT_FALSE(waves.empty()) << name;
    for (const WaveClocks &wave : waves)
      EXPECT_NEAR(static_cast<double>(wave.predicted), static_cast<double>(wave.measured),
                  0.05 * static_cast<double>(wave.measured))
          << name;
  }
}

// A counter of mask writes that is full is waited for until it is empty.
TEST_F(TraceTest, ComparisonsWaitForTheirMasks) {
  Trace trace;
  const auto gaps = gapsOf(trace, "ops/ops_run0_se1.csv");
  unsigned stalls = 0, right = 0;
  for (const Gap &gap : gaps)
    if (gap.kind == GapKind::Vector && gap.left == Gap::Left::No && gap.measured >= 9 &&
        gap.measured <= 10)
      ++stalls, right += gap.measured == gap.predicted;
  EXPECT_GE(stalls, 20u);
  EXPECT_EQ(right, stalls);
}

} // namespace

} // namespace traceTest
