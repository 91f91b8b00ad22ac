// Texts that do things earlier than others, short ones: what the proof takes and what not. Kernels
// with loops are in AheadProofTest.cpp.

#include "BufferPair.h"

namespace rdna::test::aheadTextsTest {
namespace {

using testing::HasSubstr;

std::string refusalOf(std::string_view before, std::string_view after) {
  return refusalAhead(before, after);
}

const std::string kLoad = "\tglobal_load_b32 v4, v1, s[2:3]\n";
const std::string kArrived = "\ts_waitcnt vmcnt(0)\n";
const std::string kStore = "\tds_store_b32 v1, v4\n";
const std::string kOthers = "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\tds_load_b32 v5, v2\n"
                            "\ts_waitcnt lgkmcnt(0)\n";
const std::string kOut = "\tglobal_store_b32 v1, v5, s[2:3]\n";
const std::string kBarrier = "\ts_barrier\n";

TEST(AheadTexts, LoadsMayPassBarriersAndLds) {
  const std::string late = "\tds_store_b32 v1, v3\n" + kOthers + kBarrier + kLoad + kArrived +
                           kStore + kOthers + kOut,
                    early = kLoad + "\tds_store_b32 v1, v3\n" + kOthers + kBarrier + kArrived +
                            kStore + kOthers + kOut;
  EXPECT_EQ(refusalOf(late, early), "");
  EXPECT_EQ(refusalOf(early, late), "");
  EXPECT_THAT(refusalOf(late, replaced(early, kArrived, "")),
              HasSubstr("the original may have a barrier between"));
}

// The same load twice: the second one ahead is the original's second, and if nothing comes of it,
// one more of the first, whose value is nobody's.
TEST(AheadTexts, LoadsMayBeRepeatedOrTheNextOfTheSame) {
  const std::string tile = kLoad + kArrived + kStore + kOthers + kBarrier,
                    again = replaced(kLoad, "v4", "v6"), store = replaced(kStore, "v4", "v6");
  const std::string twice = tile + kLoad + kArrived + kStore + kOthers + kOut;
  const std::string ahead =
      kLoad + kArrived + kStore + again + kOthers + kBarrier + kArrived + store + kOthers + kOut;
  EXPECT_EQ(refusalOf(twice, ahead), "");
  const std::string once = tile + kOut;
  EXPECT_EQ(
      refusalOf(once, kLoad + kArrived + kStore + again + kOthers + kBarrier + kArrived + kOut),
      "");
  const std::string used = kLoad + kArrived + kStore + again + kOthers + kBarrier + kArrived +
                           replaced(kOut, "v5", "v6");
  EXPECT_NE(refusalOf(tile + replaced(kOut, "v5", "v4"), used), "");
}

TEST(AheadTexts, HalvesKeepTheOtherHalf) {
  const std::string out = kArrived + "\tglobal_store_b32 v1, v6, s[2:3]\n";
  for (const char *half :
       {"\tv_mov_b16_e32 v6.l, v4.l\n", "\tv_add_f16_e32 v6.l, v4.l, v4.l\n",
        "\tv_add_f16_e64 v6.h, v4.l, v4.l\n", "\tglobal_load_d16_b16 v6, v1, s[2:3]\n"}) {
    const std::string was = "\tv_mov_b32_e32 v6, 0\n", now = "\tv_mov_b32_e32 v6, -1\n";
    const std::string load = kLoad + kArrived;
    EXPECT_EQ(refusalOf(load + was + half + out, load + was + half + out), "") << half;
    EXPECT_NE(refusalOf(load + was + half + out, load + now + half + out), "") << half;
  }
}

TEST(AheadTexts, WhatOneWayHasDecidedHoldsOnThatWay) {
  // Both ways of the first test meet at the load from LDS.
  const std::string head = kLoad + kArrived + kStore +
                           "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\ts_cmp_eq_u32 s4, 0\n"
                           "\ts_cbranch_scc1 .Lmeet\n\ts_nop 0\n.Lmeet:\n\tds_load_b32 v5, v2\n"
                           "\ts_waitcnt lgkmcnt(0)\n",
                    other = "\tglobal_store_b32 v1, v3, s[2:3]\n", labels = ".Lzero:\n.Lend:\n",
                    test = "\ts_cmp_eq_u32 s4, 0\n\ts_cbranch_scc1 .Lzero\n" + kOut +
                           "\ts_branch .Lend\n.Lzero:\n" + other + ".Lend:\n";
  EXPECT_EQ(refusalOf(head + test, head + test), "");
  for (const std::string &one : {other, kOut})
    EXPECT_THAT(refusalOf(head + test, head + one + labels), HasSubstr("not the original's"));
}

TEST(AheadTexts, GuardsThatAreKeptInARegister) {
  // As compilers have it: what was decided for the loads is looked at again for the stores.
  const std::string test = "\ts_cmp_eq_u32 s4, 0\n",
                    keep = "\ts_cselect_b32 s5, -1, 0\n\ts_cmp_eq_u32 s4, 0\n",
                    again = "\ts_and_not1_b32 vcc_lo, exec_lo, s5\n\ts_cbranch_vccnz .Lend\n";
  const std::string was = "\tv_mov_b32_e32 v4, 0\n" + test + keep + "\ts_cbranch_scc0 .Lskip\n" +
                          kLoad + ".Lskip:\n" + kArrived + again +
                          "\tglobal_store_b32 v1, v4, s[2:3]\n.Lend:\n";
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_EQ(refusalOf(was, replaced(was, again, test + "\ts_cbranch_scc0 .Lend\n")), "");
  for (const char *other : {"\ts_and_b32 vcc_lo, exec_lo, s5\n\ts_cbranch_vccnz .Lend\n",
                            "\ts_or_not1_b32 vcc_lo, exec_lo, s5\n\ts_cbranch_vccnz .Lend\n",
                            "\ts_or_b32 vcc_lo, 1, s5\n\ts_cbranch_vccnz .Lend\n",
                            "\ts_xor_b32 vcc_lo, exec_lo, s5\n\ts_cbranch_vccz .Lend\n",
                            "\ts_cmp_eq_u32 s4, 0\n\ts_cbranch_scc1 .Lend\n"})
    EXPECT_NE(refusalOf(was, replaced(was, again, other)), "") << other;
}

TEST(AheadTexts, LowHalvesOfSums) {
  const auto sum = [](const char *high, const char *low) {
    return fmt::format("\tv_mov_b32_e32 v7, {}\n\tv_mov_b32_e32 v6, {}\n"
                       "\tv_mad_u64_u32 v[8:9], null, v1, s4, v[6:7]\n",
                       high, low);
  };
  const std::string store = kArrived + "\tglobal_store_b32 v1, v8, s[2:3]\n",
                    both = kArrived + "\tglobal_store_b64 v1, v[8:9], s[2:3]\n";
  EXPECT_EQ(refusalOf(sum("0", "1") + store, sum("5", "1") + store), "");
  EXPECT_NE(refusalOf(sum("0", "1") + store, sum("0", "2") + store), "");
  EXPECT_NE(refusalOf(sum("0", "1") + both, sum("5", "1") + both), "");
  EXPECT_NE(refusalOf(sum("0", "1") + store, replaced(sum("0", "1"), "v1, s4", "v2, s4") + store),
            "");
  EXPECT_NE(
      refusalOf(sum("0", "1") + store, replaced(sum("0", "1"), "v[6:7]", "v[6:7] clamp") + store),
      "");
  // Where lanes are off the old value stays.
  const std::string half = "\tv_mov_b32_e32 v8, 3\n\ts_mov_b32 exec_lo, 0xff\n",
                    whole = "\ts_mov_b32 exec_lo, -1\n";
  EXPECT_NE(refusalOf(half + sum("0", "1") + whole + store,
                      replaced(half, "v8, 3", "v8, 4") + sum("0", "1") + whole + store),
            "");
}

/// Some of the lanes load, the others keep what they have.
std::string ofSome(const std::string &mask, const std::string &inside,
                   const std::string &behind = "") {
  return "\tv_cmp_eq_u32_e32 vcc_lo, " + mask +
         ", v1\n\ts_and_saveexec_b32 s8, vcc_lo\n\ts_cbranch_execz .Ljoin\n" + inside +
         ".Ljoin:\n\ts_or_b32 exec_lo, exec_lo, s8\n" + behind;
}
const std::string kFirst = "\tds_store_b32 v1, v3\n" + kOthers + kBarrier;

TEST(AheadTexts, LoadsOfSomeLanes) {
  const std::string rest = kArrived + kStore + kOthers + kOut, zero = "\tv_mov_b32_e32 v4, 0\n",
                    load = zero + ofSome("s4", kLoad);
  const std::string late = kFirst + load + rest, early = load + kFirst + rest;
  EXPECT_EQ(refusalOf(late, early), "");
  EXPECT_EQ(refusalOf(early, late), "");
  // With a branch, or all go through it.
  const std::string through = replaced(early, "\ts_cbranch_execz .Ljoin\n", "");
  EXPECT_EQ(refusalOf(late, through), "");
  EXPECT_EQ(refusalOf(through, late), "");
  // What registers hold in the other lanes is nothing that is stored.
  const std::string address = "\tv_add_nc_u32_e32 v7, 4, v1\n\tglobal_load_b32 v4, v7, s[2:3]\n";
  const std::string was = zero + ofSome("s4", address), now = "\tv_mov_b32_e32 v7, v2\n" + was;
  EXPECT_EQ(refusalOf(kFirst + was + rest, now + kFirst + rest), "");
  // The others have something else, other lanes load, or more of them, or from elsewhere.
  const auto changed = [&](const char *from, const char *to) {
    return refusalOf(late, replaced(early, from, to));
  };
  const char *other = "is not what the original loads";
  const char *another = "next load from memory is not the one";
  EXPECT_THAT(changed("\tv_mov_b32_e32 v4, 0\n", "\tv_mov_b32_e32 v4, 1\n"), HasSubstr(other));
  EXPECT_THAT(changed("\tv_mov_b32_e32 v4, 0\n", ""), HasSubstr(other));
  EXPECT_THAT(changed("vcc_lo, s4, v1", "vcc_lo, 8, v1"), HasSubstr(another));
  EXPECT_THAT(changed("s8, vcc_lo", "s8, exec_lo"), HasSubstr(another));
  EXPECT_THAT(changed("v4, v1, s[2:3]\n", "v4, v1, s[2:3] offset:4\n"), HasSubstr(another));
  EXPECT_THAT(changed("\ts_waitcnt vmcnt(0)\n", "\ts_waitcnt vmcnt(1)\n"),
              HasSubstr("the original may have a barrier between"));
  // Those who have jumped have waited for nothing.
  const std::string use = kStore + kOthers + kOut;
  EXPECT_EQ(refusalOf(kFirst + kLoad + kArrived + use,
                      kLoad + kFirst + ofSome("s4", kArrived) + kArrived + use),
            "");
  EXPECT_THAT(
      refusalOf(kFirst + kLoad + kArrived + use, kLoad + kFirst + ofSome("s4", kArrived) + use),
      HasSubstr("the original may have a barrier between"));
}

TEST(AheadTexts, LanesInLanes) {
  const std::string rest = kArrived + kStore + kOthers + kOut, zero = "\tv_mov_b32_e32 v4, 0\n",
                    inner = "\tv_cmp_lt_u32_e32 vcc_lo, s4, v0\n\ts_and_saveexec_b32 s9, vcc_lo\n"
                            "\ts_cbranch_execz .Linner\n" +
                            kLoad + ".Linner:\n\ts_or_b32 exec_lo, exec_lo, s9\n";
  const std::string load = zero + ofSome("s4", inner);
  EXPECT_EQ(refusalOf(kFirst + load + rest, load + kFirst + rest), "");
  const std::string compare =
      "\ts_mov_b32 s9, exec_lo\n\tv_cmpx_lt_u32_e32 s4, v0\n" + kLoad + "\ts_mov_b32 exec_lo, s9\n";
  const std::string loadBy = zero + ofSome("s4", compare);
  EXPECT_EQ(refusalOf(kFirst + loadBy + rest, loadBy + kFirst + rest), "");
  EXPECT_THAT(refusalOf(kFirst + load + rest,
                        replaced(load, "vcc_lo, s4, v0", "vcc_lo, 5, v0") + kFirst + rest),
              HasSubstr("next load from memory is not the one"));
}

TEST(AheadTexts, WhatSomeLanesDoStandsElsewhere) {
  // Behind it stands what those do next that have no lanes, once more.
  const std::string next = "\ts_or_b32 exec_lo, exec_lo, s8\n\tv_mov_b32_e32 v6, 0\n";
  const auto body = [&](const std::string &before, const std::string &inside,
                        const std::string &behind, const std::string &on = "") {
    return before +
           "\tv_cmp_eq_u32_e32 vcc_lo, s4, v1\n\ts_and_saveexec_b32 s8, vcc_lo\n"
           "\ts_cbranch_execnz .Lbody\n" +
           next + ".Lon:\n" + on + kArrived + kStore + kOthers + kOut + "\ts_endpgm\n.Lbody:\n" +
           inside + behind + "\ts_branch .Lon\n";
  };
  const std::string zero = "\tv_mov_b32_e32 v4, 0\n", late = body(kFirst + zero, kLoad, next),
                    early = body(zero, kLoad, next, kFirst);
  EXPECT_EQ(refusalOf(late, late), "");
  EXPECT_EQ(refusalOf(late, early), "");
  EXPECT_EQ(refusalOf(early, late), "");
  EXPECT_THAT(refusalOf(late, replaced(early, "vcc_lo, s4, v1", "vcc_lo, 8, v1")),
              HasSubstr("next load from memory is not the one"));
  const auto refusal = [&](const std::string &inside, const std::string &behind) {
    const std::string text = body(kFirst + zero, inside, behind);
    return refusalOf(text, text);
  };
  const char *apart = "waves may";
  EXPECT_THAT(refusal(kLoad, replaced(next, "v6, 0", "v6, 1")), HasSubstr(apart));
  EXPECT_THAT(refusal(kLoad, replaced(next, "\tv_mov_b32_e32 v6, 0\n", "")), HasSubstr(apart));
  EXPECT_THAT(refusal(kLoad + "\ts_mov_b32 exec_lo, -1\n", next), HasSubstr(apart));
  EXPECT_THAT(refusal(kLoad + kBarrier, next), HasSubstr(apart));
}

TEST(AheadTexts, WhatDoesSomethingWithoutLanes) {
  const auto refusal = [](const std::string &inside, const std::string &behind) {
    const std::string body = ofSome("s4", inside, behind);
    return refusalOf(body, body);
  };
  const std::string store = "\tds_store_b32 v1, v3\n", apart = "waves may";
  EXPECT_EQ(refusal("\tv_mov_b32_e32 v3, 1.0\n", store), "");
  // Scalars, and VGPRs of lanes that are off.
  for (const char *inside : {"\tv_writelane_b32 v3, s4, 0\n",
                             "\tv_wmma_f32_16x16x16_f16 v[16:23], v[8:15], v[8:15], v[16:23]\n",
                             "\ts_mov_b32 exec_lo, -1\n\tv_mov_b32_e32 v1, 0\n",
                             "\ts_or_saveexec_b32 s9, vcc_lo\n", "\ts_not_b32 exec_lo, exec_lo\n",
                             "\ts_or_b32 exec_lo, exec_lo, s9\n", "\ts_cbranch_scc1 .Ljoin\n"})
    EXPECT_THAT(refusal(inside, store), HasSubstr(apart)) << inside;
  EXPECT_THAT(refusal("\ts_barrier\n", store), HasSubstr(apart));
  const std::string shift = "\tv_add_nc_u32_e32 v1, s9, v1\n";
  EXPECT_EQ(refusalOf("\ts_mov_b32 s9, 0\n" + ofSome("s4", "", shift + store),
                      "\ts_mov_b32 s9, 0\n" + ofSome("s4", "", shift + store)),
            "");
  EXPECT_THAT(refusalOf("\ts_mov_b32 s9, 0\n" + ofSome("s4", "\ts_mov_b32 s9, 0\n", shift + store),
                        "\ts_mov_b32 s9, 0\n" + ofSome("s4", "\ts_mov_b32 s9, 0\n", shift + store)),
              HasSubstr("does not follow from the launch alone"));
}

TEST(AheadTexts, OperationsThatSeeOtherLanes) {
  // v4 differs in lanes that are off.
  const std::string zero = "\tv_mov_b32_e32 v4, 0\n", one = "\tv_mov_b32_e32 v4, 1\n";
  const auto refusal = [&](const std::string &operation) {
    const std::string rest =
        ofSome("s4", "\tv_mov_b32_e32 v4, v0\n" + operation + "\tv_mov_b32_e32 v4, v0\n",
               "\tv_mov_b32_e32 v4, v0\n\tglobal_store_b32 v1, v5, s[2:3]\n");
    return refusalOf(zero + "\tv_mov_b32_e32 v5, 0\n" + rest,
                     one + "\tv_mov_b32_e32 v5, 0\n" + rest);
  };
  EXPECT_EQ(refusal("\tv_add_nc_u32_e32 v5, v4, v4\n"), "");
  EXPECT_EQ(refusal("\tv_rcp_f32_e32 v5, v4\n"), "");
  const char *differs = "this access to memory is not the original's";
  EXPECT_THAT(refusal("\tv_mov_b32_dpp v5, v4 row_shr:1 row_mask:0xf bank_mask:0xf fi:1\n"),
              HasSubstr(differs));
  EXPECT_THAT(refusal("\tv_readlane_b32 s9, v4, 0\n\tv_mov_b32_e32 v5, s9\n"), HasSubstr(differs));
  EXPECT_THAT(refusal("\tv_readfirstlane_b32 s9, v4\n\tv_mov_b32_e32 v5, s9\n"),
              HasSubstr(differs));
  EXPECT_THAT(refusal("\tv_permlanex16_b32 v5, v4, s4, s4\n"), HasSubstr(differs));
}

TEST(AheadTexts, LoadsPassNoStores) {
  const std::string store = "\tglobal_store_b32 v1, v3, s[2:3]\n";
  EXPECT_EQ(refusalOf(store + kLoad + kArrived, store + kLoad + kArrived), "");
  EXPECT_THAT(refusalOf(store + kLoad + kArrived, kLoad + store + kArrived),
              HasSubstr("one text is ahead of the other with loads"));
  EXPECT_THAT(refusalOf(kLoad + kArrived + store, store + kLoad + kArrived),
              HasSubstr("one text is ahead of the other with loads"));
}

TEST(AheadTexts, LoadsPassNoLoads) {
  const std::string other = "\tglobal_load_b32 v6, v1, s[2:3] offset:256\n",
                    out = kArrived + "\tglobal_store_b64 v1, v[4:5], s[2:3]\n";
  EXPECT_EQ(refusalOf(kLoad + other + out, kLoad + other + out), "");
  EXPECT_THAT(refusalOf(kLoad + other + out, other + kLoad + out),
              HasSubstr("one text is ahead of the other with loads"));
  EXPECT_THAT(refusalOf(kLoad + kArrived, kLoad + other + kArrived),
              HasSubstr("a load from memory was made that the original does not make on this way"));
  EXPECT_THAT(refusalOf(kLoad + other + kArrived, kLoad + kArrived),
              HasSubstr("the original makes a load from memory that is missing here"));
}

TEST(AheadTexts, LoadsPassThoseThatTellNothing) {
  // v4 is stored as it came, so whoever loads it may look at it. v6 is part of a sum alone.
  const std::string sums = "\tglobal_load_b32 v6, v1, s[2:3] offset:256\n",
                    rest = kArrived + kStore + kOthers + "\tv_add_f32_e32 v5, v6, v5\n" + kOut;
  EXPECT_EQ(refusalOf(sums + kLoad + rest, kLoad + sums + rest), "");
  const char *ahead = "one text is ahead of the other with loads";
  EXPECT_THAT(refusalOf(kLoad + sums + rest, sums + kLoad + rest), HasSubstr(ahead));
  for (const char *look :
       {"\tv_cmp_lt_f32_e32 vcc_lo, v6, v3\n\tv_cndmask_b32_e32 v5, v3, v5, vcc_lo\n",
        "\tv_mov_b32_e32 v5, v6\n", "\tv_and_b32_e32 v6, 1, v6\n\tv_add_f32_e32 v5, v6, v5\n"}) {
    const std::string looks = kArrived + kStore + kOthers + look + kOut;
    EXPECT_EQ(refusalOf(sums + kLoad + looks, sums + kLoad + looks), "") << look;
    EXPECT_NE(refusalOf(sums + kLoad + looks, kLoad + sums + looks), "") << look;
  }
  // One passes several, and one that the original has not made yet.
  const std::string more = replaced(replaced(sums, "v6", "v7"), "256", "512"),
                    sum = "\tv_add_f32_e32 v5, v6, v5\n",
                    both = replaced(rest, sum, sum + "\tv_add_f32_e32 v5, v7, v5\n");
  EXPECT_EQ(refusalOf(sums + more + kLoad + both, more + kLoad + sums + both), "");
  EXPECT_THAT(refusalOf(sums + kLoad + more + both, more + kLoad + sums + both), HasSubstr(ahead));
}

TEST(AheadTexts, ScalarLoadsTellNothing) {
  const std::string scalar = "\ts_load_b32 s5, s[2:3], 0x8\n",
                    rest = kArrived + "\ts_waitcnt lgkmcnt(0)\n" + kStore + kOthers +
                           "\tv_add_nc_u32_e32 v5, s5, v5\n" + kOut;
  EXPECT_EQ(refusalOf(scalar + kLoad + rest, kLoad + scalar + rest), "");
  EXPECT_NE(refusalOf(kLoad + scalar + rest, replaced(scalar, "0x8", "0xc") + kLoad + rest), "");
  // Of what may have been stored by then, at the same place alone.
  const std::string use = "\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32_e32 v5, s5\n" + kOut;
  EXPECT_EQ(refusalOf(kOut + scalar + use, kOut + scalar + use), "");
  EXPECT_NE(refusalOf(kOut + scalar + use, scalar + kOut + use), "");
  EXPECT_NE(refusalOf(scalar + kOut + use, kOut + scalar + use), "");
  const std::string flag = replaced(scalar, "0x8", "0x8 glc");
  EXPECT_NE(refusalOf(flag + kLoad + rest, kLoad + flag + rest), "");
}

// Both ways of an `if` store: what was there before is gone, in whatever way the text says which
// lanes are the others.
TEST(AheadTexts, StoresOnBothWaysOfAnIf) {
  const std::string mask = "\tv_cmp_eq_u32_e32 vcc_lo, s4, v1\n",
                    some = mask + "\ts_and_saveexec_b32 s8, vcc_lo\n\ts_xor_b32 s9, exec_lo, s8\n",
                    zero = "\tds_store_b32 v1, v3\n", load = kLoad + kArrived,
                    turn = "\ts_or_saveexec_b32 s8, s9\n\ts_xor_b32 exec_lo, exec_lo, s8\n",
                    join = "\ts_or_b32 exec_lo, exec_lo, s8\n", rest = kOthers + kOut;
  const std::string was = some + zero + turn + load + kStore + join + rest,
                    move = "\tv_mov_b32_e32 v4, v3\n",
                    others = mask + "\ts_and_not0_saveexec_b32 s8, vcc_lo\n",
                    now = move + others + load + join + kStore + rest;
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_EQ(refusalOf(was, now), "");
  EXPECT_EQ(refusalOf(replaced(was, turn, "\ts_and_not1_saveexec_b32 s8, s9\n"), now), "");
  EXPECT_EQ(refusalOf(was, move + mask +
                               "\ts_mov_b32 s8, exec_lo\n\ts_and_not1_b32 exec_lo, exec_lo, "
                               "vcc_lo\n" +
                               load + join + kStore + rest),
            "");
  const char *other = "is not what the original loads";
  EXPECT_THAT(refusalOf(was, replaced(now, "v4, v3", "v4, v0")), HasSubstr(other));
  EXPECT_THAT(refusalOf(was, move + others + load + kStore + join + rest), HasSubstr(other));
  EXPECT_NE(refusalOf(was, replaced(now, "not0_saveexec_b32", "saveexec_b32")), "");
  EXPECT_NE(refusalOf(was, others + load + join + kStore + rest), "");
  // Not the others but some more: where neither mask has lanes, what was there before stays.
  const std::string third = replaced(was, turn, "\tv_cmp_ne_u32_e64 s9, s4, v2\n" + turn);
  EXPECT_NE(refusalOf(third, now), "");
  // A guard of the same lanes within both.
  const std::string inner = "\tv_cmp_gt_u32_e64 s10, s5, v0\n",
                    guard = "\ts_and_saveexec_b32 s11, s10\n",
                    end = "\ts_or_b32 exec_lo, exec_lo, s11\n";
  const std::string nested = inner + zero + some + guard + replaced(zero, "v3", "v0") + end + turn +
                             guard + load + kStore + end + join + rest,
                    merged = inner + zero + "\tv_mov_b32_e32 v4, v0\n" + others + guard + load +
                             end + join + guard + kStore + end + rest;
  EXPECT_EQ(refusalOf(nested, merged), "");
  EXPECT_THAT(refusalOf(nested, replaced(merged, zero, "")), HasSubstr(other));
}

// A pair with a parity hazard computes what another instruction of the original does without one:
// it is no new one, unless there are more of them.
TEST(AheadTexts, HazardsThatAreThereAlready) {
  const std::string pair = "\tv_dual_mul_f32 v8, v4, v1 :: v_dual_mul_f32 v9, v6, v2\n",
                    single = "\tv_mul_f32_e32 v10, v4, v1\n\tv_mul_f32_e32 v11, v6, v2\n",
                    load = "\tv_mov_b32_e32 v6, 2.0\n" + kLoad + kArrived + kStore,
                    sum = "\tv_add_f32_e32 v5, v8, v5\n\tv_add_f32_e32 v5, v9, v5\n"
                          "\tv_add_f32_e32 v5, v10, v5\n\tv_add_f32_e32 v5, v11, v5\n",
                    was = load + single + pair + kOthers + sum + kOut;
  EXPECT_EQ(refusalOf(was, was), "");
  const std::string other = replaced(replaced(pair, "v8,", "v10,"), "v9,", "v11,");
  EXPECT_THAT(refusalOf(was, replaced(was, single, other)), HasSubstr("of the same parity"));
  // Elsewhere it is a new one: behind a load that it may not wait for.
  const std::string later = "\tv_add_f32_e32 v4, v5, v4\n\tv_add_f32_e32 v6, v5, v6\n",
                    ones = replaced(replaced(single, "v10", "v8"), "v11", "v9"),
                    sums = "\tv_add_f32_e32 v5, v8, v5\n\tv_add_f32_e32 v5, v9, v5\n",
                    late = load + ones + kOthers + sums + later + pair + sums + kOut,
                    early = load + pair + kOthers + sums + later + ones + sums + kOut;
  EXPECT_EQ(refusalOf(late, late), "");
  EXPECT_THAT(refusalOf(late, early), HasSubstr("of the same parity"));
}

// Loads of lanes that are not known: of the same lanes, from the same places.
TEST(AheadTexts, LoadsOfLanesThatAreNotKnown) {
  const std::string zero = "\tds_store_b32 v1, v0\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n",
                    mask = "\tv_cmp_eq_u32_e32 vcc_lo, s4, v1\n",
                    some = "\ts_and_saveexec_b32 s8, vcc_lo\n",
                    load = "\tds_load_b32 v5, v2\n\ts_waitcnt lgkmcnt(0)\n",
                    all = "\ts_mov_b32 exec_lo, s8\n";
  const std::string was = "\tv_mov_b32_e32 v5, 0\n" + zero + mask + some + load + all + kOut;
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_THAT(refusalOf(was, replaced(was, "v5, v2", "v5, v1")),
              HasSubstr("is not what the original loads"));
  EXPECT_THAT(refusalOf(was, replaced(was, "s4, v1", "s5, v1")),
              HasSubstr("is not what the original loads"));
  EXPECT_NE(refusalOf(was, replaced(was, "v5, 0", "v5, 1")), "");
  EXPECT_THAT(refusalOf(was, replaced(was, "\ts_barrier\n", "")), HasSubstr("no barrier"));
}

TEST(AheadTexts, StoresOfLanesThatAreNotKnown) {
  const std::string zero = "\tds_store_b32 v1, v3\n", rest = kOthers + kOut,
                    mask = "\tv_cmp_eq_u32_e32 vcc_lo, s4, v1\n",
                    some = "\ts_and_saveexec_b32 s8, vcc_lo\n", all = "\ts_mov_b32 exec_lo, s8\n";
  const std::string was = zero + mask + some + kLoad + kArrived + kStore + all + rest,
                    load = mask + some + kLoad + "\ts_mov_b32 s9, exec_lo\n" + all,
                    store = kArrived + "\ts_and_saveexec_b32 s8, s9\n" + kStore + all;
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_EQ(refusalOf(was, load + zero + store + rest), "");
  const char *other = "is not what the original loads", *uncertain = "it is not certain what";
  EXPECT_THAT(refusalOf(was, load + zero + replaced(store, "s8, s9", "s8, s8") + rest),
              HasSubstr(other));
  EXPECT_THAT(refusalOf(was, load + store + zero + rest), HasSubstr(other));
  EXPECT_THAT(refusalOf(was, load + replaced(zero, "v1, v3", "v1, v0") + store + rest),
              HasSubstr(other));
  EXPECT_THAT(refusalOf(was, load + store + rest), HasSubstr(other));
  // Another lane has stored there, or the other wave.
  const std::string neighbour = "\tv_xor_b32_e32 v7, 4, v1\n\tds_store_b32 v7, v3\n",
                    others = neighbour + mask + some + kLoad + kArrived + kStore + all + rest;
  EXPECT_THAT(refusalOf(others, others), HasSubstr(uncertain));
  EXPECT_NE(refusalOf(was, load + replaced(zero, "v1, v3", "v2, v3") + store + rest), "");
}

TEST(AheadTexts, LoopsThatLanesLeaveOneByOne) {
  // Of the work-items from `first` on all make one step, the others two.
  const std::string begin = "\tv_mov_b32_e32 v6, v0\n\ts_mov_b32 s8, 0\n",
                    step = "\tv_add_nc_u32_e32 v6, 48, v6\n\tv_add_nc_u32_e32 v3, 1, v3\n",
                    end = ".Lout:\n\ts_or_b32 exec_lo, exec_lo, s8\n",
                    rest = "\tds_store_b32 v1, v3\n" + kOthers + kOut;
  const auto leave = [](unsigned first) {
    return fmt::format("\tv_cmp_lt_u32_e32 vcc_lo, {}, v6\n\ts_or_b32 s8, vcc_lo, s8\n"
                       "\ts_and_not1_b32 exec_lo, exec_lo, s8\n",
                       first + 47);
  };
  const auto loop = [&](unsigned first, const std::string &inside) {
    return begin + ".Lloop:\n" + step + inside + leave(first) + "\ts_cbranch_execnz .Lloop\n" + end;
  };
  const auto out = [&](unsigned first) {
    return begin + ".Lloop:\n" + step + leave(first) + "\ts_cbranch_execz .Lout\n" + step + end;
  };
  const char *other = "is not what the original loads";
  for (const unsigned first : {20U, 32U, 40U}) { // Some waves leave as a whole.
    const std::string was = loop(first, "") + rest;
    EXPECT_EQ(refusalOf(was, was), "") << first;
    EXPECT_EQ(refusalOf(was, out(first) + rest), "") << first;
    EXPECT_EQ(refusalOf(out(first) + rest, was), "") << first;
    // All of them make both steps, or others leave, or are not switched on again.
    EXPECT_THAT(refusalOf(was, begin + ".Lloop:\n" + step + step + end + rest), HasSubstr(other));
    EXPECT_THAT(refusalOf(was, out(first + 1) + rest), HasSubstr(other));
    EXPECT_NE(refusalOf(was, replaced(out(first), end, ".Lout:\n") + rest), "") << first;
  }
  // What a wave without lanes does all the same.
  for (const char *inside :
       {"\ts_barrier\n", "\ts_mov_b32 exec_lo, -1\n", "\tv_writelane_b32 v3, s4, 0\n"})
    EXPECT_NE(refusalOf(loop(32, inside) + rest, loop(32, inside) + rest), "") << inside;
  const std::string shift = "\tv_add_nc_u32_e32 v1, s9, v1\n", zero = "\ts_mov_b32 s9, 0\n",
                    shifted = zero + loop(32, "") + shift + rest,
                    again = zero + loop(32, zero) + shift + rest;
  EXPECT_EQ(refusalOf(shifted, shifted), "");
  EXPECT_THAT(refusalOf(again, again), HasSubstr("does not follow from the launch alone"));
}

TEST(AheadTexts, AddressesOfHalvesAndCarries) {
  const auto stored = [](const std::string &address) {
    return kLoad + kArrived + address + "\tds_store_b32 v7, v4\n" + kOthers + kOut;
  };
  const std::string was = kLoad + kArrived + kStore + kOthers + kOut;
  const std::string halves = "\tv_mov_b16_e32 v7.h, 0\n\tv_mul_lo_u16 v7.l, v0.l, 4\n",
                    masked = "\tv_mul_lo_u16 v7.l, v0.l, 4\n\tv_and_b32_e32 v7, 0xffff, v7\n",
                    product = "\tv_mad_u64_u32 v[7:8], null, v0, 4, 0\n",
                    carry = "\tv_add_co_u32 v7, s9, v1, -4\n\tv_mov_b32_e32 v8, 4\n"
                            "\tv_mov_b32_e32 v7, v1\n\ts_and_b32 s9, s9, 0\n"
                            "\tv_add_nc_u32_e32 v7, s9, v7\n";
  for (const std::string &address : {halves, masked, product, carry})
    EXPECT_EQ(refusalOf(was, stored(address)), "") << address;
  EXPECT_NE(refusalOf(was, stored(replaced(halves, "v7.h, 0", "v7.h, 1"))), "");
  EXPECT_NE(refusalOf(was, stored("\tv_mul_lo_u16 v7.l, v0.l, 4\n")), "");
  EXPECT_NE(refusalOf(was, stored(replaced(product, "v0, 4, 0", "v0, 4, 4"))), "");
}

TEST(AheadTexts, OnlyLoadsThatTheOriginalMakesOnThatWay) {
  const std::string test = "\ts_cmp_eq_u32 s4, 0\n\ts_cbranch_scc1 .Lskip\n",
                    skip = ".Lskip:\n" + kArrived;
  EXPECT_EQ(refusalOf(test + kLoad + skip, test + kLoad + skip), "");
  EXPECT_THAT(refusalOf(test + kLoad + skip, kLoad + test + skip),
              HasSubstr("that the original does not make on this way"));
  // Another test, and the same one put otherwise.
  EXPECT_THAT(refusalOf(test + kLoad + skip, replaced(test, "s4, 0", "s4, 1") + kLoad + skip),
              HasSubstr("memory"));
  EXPECT_EQ(refusalOf(test + kLoad + skip,
                      "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc0 .Lskip\n" + kLoad + skip),
            "");
}

TEST(AheadTexts, LoadsMadeAgain) {
  const std::string first = kLoad + kArrived + kStore + kOthers,
                    again = "\tglobal_load_b32 v6, v1, s[2:3]\n" + kArrived;
  EXPECT_EQ(refusalOf(first + kOut, first + again + kOut), "");
  // With other lanes, at another place, wider, or before the original has.
  EXPECT_THAT(refusalOf(first + kOut, first + replaced(again, "v1, s[2:3]", "v2, s[2:3]") + kOut),
              HasSubstr("one text is ahead"));
  EXPECT_THAT(
      refusalOf(first + kOut,
                first + replaced(again, "global_load_b32 v6, v1", "global_load_b64 v[6:7], v1") +
                    kOut),
      HasSubstr("one text is ahead"));
  // What it returns is nothing that the original has.
  EXPECT_THAT(refusalOf(first + kOut,
                        first + replaced(again, "v6", "v4") + "\tv_mov_b32_e32 v5, v4\n" + kOut),
              HasSubstr("this access to memory is not the original's"));
}

TEST(AheadTexts, BarriersOrderOtherMemory) {
  const std::string store = "\tglobal_store_b32 v1, v3, s[2:3]\n",
                    wait = "\ts_waitcnt_vscnt null, 0x0\n",
                    load = "\tglobal_load_b32 v4, v1, s[2:3] offset:4\n";
  EXPECT_EQ(refusalOf(store + wait + kBarrier + load, store + wait + kBarrier + load), "");
  EXPECT_THAT(refusalOf(store + wait + kBarrier + load, store + wait + load),
              HasSubstr("the original may have a barrier between"));
  EXPECT_THAT(refusalOf(store + wait + kBarrier + load, store + kBarrier + wait + load),
              HasSubstr("the original may have a barrier between"));
  EXPECT_THAT(refusalOf(load + kArrived + kBarrier + store, load + kArrived + store),
              HasSubstr("the original may have a barrier between"));
  EXPECT_EQ(refusalOf(load + kArrived + store, load + kArrived + store), "");
}

TEST(AheadTexts, InvalidationsOrderWhatTheKernelHasStored) {
  const std::string store = "\tglobal_store_b32 v1, v3, s[2:3]\n\ts_waitcnt_vscnt null, 0x0\n",
                    invalidation = "\tbuffer_gl0_inv\n";
  EXPECT_EQ(refusalOf(kBarrier + invalidation + kLoad, kLoad + kBarrier), "");
  EXPECT_EQ(refusalOf(kLoad + kBarrier, kBarrier + invalidation + kLoad), "");
  const std::string was = store + kBarrier + invalidation + kLoad;
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_NE(refusalOf(was, store + kBarrier + kLoad), "");
  EXPECT_NE(refusalOf(was, store + kBarrier + kLoad + invalidation), "");
  EXPECT_THAT(refusalOf(was, store + invalidation + kBarrier + kLoad),
              HasSubstr("the original may have a barrier between"));
}

TEST(AheadTexts, LoadsThatTheOriginalMakesTwice) {
  // Which of the two is behind the barrier? The first one must not see what others store there.
  const std::string again = replaced(kLoad, "v4", "v6"), arrived = kArrived + kBarrier,
                    store = "\tglobal_store_b32 v2, v4, s[2:3]\n";
  EXPECT_EQ(refusalOf(kLoad + arrived + store, kLoad + arrived + store), "");
  EXPECT_THAT(refusalOf(kLoad + arrived + again + store, kLoad + kArrived + again + store),
              HasSubstr("the original may have a barrier between"));
}

TEST(AheadTexts, WhatIsLoadedFromLds) {
  const std::string body = kLoad + kArrived + kStore + kOthers + kOut;
  EXPECT_EQ(refusalOf(body, replaced(replaced(body, "ds_store_b32 v1, v4",
                                              "ds_store_b32 v1, v4 offset:256"),
                                     "ds_load_b32 v5, v2", "ds_load_b32 v5, v2 offset:256")),
            "");
  // The own value is not the other wave's, even where both have loaded it.
  EXPECT_THAT(refusalOf(body, replaced(body, "v5, v2", "v5, v1")),
              HasSubstr("is not what the original loads"));
  EXPECT_THAT(refusalOf(body, replaced(body, "ds_store_b32 v1, v4", "ds_store_b32 v1, v3")),
              HasSubstr("is not what the original loads"));
  EXPECT_THAT(refusalOf(body, replaced(body, "\ts_barrier\n", "")),
              HasSubstr("two waves access byte 0 of LDS with no barrier"));
}

TEST(AheadTexts, WhatIsNotFollowed) {
  const auto refusal = [](const std::string &body) { return refusalOf(body, body); };
  EXPECT_THAT(refusal("\ts_dcache_inv\n"),
              HasSubstr("this access of the scalar unit is not followed"));
  EXPECT_THAT(refusal("\tds_store_addtid_b32 v3\n"),
              HasSubstr("this LDS operation is not followed"));
  EXPECT_NE(refusal("\ts_mov_b32 m0, 0\n\tds_load_addtid_b32 v5\n"), ""); // It has no address.
  EXPECT_THAT(refusal("\tglobal_atomic_add_u32 v3, v1, v3, s[2:3] glc\n"),
              HasSubstr("synchronises with other"));
  EXPECT_THAT(refusal("\tv_readfirstlane_b32 s5, v0\n\ts_cmp_eq_u32 s5, 0\n"
                      "\ts_cbranch_scc1 .Lskip\n\tds_store_b32 v1, v3\n.Lskip:\n"),
              HasSubstr("waves may have gone different ways"));
  // A loop that never meets the other text.
  EXPECT_THAT(refusalOf("\ts_nop 0\n", ".Lforever:\n\ts_nop 0\n\ts_branch .Lforever\n"),
              HasSubstr("runs for longer than it is followed"));
  EXPECT_THAT(refusalOf("\ts_nop 0\n", ".Lforever:\n\ts_sub_u32 s4, s4, 1\n\ts_cmp_lg_u32 s4, 0\n"
                                       "\ts_cbranch_scc1 .Lforever\n"),
              HasSubstr("too many ways"));
}

/// What is computed in some lanes is known for them, whoever they are, and for nobody else.
TEST(AheadTexts, AddressesOfSomeLanes) {
  const std::string sum = "\tv_add_nc_u32_e32 v7, 4, v2\n", access = "\tds_load_b32 v4, v7\n",
                    rest = "\ts_waitcnt lgkmcnt(0)\n\tv_add_nc_u32_e32 v5, v5, v4\n";
  const std::string filled = "\tds_store_2addr_b32 v1, v3, v3 offset1:1\n"
                             "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\tv_mov_b32_e32 v4, 0\n"
                             "\tv_mov_b32_e32 v5, 0\n";
  const std::string stored = replaced(filled, "ds_store_2addr_b32 v1, v3, v3 offset1:1",
                                      "v_lshlrev_b32_e32 v8, 3, v0\n\tds_store_b64 v8, v[10:11]");
  const std::string setUp = "\tv_mov_b32_e32 v10, 0\n\tv_mov_b32_e32 v11, 0\n" + stored;
  EXPECT_EQ(refusalOf(setUp + ofSome("s4", sum + access, rest) + kOut,
                      setUp + ofSome("s4", sum + access, rest) + kOut),
            "");
  const std::string behind = setUp + ofSome("s4", sum, access + rest) + kOut;
  EXPECT_THAT(refusalOf(behind, behind), HasSubstr("does not follow from the launch alone"));
  const std::string others =
      setUp +
      replaced(ofSome("s4", sum + "\ts_not_b32 exec_lo, exec_lo\n" + access, rest),
               "\ts_cbranch_execz .Ljoin\n", "") +
      kOut;
  EXPECT_THAT(refusalOf(others, others), HasSubstr("does not follow from the launch alone"));
}

/// A wave without lanes reads the first one all the same: what it finds there is not what lanes of
/// the mask have been given.
TEST(AheadTexts, FirstLaneOfNoLanes) {
  const auto text = [](const char *inside) {
    return kFirst +
           "\tv_mov_b32_e32 v7, v0\n\tv_cmp_eq_u32_e32 vcc_lo, s4, v1\n"
           "\ts_and_saveexec_b32 s8, vcc_lo\n" +
           inside +
           "\tv_readfirstlane_b32 s6, v7\n\ts_mov_b32 exec_lo, s8\n"
           "\ts_cmp_eq_u32 s6, 5\n\ts_cbranch_scc1 .Lend\n\tds_store_b32 v1, v3\n" +
           kOthers + ".Lend:\n" + kOut;
  };
  const std::string is = text("\tv_mov_b32_e32 v7, 5\n");
  EXPECT_THAT(refusalOf(is, is), HasSubstr("different ways"));
}

/// That the original stays inside of its LDS may be assumed of code that is there sometimes, not of
/// code that never is: then LDS is larger than it says.
TEST(AheadTexts, OutsideOfLds) {
  const auto refusal = [](std::string_view before, std::string_view after) {
    Correspondence claim = rebuffered("k", {64, 1, 1});
    claim.loads = Correspondence::Loads::Ahead;
    claim.assumptions.insert(Assumption::LdsInBounds);
    return refusalOfTexts(bodyText(before), bodyText(after), {claim});
  };
  const std::string loop = "\ts_mov_b32 s6, 0\n\ts_mov_b32 s7, 0\n.Lin:\n\tv_mov_b32_e32 v7, s6\n"
                           "\tds_load_b32 v4, v7\n\ts_add_u32 s6, s6, 16\n\ts_add_u32 s7, s7, 1\n"
                           "\ts_waitcnt lgkmcnt(0)\n\tv_add_f32_e32 v5, v5, v4\n"
                           "\ts_cmp_eq_u32 s7, s4\n\ts_cbranch_scc0 .Lin\n";
  const std::string filled = kFirst + "\tds_store_b32 v1, v3 offset:256\n\ts_waitcnt lgkmcnt(0)\n"
                                      "\ts_barrier\n";
  const std::string good = filled + loop + kOut;
  EXPECT_EQ(refusal(good, good), "");
  EXPECT_THAT(refusalOf(good, good), HasSubstr("outside of the 512 bytes"));
  EXPECT_THAT(refusal(good, replaced(good, "s_add_u32 s6, s6, 16", "s_add_u32 s6, s6, 32")),
              HasSubstr("not what the original loads"));
  const std::string never = replaced(good, "s_mov_b32 s6, 0", "s_movk_i32 s6, 0x400");
  EXPECT_THAT(refusal(never, never), HasSubstr("all of this access to LDS is outside"));
}

/// Lanes that are off keep what they have, and that is no part of what the others load.
TEST(AheadTexts, LoadsFromLdsOfLanesThatAreKnown) {
  const auto text = [](const char *old, const char *behind) {
    return kFirst + "\tv_mov_b32_e32 v4, " + old +
           "\n\ts_mov_b32 exec_lo, 0xff\n\tds_load_b32 v4, v2\n\ts_waitcnt lgkmcnt(0)\n" + behind +
           "\tglobal_store_b32 v1, v4, s[2:3]\n";
  };
  const char *all = "\ts_mov_b32 exec_lo, -1\n";
  EXPECT_EQ(refusalOf(text("1", ""), text("2", "")), "");
  EXPECT_EQ(refusalOf(text("1", all), text("1", all)), "");
  EXPECT_THAT(refusalOf(text("1", all), text("2", all)), HasSubstr("not the original's"));
}

} // namespace
} // namespace rdna::test::aheadTextsTest
