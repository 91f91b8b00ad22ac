// A block that is the same in all that a search looks at is not searched again; any other one is.

#include "AsmSnippet.h"

#include "Transform/SearchMemory.h"

#include <gtest/gtest.h>

namespace rdna::searchMemoryTest {
namespace {

/// Searches the first block of a kernel.
std::optional<Solution> searchIn(SearchMemory &memory, const std::string &code,
                                 RemapOptions options = {}, unsigned budget = 32) {
  const auto module = test::parseKernel(code);
  const Cfg cfg = buildCfg(*module, 0);
  const Liveness liveness = computeLiveness(*module, cfg);
  const MemoryFacts facts = memoryFacts(*module, cfg, liveness);
  const FunctionContext context{*module, cfg, liveness, facts};
  RegionModel region;
  const auto left = buildRegion(context, 0, region);
  EXPECT_FALSE(left) << left->reason;
  unsigned hazards = 0;
  const ScheduleCost old = costOf(*module, region, hazards);
  const RegisterSpace space = registerSpace(context, region, budget);
  const FixedRegisters fixed(region.webs.size());
  const auto found = memory.search(context, region, space, fixed, options, old);
  const auto again = Search(context, region, space, fixed, options, old).run();
  EXPECT_EQ(found.has_value(), again.has_value());
  if (found && again) {
    EXPECT_EQ(found->key(), again->key());
    EXPECT_EQ(found->registers, again->registers);
  }
  return found;
}

const std::string kBlock = "\tglobal_load_b32 v1, v0, s[0:1]\n"
                           "\tglobal_load_b32 v2, v0, s[0:1] offset:4\n"
                           "\tglobal_load_b32 v5, v0, s[0:1] offset:8\n"
                           "\tglobal_load_b32 v6, v0, s[0:1] offset:12\n"
                           "\ts_waitcnt vmcnt(0)\n"
                           "\tv_mul_f32 v3, v1, v2\n"
                           "\tv_mul_f32 v4, v5, v6\n"
                           "\tv_fmac_f32 v3, v5, v2\n"
                           "\tv_fmac_f32 v4, v1, v6\n"
                           "\tglobal_store_b64 v0, v[3:4], s[0:1]\n";

std::string with(std::string from, const std::string &what, const std::string &by) {
  for (size_t at = 0; (at = from.find(what, at)) != std::string::npos; at += by.size())
    from.replace(at, what.size(), by);
  return from;
}

TEST(SearchMemory, TheSameBlockIsSearchedOnce) {
  SearchMemory memory;
  ASSERT_TRUE(searchIn(memory, kBlock));
  searchIn(memory, kBlock);
  searchIn(memory, kBlock + "\ts_branch .Lend\n\tv_mov_b32 v7, 0\n.Lend:\n");
  EXPECT_EQ(memory.size(), 2U); // A branch is part of the block.
}

TEST(SearchMemory, WhateverMattersMakesAnotherBlock) {
  SearchMemory memory;
  searchIn(memory, kBlock);
  size_t blocks = 1;
  for (const auto &[what, by] :
       {std::pair("v5", "v7"), std::pair("offset:4", "offset:16"), std::pair("s[0:1]", "s[2:3]"),
        std::pair("v_mul_f32 v3", "v_add_f32 v3"),
        std::pair("v_fmac_f32 v4, v1, v6", "v_fmac_f32 v4, v2, v6")}) {
    searchIn(memory, with(kBlock, what, by));
    EXPECT_EQ(memory.size(), ++blocks) << by;
  }
  RemapOptions options;
  options.splitLoads = SplitLoads::Never;
  searchIn(memory, kBlock, options);
  EXPECT_EQ(memory.size(), ++blocks);
  searchIn(memory, kBlock, {}, 24);
  EXPECT_EQ(memory.size(), ++blocks);
  // A value that lives behind the block.
  searchIn(memory, kBlock + "\ts_branch .Lend\n.Lend:\n\tglobal_store_b32 v0, v1, s[0:1]\n");
  EXPECT_EQ(memory.size(), ++blocks);
}

} // namespace
} // namespace rdna::searchMemoryTest
