// What the pass itself leaves alone, where the tool would not even ask it.

#include "VerifySample.h"

#include "Transform/MergeStores.h"

#include <numeric>

namespace rdna::mergeStoresTest {
namespace {

unsigned mergedIn(std::string_view body) {
  const auto module = test::parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  std::vector<uint32_t> blocks(cfg.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0U);
  return mergeStores(*module, cfg, blocks).merged;
}

TEST(MergeStores, GdsIsOtherMemory) {
  EXPECT_EQ(mergedIn("\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4\n"), 1U);
  EXPECT_EQ(mergedIn("\tds_store_b32 v0, v1 gds\n\tds_store_b32 v0, v2 offset:4 gds\n"), 0U);
  EXPECT_EQ(mergedIn("\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4 gds\n"), 0U);
}

TEST(MergeStores, MacrosStayAsTheyAre) {
  const std::string store = "\t.macro store data, at\n\tds_store_b32 v0, \\data offset:\\at\n"
                            "\t.endm\n";
  EXPECT_EQ(mergedIn(store + "\tstore v1, 0\n\tstore v2, 4\n"), 0U);
  EXPECT_EQ(mergedIn(store + "\tds_store_b32 v0, v1\n\tstore v2, 4\n"), 0U);
  // A clause that would have to shrink.
  EXPECT_EQ(mergedIn("\t.macro together\n\ts_clause 0x1\n\t.endm\n\ttogether\n"
                     "\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4\n"),
            0U);
  // A count that would have to become smaller.
  const std::string wait = "\t.macro counted\n\ts_waitcnt lgkmcnt(2)\n\t.endm\n";
  EXPECT_EQ(mergedIn(wait + "\tds_load_b32 v3, v4\n\tds_store_b32 v0, v1\n"
                            "\tds_store_b32 v0, v2 offset:4\n\tcounted\n"
                            "\tv_mov_b32_e32 v5, v3\n\ts_waitcnt lgkmcnt(0)\n"),
            0U);
}

} // namespace
} // namespace rdna::mergeStoresTest
