// Values of operations that lack a partner, or have conflicts, one by one: what moves, and what has
// to stay.

#include "Transform/Recolour.h"

#include "AsmSnippet.h"

#include <map>

namespace rdna::test::recolourTest {
namespace {

struct Recoloured {
  std::unique_ptr<Module> module;
  FunctionWebs webs;
  Candidate was, now;

  /// A way before has moved values from these registers to those.
  explicit Recoloured(const std::string &body, unsigned budget = 24,
                      const std::map<unsigned, unsigned> &before = {})
      : module(parseKernel(body)) {
    const Cfg cfg = buildCfg(*module, 0);
    const Liveness liveness = computeLiveness(*module, cfg);
    webs = findWebs(*module, cfg, liveness);
    const size_t count = cfg.blocks.back().last - cfg.blocks.front().first;
    const PairedFunction function(*module, cfg, webs,
                                  {std::vector<uint8_t>(count, 0), std::vector<uint8_t>(count, 0)});
    was = function.asItIs();
    Registers registers = was.registers;
    for (WebId w = 0; w < webs.home.size(); ++w)
      if (const auto to = before.find(webs.home[w].number); to != before.end())
        registers.of[w] = Vgpr{static_cast<uint8_t>(to->second)};
    const Candidate from = before.empty() ? was : *function.pairAll(std::move(registers));
    now = recolour({*module, cfg, liveness, webs, budget}, function, from, was);
  }
  size_t moved() const {
    size_t count = 0;
    for (WebId w = 0; w < webs.home.size(); ++w)
      count += now.registers.isHome(webs, w) ? 0 : 1;
    return count;
  }
};

/// Sums of what is loaded, in a pair with a conflict: v4 and v8 are in one bank, on SRC0 and SRC1.
std::string sums(const std::string &loads) {
  return loads + "\ts_waitcnt lgkmcnt(0)\n"
                 "\tv_dual_add_f32 v2, v4, v5 :: v_dual_mul_f32 v3, v6, v8\n"
                 "\tds_store_2addr_b32 v0, v2, v3 offset1:1\n";
}

constexpr const char *kSingles = "\tds_load_b32 v4, v0\n\tds_load_b32 v5, v0 offset:4\n"
                                 "\tds_load_b32 v8, v0 offset:8\n\tds_load_b32 v6, v0 offset:12\n";

TEST(Recolour, ConflictsOfAnyPair) {
  const Recoloured result(sums(kSingles));
  EXPECT_EQ(result.was.pairing.conflicts, 1U);
  EXPECT_EQ(result.now.pairing.conflicts, 0U);
  EXPECT_EQ(result.now.pairing.issues, result.was.pairing.issues);
  EXPECT_EQ(result.moved(), 1U);
}

TEST(Recolour, TuplesMoveAsWholes) {
  const Recoloured result(sums("\tds_load_b64 v[4:5], v0\n\tds_load_b64 v[8:9], v0 offset:8\n"
                               "\tds_load_b32 v6, v0 offset:16\n"));
  EXPECT_EQ(result.now.pairing.conflicts, 0U);
  EXPECT_EQ(result.now.extraLoads, 0U);
}

/// Both sums are even: no VOPD has two even destinations.
TEST(Recolour, ParitiesOfSums) {
  const Recoloured result("\tds_load_b64 v[4:5], v0\n\tds_load_b64 v[10:11], v0 offset:8\n"
                          "\tv_mov_b32 v2, 0\n\tv_mov_b32 v8, 0\n"
                          "\ts_waitcnt lgkmcnt(0)\n"
                          "\tv_fmac_f32 v2, v4, v11\n\tv_fmac_f32 v8, v5, v10\n"
                          "\tds_store_2addr_b32 v0, v2, v8 offset1:1\n");
  EXPECT_EQ(result.was.pairing.singleFmas, 2U);
  EXPECT_EQ(result.now.pairing.singleFmas, 0U);
  EXPECT_LT(result.now.pairing.issues, result.was.pairing.issues);
}

/// Nine values at once, so none of nine registers is free.
std::string nine(const std::string &loads) {
  return loads + "\tds_load_b64 v[2:3], v0 offset:40\n\ts_waitcnt lgkmcnt(0)\n"
                 "\tv_dual_fmac_f32 v2, v4, v5 :: v_dual_fmac_f32 v3, v6, v8\n"
                 "\tds_store_2addr_b32 v0, v2, v3 offset1:1\n"
                 "\tds_store_2addr_b32 v0, v1, v7 offset0:2 offset1:3\n";
}

TEST(Recolour, ValuesExchangeRegisters) {
  const Recoloured result(nine("\tds_load_b32 v1, v0 offset:16\n"
                               "\tds_load_b32 v7, v0 offset:20\n" +
                               std::string(kSingles)),
                          9);
  EXPECT_EQ(result.was.pairing.conflicts, 1U);
  EXPECT_EQ(result.now.pairing.conflicts, 0U);
  EXPECT_EQ(result.moved(), 2U);
}

/// The others are halves of tuples, or in the bank of v5.
TEST(Recolour, StaysWithoutRoom) {
  const std::string body = nine("\tds_load_b32 v1, v0 offset:16\n"
                                "\tds_load_b64 v[6:7], v0 offset:20\n"
                                "\tds_load_b32 v4, v0\n\tds_load_b32 v5, v0 offset:4\n"
                                "\tds_load_b32 v8, v0 offset:8\n");
  EXPECT_EQ(Recoloured(body, 9).moved(), 0U);
  EXPECT_EQ(Recoloured(body, 12).now.pairing.conflicts, 0U);
}

/// v4 or v8 would be well off in v3 and v7, but those hold what is read behind the pair.
TEST(Recolour, RegistersOfOthersAreTaken) {
  const Recoloured result("\tds_load_b64 v[2:3], v0 offset:16\n\tds_load_b32 v7, v0 offset:32\n" +
                          std::string(kSingles) +
                          "\ts_waitcnt lgkmcnt(0)\n"
                          "\tv_dual_add_f32 v20, v4, v5 :: v_dual_mul_f32 v21, v6, v8\n"
                          "\tds_store_2addr_b32 v0, v20, v21 offset1:1\n"
                          "\tds_store_b64 v0, v[2:3] offset:16\n\tds_store_b32 v0, v7 offset:8\n");
  EXPECT_EQ(result.now.pairing.conflicts, 0U);
  EXPECT_EQ(result.moved(), 1U);
  for (WebId w = 0; w < result.webs.home.size(); ++w)
    EXPECT_TRUE(result.now.registers.isHome(result.webs, w) ||
                result.now.registers.of[w].number > 8);
}

/// v11 is beside v10 and v12, which nobody may move, so its own place is not in question here;
/// where another way has put it is taken.
TEST(Recolour, RegistersOfWhatHasMovedAreTaken) {
  const std::string body = "\tds_load_b64 v[10:11], v0 offset:32\n" + std::string(kSingles) +
                           "\tds_load_b64 v[2:3], v0 offset:16\n\ts_waitcnt lgkmcnt(0)\n"
                           "\tv_dual_add_f32 v20, v4, v5 :: v_dual_mul_f32 v21, v6, v8\n"
                           "\tds_store_2addr_b32 v0, v20, v21 offset1:1\n"
                           "\tds_store_b64 v0, v[2:3] offset:16\n"
                           "\tds_store_b64 v0, v[11:12] offset:64\n"
                           "\tds_store_b32 v0, v10 offset:72\n";
  for (const unsigned place : {1U, 7U, 9U, 13U}) {
    const Recoloured result(body, 24, {{11, place}});
    EXPECT_EQ(result.now.pairing.conflicts, 0U);
    for (WebId w = 0; w < result.webs.home.size(); ++w)
      EXPECT_EQ(result.now.registers.of[w].number == place, result.webs.home[w].number == 11)
          << place << ", v" << unsigned{result.webs.home[w].number};
  }
}

TEST(Recolour, NothingMovesWhereNothingIsWanting) {
  EXPECT_EQ(Recoloured("\tds_load_b32 v4, v0\n\tds_load_b32 v5, v0 offset:4\n"
                       "\tds_load_b32 v7, v0 offset:8\n\tds_load_b32 v6, v0 offset:12\n"
                       "\ts_waitcnt lgkmcnt(0)\n"
                       "\tv_dual_add_f32 v2, v4, v5 :: v_dual_mul_f32 v3, v7, v6\n"
                       "\tds_store_2addr_b32 v0, v2, v3 offset1:1\n")
                .moved(),
            0U);
}

} // namespace
} // namespace rdna::test::recolourTest
