//===- DisassemblyInputTest.cpp - what LLVM's disassembler must not see ---===//
#include "Support/DisassemblyInput.h"
#include "Emu/Disassembler.h"

#include <gtest/gtest.h>

namespace disassemblyInputTest {

using namespace rdna;

namespace {

std::string textOf(const std::vector<uint32_t> &words, size_t bytes) {
  return emu::instructionText(std::as_bytes(std::span(words)).first(bytes));
}

TEST(DisassemblyInput, KeepsLlvmFromCrashing) {
  // LLVM 22.1 ends in a segmentation fault on each of these but those that have a text.
  EXPECT_EQ(textOf({0x7ffe0501}, 4), "");             // V_READFIRSTLANE_B32, SDST 255.
  EXPECT_EQ(textOf({0x851effbe}, 4), "");             // S_LSHR_B32, its literal is missing.
  EXPECT_EQ(textOf({0x851effbe, 0x12345678}, 7), ""); // Three bytes of it.
  EXPECT_EQ(textOf({0x851effbe, 0x12345678}, 8), "s_lshr_b32 s30, 62, 0x12345678");
  EXPECT_EQ(textOf({0x70000000, 0xff}, 8), ""); // V_FMAAK_F16, V_FMAMK_F16
  EXPECT_EQ(textOf({0x6e000080, 0xff}, 8), "");
  EXPECT_EQ(textOf({0x70000000, 0xfe}, 8), "v_fmaak_f16 v0.l, s0, v0.l, 0xfe");
  EXPECT_EQ(textOf({0xbfb00000}, 4), "s_endpgm");
  EXPECT_EQ(textOf({0xbfb00000}, 3), "");
  EXPECT_EQ(textOf({0xbfb00000}, 0), "");
}

TEST(DisassemblyInput, KnowsWhatLiesInTheCode) {
  const std::array<std::byte, 40> code{};
  EXPECT_TRUE(DisassemblyInput(std::span(code).first(8)).holds(8));
  EXPECT_FALSE(DisassemblyInput(std::span(code).first(8)).holds(12));
  EXPECT_FALSE(DisassemblyInput(code).holds(0));
}

} // namespace

} // namespace disassemblyInputTest
