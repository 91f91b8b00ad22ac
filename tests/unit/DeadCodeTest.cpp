#include "Transform/DeadCode.h"
#include "AsmSnippet.h"

namespace rdna::test::deadCodeTest {
namespace {

unsigned dead(std::string_view lines) {
  const auto module = parseKernel(lines);
  return removeDeadCode(*module, buildCfg(*module, 0)).instructions;
}

TEST(DeadCode, M0MayChooseAnyScalar) {
  const std::string move = "s_mov_b32 s7, 1\n";
  EXPECT_EQ(dead(move), 1U);
  EXPECT_EQ(dead(move + "s_movrels_b32 s0, s4\nv_mov_b32 v1, s0\nglobal_store_b32 v[2:3], v1, off"),
            0U);
}

} // namespace
} // namespace rdna::test::deadCodeTest
