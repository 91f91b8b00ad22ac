// Long branches in texts that arrange LDS anew: where they go is followed, and what they leave in
// registers is a distance of one text that nobody else may use.

#include "BufferPair.h"

namespace rdna::test::longBranchProofTest {
namespace {

using testing::HasSubstr;

/// Bodies of a kernel of 64 work-items: s[2:3] is a pointer and s4 a number that the launch passes,
/// v1 a multiple of four, v2 the same in the other wave.
std::string bodyText(std::string_view body) {
  return kernelText(fmt::format("\ts_load_b64 s[2:3], s[0:1], 0x0\n"
                                "\ts_load_b32 s4, s[0:1], 0x8\n"
                                "\tv_lshlrev_b32_e32 v1, 2, v0\n"
                                "\tv_xor_b32_e32 v2, 0x80, v1\n"
                                "\tv_mov_b32_e32 v3, 0\n"
                                "\ts_waitcnt lgkmcnt(0)\n{}",
                                body),
                    "\t.amdhsa_user_sgpr_count 2\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                    "\t.amdhsa_kernarg_size 16\n\t.amdhsa_group_segment_fixed_size 512\n"
                    "\t.amdhsa_wavefront_size32 1\n\t.amdhsa_system_vgpr_workitem_id 0\n");
}

using Loads = Correspondence::Loads;
constexpr Loads kProofs[] = {Loads::InOrder, Loads::Ahead};

std::string refusalOf(Loads loads, std::string_view before, std::string_view after) {
  Correspondence claim = rebuffered("k", {64, 1, 1});
  claim.loads = loads;
  return refusalOfTexts(bodyText(before), bodyText(after), {claim});
}

/// As LLVM gives the name of a label as a literal, and as compilers write it.
const std::string kNamed = "\ts_getpc_b64 s[8:9]\n\ts_add_i32 s10, .Lskip, 0x4\n"
                           "\ts_add_u32 s8, s8, s10\n\ts_addc_u32 s9, s9, 0\n"
                           "\ts_setpc_b64 s[8:9]\n",
                  kCompilers = "\ts_getpc_b64 s[8:9]\n.Lpost:\n"
                               "\ts_add_u32 s8, s8, (.Lskip-.Lpost)&4294967295\n"
                               "\ts_addc_u32 s9, s9, (.Lskip-.Lpost)>>32\n"
                               "\ts_setpc_b64 s[8:9]\n";

/// A long branch around a tile, and code that it goes to; offset: where the tile is in LDS.
std::string tile(const std::string &branch, const char *offset, const std::string &skipped = {}) {
  return "\ts_cmp_eq_u32 s4, 0\n\ts_cbranch_scc0 .Ltile\n" + branch +
         ".Ltile:\n\tglobal_load_b32 v4, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n\tds_store_b32 v1, v4" +
         offset + "\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\tds_load_b32 v5, v2" + offset +
         "\n\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b32 v1, v5, s[2:3]\n\ts_branch .Lend\n"
         ".Lskip:\n" +
         skipped + "\tglobal_store_b32 v1, v3, s[2:3]\n.Lend:\n";
}
const char *const kOther = " offset:256";

TEST(LongBranchProof, IsFollowed) {
  for (const Loads loads : kProofs)
    for (const std::string &branch : {kNamed, kCompilers}) {
      EXPECT_EQ(refusalOf(loads, tile(branch, ""), tile(branch, kOther)), "");
      // Distances may differ.
      EXPECT_EQ(refusalOf(loads, tile(branch, ""), tile(branch, kOther, "\ts_nop 0\n")), "");
    }
}

TEST(LongBranchProof, GoesToTheSamePlace) {
  for (const Loads loads : kProofs)
    EXPECT_THAT(
        refusalOf(loads, tile(kNamed, ""), tile(replaced(kNamed, ".Lskip", ".Lend"), kOther)),
        HasSubstr("the original does something else here"));
}

TEST(LongBranchProof, LeavesNothingForOthers) {
  // Each half, the distance and the carry: the same instructions read another number here.
  for (const char *use :
       {"\tv_mov_b32_e32 v3, s8\n", "\tv_mov_b32_e32 v3, s9\n", "\tv_mov_b32_e32 v3, s10\n",
        "\ts_cselect_b32 s5, 1, 2\n"
        "\tv_mov_b32_e32 v3, s5\n"})
    for (const Loads loads : kProofs)
      EXPECT_NE(refusalOf(loads, tile(kNamed, "", use), tile(kNamed, kOther, use)), "") << use;
  EXPECT_THAT(refusalOf(Loads::Ahead, tile(kNamed, "", "\tv_mov_b32_e32 v3, s8\n"),
                        tile(kNamed, kOther, "\tv_mov_b32_e32 v3, s8\n")),
              HasSubstr("this access to memory is not the original's"));
}

TEST(LongBranchProof, IsMadeAtOnce) {
  const std::string changed = replaced(kNamed, "\ts_setpc", "\ts_xor_b32 s9, s9, 1\n\ts_setpc"),
                    kept = replaced(kNamed, "\ts_getpc_b64 s[8:9]\n",
                                    "\ts_getpc_b64 s[12:13]\n\ts_mov_b64 s[8:9], s[12:13]\n");
  for (const Loads loads : kProofs)
    for (const std::string &branch : {changed, kept})
      EXPECT_NE(refusalOf(loads, tile(kNamed, ""), tile(branch, kOther)), "") << branch;
}

TEST(LongBranchProof, NobodyComesToItsMiddle) {
  const std::string text = tile(kCompilers, "");
  const auto enter = [&](const std::string &to) {
    return replaced(to, "s_cbranch_scc0 .Ltile", "s_cbranch_scc0 .Ltile\n\ts_cbranch_scc1 .Lpost");
  };
  for (const Loads loads : kProofs)
    EXPECT_THAT(refusalOf(loads, enter(text), enter(tile(kCompilers, kOther))),
                HasSubstr("goes on in the middle of a long branch"));
}

} // namespace
} // namespace rdna::test::longBranchProofTest
