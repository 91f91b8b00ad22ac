// From where execution may arrive: every way other than a function's own plain branches.

#include "AsmSnippet.h"
#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::asmEntriesTest {
namespace {

using testing::HasSubstr;

constexpr std::string_view kDescriptor = "\t.amdhsa_kernel {0}\n\t.amdhsa_next_free_vgpr 64\n"
                                         "\t.amdhsa_next_free_sgpr 64\n\t.end_amdhsa_kernel\n"
                                         "\t.text\n";

/// A kernel `k` whose label .Linner stands before its second instruction; `behind` is the rest of
/// the file.
std::string kernelAnd(std::string_view behind, std::string_view inside = "") {
  return fmt::format("\t.text\n\t.globl\tk\n\t.p2align\t8\n\t.type\tk,@function\nk:\n"
                     "\tv_mov_b32_e32 v1, 1.0\n{}.Linner:\n\tv_add_f32_e32 v3, v1, v2\n"
                     "\tglobal_store_b32 v0, v3, s[2:3]\n\ts_endpgm\n.Lfunc_end0:\n"
                     "\t.size k, .Lfunc_end0-k\n{}{}",
                     inside, fmt::format(fmt::runtime(kDescriptor), "k"), behind);
}

const Function &kernelOf(const Module &module) {
  for (const Function &function : module.functions())
    if (function.name == "k")
      return function;
  ADD_FAILURE() << "no kernel";
  return module.functions().front();
}

struct Case {
  const char *what;
  std::string text;
};

std::string otherFunction(std::string_view body) {
  return fmt::format("\t.type g,@function\ng:\n{}\n\ts_endpgm\n.Lfunc_end1:\n", body);
}

const std::vector<Case> kInnerTaken = {
    {"a branch of another function", kernelAnd(otherFunction("\ts_cbranch_scc1 .Linner"))},
    {"a branch of code outside functions", kernelAnd("\ts_branch .Linner\n")},
    {"a branch through another name",
     kernelAnd("\t.set other, .Linner\n" + otherFunction("\ts_branch other"))},
    {"a call", kernelAnd(otherFunction("\ts_call_b64 s[30:31], .Linner"))},
    {"an address in memory", kernelAnd("\t.section .rodata,\"a\",@progbits\n\t.quad .Linner\n")},
    {"an address in writable memory", kernelAnd("\t.data\n\t.quad .Linner\n")},
    {"an address among the code", kernelAnd("\t.quad .Linner\n")},
    {"an address plus something", kernelAnd("\t.section .rodata,\"a\",@progbits\n\t.quad k+8\n")},
    {"a distance in memory",
     kernelAnd("\t.section .rodata,\"a\",@progbits\n.Ltable:\n\t.long .Linner-.Ltable\n")},
    {"an address through another name",
     kernelAnd("\t.set other, .Linner\n\t.section .rodata,\"a\",@progbits\n\t.quad other\n")},
    {"an address in a register", kernelAnd(otherFunction("\ts_mov_b32 s0, .Linner@abs32@lo"))},
    {"a PC-relative address",
     kernelAnd(otherFunction("\ts_getpc_b64 s[4:5]\n\ts_add_u32 s4, s4, .Linner@rel32@lo+4\n"
                             "\ts_addc_u32 s5, s5, .Linner@rel32@hi+12"))},
    {"an exported name", kernelAnd("", "\t.globl alt\nalt:\n")},
    {"a weak name", kernelAnd("", "\t.weak alt\nalt:\n")},
    {"an exported other name", kernelAnd("\t.globl alt\n\t.set alt, .Linner\n")},
    {"an exported sum", kernelAnd("\t.globl alt\n\t.set alt, k+4\n")},
    {"a branch by number", kernelAnd(otherFunction("\ts_branch 0xfff8"))},
    {"a branch behind a label",
     kernelAnd("\t.set behind, k+4\n" + otherFunction("\ts_branch behind"))},
};

TEST(AsmEntries, WhatReachesTheMiddleOfAFunction) {
  for (const Case &one : kInnerTaken) {
    const auto module = parseText(one.text);
    const Function &k = kernelOf(*module);
    ASSERT_TRUE(k.enteredAt) << one.what;
    EXPECT_EQ(*k.enteredAt, k.first + 1) << one.what;
  }
}

TEST(AsmEntries, TheLabelSaysSo) {
  const auto module = parseText(kernelAnd("\t.quad .Linner\n"));
  for (const Label &label : module->labels())
    EXPECT_EQ(label.isTaken, label.name == ".Linner") << label.name;
  EXPECT_EQ(kernelOf(*module).entry, Function::Entry::Launch);
}

TEST(AsmEntries, WhatReachesNothing) {
  const Case cases[] = {
      {"a kernel", kernelAnd("")},
      {"a branch of its own", kernelAnd("", "\ts_cbranch_scc1 .Linner\n")},
      {"a branch of its own by number", kernelAnd("", "\ts_cbranch_scc1 1\n")},
      {"debug information",
       kernelAnd("\t.section .debug_info,\"\",@progbits\n\t.quad .Linner\n\t.long .Linner-k\n")},
      {"a symbol that nobody uses", kernelAnd("\t.set other, .Linner\n\t.set size, .Linner-k\n")},
      {"a table that names another place",
       kernelAnd("\t.section .rodata,\"a\",@progbits\n.Ltable:\n\t.quad .Ltable\n")},
      {"a call of another function",
       kernelAnd(otherFunction("\ts_getpc_b64 s[4:5]\n\ts_add_u32 s4, s4, g@rel32@lo+4\n"
                               "\ts_addc_u32 s5, s5, g@rel32@hi+12"))}};
  for (const Case &one : cases) {
    const auto module = parseText(one.text);
    const Function &k = kernelOf(*module);
    EXPECT_FALSE(k.enteredAt) << one.what;
    EXPECT_EQ(k.entry, Function::Entry::Launch) << one.what;
  }
}

TEST(AsmEntries, AKernelThatIsNotOnlyLaunched) {
  const Case cases[] = {
      {"a branch of another function", kernelAnd(otherFunction("\ts_branch k"))},
      {"a branch of its own", kernelAnd("", "\ts_cbranch_scc1 k\n")},
      {"a call", kernelAnd(otherFunction("\ts_getpc_b64 s[4:5]\n\ts_add_u32 s4, s4, k@rel32@lo+4\n"
                                         "\ts_addc_u32 s5, s5, k@rel32@hi+12"))},
      {"an address in memory", kernelAnd("\t.section .rodata,\"a\",@progbits\n\t.quad k\n")},
      {"another exported name", kernelAnd("\t.globl alt\n\t.set alt, k\n")},
      {"code in front of it", "\t.type g,@function\ng:\n\ts_nop 0\n.Lfunc_end1:\n" + kernelAnd("")},
      {"code of no function in front of it", "\ts_nop 0\n" + kernelAnd("")}};
  for (const Case &one : cases) {
    const auto module = parseText(one.text);
    const Function &k = kernelOf(*module);
    EXPECT_EQ(k.entry, Function::Entry::Unknown) << one.what;
    EXPECT_FALSE(k.enteredAt) << one.what;
  }
  const auto ends =
      parseText("\t.type g,@function\ng:\n\ts_setpc_b64 s[30:31]\n.Lfunc_end1:\n" + kernelAnd(""));
  EXPECT_EQ(kernelOf(*ends).entry, Function::Entry::Launch);
}

/// Whoever arrives in the middle brings registers of which the rewrite knows nothing.
TEST(AsmEntries, TheProofAcceptsOnlyTheSameText) {
  for (const Case &one : kInnerTaken) {
    std::string changed = replaced(one.text, "v_mov_b32_e32 v1, 1.0", "v_mov_b32_e32 v5, 1.0");
    changed = replaced(changed, "v_add_f32_e32 v3, v1, v2", "v_add_f32_e32 v3, v5, v2");
    const auto before = parseText(one.text), after = parseText(changed);
    EXPECT_THAT(refusal(*before, *after), HasSubstr("from elsewhere")) << one.what;
    EXPECT_EQ(refusal(*before, *before), "") << one.what;
  }
  const auto before = parseText(kernelAnd("\t.quad .Linner\n"));
  const auto after = parseText(
      replaced(kernelAnd("\t.quad .Linner\n"), "v_mov_b32_e32 v1, 1.0", "v_mov_b32_e32 v1, 2.0"));
  EXPECT_THAT(refusal(*before, *after), HasSubstr("may be entered at label '.Linner'"));
}

TEST(AsmEntries, ATableOfAddressesKeepsWhatIsBehindTheJump) {
  const auto text = [](std::string_view op) {
    return kernelAnd("") +
           fmt::format("\t.type f,@function\nf:\n\ts_load_b64 s[4:5], s[8:9], s6\n"
                       "\ts_waitcnt lgkmcnt(0)\n\ts_setpc_b64 s[4:5]\n.Lcase0:\n"
                       "\tv_add_f32_e32 v1, v1, v2\n\ts_setpc_b64 s[30:31]\n.Lcase1:\n"
                       "\t{} v1, v1, v2\n\ts_setpc_b64 s[30:31]\n.Lfunc_end1:\n"
                       "\t.section .rodata,\"a\",@progbits\n\t.quad .Lcase0\n\t.quad .Lcase1\n",
                       op);
  };
  const auto before = parseText(text("v_mul_f32_e32")), after = parseText(text("v_sub_f32_e32"));
  EXPECT_THAT(refusal(*before, *after), HasSubstr("from elsewhere"));
}

/// A function without an end is no reason to refuse a rewrite of another one.
TEST(AsmEntries, AnUnchangedFunctionMayRunPastItsEnd) {
  const auto text = [](std::string_view nop, std::string_view add) {
    return fmt::format("\t.text\n\t.type g,@function\ng:\n\t{}\n.Lfunc_end0:\n\t.type "
                       "k,@function\nk:\n\t{}\n\tglobal_store_b32 v6, v3, s[0:1]\n\ts_endpgm\n"
                       ".Lfunc_end1:\n",
                       nop, add) +
           fmt::format(fmt::runtime(kDescriptor), "k");
  };
  const auto before = parseText(text("v_mov_b32_e32 v1, v2", "v_add_f32_e32 v3, v1, v2"));
  EXPECT_EQ(refusal(*before, *parseText(text("v_mov_b32_e32 v1, v2", "v_add_f32_e32 v3, v2, v1"))),
            "");
  EXPECT_NE(refusal(*before, *parseText(text("v_mov_b32_e32 v1, v3", "v_add_f32_e32 v3, v1, v2"))),
            "");
}

} // namespace
} // namespace rdna::test::asmEntriesTest
