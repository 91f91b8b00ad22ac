// Waves that jump over code or to copies of it, and lanes that nobody knows, for texts that do
// things earlier than others.

#include "BufferPair.h"

namespace rdna::test::aheadGuardsTest {
namespace {

using testing::HasSubstr;

const std::string kStored = "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\tds_load_b32 v5, v2\n"
                            "\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b32 v1, v5, s[2:3]\n";
const std::string kFirstWave = "\tv_cmp_gt_u32_e32 vcc_lo, 32, v0\n";

std::string refusalOfBoth(const std::string &text) { return refusalAhead(text, text); }

// What stands behind an `if` stands behind its code, and once more where waves jump that are not in
// there.
const std::string kJumpsOver = kFirstWave +
                               "\ts_and_saveexec_b32 s5, vcc_lo\n"
                               "\ts_cbranch_execz .Lothers\n"
                               "\tds_store_b32 v1, v3\n"
                               "\ts_and_not1_b32 exec_lo, s5, exec_lo ; copied\n"
                               "\tds_store_b32 v1, v1 ; copied\n"
                               "\ts_mov_b32 exec_lo, s5 ; copied\n"
                               ".Lmeet:\n" +
                               kStored +
                               "\ts_endpgm\n.Lothers:\n"
                               "\ts_and_not1_b32 exec_lo, s5, exec_lo ; copy\n"
                               "\tds_store_b32 v1, v1 ; copy\n"
                               "\ts_mov_b32 exec_lo, s5 ; copy\n"
                               "\ts_branch .Lmeet\n";

TEST(AheadGuards, WavesMayJumpToACopy) {
  EXPECT_EQ(refusalOfBoth(kJumpsOver), "");
  EXPECT_THAT(refusalOfBoth(replaced(kJumpsOver, "v1, v1 ; copy\n", "v1, v3\n")),
              HasSubstr("waves may"));
  EXPECT_THAT(refusalOfBoth(replaced(kJumpsOver, "\ts_mov_b32 exec_lo, s5 ; copy\n", "")),
              HasSubstr("waves may"));
  const std::string plain = replaced(replaced(kJumpsOver, "\ts_cbranch_execz .Lothers\n", ""),
                                     "v1, v3\n", "v1, v3 ; first\n");
  EXPECT_EQ(refusalAhead(kJumpsOver, plain), "");
  EXPECT_NE(refusalAhead(kJumpsOver, replaced(plain, "v1, v1 ; copied", "v1, v3 ; copied")), "");
}

// The others come back where the first ones do, whatever is jumped over in between.
TEST(AheadGuards, WavesThatHaveJumpedAreNotForgotten) {
  const std::string before = "\ts_mov_b32 s10, exec_lo\n",
                    after = "\tv_mov_b32_e32 v4, s5\n\tglobal_store_b32 v1, v4, s[2:3]\n";
  const std::string inner = "\tv_cmpx_lt_u32_e32 63, v0\n\ts_cbranch_execz .Lend\n"
                            "\tv_mov_b32_e32 v9, 1\n",
                    other = "\tv_cmpx_lt_u32_e32 63, v0\n\ts_cbranch_execnz .Lbody\n"
                            "\ts_mov_b32 s7, 1\n\ts_branch .Lend\n.Lbody:\n"
                            "\tv_mov_b32_e32 v9, 1\n\ts_mov_b32 s7, 1\n";
  for (const std::string &way : {inner, other}) {
    const std::string was = before +
                            "\ts_mov_b32 s5, 0\n\tv_cmpx_gt_u32_e32 32, v0\n"
                            "\ts_cbranch_execz .Lend\n\ts_mov_b32 s5, 4\n" +
                            way + "\ts_branch .Lend\n.Lend:\n\ts_mov_b32 exec_lo, s10\n" + after;
    const std::string labels = way == inner ? ".Lend:\n" : ".Lbody:\n.Lend:\n";
    EXPECT_THAT(refusalAhead(was, before + "\ts_mov_b32 s5, 4\n" + labels + after),
                HasSubstr("not the original's"));
    const std::string same = replaced(was, "\ts_mov_b32 s5, 4\n", "");
    EXPECT_EQ(refusalAhead(same, before + "\ts_mov_b32 s5, 0\n" + labels + after), "");
  }
}

/// Lanes that are gathered in s6, in code that some waves jump over, and store behind it.
std::string gathered(const std::string &change) {
  return "\tds_store_b32 v1, v1\n\tv_cmp_gt_u32_e64 s6, 48, v0\n" + kFirstWave +
         "\ts_and_saveexec_b32 s5, vcc_lo\n\ts_cbranch_execz .Lmeet\n"
         "\ts_and_b32 s7, s6, exec_lo\n" +
         change + ".Lmeet:\n\ts_or_b32 exec_lo, exec_lo, s5\n\ts_mov_b32 exec_lo, s6\n" +
         "\tds_store_b32 v1, v3\n\ts_mov_b32 exec_lo, -1\n" + kStored;
}

TEST(AheadGuards, MasksThatWavesWithoutLanesKeep) {
  for (const char *change : {"\ts_and_not1_b32 s6, s6, exec_lo\n", "\ts_or_b32 s6, s6, exec_lo\n",
                             "\ts_or_b32 s6, s6, s7\n", "\ts_and_not1_b32 s6, s6, s7\n"})
    EXPECT_EQ(refusalOfBoth(gathered(change)), "") << change;
  for (const char *change :
       {"\ts_mov_b32 s6, 0\n", "\ts_and_b32 s6, s6, exec_lo\n",
        "\ts_and_not1_b32 s6, exec_lo, s6\n", "\ts_not_b32 s7, s7\n\ts_or_b32 s6, s6, s7\n"})
    EXPECT_NE(refusalOfBoth(gathered(change)), "") << change;
}

// Which lanes an inner guard has is kept by the waves that come to it; others have no lanes under
// the outer one either, and nothing is known of what they have there.
TEST(AheadGuards, MasksThatSomeWavesKeep) {
  const std::string outer = "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n\ts_and_saveexec_b32 s5, vcc_lo\n"
                            "\ts_cbranch_execz .Lkept\n",
                    inner = "\tv_cmp_gt_u32_e64 s6, s2, v0\n\ts_and_saveexec_b32 s7, s6\n",
                    keep = "\ts_mov_b32 s9, exec_lo\n\ts_mov_b32 exec_lo, s7\n.Lkept:\n"
                           "\ts_mov_b32 exec_lo, s5\n",
                    again = "\ts_and_saveexec_b32 s10, vcc_lo\n\ts_cbranch_execz .Lend\n",
                    store = "\ts_and_saveexec_b32 s11, s9\n\tds_store_b32 v1, v1\n.Lend:\n"
                            "\ts_mov_b32 exec_lo, s5\n";
  const std::string head = "\tds_store_b32 v1, v3\n" + outer + inner + keep;
  const std::string now = head + again + store + kStored,
                    was = head + again + inner + replaced(store, "s11, s9", "s11, s6") + kStored;
  EXPECT_EQ(refusalAhead(was, now), "");
  EXPECT_NE(refusalAhead(was, replaced(now, again, "")), "");
  EXPECT_NE(refusalAhead(was, replaced(now, again, "\tv_cmp_gt_u32_e32 vcc_lo, 40, v0\n" + again)),
            "");
  EXPECT_NE(refusalAhead(was, replaced(now, keep, replaced(keep, "s9, exec_lo", "s9, s7"))), "");
}

// An address that is increased and decreased again, in lanes that the launch's argument says.
TEST(AheadGuards, AddressesThatComeBack) {
  const std::string open = "\tds_store_b32 v1, v3\n\tds_store_b32 v1, v3 offset:256\n"
                           "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n"
                           "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n\ts_and_saveexec_b32 s5, vcc_lo\n"
                           "\ts_cbranch_execz .Lmeet\n\tv_add_nc_u32_e32 v2, 0x100, v2\n"
                           "\tds_load_b32 v6, v2\n",
                    back = "\tv_add_nc_u32_e32 v2, 0xffffff00, v2\n",
                    meet = ".Lmeet:\n\ts_or_b32 exec_lo, exec_lo, s5\n\tds_load_b32 v5, v2\n"
                           "\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b32 v1, v5, s[2:3]\n";
  EXPECT_EQ(refusalOfBoth(open + back + meet), "");
  for (const std::string &other :
       {std::string(), "\ts_mov_b32 exec_lo, -1\n" + back, "\tv_cmpx_gt_u32_e64 9, v0\n" + back,
        replaced(back, "ffffff00", "fffffe00"),
        "\tv_readfirstlane_b32 s6, v6\n\tv_cmpx_gt_u32_e64 s6, v0\n" + back})
    EXPECT_NE(refusalOfBoth(open + other + meet), "") << other;
}

} // namespace
} // namespace rdna::test::aheadGuardsTest
