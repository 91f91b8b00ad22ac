// Loads from memory and stores to LDS that are made steps earlier, proven: pairs written by hand,
// and faults planted in them. What of these the emulator can show is in
// tests/lit/hsaco-loader/lds-ahead-faults.test.

#include "BufferPair.h"

namespace rdna::test::aheadProofTest {
namespace {

using testing::HasSubstr;

Correspondence ahead(std::string function, WorkgroupShape shape) {
  Correspondence claim = rebuffered(std::move(function), shape);
  claim.loads = Correspondence::Loads::Ahead;
  return claim;
}

struct Planted {
  const char *name, *from, *to, *says;
};

/// What the proof says of a pair with a change in the second text.
std::string refusalOfPair(const char *one, const char *two, const Planted &fault) {
  return refusalOfTexts(readPair(one), replaced(readPair(two), fault.from, fault.to),
                        {ahead("sums", {64, 1, 1})});
}

std::string refusalOfPair(const char *one, const char *two) {
  return refusalOfTexts(readPair(one), readPair(two), {ahead("sums", {64, 1, 1})});
}

void expectRefused(const char *one, const char *two, llvm::ArrayRef<Planted> faults) {
  for (const Planted &fault : faults)
    EXPECT_THAT(refusalOfPair(one, two, fault), HasSubstr(fault.says)) << fault.name;
}

TEST(AheadProof, PairsWrittenByHand) {
  for (const char *two : {"two-buffers.s", "prefetch-two-buffers.s", "rotated.s", "wrapped.s",
                          "prefetch-deep.s", "three-buffers.s"})
    EXPECT_EQ(refusalOfPair("one-buffer.s", two), "") << two;
  for (const char *two :
       {"prefetch-two-buffers.s", "rotated.s", "wrapped.s", "prefetch-deep.s", "three-buffers.s"})
    EXPECT_EQ(refusalOfPair("prefetch-one-buffer.s", two), "") << two;
  // With three buffers the store may stand behind the barrier: it has a whole step more.
  EXPECT_EQ(
      refusalOfPair(
          "prefetch-one-buffer.s", "three-buffers.s",
          {"",
           "ds_store_b32 v1, v3 offset:512   ; step 0\n\ts_barrier                        ; step 0",
           "s_barrier\n\tds_store_b32 v1, v3 offset:512", ""}),
      "");
  // Back again: one that is a step behind.
  EXPECT_EQ(refusalOfPair("rotated.s", "prefetch-deep.s"), "");
}

// Buffers that take turns by XOR, and a loop over what is left of the rows that counts with K & 3:
// states that differ in the numbers that both texts have stay apart, and few bits have few values.
TEST(AheadProof, TurnsAndRest) {
  EXPECT_EQ(refusalOfPair("turns-and-rest.s", "turns-and-rest-deep.s"), "");
}

TEST(AheadProof, FaultsOfTurnsAndRest) {
  expectRefused(
      "turns-and-rest.s", "turns-and-rest-deep.s",
      {{"barrier gone", "s_barrier                               ; even", "s_nop 0",
        "two waves access byte"},
       {"no turn", "\tv_xor_b32_e32 v1, 0x400, v1             ; odd\n", "",
        "two waves access byte"},
       {"reads the other buffer", "\tv_xor_b32_e32 v2, 0x400, v2             ; last, even\n", "",
        "something else was stored there last"},
       {"wait short", "s_waitcnt vmcnt(4)                      ; odd", "s_waitcnt vmcnt(5)",
        "is read before a wait"},
       {"the other set", "ds_store_b32 v1, v17                    ; odd", "ds_store_b32 v1, v9",
        "something else was stored there last"},
       {"one group too many", "\ts_cbranch_scc1 .Lgroup.ahead.drain1.1   ; odd\n", "",
        "the original does something else here"},
       {"another branch", "s_cbranch_scc1 .Lgroup.ahead.drain0.1   ; even",
        "s_cbranch_scc1 .Lgroup.ahead.drain1.1", "something else was stored there last"},
       {"the rest from either buffer", "\tv_and_b32_e32 v2, 0x3ff, v2             ; which", "\t;",
        "something else was stored there last"},
       {"the rest is stored to either buffer", "\tv_and_b32_e32 v1, 0x3ff, v1             ; which",
        "\t;", "something else was stored there last"},
       {"more is left", "s_and_b32 s11, 3, s8                    ; rows", "s_and_b32 s11, 7, s8 ;",
        "the original does something else here"},
       {"one row more", "s_cmp_le_i32 s11, 0", "s_cmp_lt_i32 s11, 0",
        "the original does something else here"},
       {"another row", "s_movk_i32 s12, 0x100", "s_movk_i32 s12, 0x200",
        "something else was stored there last"},
       {"barrier of the rest gone", "\ts_barrier                               ; rest is there\n",
        "", "two waves access byte"},
       {"the first group is there", "\ts_cmp_eq_u32 s11, 0\n\ts_cbranch_scc1 .Lrest",
        "\ts_cmp_eq_u32 s11, 1\n\ts_cbranch_scc1 .Lrest", "something else was stored there last"}});
}

// clang 16 writes no s_nop before it gives the VGPRs back: that is excused where the original does
// the same, and nowhere else.
TEST(AheadProof, LastMessage) {
  const auto ending = [](const char *name, const char *end) {
    return replaced(readPair(name), "s_endpgm", end);
  };
  const char *bare = "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n\ts_endpgm";
  const char *spaced = "s_nop 0\n\ts_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n\ts_endpgm";
  const auto refusalOf = [&](const char *one, const char *two) {
    return refusalOfTexts(ending("prefetch-one-buffer.s", one), ending("rotated.s", two),
                          {ahead("sums", {64, 1, 1})});
  };
  EXPECT_EQ(refusalOf(bare, bare), "");
  EXPECT_EQ(refusalOf(bare, spaced), "");
  EXPECT_THAT(refusalOf(spaced, bare), HasSubstr("needs an s_nop 0"));
  EXPECT_THAT(refusalOf("s_endpgm", bare), HasSubstr("needs an s_nop 0"));
}

/// What a step loads from LDS is loaded in front of the product of the step before.
TEST(AheadProof, FragmentsThatNeverDrain) {
  EXPECT_EQ(refusalOfPair("prefetch-two-buffers.s", "undrained.s"), "");
  EXPECT_EQ(refusalOfPair("prefetch-one-buffer.s", "undrained.s"), "");
  EXPECT_EQ(refusalOfPair("one-buffer.s", "undrained.s"), "");
  EXPECT_EQ(refusalOfPair("undrained.s", "prefetch-two-buffers.s"), "");
}

TEST(AheadProof, FaultsOfFragmentsThatNeverDrain) {
  expectRefused(
      "prefetch-two-buffers.s", "undrained.s",
      {{"barrier gone", "\ts_barrier                               ; even\n", "",
        "two waves access byte"},
       {"loaded in front of the barrier",
        "\ts_barrier                               ; odd\n\tds_load_b32 v4, v2                     "
        "; "
        "for the next step, odd\n",
        "\tds_load_b32 v4, v2\n\ts_barrier\n", "two waves access byte"},
       {"wait short of the store", "lgkmcnt(0)                    ; loaded and stored, even",
        "lgkmcnt(1)", "which is not waited for"},
       {"wait gone", "\ts_waitcnt lgkmcnt(0)                    ; last loaded, odd\n", "",
        "is read before a wait"},
       {"the other buffer", "v2 offset:256          ; for the next step, even", "v2 ;",
        "something else was stored there last"},
       {"the other fragment", "0.5, v6               ; odd", "0.5, v4 ;", "is not the original's"},
       {"the other fragment in the rest", "0.5, v4               ; last sum, even", "0.5, v6 ;",
        "is not the original's"},
       {"no first fragment", "\tds_load_b32 v4, v2                      ; first\n", "",
        "something else was stored there last"},
       {"last sum missing", "\tv_fma_f32 v5, v5, 0.5, v6               ; last sum, odd\n", "",
        "is not the original's"},
       {"last sum twice", "; last sum, odd\n", "; last sum, odd\n\tv_fma_f32 v5, v5, 0.5, v6\n",
        "is not the original's"}});
}

TEST(AheadProof, FaultsOfARotatedLoop) {
  expectRefused(
      "prefetch-one-buffer.s", "rotated.s",
      {{"barrier gone", "\ts_barrier                        ; before the stores\n", "",
        "two waves access byte"},
       {"barrier behind gone", "\ts_barrier                        ; behind the stores\n", "",
        "two waves access byte"},
       {"first barrier gone", "\ts_barrier                        ; first\n", "",
        "two waves access byte"},
       {"another place", "ds_store_b32 v1, v3              ; next", "ds_store_b32 v2, v3 ; next",
        "something else was stored there last"},
       {"wait short of a store", "lgkmcnt(0)             ; stored", "lgkmcnt(1) ; stored",
        "which is not waited for"},
       {"wait short of the load", "lgkmcnt(0)             ; loaded", "lgkmcnt(1) ; loaded",
        "which is not waited for"},
       {"wait short of the row", "vmcnt(0)               ; arrived", "vmcnt(1) ; arrived",
        "the original may have a barrier between"},
       {"an iteration more", "s_sub_u32 s8, s8, 1              ; enter\n\ts_cmp_eq_u32 s8, 0",
        "s_cmp_eq_u32 s8, 0", "the original does something else here"},
       {"last iteration missing", "s_sub_u32 s8, s8, 1              ; again",
        "s_sub_u32 s8, s8, 2 ; again", "the original does something else here"},
       {"epilogue twice", "\tv_fma_f32 v5, v5, 0.5, v4        ; last sum\n",
        "\tv_fma_f32 v5, v5, 0.5, v4 ; last sum\n\tv_fma_f32 v5, v5, 0.5, v4 ; last sum\n",
        "this access to memory is not the original's"},
       {"prefetch out of the footprint", "\ts_cbranch_scc1 .Lrest\n",
        "\tglobal_load_b32 v7, v0, s[4:5]\n\ts_cbranch_scc1 .Lrest\n",
        "something else was stored there last"},
       {"another row", "\ts_addc_u32 s5, s5, 0\n\tds_load", "\ts_addc_u32 s5, s5, 1\n\tds_load",
        "is not the original's next one"}});
}

TEST(AheadProof, FaultsOfAWrappedPrefetch) {
  expectRefused("one-buffer.s", "wrapped.s",
                {{"barrier gone", "\ts_barrier                        ; before the stores\n", "",
                  "two waves access byte"},
                 {"barrier behind gone", "\ts_barrier                        ; behind the stores\n",
                  "", "two waves access byte"},
                 {"not wrapped", "\ts_cselect_b32 s4, s10, s4\n\ts_cselect_b32 s5, s11, s5\n", "",
                  "one text is ahead of the other with loads"},
                 {"half wrapped", "\ts_cselect_b32 s5, s11, s5\n", "",
                  "one text is ahead of the other with loads"},
                 {"wrapped the other way", "s_cselect_b32 s4, s10, s4\n\ts_cselect_b32 s5, s11, s5",
                  "s_cselect_b32 s4, s4, s10\n\ts_cselect_b32 s5, s5, s11",
                  "something else was stored there last"},
                 {"wrapped a step early", "s_cmp_eq_u32 s8, 0               ; no more",
                  "s_cmp_eq_u32 s8, 1 ; no more", "something else was stored there last"},
                 {"wrapped never", "s_cmp_eq_u32 s8, 0               ; no more",
                  "s_cmp_eq_u32 s8, -1 ; no more", "something else was stored there last"},
                 {"wrapped to nowhere", "s_mov_b64 s[10:11], s[4:5]", "s_mov_b64 s[10:11], s[6:7]",
                  "one text is ahead of the other with loads"},
                 {"wait short", "vmcnt(0)               ; arrived", "vmcnt(1) ; arrived",
                  "the original may have a barrier between"},
                 {"wait short of a store", "lgkmcnt(0)             ; stored", "lgkmcnt(1) ; stored",
                  "which is not waited for"},
                 {"last iteration missing", "s_cmp_lg_u32 s8, 0", "s_cmp_gt_u32 s8, 1",
                  "the original does something else here"},
                 {"sum twice", "\tv_fma_f32 v5, v5, 0.5, v4        ; sum\n",
                  "\tv_fma_f32 v5, v5, 0.5, v4 ; sum\n\tv_fma_f32 v5, v5, 0.5, v4 ; sum\n",
                  "this access to memory is not the original's"},
                 {"what was wrapped is used", "\tglobal_store_b32 v0, v5",
                  "\tv_mov_b32_e32 v5, v3\n\tglobal_store_b32 v0, v5",
                  "this access to memory is not the original's"}});
}

TEST(AheadProof, FaultsOfADeeperPrefetch) {
  expectRefused(
      "prefetch-one-buffer.s", "prefetch-deep.s",
      {{"barrier gone", "\ts_barrier                        ; before the stores, odd\n", "",
        "two waves access byte"},
       {"barrier behind gone", "\ts_barrier                        ; behind the stores, even\n", "",
        "two waves access byte"},
       {"barrier of the last gone",
        "\ts_barrier                        ; before the last stores, odd\n", "",
        "two waves access byte"},
       {"the other's register", "ds_store_b32 v1, v6              ; even",
        "ds_store_b32 v1, v3 ; even", "something else was stored there last"},
       {"the last one's register", "ds_store_b32 v1, v3              ; last, odd",
        "ds_store_b32 v1, v6 ; last, odd", "something else was stored there last"},
       {"overwritten too early", "global_load_b32 v3, v0, s[4:5]   ; the row after the next, even",
        "global_load_b32 v6, v0, s[4:5] ; the row after the next, even",
        "something else was stored there last"},
       {"wait short", "vmcnt(1)               ; arrived, even", "vmcnt(2) ; arrived, even",
        "read before a wait"},
       {"wait short of the last", "vmcnt(0)               ; last arrived, even",
        "vmcnt(1) ; last arrived, even", "the original may have a barrier between"},
       {"unguarded", "\ts_cbranch_scc1 .Llast_odd\n", "", "the original does something else here"},
       {"loaded in front of the guard",
        "\ts_cbranch_scc1 .Lone\n\tglobal_load_b32 v6, v0, s[4:5]   ; the second row\n",
        "\tglobal_load_b32 v6, v0, s[4:5] ; the second row\n\ts_cbranch_scc1 .Lone\n",
        "one text is ahead of the other with loads"},
       {"last iteration missing", "s_cbranch_scc1 .Llast_even", "s_cbranch_scc1 .Lrest",
        "the original does something else here"},
       {"epilogue of the other", "s_cbranch_scc1 .Llast_odd", "s_cbranch_scc1 .Llast_even",
        "something else was stored there last"},
       {"epilogue twice", "\tv_fma_f32 v5, v5, 0.5, v4        ; rest\n",
        "\tv_fma_f32 v5, v5, 0.5, v4 ; rest\n\tv_fma_f32 v5, v5, 0.5, v4 ; rest\n",
        "this access to memory is not the original's"}});
}

TEST(AheadProof, FaultsOfThreeBuffers) {
  expectRefused(
      "prefetch-one-buffer.s", "three-buffers.s",
      {{"barrier gone", "\ts_barrier                        ; step 1\n", "",
        "two waves access byte"},
       {"barrier of the last gone", "\ts_barrier                        ; last, 2\n", "",
        "two waves access byte"},
       {"first barrier gone", "\ts_barrier                        ; first\n", "",
        "two waves access byte"},
       {"wrong buffer", "ds_load_b32 v4, v2 offset:256    ; step 1",
        "ds_load_b32 v4, v2 offset:512 ; step 1", "which is not waited for"},
       {"offset of the other", "ds_store_b32 v1, v3 offset:256   ; step 2",
        "ds_store_b32 v1, v3 offset:512 ; step 2", "two waves access byte"},
       {"buffer reused too early", "ds_store_b32 v1, v3              ; step 1",
        "ds_store_b32 v1, v3 offset:256 ; step 1", "two waves access byte"},
       {"outside", "ds_store_b32 v1, v3 offset:512   ; step 0",
        "ds_store_b32 v1, v3 offset:768 ; step 0", "outside of the"},
       {"wait short", "vmcnt(0)               ; arrived, step 2", "vmcnt(1) ; arrived, step 2",
        "the original may have a barrier between"},
       {"wait short of stores", "lgkmcnt(1)             ; first stored",
        "lgkmcnt(2) ; first stored", "which is not waited for"},
       {"wait short in a step", "lgkmcnt(0)             ; loaded and stored, step 0",
        "lgkmcnt(1) ; loaded and stored, step 0", "two waves access byte"},
       {"last iteration missing", "s_cbranch_scc1 .Ltwo1\n", "s_cbranch_scc1 .Lrest\n",
        "something else was stored there last"},
       {"epilogue of the other", "s_cbranch_scc1 .Ltwo1\n", "s_cbranch_scc1 .Ltwo2\n",
        "which is not waited for"},
       {"epilogue twice", "\tv_fma_f32 v5, v5, 0.5, v4        ; last, 0\n",
        "\tv_fma_f32 v5, v5, 0.5, v4 ; last, 0\n\tv_fma_f32 v5, v5, 0.5, v4 ; last, 0\n",
        "this access to memory is not the original's"},
       {"unguarded", "\ts_cbranch_scc1 .Ltwo0\n", "", "the original does something else here"},
       {"too small", "group_segment_fixed_size 768", "group_segment_fixed_size 512",
        "do not declare the same bytes"}});
}

TEST(AheadProof, FaultsOfTwoBuffersAhead) {
  expectRefused("one-buffer.s", "prefetch-two-buffers.s",
                {{"barrier gone", "\ts_barrier                               ; even\n", "",
                  "two waves access byte"},
                 {"another barrier gone", "\ts_barrier                               ; odd\n", "",
                  "two waves access byte"},
                 {"wrong buffer", "ds_store_b32 v1, v3 offset:256             ; even",
                  "ds_store_b32 v1, v3 ; even", "two waves access byte"},
                 {"offset of the other", "ds_load_b32 v4, v2 offset:256              ; odd",
                  "ds_load_b32 v4, v2 ; odd", "something else was stored there last"},
                 {"wait short", "s_waitcnt lgkmcnt(0)                    ; stored, even",
                  "s_waitcnt lgkmcnt(1) ; stored, even", "which is not waited for"},
                 {"wait short of the row", "s_waitcnt vmcnt(0)                      ; arrived, odd",
                  "s_waitcnt vmcnt(1) ; arrived, odd", "the original may have a barrier between"},
                 {"epilogue of the other", "s_cbranch_scc1 .Lrest2", "s_cbranch_scc1 .Lrest",
                  "something else was stored there last"},
                 {"footprint left", "\ts_cbranch_scc1 .Lrest2\n\tglobal_load_b32 v3, v0, s[4:5]",
                  "\tglobal_load_b32 v3, v0, s[4:5]\n\ts_cbranch_scc1 .Lrest2",
                  "one text is ahead of the other with loads"},
                 {"epilogue twice", "\tv_fma_f32 v5, v5, 0.5, v4               ; last sum, odd\n",
                  "\tv_fma_f32 v5, v5, 0.5, v4\n\tv_fma_f32 v5, v5, 0.5, v4\n",
                  "this access to memory is not the original's"}});
}

} // namespace
} // namespace rdna::test::aheadProofTest
