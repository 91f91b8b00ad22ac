// Another arrangement of LDS and its barriers, proven: pairs written by hand, and faults planted in
// them. What of these the emulator can show is in tests/lit/hsaco-loader/lds-buffer-faults.test.

#include "BufferPair.h"

namespace rdna::test::bufferProofTest {
namespace {

using testing::HasSubstr;

struct Planted {
  const char *name, *from, *to, *says;
};

/// What the proof says of a pair with a change in the second text.
std::string refusalOfPair(const char *one, const char *two, const Planted &fault) {
  return refusalOfTexts(readPair(one), replaced(readPair(two), fault.from, fault.to),
                        {rebuffered("sums", {64, 1, 1})});
}

void expectRefused(const char *one, const char *two, llvm::ArrayRef<Planted> faults) {
  for (const Planted &fault : faults)
    EXPECT_THAT(refusalOfPair(one, two, fault), HasSubstr(fault.says)) << fault.name;
}

TEST(BufferProof, TakesTurnsByExclusiveOr) {
  const std::string one = readPair("one-buffer.s"), two = readPair("two-buffers.s");
  const std::vector<Correspondence> claims{rebuffered("sums", {64, 1, 1})};
  EXPECT_EQ(refusalOfTexts(one, two, claims), "");
  const std::string shaped =
      replaced(one, "    .max_flat_", "    .reqd_workgroup_size: [64, 1, 1]\n    .max_flat_");
  EXPECT_EQ(refusalOfTexts(one, shaped, claims), "");
}

TEST(BufferProof, FaultsOfTurnsByExclusiveOr) {
  expectRefused(
      "one-buffer.s", "two-buffers.s",
      {{"barrier gone", "\ts_barrier\n", "", "two waves access byte 0 of LDS with no barrier"},
       {"barrier too early", "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n",
        "\ts_barrier\n\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n",
        "two waves access byte 0 of LDS with no barrier"},
       {"stores stay", "\tv_xor_b32_e32 v1, 0x100, v1", "",
        "two waves access byte 0 of LDS with no barrier"},
       {"loads stay", "\tv_xor_b32_e32 v2, 0x100, v2\n", "",
        "byte 132 of LDS is read where the original reads byte 132; what that holds is in byte "
        "388"},
       {"half a buffer", "\tv_xor_b32_e32 v2, 0x100", "\tv_xor_b32_e32 v2, 0x80",
        "what that holds is in byte 388"},
       {"offset of the other", "ds_load_b32 v4, v2", "ds_load_b32 v4, v2 offset:256",
        "what that holds is in byte 132"},
       {"a wait short", "s_waitcnt lgkmcnt(0)\n\ts_barrier", "s_waitcnt lgkmcnt(1)\n\ts_barrier",
        "does something else"},
       {"an iteration less", "s_sub_u32 s8, s8, 1", "s_sub_u32 s8, s8, 2", "does something else"},
       {"a sum twice", "\tv_fma_f32 v5, v5, 0.5, v4\n",
        "\tv_fma_f32 v5, v5, 0.5, v4\n\tv_fma_f32 v5, v5, 0.5, v4\n", "does something else"},
       {"another exit", "s_cbranch_scc1 .Lstep", "s_cbranch_scc0 .Lstep", "does something else"},
       {"too small", ".amdhsa_group_segment_fixed_size 512", ".amdhsa_group_segment_fixed_size 384",
        "do not declare the same bytes"}});
}

TEST(BufferProof, TheRewrittenKernelRequiresTheWorkgroup) {
  const std::string one = readPair("one-buffer.s"), two = readPair("two-buffers.s"),
                    line = "    .reqd_workgroup_size: [64, 1, 1]\n";
  const auto refusal = [&](const std::string &was, const std::string &now) {
    return refusalOfTexts(was, now, {rebuffered("sums", {64, 1, 1})});
  };
  EXPECT_THAT(refusal(one, replaced(two, line, "")),
              HasSubstr("it does not require workgroups of 64x1x1"));
  EXPECT_THAT(refusal(one, replaced(two, "[64, 1, 1]", "[32, 2, 1]")),
              HasSubstr("it does not require workgroups of 64x1x1"));
  EXPECT_THAT(refusal(two, replaced(two, "[64, 1, 1]", "[32, 1, 1]")),
              HasSubstr("'sums' requires other workgroups than the original's"));
  EXPECT_THAT(refusal(two, replaced(two, line, "")),
              HasSubstr("'sums' requires other workgroups than the original's"));
  // Unclaimed, no kernel gets or loses what it requires.
  EXPECT_THAT(refusalOfTexts(two, replaced(two, line, "")),
              HasSubstr("stands where the original has '.reqd_workgroup_size: [64, 1, 1]'"));
  EXPECT_THAT(refusalOfTexts(two, replaced(two, "[64, 1, 1]", "[32, 1, 1]")),
              HasSubstr("stands where the original has '.reqd_workgroup_size: [64, 1, 1]'"));
}

TEST(BufferProof, TakesTurnsByOffset) {
  EXPECT_EQ(refusalOfTexts(readPair("prefetch-one-buffer.s"), readPair("prefetch-two-buffers.s"),
                           {rebuffered("sums", {64, 1, 1})}),
            "");
}

TEST(BufferProof, FaultsOfTurnsByOffset) {
  expectRefused(
      "prefetch-one-buffer.s", "prefetch-two-buffers.s",
      {{"barrier gone", "\ts_barrier                               ; even\n", "",
        "the original has a barrier between this access to memory and that"},
       {"the other barrier gone", "\ts_barrier                               ; odd\n", "",
        "the original has a barrier between this access to memory and that"},
       {"reused too early", "ds_store_b32 v1, v3 offset:256             ; even",
        "ds_store_b32 v1, v3                        ; even",
        "two waves access byte 0 of LDS with no barrier"},
       {"offset of the other", "ds_load_b32 v4, v2 offset:256              ; odd",
        "ds_load_b32 v4, v2                         ; odd", "what that holds is in byte 388"},
       {"another offset", "ds_store_b32 v1, v3 offset:256             ; even",
        "ds_store_b32 v1, v3 offset:192             ; even", "what that holds is in byte 324"},
       {"unaligned", "ds_store_b32 v1, v3 offset:256             ; even",
        "ds_store_b32 v1, v3 offset:252             ; even", "which is aligned differently"},
       {"behind the end", "ds_store_b32 v1, v3 offset:256             ; even",
        "ds_store_b32 v1, v3 offset:260             ; even", "outside of the 512 bytes"},
       {"a wait short", "s_waitcnt lgkmcnt(0)                    ; stored, even",
        "s_waitcnt lgkmcnt(1)                    ; stored, even", "does something else"},
       {"no wait", "\ts_waitcnt lgkmcnt(0)                    ; stored, even\n", "",
        "does something else"},
       {"last iteration missing", "s_cbranch_scc1 .Lrest2", "s_cbranch_scc1 .Lrest",
        "it is not certain that they hold the same"},
       {"epilogue of the other", "s_cbranch_scc1 .Lrest\n", "s_cbranch_scc1 .Lrest2\n",
        "it is not certain that they hold the same"},
       {"epilogue twice", "\tv_fma_f32 v5, v5, 0.5, v4               ; last sum, odd\n",
        "\tv_fma_f32 v5, v5, 0.5, v4\n\tv_fma_f32 v5, v5, 0.5, v4\n", "does something else"},
       {"footprint left", "\ts_cbranch_scc1 .Lrest2\n\tglobal_load_b32 v3, v0, s[4:5]",
        "\tglobal_load_b32 v3, v0, s[4:5]\n\ts_cbranch_scc1 .Lrest2", "does something else"}});
}

/// Bodies of a kernel of 64 work-items: s[2:3] is a pointer that the launch passes, v1 a multiple
/// of four.
std::string bodyText(std::string_view body) {
  return kernelText(fmt::format("\ts_load_b64 s[2:3], s[0:1], 0x0\n"
                                "\tv_lshlrev_b32_e32 v1, 2, v0\n"
                                "\tv_mov_b32_e32 v3, 0\n"
                                "\ts_waitcnt lgkmcnt(0)\n{}",
                                body),
                    "\t.amdhsa_user_sgpr_count 2\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                    "\t.amdhsa_kernarg_size 16\n\t.amdhsa_group_segment_fixed_size 512\n"
                    "\t.amdhsa_wavefront_size32 1\n\t.amdhsa_system_vgpr_workitem_id 0\n");
}
std::string refusalOf(std::string_view before, std::string_view after, unsigned items = 64) {
  return refusalOfTexts(bodyText(before), bodyText(after), {rebuffered("k", {items, 1, 1})});
}

TEST(BufferProof, BarriersThatNobodyNeedsMayGo) {
  constexpr auto before = "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n"
                          "\tds_load_b32 v4, v1\n\ts_waitcnt lgkmcnt(0)\n";
  // Each lane reads what it has stored itself.
  constexpr auto after = "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n"
                         "\tds_load_b32 v4, v1\n\ts_waitcnt lgkmcnt(0)\n";
  EXPECT_EQ(refusalOf(before, after), "");
  EXPECT_EQ(refusalOf(after, before), "");
}

TEST(BufferProof, BarriersOrderOtherMemory) {
  const std::string store = "\tglobal_store_b32 v1, v3, s[2:3]\n",
                    wait = "\ts_waitcnt_vscnt null, 0x0\n", barrier = "\ts_barrier\n",
                    load = "\tglobal_load_b32 v4, v1, s[2:3] offset:4\n";
  EXPECT_EQ(refusalOf(store + wait + barrier + load, store + wait + barrier + load), "");
  EXPECT_THAT(refusalOf(store + wait + barrier + load, store + wait + load),
              HasSubstr("the original has a barrier between this access to memory and that of"));
  // Another barrier does as well, but not one that the store is not waited for.
  EXPECT_EQ(refusalOf(store + wait + barrier + barrier + load, store + wait + barrier + load), "");
  EXPECT_THAT(refusalOf(store + barrier + wait + barrier + load, store + barrier + wait + load),
              HasSubstr("the original has a barrier between"));
  // Loads as well: by one a wave may know what others have done.
  EXPECT_THAT(refusalOf(load + "\ts_waitcnt vmcnt(0)\n" + barrier + store,
                        load + "\ts_waitcnt vmcnt(0)\n" + store),
              HasSubstr("the original has a barrier between"));
}

TEST(BufferProof, InvalidationsOrderWhatTheKernelHasStored) {
  const std::string store = "\tglobal_store_b32 v1, v3, s[2:3]\n\ts_waitcnt_vscnt null, 0x0\n",
                    barrier = "\ts_barrier\n", invalidation = "\tbuffer_gl0_inv\n",
                    load = "\tglobal_load_b32 v4, v1, s[2:3]\n";
  EXPECT_EQ(refusalOf(barrier + invalidation + load, barrier + load), "");
  EXPECT_EQ(refusalOf(load, invalidation + load), "");
  const std::string was = store + barrier + invalidation + load;
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_THAT(refusalOf(was, store + barrier + load), HasSubstr("does something else"));
  EXPECT_THAT(refusalOf(was, store + invalidation + barrier + load), HasSubstr("barrier between"));
  EXPECT_THAT(refusalOf(was, store + barrier + load + invalidation),
              HasSubstr("does something else"));
}

TEST(BufferProof, RacesOfTheOriginal) {
  const auto refusal = [](const std::string &body) { return refusalOf(body, body); };
  const std::string across = "\tv_xor_b32_e32 v2, 0x80, v1\n"; // Of the other wave.
  EXPECT_THAT(refusal(across + "\tds_store_b32 v1, v3\n\ts_barrier\n\tds_load_b32 v4, v2\n"
                               "\ts_waitcnt lgkmcnt(0)\n"),
              HasSubstr("which is not waited for"));
  EXPECT_THAT(refusal(across + "\tds_store_b32 v1, v3\n\tds_store_b32 v1, v3 offset:256\n"
                               "\ts_waitcnt lgkmcnt(1)\n\ts_barrier\n"
                               "\tds_load_b32 v4, v2 offset:256\n\ts_waitcnt lgkmcnt(0)\n"),
              HasSubstr("which is not waited for"));
  EXPECT_EQ(refusal(across + "\tds_store_b32 v1, v3\n\tds_store_b32 v1, v3 offset:256\n"
                             "\ts_waitcnt lgkmcnt(1)\n\ts_barrier\n\tds_load_b32 v4, v2\n"
                             "\ts_waitcnt lgkmcnt(0)\n"),
            "");
  EXPECT_THAT(refusal("\tv_mov_b32_e32 v1, 0\n\tds_store_b32 v1, v3\n"),
              HasSubstr("from several work-items at once"));
  EXPECT_THAT(refusal("\tds_load_b32 v4, v1\n\ts_waitcnt lgkmcnt(0)\n"),
              HasSubstr("it is not certain that they hold the same"));
  EXPECT_THAT(refusal("\tds_store_2addr_b32 v1, v3, v3 offset1:1\n"),
              HasSubstr("to byte 4 of LDS twice"));
}

TEST(BufferProof, WhatIsNotFollowed) {
  const auto refusal = [](const std::string &body) { return refusalOf(body, body); };
  const std::string store = "\tds_store_b32 v1, v3\n";
  EXPECT_EQ(refusal(store), "");
  EXPECT_THAT(refusal("\tglobal_load_b32 v1, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n" + store),
              HasSubstr("LDS address does not follow from the launch"));
  EXPECT_THAT(refusal("\tds_add_u32 v1, v3\n"), HasSubstr("this LDS operation is not followed"));
  EXPECT_THAT(refusal("\tglobal_atomic_add_u32 v3, v1, v3, s[2:3] glc\n"),
              HasSubstr("synchronises with other"));
  EXPECT_EQ(refusal("\tglobal_atomic_add_u32 v1, v3, s[2:3]\n"), "");
  EXPECT_THAT(refusal("\ts_getreg_b32 s4, hwreg(HW_REG_LDS_ALLOC)\n"),
              HasSubstr("may tell where LDS is"));
  EXPECT_THAT(refusal("\tflat_load_b32 v4, v[6:7]\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"),
              HasSubstr("may access any memory"));
  EXPECT_THAT(refusal("\tds_store_b32 v1, v3 offset:2\n"), HasSubstr("which is not aligned"));
  EXPECT_THAT(refusal("\tds_store_b32 v1, v3 offset:260\n"), HasSubstr("outside of the 512 bytes"));
  EXPECT_THAT(refusal("\ts_mov_b32 exec_lo, s3\n" + store),
              HasSubstr("LDS address does not follow from the launch"));
  // What comes of a register that is read too early is not what was compared.
  EXPECT_THAT(refusal("\tglobal_load_b32 v4, v1, s[2:3]\n\tv_mov_b32_e32 v5, v4\n"),
              HasSubstr("v4 is read before a wait"));
  EXPECT_THAT(refusalOf(store, store, 48), HasSubstr("lanes that are switched off"));
  EXPECT_THAT(refusalOf(store, store, 2048), HasSubstr("a workgroup that there is not"));
}

TEST(BufferProof, WaysOfWaves) {
  const auto body = [](const std::string &condition) {
    return condition + "\ts_cbranch_scc1 .Lskip\n\tds_store_b32 v1, v3\n"
                       "\ts_waitcnt lgkmcnt(0)\n.Lskip:\n\ts_barrier\n";
  };
  const auto refusal = [&](const std::string &condition) {
    return refusalOf(body(condition), body(condition));
  };
  // What the launch passes is the same for all waves, what memory holds need not be.
  EXPECT_EQ(refusal("\ts_cmp_eq_u32 s2, 0\n"), "");
  EXPECT_EQ(refusal("\ts_load_b32 s4, s[0:1], 0xc\n\ts_waitcnt lgkmcnt(0)\n"
                    "\ts_cmp_eq_u32 s4, 0\n"),
            "");
  const char *apart = "waves may";
  EXPECT_THAT(refusal("\ts_load_b32 s4, s[2:3], 0x0\n\ts_waitcnt lgkmcnt(0)\n"
                      "\ts_cmp_eq_u32 s4, 0\n"),
              HasSubstr(apart));
  EXPECT_THAT(refusal("\ts_load_b32 s4, s[0:1], 0x10\n\ts_waitcnt lgkmcnt(0)\n"
                      "\ts_cmp_eq_u32 s4, 0\n"),
              HasSubstr(apart)); // Behind the arguments.
  EXPECT_THAT(refusal("\tglobal_store_b32 v1, v3, s[2:3]\n\ts_load_b32 s4, s[0:1], 0x0\n"
                      "\ts_waitcnt lgkmcnt(0)\n\ts_cmp_eq_u32 s4, 0\n"),
              HasSubstr(apart)); // Stored over, perhaps.
  EXPECT_THAT(refusal("\tv_readfirstlane_b32 s4, v0\n\ts_cmp_eq_u32 s4, 0\n"), HasSubstr(apart));
  EXPECT_THAT(refusal("\ts_cmp_eq_u32 s9, 0\n"), HasSubstr(apart)); // Whatever it holds.
}

/// Lanes whose mask memory decides do `inside`, the others jump over it.
std::string guarded(const std::string &inside, const std::string &before = "",
                    const std::string &behind = "") {
  return "\tglobal_load_b32 v5, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n" + before +
         "\tv_cmp_eq_u32_e32 vcc_lo, 0, v5\n\ts_and_saveexec_b32 s8, vcc_lo\n"
         "\ts_cbranch_execz .Ljoin\n" +
         inside + "\ts_waitcnt vmcnt(0)\n.Ljoin:\n\ts_or_b32 exec_lo, exec_lo, s8\n" + behind;
}

TEST(BufferProof, WavesThatPartComeTogether) {
  const std::string load = "\tglobal_load_b32 v3, v1, s[2:3] offset:4\n",
                    across = "\tv_xor_b32_e32 v2, 0x80, v1\n", // Of the other wave.
      store = "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n", barrier = "\ts_barrier\n",
                    use = "\tds_load_b32 v4, v2\n\ts_waitcnt lgkmcnt(0)\n";
  const std::string was = guarded(load, across, store + barrier + use);
  EXPECT_EQ(refusalOf(was, was), "");
  const std::string moved = guarded(load, across,
                                    "\tv_add_nc_u32_e32 v1, 0x100, v1\n" + store +
                                        "\tv_add_nc_u32_e32 v2, 0x100, v2\n" + barrier + use);
  EXPECT_EQ(refusalOf(was, moved), "");
  // What all have found before they parted says nothing of what stands behind.
  EXPECT_THAT(refusalOf(was, guarded(load, across, store + use)),
              HasSubstr("two waves access byte 0 of LDS with no barrier"));
  EXPECT_THAT(refusalOf(was, guarded(load, across,
                                     "\tv_add_nc_u32_e32 v1, 0x100, v1\n" + store + barrier + use)),
              HasSubstr("what that holds is in byte"));
  // Nor does what one way has left in a register.
  const std::string turn = "\tv_add_nc_u32_e32 v1, 0x100, v1\n";
  EXPECT_THAT(refusalOf(was, guarded(turn + load, across, store + barrier + use)),
              HasSubstr("v1 does not hold what it holds in the original"));
  EXPECT_THAT(refusalOf(was, replaced(was, ".Ljoin:", turn + ".Ljoin:")),
              HasSubstr("does not follow from the launch alone"));
  const std::string shift = "\tv_add_nc_u32_e32 v1, s9, v1\n\tv_add_nc_u32_e32 v2, s9, v2\n",
                    zero = across + "\ts_mov_b32 s9, 0\n", rest = shift + store + barrier + use;
  EXPECT_EQ(refusalOf(guarded(load, zero, rest), guarded(load, zero, rest)), "");
  EXPECT_THAT(
      refusalOf(guarded(load, zero, rest), guarded(load + "\ts_movk_i32 s9, 0x100\n", zero, rest)),
      HasSubstr("LDS address does not follow"));
}

TEST(BufferProof, WhatWavesThatHavePartedMustNotDo) {
  const std::string load = "\tglobal_load_b32 v3, v1, s[2:3] offset:4\n",
                    store = "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n",
                    barrier = "\ts_barrier\n";
  const auto refusal = [](const std::string &body) { return refusalOf(body, body); };
  EXPECT_THAT(refusal(guarded(load + barrier, "", store)),
              HasSubstr("that waves may reach on different ways"));
  EXPECT_THAT(refusal(guarded(store, "", barrier)),
              HasSubstr("LDS is accessed although waves may have gone different ways since line"));
  EXPECT_THAT(refusalOf(guarded(load, "", barrier + store), guarded(load + barrier, "", store)),
              HasSubstr("that waves may reach on different ways"));
  // A number that a wave has only on one of the ways decides for that wave alone.
  const std::string choice =
      "\ts_cmp_eq_u32 s9, 0\n\ts_cbranch_scc1 .Lskip\n" + barrier + store + ".Lskip:\n";
  EXPECT_THAT(refusal(guarded(load + "\ts_mov_b32 s9, 1\n", "\ts_mov_b32 s9, 0\n", choice)),
              HasSubstr("waves may"));
  EXPECT_EQ(refusal(guarded(load, "\ts_mov_b32 s9, s2\n", choice)), "");
  EXPECT_THAT(refusal(guarded(load + "\ts_mov_b32 s9, s2\n", "\ts_mov_b32 s9, s3\n", choice)),
              HasSubstr("waves may"));
  EXPECT_THAT(refusal(guarded(load + "\ts_mov_b32 s9, s2\n", "", choice)), HasSubstr("waves may"));
  // Registers of both texts, which were written on one way alone.
  EXPECT_THAT(refusal(guarded(load + "\tv_lshlrev_b32_e32 v1, 1, v1\n", "", store)),
              HasSubstr("does not follow from the launch alone"));
}

TEST(BufferProof, WavesComeTogetherInTheRewrittenTextAsWell) {
  const std::string load = "\tglobal_load_b32 v3, v1, s[2:3] offset:4\n",
                    store = "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n";
  const std::string was = guarded(load, "", store), label = ".Ljoin:\n",
                    restore = "\ts_or_b32 exec_lo, exec_lo, s8\n";
  // The way that jumps has code of its own.
  const std::string apart =
      replaced(replaced(was, label, ""), store, store + "\ts_endpgm\n" + label + restore + store);
  EXPECT_THAT(refusalOf(was, apart), HasSubstr("waves do not come together here"));
}

/// Wave 0 alone does `inside`, the other jumps over it.
std::string ofOneWave(const std::string &inside, const std::string &behind) {
  return "\tv_cmp_gt_u32_e32 vcc_lo, 32, v0\n\ts_and_saveexec_b32 s8, vcc_lo\n"
         "\ts_cbranch_execz .Ljoin\n" +
         inside + ".Ljoin:\n\ts_or_b32 exec_lo, exec_lo, s8\n" + behind;
}

TEST(BufferProof, WavesWithoutLanesJump) {
  const std::string load = "\tglobal_load_b32 v3, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n",
                    store = "\tds_store_b32 v1, v3\n\ts_waitcnt lgkmcnt(0)\n",
                    address = "\tv_and_b32_e32 v2, 0x7c, v1\n", barrier = "\ts_barrier\n",
                    use = "\tds_load_b32 v4, v2\n\ts_waitcnt lgkmcnt(0)\n",
                    turn = "\tv_add_nc_u32_e32 v2, 0x100, v2\n";
  const std::string was = ofOneWave(load + store, address + barrier + use);
  EXPECT_EQ(refusalOf(was, was), "");
  EXPECT_EQ(refusalOf(was, ofOneWave(load + "\tv_add_nc_u32_e32 v1, 0x100, v1\n" + store,
                                     address + turn + barrier + use)),
            "");
  EXPECT_THAT(refusalOf(was, ofOneWave(load + store, address + use)),
              HasSubstr("two waves access byte 0 of LDS with no barrier"));
  EXPECT_THAT(refusalOf(was, ofOneWave(load + store, address + turn + barrier + use)),
              HasSubstr("what that holds is in byte"));
  // The other wave has stored nothing.
  const auto refusal = [](const std::string &body) { return refusalOf(body, body); };
  EXPECT_THAT(refusal(ofOneWave(load + store, barrier + "\tds_load_b32 v4, v1\n"
                                                        "\ts_waitcnt lgkmcnt(0)\n")),
              HasSubstr("it is not certain that they hold the same"));
  EXPECT_THAT(refusal(ofOneWave(load + barrier + store, "")),
              HasSubstr("that waves may reach on different ways"));
  EXPECT_THAT(refusal(ofOneWave("\ts_mov_b32 exec_lo, -1\n" + store, "")),
              HasSubstr("LDS is accessed although waves may have gone different ways"));
  EXPECT_THAT(refusalOf(was, ofOneWave(load + "\ts_mov_b32 exec_lo, -1\n" + store,
                                       address + barrier + use)),
              HasSubstr("lanes are switched"));
  // Nor has it waited, or its number.
  EXPECT_THAT(refusal("\tds_store_b32 v1, v3\n\tv_xor_b32_e32 v2, 0x80, v1\n" +
                      ofOneWave("\ts_waitcnt lgkmcnt(0)\n",
                                barrier + "\tds_load_b32 v4, v2\n\ts_waitcnt lgkmcnt(0)\n")),
              HasSubstr("which is not waited for"));
  EXPECT_THAT(refusal("\ts_mov_b32 s9, 0\n" +
                      ofOneWave("\ts_mov_b32 s9, 4\n",
                                "\tv_add_nc_u32_e32 v1, s9, v1\n\tds_store_b32 v1, v3\n")),
              HasSubstr("does not follow from the launch alone"));
  EXPECT_EQ(refusal("\ts_mov_b32 s9, 0\n" +
                    ofOneWave(load, "\tv_add_nc_u32_e32 v1, s9, v1\n\tds_store_b32 v1, v3\n")),
            "");
}

TEST(BufferProof, LoopsThatWavesLeaveOneAfterTheOther) {
  // The second wave makes one step, the first two. This proof does not follow who is where.
  const std::string store = "\tds_store_b32 v1, v3\n";
  const auto refusal = [](const std::string &inside, const std::string &behind) {
    const std::string body =
        "\tv_mov_b32_e32 v6, v0\n\ts_mov_b32 s8, 0\n.Lloop:\n\tv_add_nc_u32_e32 v6, 64, v6\n" +
        inside +
        "\tv_cmp_lt_u32_e32 vcc_lo, 0x5f, v6\n\ts_or_b32 s8, vcc_lo, s8\n"
        "\ts_and_not1_b32 exec_lo, exec_lo, s8\n\ts_cbranch_execz .Lout\n\ts_branch .Lloop\n"
        ".Lout:\n\ts_mov_b32 exec_lo, -1\n" +
        behind;
    return refusalOf(body, body);
  };
  EXPECT_EQ(refusal("", store), "");
  EXPECT_THAT(refusal(store, ""), HasSubstr("waves may have gone different ways"));
}

TEST(BufferProof, TheWorkgroupsSizeAsAnArgument) {
  // Stores are where it says.
  const auto kernel = [](const std::string &x, const std::string &before = "") {
    std::string text =
        replaced(readPair("one-buffer.s"), "\ts_lshl_b32 s9, s9, 2",
                 before + "\ts_load_b32 s11, s[0:1], 0x18\n\ts_waitcnt lgkmcnt(0)\n"
                          "\ts_and_b32 s11, s11, 0xffff\n\tv_add_nc_u32_e32 v1, s11, v1\n"
                          "\tv_subrev_nc_u32_e32 v1, 64, v1\n\ts_lshl_b32 s9, s9, 2");
    text = replaced(text, "size: 24\n    .max", "size: 28\n    .max");
    text = replaced(text, "_kernarg_size 24", "_kernarg_size 28");
    return replaced(text, "    .group_segment_fixed_size:",
                    "      - {.offset: 24, .size: 2, .value_kind: " + x +
                        "}\n      - {.offset: 26, .size: 2, .value_kind: hidden_group_size_y}\n"
                        "    .group_segment_fixed_size:");
  };
  const auto refusal = [](const std::string &text) {
    return refusalOfTexts(
        text,
        replaced(text, "    .max_flat_", "    .reqd_workgroup_size: [64, 1, 1]\n    .max_flat_"),
        {rebuffered("sums", {64, 1, 1})});
  };
  EXPECT_EQ(refusal(kernel("hidden_group_size_x")), "");
  const char *unknown = "does not follow from the launch alone";
  EXPECT_THAT(refusal(kernel("hidden_remainder_x")), HasSubstr(unknown));
  EXPECT_THAT(refusal(kernel("hidden_group_size_z")), HasSubstr("outside of the 256 bytes"));
  EXPECT_THAT(refusal(kernel("hidden_group_size_x", "\tglobal_store_b32 v0, v5, s[4:5]\n")),
              HasSubstr(unknown)); // Stored over, perhaps.
}

TEST(BufferProof, WhatABranchSaysHoldsOnItsWay) {
  // The second branch goes where the first one has gone, so behind a load there is a barrier.
  const auto body = [](const std::string &between, const std::string &barrier) {
    return "\ts_barrier\n\ts_cmp_eq_u32 s2, 0\n\ts_cselect_b32 vcc_lo, -1, 0\n\ts_cbranch_vccnz "
           ".Lnone\n"
           "\tglobal_load_b32 v4, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n.Lnone:\n" +
           between + barrier +
           "\ts_cbranch_vccnz .Lout\n\ts_barrier\n.Lout:\n"
           "\tglobal_store_b32 v1, v3, s[2:3]\n";
  };
  EXPECT_EQ(refusalOf(body("", "\ts_barrier\n"), body("", "")), "");
  const std::string other = "\ts_mov_b32 vcc_lo, s3\n";
  EXPECT_THAT(refusalOf(body(other, "\ts_barrier\n"), body(other, "")),
              HasSubstr("the original has a barrier between"));
  // Of waves that may go different ways neither says anything of the others.
  const std::string each = "\tv_readfirstlane_b32 s9, v0\n\ts_cmp_eq_u32 s9, 0\n"
                           "\ts_cbranch_scc1 .Lnone\n\ts_nop 0\n.Lnone:\n\ts_cbranch_scc1 .Lout\n"
                           "\tds_store_b32 v1, v3\n.Lout:\n";
  EXPECT_THAT(refusalOf(each, each), HasSubstr("waves may"));
}

TEST(BufferProof, OwnArithmetic) {
  const std::string store = "\tds_store_b32 v1, v3\n";
  EXPECT_EQ(refusalOf(store, "\tv_add_nc_u32_e32 v1, 0x100, v1\n" + store), "");
  // What differs must not be used for anything else.
  EXPECT_THAT(refusalOf(store + "\tglobal_store_b32 v1, v3, s[2:3]\n",
                        "\tv_add_nc_u32_e32 v1, 0x100, v1\n" + store +
                            "\tglobal_store_b32 v1, v3, s[2:3]\n"),
              HasSubstr("v1 does not hold what it holds in the original"));
  EXPECT_THAT(refusalOf(store, "\tv_add_nc_u32_e32 v3, 1, v3\n" + store),
              HasSubstr("v3 does not hold what it holds in the original"));
  EXPECT_THAT(refusalOf(store, "\ts_mov_b32 exec_lo, 1\n" + store),
              HasSubstr("exec_lo does not hold"));
  EXPECT_THAT(refusalOf(store, "\tv_rcp_f32_e32 v9, v9\n" + store),
              HasSubstr("the original does something else here"));
  // Not before what is loaded there has arrived.
  const std::string load = "\tglobal_load_b32 v1, v1, s[2:3]\n";
  EXPECT_THAT(refusalOf(load, load + "\tv_mov_b32_e32 v1, 0\n"), HasSubstr("overwritten before"));
}

} // namespace
} // namespace rdna::test::bufferProofTest
