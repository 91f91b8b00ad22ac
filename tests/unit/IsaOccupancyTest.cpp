// docs/hardware.md, occupancy: the table of VGPR counts is ISA guide 3.3.2.1 and what LLVM prints.

#include "Isa/Occupancy.h"

#include <gtest/gtest.h>

namespace isaOccupancyTest {

using namespace rdna;

namespace {

unsigned waves(unsigned vgprs, uint32_t lds, unsigned group, WorkgroupMode mode) {
  return occupancy({vgprs, lds, group, mode}).wavesPerSimd;
}

TEST(IsaOccupancy, VgprTable) {
  const struct {
    unsigned first, last, waves;
  } rows[] = {{1, 96, 16},   {97, 120, 12}, {121, 144, 10}, {145, 168, 9},
              {169, 192, 8}, {193, 216, 7}, {217, 240, 6},  {241, 256, 5}};
  for (const auto &row : rows)
    for (unsigned vgprs = row.first; vgprs <= row.last; ++vgprs)
      EXPECT_EQ(waves(vgprs, 0, 32, WorkgroupMode::Wgp), row.waves) << vgprs << " VGPRs";
}

TEST(IsaOccupancy, LdsTable) {
  const struct {
    uint32_t bytes;
    unsigned group, wgp, cu;
  } rows[] = {{8192, 128, 16, 16}, {16384, 128, 8, 8}, {32768, 128, 4, 4},
              {33000, 128, 3, 2},  {33000, 256, 6, 4}, {65536, 128, 2, 2}};
  for (const auto &row : rows) {
    EXPECT_EQ(waves(32, row.bytes, row.group, WorkgroupMode::Wgp), row.wgp) << row.bytes;
    EXPECT_EQ(waves(32, row.bytes, row.group, WorkgroupMode::Cu), row.cu) << row.bytes;
  }
}

TEST(IsaOccupancy, WholeWorkgroupsOnly) {
  // 216 VGPRs allow 7 waves, but a group of 4 waves in CU mode puts 2 on each SIMD: 6.
  EXPECT_EQ(waves(216, 8320, 128, WorkgroupMode::Cu), 6u);
  EXPECT_EQ(waves(216, 8320, 128, WorkgroupMode::Wgp), 7u);
  EXPECT_EQ(waves(216, 0, 32, WorkgroupMode::Cu), 7u);
  EXPECT_EQ(waves(216, 0, 1024, WorkgroupMode::Wgp), 0u); // 8 waves a SIMD: the group cannot start
}

TEST(IsaOccupancy, NamesTheBindingLimit) {
  const Occupancy byVgprs = occupancy({186, 8320, 128, WorkgroupMode::Cu});
  EXPECT_EQ(byVgprs.limit, OccupancyLimit::Vgprs);
  EXPECT_EQ(byVgprs.wavesPerSimd, 8u);
  EXPECT_EQ(byVgprs.lift, "144 VGPRs or fewer give 10 waves"); // 168 give 9: no whole group more
  const Occupancy byLds = occupancy({32, 32768, 128, WorkgroupMode::Cu});
  EXPECT_EQ(byLds.limit, OccupancyLimit::Lds);
  EXPECT_EQ(byLds.wavesPerSimd, 4u);
  const Occupancy full = occupancy({96, 0, 128, WorkgroupMode::Cu});
  EXPECT_EQ(full.limit, OccupancyLimit::Waves);
  EXPECT_EQ(full.lift, "");
}

TEST(IsaOccupancy, BudgetKeepsTheWaves) {
  EXPECT_EQ(vgprBudget({186, 8320, 128, WorkgroupMode::Cu}), 192u);
  EXPECT_EQ(vgprBudget({10, 0, 32, WorkgroupMode::Wgp}), 96u);
  EXPECT_EQ(vgprBudget({250, 0, 32, WorkgroupMode::Wgp}), 256u);
}

} // namespace

} // namespace isaOccupancyTest
