//===- EmuCoverageTest.cpp - every instruction of the corpus through the emulator ===//
//
// The round-trip corpus holds every gfx1100 instruction in all its operand forms. Each line is
// decoded and executed alone, with registers full of garbage and no memory to touch: nothing may
// crash, and nothing that a compute kernel can use may be refused.
//
//===----------------------------------------------------------------------===//
#include "Emu/DataShare.h"
#include "Emu/Emulator.h"
#include "Emu/Fields.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace emuCoverageTest {

using namespace rdna::emu;

namespace {

struct Line {
  std::string text;
  std::vector<std::byte> bytes;
};

std::vector<Line> corpus() {
  std::ifstream file(RDNA_DATA_DIR "/roundtrip_corpus.s");
  std::vector<Line> lines;
  for (std::string s; std::getline(file, s);) {
    size_t at = s.find("; encoding: [");
    if (at == std::string::npos)
      continue;
    Line line;
    line.text = s.substr(0, at);
    std::istringstream bytes(s.substr(at + 13, s.size() - at - 14));
    for (std::string b; std::getline(bytes, b, ',');)
      line.bytes.push_back(std::byte(std::stoul(b, nullptr, 16)));
    lines.push_back(std::move(line));
  }
  return lines;
}

class NoCode : public CodeMap {
  const Inst *at(uint64_t) const override { return nullptr; }
};

TEST(EmuCoverage, TheWholeCorpusDecodesAndRuns) {
  std::vector<Line> lines = corpus();
  ASSERT_GT(lines.size(), 18000u);
  MemoryMap map;
  NoCode noCode;
  MemoryView view(map);
  std::vector<std::byte> lds(1024);
  auto wave = std::make_unique<Wave>();
  std::set<std::string> refused;
  GlobalShare globalShare;
  for (const Line &line : lines) {
    Encoding e;
    std::memcpy(e.word.data(), line.bytes.data(), std::min(line.bytes.size(), sizeof e.word));
    const Opcode *op = findOpcode(e);
    ASSERT_NE(op, nullptr) << line.text;
    e.bytes = encodedBytes(e, *op);
    ASSERT_EQ(e.bytes, line.bytes.size()) << line.text;
    std::vector<Inst> code;
    translate(e, *op, code);
    Wave &w = *wave;
    for (unsigned r = 0; r < 256; ++r)
      for (unsigned l = 0; l < laneCount; ++l)
        w.vgpr(r).lane[l] = 0x3f800000u + 977 * r + l;
    for (unsigned r = 0; r < scalarSlots; ++r)
      w.s[r] = r * 0x01010101u;
    w.s[regExec] = 0x7fffffff;
    w.setMode(0x2f0);
    w.memory = &view;
    w.code = &noCode;
    w.globalShare = &globalShare;
    w.lds = lds.data();
    w.ldsBytes = uint32_t(lds.size());
    w.scratchBytes = 0;
    w.executed = 0;
    w.sliceEnd = ~uint64_t(0);
    w.event = Event::None;
    w.next = code.data();
    for (size_t n = 0; n < code.size() && w.event == Event::None;) {
      w.next = &code[n] + 1;
      code[n].run(w, code[n]);
      n = size_t(w.next - code.data());
    }
    if (w.event == Event::Unimplemented && op->category == Category::Compute)
      refused.insert(line.text);
  }
  // The shared and private apertures are 64-bit constants, which no lane mask can be.
  const std::set<std::string> expected = {};
  EXPECT_EQ(refused, expected);
}

/// Every compute instruction that gfx1100 has, by format. The figures are those of data/README.md.
TEST(EmuCoverage, EveryComputeInstructionHasAHandler) {
  std::map<std::string_view, unsigned> count;
  for (const Opcode &op : opcodes()) {
    if (op.category != Category::Compute)
      continue;
    EXPECT_NE(handlerOf(op), nullptr) << formatName(op.format) << " " << op.name;
    ++count[formatName(op.format)];
  }
  const std::map<std::string_view, unsigned> expected = {
      {"SOP1", 65},   {"SOP2", 52},    {"SOPC", 18},  {"SOPK", 27},  {"SOPP", 38},
      {"SMEM", 14},   {"VOP1", 86},    {"VOP2", 46},  {"VOPC", 190}, {"VOP3", 428},
      {"VOP3SD", 10}, {"VOP3P", 34},   {"VOPD", 17},  {"DS", 123},   {"FLAT", 52},
      {"GLOBAL", 55}, {"SCRATCH", 22}, {"MUBUF", 73}, {"MTBUF", 16}, {"LDSDIR", 1}};
  EXPECT_EQ(count, expected);
}

TEST(EmuCoverage, Wave64IsRefused) {
  KernelImage image;
  image.name = "k";
  image.image.resize(4);
  image.codeEnd = 4;
  auto program = Program::create(std::move(image));
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "error: kernel 'k' is wave64 code; the emulator runs wave32\n");
}

} // namespace

} // namespace emuCoverageTest
