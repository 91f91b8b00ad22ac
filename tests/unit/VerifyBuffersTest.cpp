// What the proof says of a loop that gets a second LDS buffer if nobody claims that it does:
// BufferProofTest.cpp has it with the claim.

#include "BufferPair.h"

namespace rdna::test::verifyBuffersTest {
namespace {

using testing::HasSubstr;

TEST(VerifyBuffers, TwoBuffersAreRefusedUnclaimed) {
  const std::string one = readPair("one-buffer.s"), two = readPair("two-buffers.s");
  EXPECT_EQ(refusalOfTexts(one, one), "");
  EXPECT_EQ(refusalOfTexts(two, two), "");
  // Numbers of the descriptor.
  EXPECT_THAT(refusalOfTexts(one, two),
              HasSubstr("'.amdhsa_group_segment_fixed_size 512' stands where the original has"));
  // Were the original's LDS as large: barriers.
  const std::string larger =
      replaced(replaced(replaced(one, "segment_fixed_size 256", "segment_fixed_size 512"),
                        "group_segment_fixed_size: 256", "group_segment_fixed_size: 512"),
               "private_segment_fixed_size: 0\n",
               "private_segment_fixed_size: 0\n    .reqd_workgroup_size: [64, 1, 1]\n");
  EXPECT_THAT(refusalOfTexts(larger, two), HasSubstr("the writes to LDS before this point differ"));
  // Were there as many of them: addresses that the iterations take turns with.
  EXPECT_THAT(refusalOfTexts(larger, replaced(two, "\tv_xor_b32_e32 v1, 0x100",
                                              "\ts_barrier\n\tv_xor_b32_e32 v1, 0x100")),
              HasSubstr("v1 differs on entry to the code at the original's line 21"));
}

} // namespace
} // namespace rdna::test::verifyBuffersTest
