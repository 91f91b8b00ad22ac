//===- EmuRegistersTest.cpp - what instructions read and write ------------===//
#include "AsmSnippet.h"
#include "EmuSnippet.h"

#include "Emu/Fields.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

namespace emuRegistersTest {

using namespace rdna::test;
using namespace rdna::emu;

namespace {

/// "r v1 r v2:3 w v5" for an instruction; bytes only where they are not all of a dword.
std::string uses(const std::string &text, uint32_t m0 = 0) {
  KernelImage image = kernelImage("\t" + text + "\n\ts_endpgm\n");
  Encoding e;
  std::memcpy(e.word.data(), image.image.data() + image.entryOffset, sizeof e.word);
  const Opcode *op = findOpcode(e);
  if (!op)
    return "no instruction";
  e.bytes = encodedBytes(e, *op);
  std::vector<Inst> code;
  translate(e, *op, code);
  std::string s;
  for (const Inst &i : code) {
    for (const RegisterUse &u : registersOf(i, m0)) {
      s += s.empty() ? "" : " ";
      s += u.access == RegisterUse::Access::Read ? "r " : "w ";
      s += u.file == RegisterUse::File::Vector ? "v" : "s";
      s += std::to_string(u.first);
      if (u.dwords > 1)
        s += fmt::format(":{}", u.first + u.dwords - 1);
      if (u.bytes != 15)
        s += fmt::format("/{:x}", u.bytes);
      if (u.lanes == RegisterUse::Lanes::Other)
        s += "*";
    }
  }
  return s;
}

TEST(EmuRegisters, Valu) {
  EXPECT_EQ(uses("v_add_f32 v5, v1, v2"), "r v1 r v2 w v5");
  EXPECT_EQ(uses("v_add_f32 v5, s7, v2"), "r s7 r v2 w v5");
  EXPECT_EQ(uses("v_fmac_f32 v5, v1, v2"), "r v5 r v1 r v2 w v5");
  EXPECT_EQ(uses("v_fmamk_f32 v5, v1, 0x12345678, v3"), "r v1 r v3 w v5");
  EXPECT_EQ(uses("v_fma_f64 v[4:5], v[6:7], s[8:9], v[10:11]"), "r v6:7 r s8:9 r v10:11 w v4:5");
  EXPECT_EQ(uses("v_cmp_lt_f32 vcc_lo, v1, v2"), "r v1 r v2 w s106");
  EXPECT_EQ(uses("v_cmp_lt_f32 s6, v1, v2"), "r v1 r v2 w s6");
  EXPECT_EQ(uses("v_cmpx_lt_f32 v1, v2"), "r v1 r v2 w s126");
  EXPECT_EQ(uses("v_add_co_ci_u32 v5, vcc_lo, v1, v2, vcc_lo"), "r v1 r v2 r s106 w v5 w s106");
  EXPECT_EQ(uses("v_add_co_ci_u32 v5, s4, v1, v2, s6"), "r v1 r v2 r s6 w v5 w s4");
  EXPECT_EQ(uses("v_div_scale_f32 v5, vcc_lo, v1, v2, v3"), "r v1 r v2 r v3 w v5 w s106");
  EXPECT_EQ(uses("v_add_f16 v5.h, v1.l, v2.h"), "r v1/3 r v2/c w v5/c");
  EXPECT_EQ(uses("v_pk_add_f16 v5, v1, v2 op_sel_hi:[0,1]"), "r v1/3 r v2 w v5");
  EXPECT_EQ(uses("v_mov_b32 v5, v1 row_shl:1"), "r v1* w v5");
  EXPECT_EQ(uses("v_readlane_b32 s5, v1, s2"), "r v1* r s2 w s5");
  EXPECT_EQ(uses("v_dual_mov_b32 v8, v1 :: v_dual_cndmask_b32 v5, v2, v3"),
            "r v1 w v8 r v2 r v3 r s106 w v5");
  EXPECT_EQ(uses("v_movrels_b32 v5, v1", 7), "r v8 r s125 w v5");
  EXPECT_EQ(uses("v_movrelsd_2_b32 v5, v1", 3 << 16 | 2), "r v3 r s125 w v8");
}

TEST(EmuRegisters, Scalar) {
  EXPECT_EQ(uses("s_addc_u32 s5, s1, 7"), "r s1 r s253 w s5 w s253");
  EXPECT_EQ(uses("s_and_saveexec_b32 s5, s1"), "r s1 r s126 w s5 w s253 w s126");
  EXPECT_EQ(uses("s_cmpk_eq_i32 s5, 3"), "r s5 w s253");
  EXPECT_EQ(uses("s_cmov_b64 s[4:5], s[8:9]"), "r s4:5 r s8:9 r s253 w s4:5");
  EXPECT_EQ(uses("s_load_b128 s[8:11], s[2:3], s7 offset:4"), "r s2:3 r s7 w s8:11");
  EXPECT_EQ(uses("s_waitcnt_vscnt null, 0x0"), "");
}

TEST(EmuRegisters, Memory) {
  EXPECT_EQ(uses("ds_store_b8 v1, v2"), "r v1 r v2/1");
  EXPECT_EQ(uses("ds_load_u8_d16_hi v5, v1"), "r v1 w v5/c");
  EXPECT_EQ(uses("ds_cmpstore_rtn_b64 v[4:5], v1, v[6:7], v[8:9]"), "r v1 r v6:7 r v8:9 w v4:5");
  EXPECT_EQ(uses("ds_bpermute_b32 v5, v1, v2"), "r v1 r v2* r s126 w v5");
  EXPECT_EQ(uses("global_load_b64 v[4:5], v[2:3], off"), "r v2:3 w v4:5");
  EXPECT_EQ(uses("global_load_b64 v[4:5], v2, s[6:7]"), "r v2 r s6:7 w v4:5");
  EXPECT_EQ(uses("global_atomic_add_u32 v2, v3, s[6:7]"), "r v2 r v3 r s6:7");
  EXPECT_EQ(uses("global_atomic_cmpswap_b32 v9, v2, v[4:5], s[6:7] glc"),
            "r v2 r v4:5 r s6:7 w v9");
  EXPECT_EQ(uses("scratch_store_b16 off, v3, s6"), "r v3/3 r s6");
  EXPECT_EQ(uses("buffer_load_b96 v[4:6], v[2:3], s[8:11], s3 idxen offen"),
            "r v2:3 r s8:11 r s3 w v4:6");
  EXPECT_EQ(uses("buffer_atomic_cmpswap_b32 v[4:5], off, s[8:11], 0 glc"), "r v4:5 r s8:11 w v4");
}

using Units = std::set<unsigned>; ///< Numbers of rdna::RegUnit.

std::string listed(const Units &units) {
  std::string text;
  for (unsigned u : units)
    text += rdna::toString(rdna::RegUnit{uint16_t(u)}) + " ";
  return text;
}
Units without(Units from, const Units &others) {
  std::erase_if(from, [&](unsigned u) { return others.contains(u); });
  return from;
}
void addUnits(Units &units, const RegisterUse &u) {
  for (unsigned k = 0; k < u.dwords; ++k) {
    unsigned n = u.first + k;
    bool vector = u.file == RegisterUse::File::Vector;
    unsigned unit = vector        ? n
                    : n == regScc ? unsigned(rdna::kScc.index)
                                  : rdna::RegUnit::scalar(n).index;
    if (vector || n < 128 || n == regScc)
      units.insert(unit);
  }
}

/// Where LLVM is coarser: messages and DS_NOP read M0, a buffer compare-and-swap writes both data
/// registers (only the first is returned), a subvector loop changes EXEC (not in wave32).
bool differs(const Opcode &op) {
  return op.name.starts_with("s_sendmsg") || op.name == "ds_nop" ||
         op.name.starts_with("buffer_atomic_cmpswap") || op.name.starts_with("s_subvector_loop");
}

/// The assembler's side (LLVM's operand tables, corrected) and the emulator's (the table of
/// encodings) know of each other nothing but the instruction.
TEST(EmuRegisters, AgreeWithTheAssemblersTables) {
  std::ifstream file(RDNA_DATA_DIR "/roundtrip_corpus.s");
  std::stringstream text;
  text << file.rdbuf();
  const auto module = rdna::test::parseText(text.str());
  std::istringstream lines(text.str());
  size_t next = 0;
  unsigned compared = 0;
  for (std::string line; std::getline(lines, line);) {
    size_t at = line.find("; encoding: [");
    if (at == std::string::npos)
      continue;
    Encoding e;
    std::istringstream bytes(line.substr(at + 13));
    std::string b;
    for (unsigned n = 0; std::getline(bytes, b, ',') && n < sizeof e.word; ++n)
      reinterpret_cast<uint8_t *>(e.word.data())[n] = uint8_t(std::stoul(b, nullptr, 16));
    const rdna::Instruction &inst = module->instructions()[next++];
    const Opcode *op = findOpcode(e);
    ASSERT_NE(op, nullptr) << line;
    if (op->category != Category::Compute || op->operand(Field::M0) || differs(*op))
      continue; // Registers that M0 selects are no operands to the assembler.
    e.bytes = encodedBytes(e, *op);
    std::vector<Inst> code;
    translate(e, *op, code);
    Units reads, writes, assemblerReads, assemblerWrites;
    for (const Inst &i : code)
      for (const RegisterUse &u : registersOf(i, 0))
        addUnits(u.access == RegisterUse::Access::Read ? reads : writes, u);
    for (const rdna::RegAccess &a : inst.accesses)
      for (unsigned k = 0; k < a.reg.dwords; ++k) {
        unsigned unit = a.reg.first.index + k;
        bool shared = unit < rdna::kScc.index || unit == rdna::kScc.index;
        if (!shared || rdna::RegUnit{uint16_t(unit)}.isNull())
          continue;
        if (a.reads())
          assemblerReads.insert(unit);
        if (a.writes())
          assemblerWrites.insert(unit);
      }
    // That DPP and partial writes keep what was there counts as a read for the assembler's side.
    // What an inactive lane gives to others depends on EXEC; the assembler leaves that out.
    Units allowed = assemblerReads;
    allowed.insert(rdna::kExecLo.index);
    EXPECT_EQ(listed(without(reads, allowed)), "") << "only we read: " << line;
    EXPECT_EQ(listed(without(without(assemblerReads, reads), writes)), "")
        << "we do not read: " << line;
    EXPECT_EQ(listed(writes), listed(assemblerWrites)) << "written: " << line;
    ++compared;
  }
  EXPECT_GT(compared, 17000u);
}

} // namespace

} // namespace emuRegistersTest
