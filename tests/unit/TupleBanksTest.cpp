// Tuples of factors as wholes: what moves, what stays, and what there is no room for.

#include "Transform/TupleBanks.h"

#include "AsmSnippet.h"

#include "Asm/Lane.h"
#include "Isa/Vopd.h"
#include "Transform/FmacWebs.h"

#include <map>

namespace rdna::test::tupleBanksTest {
namespace {

/// Two rows of four steps times a vector, all loaded from LDS.
constexpr const char *kRows = "\tds_load_b128 v[4:7], v0\n"
                              "\tds_load_b128 v[8:11], v0 offset:32\n"
                              "\tds_load_b128 v[12:15], v0 offset:64\n"
                              "\ts_waitcnt lgkmcnt(0)\n"
                              "\tv_mov_b32 v2, 0\n\tv_mov_b32 v3, 0\n"
                              "\tv_fmac_f32 v2, v4, v12\n\tv_fmac_f32 v3, v8, v12\n"
                              "\tv_fmac_f32 v2, v5, v13\n\tv_fmac_f32 v3, v9, v13\n"
                              "\tv_fmac_f32 v2, v6, v14\n\tv_fmac_f32 v3, v10, v14\n"
                              "\tv_fmac_f32 v2, v7, v15\n\tv_fmac_f32 v3, v11, v15\n"
                              "\tds_store_2addr_b32 v0, v2, v3 offset1:1\n";

struct Moved {
  std::unique_ptr<Module> module;
  FunctionWebs webs;
  Registers registers;
  std::vector<FmacWebs> fmacs;

  Moved(const std::string &body, unsigned budget) : module(parseKernel(body)) {
    const Cfg cfg = buildCfg(*module, 0);
    const Liveness liveness = computeLiveness(*module, cfg);
    webs = findWebs(*module, cfg, liveness);
    const FactorSite site{*module, cfg, liveness, webs, budget};
    registers = moveTuples(site);
    fmacs = findFmacs(site);
  }
  unsigned reg(WebId w) const { return registers.of[w].number; }
  unsigned bank(WebId w) const { return reg(w) % 4; }
  bool isHome() const { return registers.of == webs.home; }
};

TEST(TupleBanks, RowsAndVectorBeginInThreeBanks) {
  const Moved moved(kRows, 24);
  ASSERT_EQ(moved.fmacs.size(), 8U);
  for (size_t k = 0; k < 8; k += 2) {
    const FmacWebs &x = moved.fmacs[k], &y = moved.fmacs[k + 1];
    EXPECT_EQ(x.b, y.b);
    EXPECT_NE(moved.bank(x.a), moved.bank(y.a)) << k;
    // One parity for the rows and another for what they are multiplied by.
    EXPECT_EQ(moved.bank(x.a) % 2, moved.bank(y.a) % 2) << k;
    EXPECT_NE(moved.bank(x.a) % 2, moved.bank(x.b) % 2) << k;
    EXPECT_NE(moved.bank(x.sum) % 2, moved.bank(y.sum) % 2) << k;
  }
}

TEST(TupleBanks, TuplesStayWhole) {
  const Moved moved(kRows, 24);
  for (size_t k = 2; k < 8; ++k) {
    EXPECT_EQ(moved.reg(moved.fmacs[k].a), moved.reg(moved.fmacs[k - 2].a) + 1);
    EXPECT_EQ(moved.reg(moved.fmacs[k].b), moved.reg(moved.fmacs[k - 2].b) + 1);
  }
}

TEST(TupleBanks, AllStaysWithoutRoom) {
  std::string body = kRows;
  body.replace(body.find("ds_store"), std::string::npos,
               "ds_store_b64 v0, v[2:3]\n\tds_store_b32 v0, v1 offset:8\n");
  EXPECT_TRUE(Moved(body, 16).isHome());
  EXPECT_FALSE(Moved(body, 20).isHome());
}

TEST(TupleBanks, AllStaysWhereNothingCollides) {
  EXPECT_TRUE(Moved("\tds_load_b64 v[4:5], v0\n\tds_load_b64 v[10:11], v0 offset:32\n"
                    "\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v2, 0\n\tv_mov_b32 v3, 0\n"
                    "\tv_fmac_f32 v2, v4, v11\n\tv_fmac_f32 v3, v5, v10\n"
                    "\tds_store_2addr_b32 v0, v2, v3 offset1:1\n",
                    24)
                  .isHome());
}

TEST(FmacWebs, TuplesGrowAndWhatDoesNotFitTogetherStays) {
  const auto module = parseKernel("\tds_load_b64 v[4:5], v0\n\tds_load_b64 v[6:7], v0\n"
                                  "\ts_waitcnt lgkmcnt(0)\n\tds_store_b128 v0, v[4:7]\n"
                                  "\tds_load_b64 v[8:9], v0\n\tv_mov_b32 v10, v9\n"
                                  "\ts_waitcnt lgkmcnt(0)\n\tds_store_b64 v0, v[9:10]\n");
  const Cfg cfg = buildCfg(*module, 0);
  const FunctionWebs webs = findWebs(*module, cfg, computeLiveness(*module, cfg));
  std::map<size_t, unsigned> bySize;
  for (const auto &tuple : findTuples(*module, webs, [](const OperandWeb &) { return false; }))
    ++bySize[tuple.size()];
  EXPECT_EQ(bySize[4], 1U);
  EXPECT_EQ(bySize[3], 1U); // v8 to v10
}

TEST(FmacWebs, CouplesThatCountMostComeFirst) {
  std::vector<uint8_t> isCoupled(4, 0);
  std::vector<std::pair<WebId, WebId>> taken;
  takeCouples({{{0, 1}, 1}, {{1, 2}, 5}, {{2, 3}, 3}, {{0, 3}, 2}}, isCoupled,
              [&](WebId x, WebId y) {
                taken.emplace_back(x, y);
                return true;
              });
  EXPECT_EQ(taken, (std::vector<std::pair<WebId, WebId>>{{1, 2}, {0, 3}}));
}

} // namespace
} // namespace rdna::test::tupleBanksTest
