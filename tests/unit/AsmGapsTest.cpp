// What stands between the instructions of a function and is executed all the same.

#include "AsmSnippet.h"

#include "Asm/CodeGaps.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Code/Derive.h"

#include <gtest/gtest.h>

namespace rdna::asmGapsTest {
namespace {

std::string reasonOf(const Module &module, size_t function = 0) {
  const auto gap = findGap(module, module.functions()[function]);
  return gap ? std::string(gap->reason) : std::string();
}

/// Of a kernel with `lines` between two moves; empty if there is none.
std::string gapOf(const std::string &lines) {
  return reasonOf(*test::parseText(
      test::kernelText("\tv_mov_b32_e32 v0, 0\n" + lines + "\tv_mov_b32_e32 v1, 0")));
}

constexpr const char *kBytes = "is followed by bytes in the code";
constexpr const char *kSection = "is followed by code of another section";
constexpr const char *kSubsection = "is in a section with subsections, which begin";

TEST(AsmGaps, WhateverPutsBytesThere) {
  for (const char *directive :
       {".long 0xbf800000", ".asciz \"abc\"", ".string \"abc\"", ".base64 \"fgIOfg==\"",
        ".fill 1, 4, 0", ".zero 4", ".skip 4", ".uleb128 1", ".dc.l 1", ".float 1.0",
        ".p2alignl 6, 0x7e0202f2", ".balignw 64, 0x1234", ".p2align 6, 0x7e",
        ".p2alignl 6, 0xbf9f0000"})
    EXPECT_EQ(gapOf(std::string("\t") + directive + "\n"), kBytes) << directive;
}

TEST(AsmGaps, NothingThatIsOrMakesInstructions) {
  for (const char *lines :
       {"", "\t.p2align 6\n", "\t.p2alignl 6, 0xbf800000\n",
        "\t.rept 2\n\tv_mov_b32_e32 v2, 0\n\t.endr\n", "\t.if 0\n\tv_mov_b32_e32 v2, 0\n\t.endif\n",
        "\t.ascii \"\"\n", "/* over\n two lines */\n", "\"a label\":\n",
        "\t.section .debug_info,\"\",@progbits\n\t.byte 1\n\t.text\n",
        "\t.pushsection .rodata\n\t.long 5\n\t.popsection\n"})
    EXPECT_EQ(gapOf(lines), "") << lines;
}

TEST(AsmGaps, CodeThatLiesElsewhere) {
  EXPECT_EQ(gapOf("\t.section .text.cold,\"ax\"\n\ts_nop 0\n\t.text\n"), kSection);
  for (const char *there : {".subsection 1", ".text 1", ".pushsection .text,1"})
    EXPECT_EQ(gapOf(std::string("\t") + there + "\n\ts_nop 0\n\t.text\n"), kSubsection) << there;
}

/// Padding behind the end is nothing that is executed; data in front of the first instruction is.
TEST(AsmGaps, AtTheBorders) {
  const std::string padding = "\ts_endpgm\n\t.p2alignl 6, 0xbf9f0000\n\t.fill 48, 4, 0xbf9f0000";
  const auto behind = test::parseText(test::kernelText("\tv_mov_b32_e32 v0, 0"));
  EXPECT_EQ(reasonOf(*behind), "");
  std::string text(behind->text());
  text.replace(text.find("\ts_endpgm"), 9, padding);
  EXPECT_EQ(reasonOf(*test::parseText(text)), "");
  EXPECT_EQ(reasonOf(*test::parseText(test::kernelText("\t.long 0\n\tv_mov_b32_e32 v0, 0"))),
            kBytes);
}

/// Edits move them along; what is made lies in the section of what it replaces.
TEST(AsmGaps, FollowEdits) {
  const auto module = test::parseText(test::kernelText("\tv_mov_b32_e32 v0, 0") +
                                      "\t.section .text.other,\"ax\"\n"
                                      "\t.type other,@function\nother:\n"
                                      "\tv_mov_b32_e32 v1, 0\n\tv_mov_b32_e32 v2, 0\n"
                                      "\t.long 0\n\ts_setpc_b64 s[30:31]\n");
  ASSERT_EQ(module->functions().size(), 2U);
  const Function &other = module->functions()[1];
  const Instruction &first = module->instructions()[other.first];
  auto next = derive(*module, {replacement(first, buildMove(Vgpr{3}, Vgpr{4})),
                               removal(*module, module->instructions()[other.first + 1])});
  ASSERT_TRUE(bool(next));
  EXPECT_EQ(reasonOf(**next, 0), "");
  EXPECT_EQ(reasonOf(**next, 1), kBytes);
  const auto parsed = test::parseText(std::string((*next)->text()));
  EXPECT_EQ(reasonOf(*parsed, 1), kBytes);
  EXPECT_EQ((*next)->instructions()[other.first].section,
            parsed->instructions()[other.first].section);
}

} // namespace
} // namespace rdna::asmGapsTest
