//===- EmuOpcodesTest.cpp - our table of instructions against LLVM's ------===//
//
// Wherever LLVM 22 sees a gfx1100 instruction, we see the same one of the same size. The other way
// round we accept more, on purpose: what an assembler refuses although hardware ignores it (unused
// fields, reserved bits, odd register tuples, illegal VOPD pairs), and V_READFIRSTLANE_B32 in VOP3.
//
//===----------------------------------------------------------------------===//
#include "Emu/Disassembler.h"
#include "Emu/Fields.h"

#include "Support/Random.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace emuOpcodesTest {

using namespace rdna::emu;

namespace {

std::span<const std::byte> bytesOf(const Encoding &e) { return std::as_bytes(std::span(e.word)); }

std::string words(const Encoding &e) {
  char text[64];
  std::snprintf(text, sizeof text, "%08x %08x %08x", e.word[0], e.word[1], e.word[2]);
  return text;
}

/// A first word of each format with the rest still free.
struct Pattern {
  Format format;
  uint32_t fixed, mask;
};
constexpr Pattern patterns[] = {
    {Format::Sop1, 0xbe800000, 0xff800000},   {Format::Sop2, 0x80000000, 0xc0000000},
    {Format::Sopc, 0xbf000000, 0xff800000},   {Format::Sopk, 0xb0000000, 0xf0000000},
    {Format::Sopp, 0xbf800000, 0xff800000},   {Format::Smem, 0xf4000000, 0xfc000000},
    {Format::Vop1, 0x7e000000, 0xfe000000},   {Format::Vop2, 0x00000000, 0x80000000},
    {Format::Vopc, 0x7c000000, 0xfe000000},   {Format::Vop3, 0xd4000000, 0xfc000000},
    {Format::Vop3p, 0xcc000000, 0xff000000},  {Format::Vopd, 0xc8000000, 0xfc000000},
    {Format::Ds, 0xd8000000, 0xfc000000},     {Format::Flat, 0xdc000000, 0xfc030000},
    {Format::Global, 0xdc020000, 0xfc030000}, {Format::Scratch, 0xdc010000, 0xfc030000},
    {Format::Mubuf, 0xe0000000, 0xfc000000},  {Format::Mtbuf, 0xe8000000, 0xfc000000},
    {Format::LdsDir, 0xce000000, 0xff000000}, {Format::Vinterp, 0xcd000000, 0xff000000},
    {Format::Mimg, 0xf0000000, 0xfc000000},   {Format::Exp, 0xf8000000, 0xfc000000},
};

/// Random words of a format. Half of them have source fields that LLVM is more likely to accept.
Encoding randomEncoding(rdna::Random &random, const Pattern &p) {
  Encoding e;
  for (uint32_t &w : e.word)
    w = uint32_t(random.next());
  if (random.next() & 1) {
    e.word[0] &= ~0x000000fcu;
    e.word[1] &= 0x0007e3ffu | 0x1ff;
  }
  if (p.format == Format::Flat) // No SADDR.
    e.word[1] = (e.word[1] & ~0x007f0000u) | 0x007c0000u;
  e.word[0] = (e.word[0] & ~p.mask) | p.fixed;
  return e;
}

/// LLVM's disassembler takes a literal for an SOFFSET or an interpolation source of 255, which its
/// assembler refuses and which the ISA guide does not have (SOFFSET: SGPR, M0 or inline constant).
bool readsImpossibleLiteral(const Encoding &e) {
  Format f = formatOf(e.word[0]);
  if (f == Format::Mubuf || f == Format::Mtbuf)
    return e.bits(56, 63) == 255;
  return f == Format::Vinterp &&
         (e.bits(32, 40) == 255 || e.bits(41, 49) == 255 || e.bits(50, 58) == 255);
}

TEST(EmuOpcodes, SameInstructionsAsLlvmOnRandomWords) {
  auto disassembler = Disassembler::create();
  ASSERT_TRUE(bool(disassembler));
  rdna::Random random(20261120);
  for (const Pattern &p : patterns) {
    unsigned seen = 0, rounds = p.format == Format::Vop3 ? 30000 : 6000;
    for (unsigned n = 0; n < rounds; ++n) {
      Encoding e = randomEncoding(random, p);
      auto llvm = (*disassembler)->decode(bytesOf(e));
      const Opcode *op = findOpcode(e);
      // LLVM's longest image instructions have more words than we look at.
      if (llvm.bytes == 0 || llvm.bytes > sizeof e.word || readsImpossibleLiteral(e))
        continue;
      ++seen;
      ASSERT_NE(op, nullptr) << llvm.mnemonic << " " << words(e);
      EXPECT_EQ(op->name, llvm.mnemonic) << words(e);
      EXPECT_EQ(encodedBytes(e, *op), llvm.bytes) << llvm.mnemonic << " " << words(e);
    }
    EXPECT_GT(seen, rounds / 200) << formatName(p.format);
  }
}

TEST(EmuOpcodes, SameInstructionsAsLlvmOnTheCorpus) {
  auto disassembler = Disassembler::create();
  ASSERT_TRUE(bool(disassembler));
  std::ifstream file(RDNA_DATA_DIR "/roundtrip_corpus.s");
  std::set<const Opcode *> seen;
  for (std::string s; std::getline(file, s);) {
    size_t at = s.find("; encoding: [");
    if (at == std::string::npos)
      continue;
    std::istringstream list(s.substr(at + 13, s.size() - at - 14));
    std::vector<std::byte> bytes;
    for (std::string b; std::getline(list, b, ',');)
      bytes.push_back(std::byte(std::stoul(b, nullptr, 16)));
    auto llvm = (*disassembler)->decode(bytes);
    Encoding e;
    std::memcpy(e.word.data(), bytes.data(), std::min(bytes.size(), sizeof e.word));
    const Opcode *op = findOpcode(e);
    ASSERT_NE(op, nullptr) << s;
    EXPECT_EQ(op->name, llvm.mnemonic) << s;
    EXPECT_EQ(encodedBytes(e, *op), bytes.size()) << s;
    seen.insert(op);
    if (op->format == Format::Vopd)
      seen.insert(findDualY(e));
  }
  // The table has no row that LLVM does not know, except those that say so.
  // LLVM prints these two without suffix, so their long encodings are not in the corpus.
  auto hasNoText = [](const Opcode &op) {
    return op.format == Format::Vop3 && (op.name == "v_nop" || op.name == "v_pipeflush");
  };
  for (const Opcode &op : opcodes()) {
    if (op.category != Category::Unencodable && !hasNoText(op)) {
      EXPECT_TRUE(seen.contains(&op)) << formatName(op.format) << " " << op.name;
    }
  }
}

Encoding encoded(uint32_t a, uint32_t b = 0, uint32_t c = 0) {
  Encoding e;
  e.word = {a, b, c};
  return e;
}

TEST(EmuOpcodes, MoreThanLlvm) {
  // Both sources of one bank, both destinations' sources crossed: no assembler writes this pair.
  Encoding pair = encoded(0xca100100, 0x00000100); // v_dual_mov v0, v0 :: v_dual_mov v1, v0
  ASSERT_NE(findOpcode(pair), nullptr);
  EXPECT_EQ(findOpcode(pair)->name, "v_dual_mov_b32");
  EXPECT_EQ(encodedBytes(pair, *findOpcode(pair)), 8u);
  // V_READFIRSTLANE_B32 as VOP3.
  ASSERT_NE(findOpcode(encoded(0xd5820005)), nullptr);
  // SRC2 of an instruction with two sources holds what would be a literal: no literal follows.
  Encoding unused = encoded(0xd5030005, 0x03fe0501); // v_add_f32 v5, v1, v2 with SRC2 = 255
  EXPECT_EQ(encodedBytes(unused, *findOpcode(unused)), 8u);
  // Opcodes that gfx1100 does not have, among them the scalar floats of gfx1150.
  EXPECT_EQ(findOpcode(encoded(0xbe856401)), nullptr); // s_cvt_f32_i32
  EXPECT_EQ(findOpcode(encoded(0xffffffff)), nullptr);
  EXPECT_EQ(findOpcode(encoded(0xc8380000)), nullptr); // X half 0, Y half 28
}

} // namespace

} // namespace emuOpcodesTest
