// What each operand is called, whatever form of the operation the assembler chose and however the
// text spells it. Expected values are the operands as written.

#include "Asm/Decode.h"
#include "AsmSnippet.h"

#include <array>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

namespace asmOperandNameTest {

using namespace rdna;
using namespace rdna::test;

namespace {

using Name = OperandName;

struct Case {
  const char *text;
  std::map<Name, int64_t> expected; ///< Of the names that are asked about.
};

void check(const std::vector<Case> &cases) {
  std::string text;
  for (const Case &one : cases)
    text += fmt::format("  {}\n", one.text);
  const auto module = parseText(text);
  ASSERT_EQ(module->instructions().size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i)
    for (const auto &[name, value] : cases[i].expected) {
      const Instruction &inst = module->instructions()[i];
      ASSERT_NE(inst.named(name), nullptr) << cases[i].text << ": " << toString(name);
      EXPECT_EQ(inst.value(name, -99), value) << cases[i].text << ": " << toString(name);
    }
}

TEST(AsmOperandName, ScalarLoads) {
  check(
      {{"s_load_b32 s4, s[0:1], 0x10 glc", {{Name::Offset, 16}, {Name::CachePolicy, 1}}},
       {"s_load_b32 s4, s[0:1], s2 glc", {{Name::CachePolicy, 1}}},
       {"s_load_b32 s4, s[0:1], s2 offset:0x10 dlc", {{Name::Offset, 16}, {Name::CachePolicy, 4}}},
       {"s_buffer_load_b64 s[4:5], s[0:3], s8 glc", {{Name::CachePolicy, 1}}}});
  const auto module = parseText("  s_load_b32 s4, s[0:1], s2 glc\n");
  EXPECT_EQ(module->instructions()[0].named(Name::Offset), nullptr);
}

/// The names are an opcode's, whichever of its instructions comes first.
TEST(AsmOperandName, ABranchToALabelBeforeOneByNumber) {
  const auto module = parseText(".Lhere:\n  s_cbranch_vccz .Lhere\n  s_cbranch_vccz 5\n");
  EXPECT_EQ(module->instructions()[1].value(Name::Immediate), 5);
}

TEST(AsmOperandName, DataShare) {
  check({{"ds_load_b32 v1, v2 offset:8", {{Name::Offset, 8}, {Name::Gds, 0}}},
         {"ds_load_b32 v1, v2 gds", {{Name::Offset, 0}, {Name::Gds, 1}}},
         {"ds_load_2addr_b32 v[2:3], v1 offset0:1 offset1:2",
          {{Name::Offset0, 1}, {Name::Offset1, 2}, {Name::Gds, 0}}},
         {"ds_swizzle_b32 v1, v2 offset:0x8001", {{Name::Offset, 0x8001}}}});
}

TEST(AsmOperandName, VectorMemory) {
  check({{"global_load_b32 v1, v2, s[4:5] offset:-8 slc",
          {{Name::Offset, -8}, {Name::CachePolicy, 2}}},
         {"global_load_b32 v1, v[2:3], off glc dlc", {{Name::Offset, 0}, {Name::CachePolicy, 5}}},
         {"global_load_d16_hi_b16 v1, v2, s[4:5] offset:4 glc",
          {{Name::Offset, 4}, {Name::CachePolicy, 1}, {Name::Tied, 0}}},
         {"scratch_load_b32 v1, off, s4 offset:12", {{Name::Offset, 12}, {Name::CachePolicy, 0}}},
         {"image_load v1, v2, s[4:11] dmask:0x2 dim:SQ_RSRC_IMG_2D glc a16",
          {{Name::Dmask, 2},
           {Name::Dim, 1},
           {Name::R128, 0},
           {Name::A16, 1},
           {Name::Lwe, 0},
           {Name::Unorm, 0},
           {Name::CachePolicy, 1}}},
         {"tbuffer_load_format_x v1, v2, s[4:7], s8 format:22 idxen offset:4",
          {{Name::Format, 22}, {Name::Offset, 4}, {Name::Swizzle, 0}}}});
}

TEST(AsmOperandName, BufferAddressing) {
  const std::pair<const char *, BufferAddress> forms[] = {
      {"buffer_load_b32 v1, off, s[4:7], s8 offset:4", BufferAddress::Offset},
      {"buffer_load_b32 v1, v2, s[4:7], s8 offen", BufferAddress::Offen},
      {"buffer_load_b32 v1, v2, s[4:7], s8 idxen", BufferAddress::Idxen},
      {"buffer_load_b32 v1, v[2:3], s[4:7], s8 idxen offen", BufferAddress::Bothen},
      {"buffer_load_b32 v[1:2], v2, s[4:7], s8 idxen tfe", BufferAddress::Idxen},
      {"buffer_atomic_add_u32 v1, v2, s[4:7], s8 offen glc", BufferAddress::Offen},
      {"tbuffer_store_format_x v1, v2, s[4:7], s8 format:22 idxen", BufferAddress::Idxen},
      {"buffer_gl0_inv", BufferAddress::None},
      {"global_load_b32 v1, v2, s[4:5]", BufferAddress::None}};
  for (const auto &[text, address] : forms) {
    const auto module = parseText(fmt::format("  {}\n", text));
    EXPECT_EQ(module->instructions().at(0).bufferAddress, address) << text;
  }
}

TEST(AsmOperandName, ArithmeticModifiers) {
  check({{"v_add_f32_e64 v1, v2, v3 clamp mul:4", {{Name::Clamp, 1}, {Name::Omod, 2}}},
         {"v_pk_fma_f16 v1, v2, v3, v4 op_sel:[1,0,0] op_sel_hi:[1,1,0] neg_lo:[0,1,0]",
          {{Name::OpSel, 1}, {Name::OpSelHi, 3}, {Name::NegLo, 2}, {Name::NegHi, 0}}},
         {"v_dot4_i32_iu8 v1, v2, v3, v4 neg_lo:[1,0,0]", {{Name::NegLo, 1}, {Name::NegHi, 0}}},
         {"v_fma_mix_f32 v1, v2, v3, v4 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
          {{Name::OpSel, 2}, {Name::OpSelHi, 2}}},
         {"s_movk_i32 s1, 5", {{Name::Immediate, 5}}}});
}

TEST(AsmOperandName, LaneExchangesHoweverTheyAreSpelt) {
  check({{"v_mov_b32_dpp v1, v2 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf",
          {{Name::DppCtrl, 0},
           {Name::RowMask, 15},
           {Name::BankMask, 15},
           {Name::BoundCtrl, 0},
           {Name::FetchInactive, 0}}},
         {"v_mov_b32_dpp v1, v2 row_shr:1 row_mask: 0x3 bank_mask:0x7 fi:0x1",
          {{Name::RowMask, 3}, {Name::BankMask, 7}, {Name::FetchInactive, 1}}},
         {"v_mov_b32_dpp v1, v2 row_shr:1 fi: 1", {{Name::FetchInactive, 1}}},
         {"v_add_f32_e64_dpp v1, v2, v3 mul:2 dpp8:[1,0,0,0,0,0,0,0] fi:1",
          {{Name::Dpp8, 1}, {Name::Omod, 1}, {Name::FetchInactive, 1}}},
         {"v_mov_b32_dpp v1, v2 dpp8:[0,0,0,0,0,0,0,0]",
          {{Name::Dpp8, 0}, {Name::FetchInactive, 0}}}});
}

TEST(AsmOperandName, DppAndInactiveLanes) {
  struct Fact {
    const char *text;
    bool dpp, inactive;
  };
  const Fact facts[] = {
      {"v_mov_b32_dpp v1, v2 quad_perm:[0,0,0,0] row_mask:0x0 bank_mask:0x0", true, false},
      {"v_mov_b32_dpp v1, v2 row_shr:1 fi:0x1", true, true},
      {"v_mov_b32_dpp v1, v2 row_shr:1 fi:0", true, false},
      {"v_mov_b32_dpp v1, v2 dpp8:[0,0,0,0,0,0,0,0] fi:1", true, true},
      {"v_mov_b32_dpp v1, v2 dpp8:[0,0,0,0,0,0,0,0]", true, false},
      {"v_permlane16_b32 v1, v2, s3, s4", false, false},
      {"v_permlane16_b32 v1, v2, s3, s4 op_sel:[1,0]", false, true},
      {"v_permlanex16_b32 v1, v2, s3, s4 op_sel:[0,1]", false, false},
      {"v_add_f32_e64 v1, 0x12345678, v3", false, false},
  };
  for (const Fact &fact : facts)
    for (const bool macro : {false, true}) {
      const auto module = parseText(macro ? fmt::format(".macro m\n  {}\n.endm\n  m\n", fact.text)
                                          : fmt::format("  {}\n", fact.text));
      const Instruction &inst = module->instructions().at(0);
      EXPECT_EQ(inst.isDpp(), fact.dpp) << fact.text;
      EXPECT_EQ(inst.readsInactiveLanes(), fact.inactive) << fact.text;
    }
}

/// As decoded from code: DPP with fetch-inactive, DPP8 with and without, a permutation with it.
TEST(AsmOperandName, MachineCodeSaysTheSame) {
  struct Fact {
    std::array<uint32_t, 2> code;
    bool dpp, inactive;
  };
  const Fact facts[] = {{{0x7e0202fa, 0xf3051102}, true, true},
                        {{0x7e0202ea, 0xfac68802}, true, true},
                        {{0x7e0202e9, 0xfac68802}, true, false},
                        {{0xd65b0801, 0x00100702}, false, true},
                        {{0xd65b1001, 0x00100702}, false, false}};
  InstructionDecoder decoder;
  for (const Fact &fact : facts) {
    const auto inst = decoder.decode(std::as_bytes(std::span(fact.code)));
    ASSERT_TRUE(inst);
    EXPECT_EQ(inst->isDpp(), fact.dpp) << fact.code[0];
    EXPECT_EQ(inst->readsInactiveLanes(), fact.inactive) << fact.code[0];
  }
}

TEST(AsmOperandName, SpecialSources) {
  const std::pair<const char *, SpecialSource> sources[] = {
      {"s_mov_b32 s0, src_scc", SpecialSource::Scc},
      {"s_mov_b32 s0, null", SpecialSource::Null},
      {"s_mov_b64 s[0:1], src_shared_base", SpecialSource::SharedBase},
      {"s_mov_b64 s[0:1], src_private_limit", SpecialSource::PrivateLimit},
      {"s_mov_b32 s0, m0", SpecialSource::None},
      {"s_mov_b32 s0, vcc_lo", SpecialSource::None},
      {"s_mov_b32 s0, ttmp3", SpecialSource::None}};
  for (const auto &[text, source] : sources) {
    const auto module = parseText(fmt::format("  {}\n", text));
    EXPECT_EQ(module->instructions().at(0).operands[1].special, source) << text;
  }
  const auto module = parseText("  global_load_b32 v1, v[2:3], off\n  buffer_load_b32 v1, off, "
                                "s[4:7], null\n");
  EXPECT_EQ(module->instructions()[1].operands[2].special, SpecialSource::Null);
}

/// Every operand that is no value has a name, and no instruction has two of one name, for all that
/// LLVM assembles.
TEST(AsmOperandName, NothingOfTheCorpusIsUnnamed) {
  std::ifstream file(RDNA_DATA_DIR "/roundtrip_corpus.s");
  std::stringstream text;
  text << file.rdbuf();
  const auto module = parseText(text.str());
  ASSERT_GT(module->instructions().size(), 10000u);
  for (const Instruction &inst : module->instructions()) {
    std::map<Name, int> count;
    for (const Operand &operand : inst.operands)
      if (operand.cls == Operand::Class::Control)
        ++count[operand.name];
    EXPECT_EQ(count[Name::Unnamed], 0) << module->instructionText(inst);
    for (const auto &[name, times] : count)
      EXPECT_TRUE(times <= 1 || name == Name::Export || name == Name::Attribute ||
                  name == Name::Immediate)
          << module->instructionText(inst) << ": " << toString(name);
  }
}

} // namespace

} // namespace asmOperandNameTest
