// Interpreter and JIT agree on random loops of the kind that the JIT compiles several iterations of
// at once: loads from LDS at addresses that move, accumulations over what they load, scalars.
// Offsets, sizes of LDS, and registers are such that now and then lanes leave LDS, addresses wrap
// around, and results lie over what is still needed. RDNA_SEED and RDNA_PROGRAMS choose others than
// the default.

#include "ExpectSame.h"
#include "LoopWriter.h"
#include "Setting.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::test::engineLoopsTest {
namespace {

/// 18 accumulators, from v100 on, of two registers.
std::string sumsOf(const std::string &a, const std::string &b) {
  std::string t;
  for (unsigned n = 0; n < 18; ++n)
    t += fmt::format("\tv_mad_u32_u24 v{0}, {1}, {2}, v{0}\n", 100 + n, n % 2 ? a : b,
                     n % 3 ? a : b);
  return t;
}

const std::string nextIteration =
    "\ts_sub_u32 s20, s20, 1\n\ts_cmp_lg_u32 s20, 0\n\ts_cbranch_scc1 ";

/// Addresses that are in range only because they wrap around, in some iterations.
TEST(EngineLoops, AddressesWrapAround) {
  for (const char *address : {"v_add_nc_u32 v20, -8, v255", "v_add_nc_u32 v20, 0xffff8008, v255",
                              "v_mov_b32 v20, 0xffff0010"})
    for (auto [first, second] : {std::pair{16, 4}, std::pair{32768, 65532}})
      for (const char *step : {"4", "-4", "s21", "0x80000000"}) {
        SCOPED_TRACE(fmt::format("{}, offsets {} and {}, {}", address, first, second, step));
        Snippet s;
        s.body = fmt::format("\tds_store_b32 v255, v255\n\tds_store_b32 v255, v0 offset:128\n\t{}\n"
                             "\ts_movk_i32 s20, 19\n\ts_mov_b32 s21, -12\n.Lloop:\n"
                             "\tds_load_b32 v30, v20 offset:{}\n\tds_load_b96 v[31:33], v20 "
                             "offset:{}\n\tv_add_nc_u32 v20, {}, v20\n",
                             address, first, second, step) +
                 sumsOf("v30", "v32") + nextIteration + ".Lloop\n\tv_mov_b32 v118, v33\n";
        s.directives += "\t.amdhsa_group_segment_fixed_size 500\n";
        s.outputs = 19;
        EXPECT_EQ(expectSame(s).run.loopsAtOnce, 1u);
      }
}

/// Two waves, one of which stores what the other loads: their sums show where time slices end.
TEST(EngineLoops, TimeSlicesEndWhereTheyDid) {
  for (unsigned before : {0u, 1u, 5u}) {
    Snippet s;
    s.body = "\tds_store_b32 v255, v255\n\tv_bfe_u32 v21, v0, 5, 5\n"
             "\tv_readfirstlane_b32 s22, v21\n\ts_movk_i32 s20, 0x7000\n\ts_barrier\n";
    for (unsigned n = 0; n < before; ++n)
      s.body += "\ts_mov_b32 s21, 0\n";
    s.body += "\ts_cmp_eq_u32 s22, 1\n\ts_cbranch_scc1 .Lother\n.Lloop:\n"
              "\tds_load_b32 v30, v255\n\tds_load_b32 v31, v255 offset:128\n" +
              sumsOf("v30", "v31") + nextIteration + ".Lloop\n\ts_branch .Ldone\n.Lother:\n" +
              "\tds_store_b32 v255, v32\n\tv_add_nc_u32 v32, 3, v32\n" + sumsOf("v32", "v255") +
              nextIteration + ".Lother\n.Ldone:\n\tv_mul_u32_u24 v252, 512, v21\n" +
              "\tv_lshl_add_u32 v255, v255, 2, v252\n" +
              "\tglobal_store_b128 v255, v[114:117], s[4:5]\n";
    s.directives += "\t.amdhsa_group_segment_fixed_size 256\n";
    s.lanes = 64;
    s.outputs = 0;
    s.ownRows = 8;
    SnippetResult r = expectSame(s);
    EXPECT_EQ(r.run.loopsAtOnce, 1u);
    EXPECT_GT(r.run.instructions, 1u << 20);
  }
}

/// The instruction that a wave's budget ends at is the same as well.
TEST(EngineLoops, BudgetEndsInside) {
  for (unsigned before = 0; before < 3; ++before) {
    Snippet s;
    for (unsigned n = 0; n < before; ++n)
      s.body += "\ts_mov_b32 s21, 0\n";
    s.body += "\ts_mov_b32 s20, 0\n.Lloop:\n\tds_load_b32 v30, v255\n" + sumsOf("v30", "v255") +
              nextIteration + ".Lloop\n";
    s.directives += "\t.amdhsa_group_segment_fixed_size 256\n";
    s.engine = emu::Engine::Interpreter;
    const std::string error = errorOf(s);
    s.engine = emu::Engine::Jit;
    EXPECT_EQ(errorOf(s), error);
    EXPECT_NE(error.find("budget"), std::string::npos) << error;
  }
}

/// Two parts, so that they can run side by side.
class RandomEngineLoops : public testing::TestWithParam<unsigned> {};

TEST_P(RandomEngineLoops, Agree) {
  const uint64_t seed = setting("RDNA_SEED", 1) + 1'000'000 * GetParam();
  const uint64_t programs = setting("RDNA_PROGRAMS", 20) / 2;
  uint64_t atOnce = 0, inRange = 0;
  for (uint64_t n = 0; n < programs && !HasFailure(); ++n) {
    const Snippet s = LoopWriter(seed + n).write();
    const SnippetResult r = expectSame(s);
    atOnce += r.run.loopsAtOnce;
    inRange += r.run.outOfBounds.empty();
    if (HasFailure())
      ADD_FAILURE() << "seed " << seed + n << "\n" << s.body;
  }
  EXPECT_GT(atOnce, programs / 4);
  EXPECT_GT(inRange, programs / 6);
  std::printf("%llu loops from seed %llu, %llu several iterations at once, %llu inside of LDS\n",
              (unsigned long long)programs, (unsigned long long)seed, (unsigned long long)atOnce,
              (unsigned long long)inRange);
}
INSTANTIATE_TEST_SUITE_P(Part, RandomEngineLoops, testing::Range(0u, 2u));

} // namespace
} // namespace rdna::test::engineLoopsTest
