// Sums in even and odd registers alike: which ones move, and what stays.

#include "Transform/SumParities.h"

#include "AsmSnippet.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna::test::sumParitiesTest {
namespace {

/// A loop that adds once to each of these sums, which are stored behind it.
std::string loopOf(llvm::ArrayRef<unsigned> sums) {
  std::string before, inside, behind;
  for (const unsigned sum : sums) {
    before += fmt::format("\tv_mov_b32 v{}, 0\n", sum);
    inside += fmt::format("\tv_fmac_f32 v{}, v20, v21\n", sum);
    behind += fmt::format("\tds_store_b32 v0, v{} offset:{}\n", sum, 4 * sum);
  }
  return before + ".L:\n\tds_load_b64 v[20:21], v0\n\ts_waitcnt lgkmcnt(0)\n" + inside +
         "\ts_sub_i32 s2, s2, 1\n\ts_cmp_lg_u32 s2, 0\n\ts_cbranch_scc1 .L\n" + behind;
}

/// Where the sums are then, in the order of the text.
std::vector<unsigned> balanced(const std::string &body, unsigned budget) {
  const auto module = parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  const Liveness liveness = computeLiveness(*module, cfg);
  const FunctionWebs webs = findWebs(*module, cfg, liveness);
  const FactorSite site{*module, cfg, liveness, webs, budget};
  const std::vector<uint64_t> weights(cfg.blocks.size(), 1);
  const Registers registers = balanceSums(site, weights);
  std::vector<unsigned> sums;
  for (const FmacWebs &fmac : findFmacs(site))
    sums.push_back(registers.of[fmac.sum].number);
  return sums;
}

long odd(llvm::ArrayRef<unsigned> sums) {
  return llvm::count_if(sums, [](unsigned reg) { return reg % 2 == 1; });
}

TEST(SumParities, HalfOfThemGoToTheOtherParity) {
  EXPECT_EQ(odd(balanced(loopOf({3, 5, 7, 9}), 64)), 2);
  EXPECT_EQ(odd(balanced(loopOf({2, 4, 6}), 64)), 1);
}

TEST(SumParities, NobodyMovesForNothing) {
  const std::vector<unsigned> even{2, 3, 4, 5}, one{2, 4, 7};
  EXPECT_EQ(balanced(loopOf(even), 64), even);
  EXPECT_EQ(balanced(loopOf(one), 64), one);
}

TEST(SumParities, AnAddressMakesRoom) {
  // v0 to v3 are all that there is beside what is loaded, and v0 is an address.
  const std::string body = "\tds_load_b32 v0, v0\n\ts_waitcnt lgkmcnt(0)\n" + loopOf({1, 3}) +
                           "\tds_load_b64 v[4:5], v0";
  std::string narrow = body;
  for (size_t at; (at = narrow.find("v[20:21]")) != std::string::npos;)
    narrow.replace(at, 8, "v[4:5]");
  for (size_t at; (at = narrow.find("v20, v21")) != std::string::npos;)
    narrow.replace(at, 8, "v4, v5");
  EXPECT_EQ(odd(balanced(narrow, 6)), 1);
}

TEST(SumParities, TuplesAndWhatIsEnteredWithStay) {
  std::string stored = loopOf({2, 4});
  stored += "\tds_store_b64 v0, v[2:3] offset:64\n\tds_store_b64 v0, v[4:5] offset:72\n";
  EXPECT_EQ(odd(balanced(stored, 64)), 0);
  // v0 is the work-item's number.
  EXPECT_EQ(balanced("\tv_fmac_f32 v0, v1, v1\n.L:\n\tv_fmac_f32 v0, v1, v1\n"
                     "\tv_fmac_f32 v0, v1, v1\n\ts_cbranch_scc1 .L\n\tds_store_b32 v1, v0",
                     64),
            (std::vector<unsigned>{0, 0, 0}));
}

} // namespace
} // namespace rdna::test::sumParitiesTest
