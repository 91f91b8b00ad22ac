// What the proof says today of a loop that gets a second LDS buffer. It is a right rewrite
// (tests/lit/hsaco-loader/lds-buffers.test); each message is a part of what the proof has to learn
// (docs/design.md, "Loops with several LDS buffers").

#include "VerifySample.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace rdna::test {
namespace {

using testing::HasSubstr;

std::string read(const char *name) {
  std::ifstream file(std::string(RDNA_SOURCE_DIR "/tests/lit/hsaco-loader/Inputs/") + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string refusalOf(const std::string &before, const std::string &after) {
  auto was = Module::parse(before, "before.s"), now = Module::parse(after, "after.s");
  if (was && now)
    return refusal(**was, **now);
  ADD_FAILURE() << "not parsed";
  return {};
}

TEST(VerifyBuffers, TwoBuffersAreRefused) {
  const std::string one = read("one-buffer.s"), two = read("two-buffers.s");
  EXPECT_EQ(refusalOf(one, one), "");
  EXPECT_EQ(refusalOf(two, two), "");
  // Numbers of the descriptor.
  EXPECT_THAT(refusalOf(one, two),
              HasSubstr("'.amdhsa_group_segment_fixed_size 512' stands where the original has"));
  // Were the original's LDS as large: barriers.
  const std::string larger =
      replaced(replaced(one, "segment_fixed_size 256", "segment_fixed_size 512"),
               "segment_fixed_size: 256", "segment_fixed_size: 512");
  EXPECT_THAT(refusalOf(larger, two), HasSubstr("the writes to LDS before this point differ"));
  // Were there as many of them: addresses that the trips take turns with.
  EXPECT_THAT(refusalOf(larger, replaced(two, "\tv_xor_b32_e32 v1, 0x100",
                                         "\ts_barrier\n\tv_xor_b32_e32 v1, 0x100")),
              HasSubstr("v1 differs on entry to the code at the original's line 21"));
}

} // namespace
} // namespace rdna::test
