// What the proof of texts that do things earlier than others knows of values: what is the same in
// all lanes, in LDS at launch, behind a symbol; and of accesses in the epilogue.

#include "BufferPair.h"

namespace rdna::test::aheadFactsTest {
namespace {

using testing::HasSubstr;

const std::string kLoad = "\tglobal_load_b32 v4, v1, s[2:3]\n";
const std::string kArrived = "\ts_waitcnt vmcnt(0)\n";
const std::string kStore = "\tds_store_b32 v1, v4\n";
const std::string kMeet = "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n";
const std::string kRead = "\tds_load_b32 v5, v2\n\ts_waitcnt lgkmcnt(0)\n";
const std::string kOut = "\tglobal_store_b32 v1, v5, s[2:3]\n";

// A division of numbers that are the same in all lanes, as compilers begin it.
TEST(AheadFacts, WhatIsComputedOfNumbersOfTheLaunchIsTheSameInAllLanes) {
  const std::string divide = "\tv_cvt_f32_u32_e32 v6, s4\n\tv_rcp_iflag_f32_e32 v6, v6\n"
                             "\ts_waitcnt_depctr 0xfff\n\tv_mul_f32_e32 v6, 0x4f7ffffe, v6\n"
                             "\tv_cvt_u32_f32_e32 v6, v6\n";
  const std::string branch = "\tv_readfirstlane_b32 s5, v6\n\ts_cmp_eq_u32 s5, 0\n"
                             "\ts_cbranch_scc1 .LEND\n",
                    tile = kLoad + kArrived + kStore + kMeet + kRead + kOut + ".LEND:\n";
  const auto refused = [&](const std::string &value) {
    return refusalAhead(value + branch + tile, value + branch + tile);
  };
  const char *apart = "waves may have gone different ways";
  EXPECT_EQ(refused(divide), "");
  EXPECT_EQ(refused(replaced(divide, "v_mul_f32_e32 v6, 0x4f7ffffe, v6",
                             "v_dual_mul_f32 v6, 0x4f7ffffe, v6 :: v_dual_mov_b32 v7, 0")),
            "");
  // Of lanes, of the mask's bits, of where a lane stands, of some lanes alone, or of memory.
  EXPECT_THAT(refused(replaced(divide, "v6, s4", "v6, v0")), HasSubstr(apart));
  EXPECT_THAT(refused(divide + "\tv_cmp_eq_u32_e32 vcc_lo, s4, v0\n"
                               "\tv_cndmask_b32_e32 v6, 0, v6, vcc_lo\n"),
              HasSubstr(apart));
  EXPECT_THAT(refused("\tv_mbcnt_lo_u32_b32 v6, s4, 0\n"), HasSubstr(apart));
  EXPECT_THAT(refused("\tv_mov_b32_e32 v6, v0\n\tv_cmp_eq_u32_e32 vcc_lo, s4, v0\n"
                      "\ts_and_saveexec_b32 s8, vcc_lo\n" +
                      divide + "\ts_mov_b32 exec_lo, s8\n"),
              HasSubstr(apart));
  EXPECT_THAT(refused("\tv_mov_b32_e32 v6, v0\n\tv_cvt_f16_f32_e32 v6.l, s4\n"), HasSubstr(apart));
  EXPECT_THAT(refused("\tv_mov_b32_e32 v6, v0\n\tv_writelane_b32 v6, s4, 3\n"), HasSubstr(apart));
}

// A tile that is not whole leaves what was there before: of the last tile, or from before the
// launch. Both texts find the same there as long as they arrange LDS alike.
TEST(AheadFacts, WhatLdsHoldsAtLaunchIsTheSame) {
  const std::string some = "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n\ts_and_saveexec_b32 s8, vcc_lo\n",
                    all = "\ts_mov_b32 exec_lo, s8\n",
                    tile = some + kLoad + kArrived + kStore + all + kMeet + kRead + kOut,
                    early =
                        some + kLoad + all + some + kArrived + kStore + all + kMeet + kRead + kOut;
  EXPECT_EQ(refusalAhead(tile, tile), "");
  EXPECT_EQ(refusalAhead(tile, early), "");
  EXPECT_EQ(refusalAhead(kRead + kOut, kRead + kOut), "");
  const char *other = "is not what the original loads";
  EXPECT_THAT(refusalAhead(kRead + kOut, replaced(kRead, "v5, v2", "v5, v1") + kOut),
              HasSubstr(other));
  EXPECT_NE(refusalAhead(tile, replaced(tile, "v_cmp_gt_u32", "v_cmp_ge_u32")), "");
  EXPECT_THAT(refusalAhead(tile, "\tds_store_b32 v1, v3\n" + tile), HasSubstr(other));
  Correspondence claim = rebuffered("k", {64, 1, 1});
  claim.loads = Correspondence::Loads::Ahead;
  const std::string was = bodyText(tile), now = replaced(was, "fixed_size 512", "fixed_size 1024");
  EXPECT_THAT(refusalOfTexts(was, now, {claim}), HasSubstr("not certain what was stored there"));
}

// Where ways meet, other work-items have stored to a place on one of them than on the other.
TEST(AheadFacts, WhoeverHasStoredThere) {
  const std::string turned = "\tds_store_b32 v2, v4\n",
                    ways = kLoad + kArrived + "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .LTURNED\n" +
                           kStore + "\ts_branch .LMEET\n.LTURNED:\n" + turned + ".LMEET:\n" +
                           kMeet + kRead + kOut,
                    late = replaced(ways, kMeet + kRead, kMeet + "\ts_nop 0\n" + kRead);
  EXPECT_EQ(refusalAhead(ways, ways), "");
  EXPECT_EQ(refusalAhead(ways, late), "");
  EXPECT_NE(refusalAhead(ways, replaced(ways, turned, kStore)), "");
  EXPECT_NE(refusalAhead(ways, replaced(ways, kStore, turned)), "");
  EXPECT_NE(refusalAhead(ways, replaced(ways, turned, replaced(turned, "v4", "v1"))), "");
  EXPECT_NE(refusalAhead(ways, replaced(ways, "s_cmp_lg_u32", "s_cmp_eq_u32")), "");
  // One text has two ways, the other the first of them alone.
  EXPECT_NE(refusalAhead(ways, kLoad + kArrived + kStore + kMeet + kRead + kOut), "");
  // Behind that, from step to step.
  const std::string tiles =
      "\ts_lshr_b32 s6, s4, 1\n" +
      replaced(ways, kRead + kOut,
               "\ts_bitcmp1_b32 s4, 5\n\ts_cbranch_scc1 .LEND\n.LTILE:\n" + kRead) +
      kMeet + kStore + kMeet +
      "\ts_sub_i32 s6, s6, 1\n\ts_cmp_gt_i32 s6, 0\n"
      "\ts_cbranch_scc1 .LTILE\n.LEND:\n" +
      kOut;
  const size_t step = tiles.find(".LTILE:");
  EXPECT_EQ(refusalAhead(tiles, tiles), "");
  EXPECT_NE(
      refusalAhead(tiles, tiles.substr(0, step) + replaced(tiles.substr(step), kStore, turned)),
      "");
}

// Whether a text has come to a branch on the condition before it selects, or behind.
TEST(AheadFacts, SelectionsOfNumbersAreTheSameWhoeverHasAsked) {
  const std::string choose = "\ts_cmp_lg_u32 s4, 0\n", select = "\ts_cselect_b32 s9, -1, 0\n",
                    ways = "\ts_cbranch_scc1 .LONE\n\ts_nop 0\n.LONE:\n",
                    step = ".LTILE:\n" + kRead +
                           "\ts_sub_i32 s6, s6, 1\n\ts_cmp_gt_i32 s6, 0\n"
                           "\ts_cbranch_scc1 .LTILE\n",
                    ask = "\ts_and_b32 vcc_lo, exec_lo, s9\n\ts_cbranch_vccz .LOUT\n" + kOut +
                          ".LOUT:\n";
  const std::string front = "\ts_lshr_b32 s6, s4, 1\n" + kLoad + kArrived + kStore + kMeet + choose,
                    first = front + select + ways + step + ask,
                    behind = front + ways + select + step + ask;
  EXPECT_EQ(refusalAhead(first, first), "");
  EXPECT_EQ(refusalAhead(first, behind), "");
  EXPECT_EQ(refusalAhead(behind, first), "");
  EXPECT_NE(refusalAhead(first, replaced(behind, "s9, -1, 0", "s9, 0, -1")), "");
}

// In a pair it reads VCC; beside it in any mask.
TEST(AheadFacts, SelectionsAreTheSameWhateverTheMasksName) {
  const std::string tile = kLoad + kArrived + kStore + kMeet + kRead,
                    pair = "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n"
                           "\tv_dual_cndmask_b32 v5, v0, v5 :: v_dual_mov_b32 v8, 0\n",
                    single = "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n\ts_mov_b32 s9, vcc_lo\n"
                             "\tv_cndmask_b32_e64 v5, v0, v5, s9\n";
  EXPECT_EQ(refusalAhead(tile + pair + kOut, tile + single + kOut), "");
  EXPECT_EQ(refusalAhead(tile + single + kOut, tile + pair + kOut), "");
  const char *other = "this access to memory is not the original's";
  EXPECT_THAT(refusalAhead(tile + pair + kOut, tile + replaced(single, "v0, v5", "v5, v0") + kOut),
              HasSubstr(other));
  EXPECT_THAT(refusalAhead(tile + pair + kOut, tile + replaced(single, "v0, v5", "-v0, v5") + kOut),
              HasSubstr(other));
  EXPECT_THAT(refusalAhead(tile + pair + kOut, tile + replaced(single, "_gt_", "_ge_") + kOut),
              HasSubstr(other));
}

// Of data of this file; an alias may stand for code, or for something else later in the text.
TEST(AheadFacts, AddressesOfSymbolsAreTheSameWhereverTheyAreMade) {
  const auto refused = [](const std::string &before, const std::string &after,
                          const std::string &front = "") {
    const std::string tables = "\t.section .rodata\ntable:\n\t.long 1\nother:\n\t.long 2\n"
                               "\t.text\ncode:\n\ts_endpgm\n";
    Correspondence claim = rebuffered("k", {64, 1, 1});
    claim.loads = Correspondence::Loads::Ahead;
    return refusalOfTexts(front + bodyText(before) + tables, front + bodyText(after) + tables,
                          {claim});
  };
  const auto named = [](const std::string &text, const char *name) {
    return replaced(replaced(text, "table@rel32@lo", std::string(name) + "@rel32@lo"),
                    "table@rel32@hi", std::string(name) + "@rel32@hi");
  };
  const std::string address = "\ts_getpc_b64 s[10:11]\n"
                              "\ts_add_u32 s10, s10, table@rel32@lo+4\n"
                              "\ts_addc_u32 s11, s11, table@rel32@hi+12\n",
                    use = "\tglobal_load_b32 v4, v1, s[10:11]\n" + kArrived + kStore + kMeet +
                          kRead + kOut;
  const std::string was = address + kMeet + use, now = kMeet + address + use;
  EXPECT_EQ(refused(was, now), "");
  EXPECT_NE(refused(was, named(now, "other")), "");
  const char *counter = "reads the program counter", *code = "makes an address of code";
  EXPECT_THAT(refused(was, replaced(now, "@hi+12", "@hi+16")), HasSubstr(counter));
  EXPECT_THAT(refused(was, replaced(now, "\ts_addc", "\ts_nop 0\n\ts_addc")), HasSubstr(counter));
  EXPECT_THAT(refused(named(was, "k"), named(was, "k")), HasSubstr("only launches enter"));
  const std::string alias = "\t.set alias, table\n";
  EXPECT_THAT(refused(named(was, "alias"), named(was, "alias"), alias), HasSubstr(code));
  EXPECT_THAT(refused(named(was, "code"), named(was, "code")), HasSubstr(code));
  EXPECT_THAT(refused(named(was, "extern"), named(was, "extern")), HasSubstr(code));
  // The carry is of where the text stands.
  const std::string carry =
      "\ts_cselect_b32 s5, 1, 0\n\tv_mov_b32_e32 v4, s5\n" + kStore + kMeet + kRead + kOut;
  EXPECT_NE(refused(address + carry, address + carry), "");
  // Nobody may come to its middle.
  const std::string middle = "\ts_mov_b64 s[10:11], 0\n\ts_cmp_eq_u32 s4, 0\n"
                             "\ts_cbranch_scc1 .LMIDDLE\n" +
                             replaced(address, "\ts_add_u32", ".LMIDDLE:\n\ts_add_u32") + use;
  EXPECT_THAT(refused(middle, middle), HasSubstr(code));
}

// One that returns nothing is a store to who makes it.
TEST(AheadFacts, AtomicsThatReturnNothing) {
  const std::string tile = kLoad + kArrived + kStore + kMeet + kRead,
                    atomic = "\tglobal_atomic_add_f32 v1, v5, s[2:3]\n";
  EXPECT_EQ(refusalAhead(tile + atomic + kOut, tile + atomic + kOut), "");
  EXPECT_NE(refusalAhead(tile + atomic + kOut, tile + kOut + atomic), "");
  EXPECT_NE(refusalAhead(tile + atomic, tile + replaced(atomic, "v1, v5", "v2, v5")), "");
  const std::string load = replaced(kLoad, "v4", "v6"), use = kArrived + replaced(kOut, "v5", "v6");
  EXPECT_NE(refusalAhead(tile + atomic + load + use, tile + load + atomic + use), "");
  // Others may go by it: what was waited for in front of it is done.
  const std::string drained = "\ts_waitcnt_vscnt null, 0x0\n", flagged = kOut + drained + atomic;
  EXPECT_EQ(refusalAhead(tile + flagged, tile + flagged), "");
  EXPECT_EQ(refusalAhead(tile + kOut + atomic, tile + flagged), "");
  const char *stores = "the original may have waited for stores";
  EXPECT_THAT(refusalAhead(tile + flagged, tile + kOut + atomic), HasSubstr(stores));
  EXPECT_THAT(refusalAhead(tile + flagged, tile + replaced(flagged, "0x0", "0x1")),
              HasSubstr(stores));
  EXPECT_THAT(refusalAhead(tile + kOut + drained + kOut, tile + kOut + kOut), HasSubstr(stores));
  const std::string next = replaced(load, "s[2:3]", "s[2:3] offset:512"),
                    loaded = next + kArrived + atomic, late = next + atomic + kArrived;
  EXPECT_EQ(refusalAhead(tile + loaded, tile + loaded), "");
  EXPECT_THAT(refusalAhead(tile + loaded, tile + late), HasSubstr("may not have arrived"));
  const std::string scalar = "\ts_load_b32 s6, s[2:3], 0x0\n\ts_waitcnt lgkmcnt(0)\n";
  EXPECT_THAT(refusalAhead(tile + kOut + drained + scalar, tile + kOut + scalar),
              HasSubstr(stores));
  const std::string back = replaced(atomic, "v1, v5, s[2:3]", "v5, v1, v5, s[2:3] glc");
  EXPECT_THAT(refusalAhead(tile + back, tile + back), HasSubstr("synchronises with other"));
}

// Loads and stores behind a branch: on one way they are not made, and lack no barrier there.
TEST(AheadFacts, WhatIsMadeOnOneWayLacksNoBarrier) {
  const std::string tile = kLoad + kArrived + kStore + kMeet + kRead,
                    arrived = "\ts_waitcnt_vscnt null, 0x0\n",
                    some = "\ts_cmp_gt_i32 s4, 5\n\ts_cbranch_scc1 .LSKIP\n"
                           "\tglobal_load_b32 v6, v2, s[2:3]\n"
                           "\ts_waitcnt vmcnt(0)\n\tv_add_f32_e32 v5, v5, v6\n.LSKIP:\n" +
                           kOut;
  const auto again = [](std::string text, const char *label) {
    return replaced(replaced(replaced(std::move(text), ".LSKIP:", std::string(label) + ":"),
                             "scc1 .LSKIP", std::string("scc1 ") + label),
                    "v2, s[2:3]", "v2, s[2:3] offset:256");
  };
  const std::string epilogue = some + again(some, ".LTHIRD") + again(some, ".LFOURTH");
  EXPECT_EQ(refusalAhead(tile + epilogue, tile + epilogue), "");
  // A barrier between two of them that the new text has elsewhere.
  const std::string was = some + arrived + kMeet + again(some, ".LTHIRD"),
                    now = kMeet + some + arrived + again(some, ".LTHIRD");
  EXPECT_EQ(refusalAhead(tile + was, tile + was), "");
  EXPECT_THAT(refusalAhead(tile + was, tile + now),
              HasSubstr("the original may have a barrier between"));
}

// The original waits where it loads from LDS, in a loop: it has not gone on while the new text has.
TEST(AheadFacts, WhoStaysInALoopDoesNotLeaveIt) {
  const std::string front = "\ts_load_b32 s5, s[0:1], 0xc\n\ts_waitcnt lgkmcnt(0)\n"
                            "\ts_mov_b32 s6, 0\n",
                    loop = ".LTILE:\n\tds_load_b32 v5, v1\n\ts_waitcnt lgkmcnt(0)\n"
                           "\ts_add_i32 s6, s6, 1\n\ts_cmp_lg_u32 s6, s4\n"
                           "\ts_cbranch_scc1 .LTILE\n" +
                           kOut,
                    spin = ".LSPIN:\n\ts_add_i32 s5, s5, 2\n\ts_cmp_lg_u32 s5, s4\n"
                           "\ts_cbranch_scc1 .LSPIN\n";
  EXPECT_EQ(refusalAhead(front + loop, front + loop), "");
  EXPECT_NE(refusalAhead(front + loop, front + spin + loop), "");
}

} // namespace
} // namespace rdna::test::aheadFactsTest
