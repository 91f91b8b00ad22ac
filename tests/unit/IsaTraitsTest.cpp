//===- IsaTraitsTest.cpp - the traits of all rows against LLVM and the emulator ===//
//
// Two tables that were made independently of ours: LLVM's descriptions, as they show in the parsed
// round-trip corpus (which has every instruction in all its forms), and the operands in the
// emulator's Opcodes.def. Where one of them differs on purpose, the test names the instruction.
//
//===----------------------------------------------------------------------===//
#include "Emu/Opcodes.h"
#include "Isa/OpTraits.h"
#include "Isa/Register.h"
#include "Isa/Vopd.h"

#include "AsmSnippet.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace isaTraitsTest {

using namespace rdna;

namespace {

const Module &corpus() {
  static const auto module = [] {
    std::stringstream text;
    text << std::ifstream(RDNA_DATA_DIR "/roundtrip_corpus.s").rdbuf();
    return test::parseText(text.str());
  }();
  return *module;
}

bool writesImplicitly(const Instruction &inst, RegUnit unit) {
  for (const RegAccess &access : inst.accesses)
    if (access.operand < 0 && access.writes() && access.reg.contains(unit))
      return true;
  return false;
}

/// LLVM: may it load, may it store, what does it return?
TEST(IsaTraits, MemoryKindsAreThoseOfLlvm) {
  std::set<Op> seen;
  for (const Instruction &inst : corpus().instructions()) {
    const MemoryKind kind = opTraits(inst.op).memory.kind;
    seen.insert(inst.op);
    const auto where = [&] { return corpus().instructionText(inst); };
    switch (inst.memory) {
    case MemoryEffect::Load:
      EXPECT_TRUE(kind == MemoryKind::Load || kind == MemoryKind::Sample ||
                  kind == MemoryKind::Other)
          << where();
      break;
    case MemoryEffect::Store:
      EXPECT_TRUE(kind == MemoryKind::Store || kind == MemoryKind::Other) << where();
      break;
    case MemoryEffect::Atomic:
    case MemoryEffect::AtomicReturn:
      EXPECT_TRUE(kind == MemoryKind::Atomic || kind == MemoryKind::Other) << where();
      break;
    case MemoryEffect::None:
      EXPECT_TRUE(kind == MemoryKind::None || kind == MemoryKind::Invalidate ||
                  kind == MemoryKind::Other || inst.op == Op::image_get_lod)
          << where();
      break;
    }
  }
  EXPECT_GT(seen.size(), 1000u);
}

/// LLVM: how many registers are loaded and stored?
TEST(IsaTraits, AccessesAreAsWideAsTheirRegisters) {
  size_t checked = 0;
  for (const Instruction &inst : corpus().instructions()) {
    const MemoryTraits &memory = opTraits(inst.op).memory;
    const bool plain = memory.kind == MemoryKind::Load || memory.kind == MemoryKind::Store;
    if (!plain || memory.bytes == 0 || memory.isFormatted)
      continue;
    const bool pair =
        memory.address == AddressForm::Pair || memory.address == AddressForm::PairStride64;
    const unsigned dwords = (memory.bytes + 3U) / 4;
    unsigned data = 0;
    if (memory.kind == MemoryKind::Load) {
      if (inst.operands.front().cls != Operand::Class::Def)
        continue; // To LDS.
      data = inst.operands.front().reg.dwords;
      // The forms with TFE load a status behind the data; the name of their LLVM opcode says so.
      const bool status = inst.unit == Unit::Buffer && data == dwords + 1;
      EXPECT_EQ(data - (status ? 1 : 0), pair ? 2 * dwords : dwords)
          << corpus().instructionText(inst);
    } else {
      for (const Operand &operand : inst.operands)
        if (operand.cls == Operand::Class::Source && operand.isReg() &&
            operand.reg.first.isVgpr() && operand.reg.dwords == dwords)
          ++data;
      EXPECT_GE(data, pair ? 2U : 1U) << corpus().instructionText(inst);
    }
    ++checked;
  }
  EXPECT_GT(checked, 500u);
}

TEST(IsaTraits, ImplicitResultsAreThoseOfLlvm) {
  for (const Instruction &inst : corpus().instructions()) {
    const OpTraits &traits = opTraits(inst.op);
    const auto where = [&] { return corpus().instructionText(inst); };
    const bool toExec =
        isCompareToExec(inst.op) || traits.is(OpFlag::SavesExec) || traits.is(OpFlag::WritesExec);
    const bool loops = inst.op == Op::s_subvector_loop_begin || inst.op == Op::s_subvector_loop_end;
    EXPECT_EQ(toExec || loops, writesImplicitly(inst, kExecLo)) << where();
    if (isScalarCompare(inst.op)) {
      EXPECT_TRUE(writesImplicitly(inst, kScc)) << where();
      for (const RegAccess &access : inst.accesses)
        EXPECT_TRUE(!access.writes() || access.reg.first == kScc) << where();
    }
    if (isVectorCompare(inst.op) && !isCompareToExec(inst.op)) {
      const bool named = !inst.operands.empty() && inst.operands[0].cls == Operand::Class::Def &&
                         !inst.operands[0].reg.first.isVgpr();
      EXPECT_TRUE(named || writesImplicitly(inst, kVccLo)) << where();
    }
  }
}

/// LLVM: is the destination a source?
TEST(IsaTraits, AccumulatorsAreTiedInLlvm) {
  std::set<Op> tied, untied;
  for (const Instruction &inst : corpus().instructions()) {
    if (!inst.isValu() || inst.isVopd() || inst.isDpp())
      continue;
    bool isTied = false;
    for (const Operand &operand : inst.operands)
      isTied |= operand.tiedTo >= 0;
    (isTied ? tied : untied).insert(inst.op);
  }
  for (const Op op : tied) {
    const bool swaps = op == Op::v_swap_b32 || op == Op::v_swap_b16 || op == Op::v_swaprel_b32;
    // Half of the result register is kept; the forms without op_sel do not say so otherwise.
    const bool half = op == Op::v_fma_mixlo_f16 || op == Op::v_fma_mixhi_f16 ||
                      op == Op::v_permlane16_b32 || op == Op::v_permlanex16_b32;
    const bool matrix = opTraits(op).is(OpFlag::Matrix);
    EXPECT_TRUE(opTraits(op).is(OpFlag::Accumulates) || keepsDestination(op) || swaps || half ||
                matrix)
        << opName(op);
  }
  // LLVM forgets that of V_PK_FMAC_F16, for which our row has to say that it keeps something.
  for (const Op op : untied)
    EXPECT_TRUE(!opTraits(op).is(OpFlag::Accumulates) || keepsDestination(op)) << opName(op);
}

const emu::Operand *resultOf(const emu::Opcode &row) {
  for (const emu::Operand &operand : row.operands)
    if (operand.direction != emu::Direction::In &&
        (operand.field == emu::Field::Vdst || operand.field == emu::Field::Data0 ||
         operand.field == emu::Field::Sdst))
      return &operand;
  return nullptr;
}

bool names(const emu::Opcode &row, emu::Field field, emu::Direction unwanted) {
  for (const emu::Operand &operand : row.operands)
    if (operand.field == field && operand.direction != unwanted)
      return true;
  return false;
}

TEST(IsaTraits, AccessesAreAsWideAsTheEmulatorsOperands) {
  size_t checked = 0;
  for (const emu::Opcode &row : emu::opcodes()) {
    const MemoryTraits &memory = opTraits(row.op).memory;
    if (memory.bytes == 0 || memory.isFormatted || row.category != emu::Category::Compute)
      continue;
    const emu::Operand *data =
        memory.kind == MemoryKind::Load ? resultOf(row) : row.operand(emu::Field::Data0);
    if (!data || memory.kind == MemoryKind::Other)
      continue;
    const bool pairLoad =
        memory.kind == MemoryKind::Load && row.format == emu::Format::Ds &&
        (memory.address == AddressForm::Pair || memory.address == AddressForm::PairStride64);
    if (memory.kind != MemoryKind::Atomic) { // A compare-and-swap has more than it stores.
      const unsigned bits = 8U * memory.bytes * (pairLoad ? 2 : 1);
      const bool extends = memory.kind == MemoryKind::Load && memory.bytes < 4;
      EXPECT_TRUE(data->bits == bits || (extends && data->bits <= 32)) << row.name;
    }
    EXPECT_EQ(data->part == emu::Part::High, memory.d16 == D16::High) << row.name;
    ++checked;
  }
  EXPECT_GT(checked, 200u);
}

TEST(IsaTraits, ImplicitOperandsAreTheEmulators) {
  using emu::Direction, emu::Field, emu::Format;
  for (const emu::Opcode &row : emu::opcodes()) {
    const OpTraits &traits = opTraits(row.op);
    const bool toExec =
        isCompareToExec(row.op) || traits.is(OpFlag::SavesExec) || traits.is(OpFlag::WritesExec);
    EXPECT_EQ(toExec, names(row, Field::Exec, Direction::In)) << row.name;
    EXPECT_TRUE(!traits.is(OpFlag::Relative) || names(row, Field::M0, Direction::Out)) << row.name;
    EXPECT_TRUE(row.format != Format::Vopc || isVectorCompare(row.op)) << row.name;
    if (traits.is(OpFlag::Accumulates) || keepsDestination(row.op)) {
      const emu::Operand *result = resultOf(row);
      // A load keeps what it does not name, and so does a result of 16 bits.
      const bool isPart = result && result->bits < 32;
      const bool accumulates = result && result->direction == Direction::InOut;
      // These keep lanes, not bits.
      const bool lanes = row.op == Op::v_writelane_b32 || row.op == Op::v_permlane64_b32;
      EXPECT_TRUE(isPart || accumulates || lanes || traits.memory.isFormatted) << row.name;
    }
    const emu::Operand *result = resultOf(row);
    if (opUnit(row.op) == Unit::Valu && result && result->bits == 16) {
      EXPECT_TRUE(keepsDestination(row.op)) << row.name;
    }
    // An exchange writes what it reads, and names it.
    const bool swaps = row.op == Op::v_swap_b32 || row.op == Op::v_swap_b16 ||
                       llvm::StringRef(row.name).starts_with("v_swaprel");
    if (opUnit(row.op) == Unit::Valu && result && result->direction == Direction::InOut && !swaps) {
      EXPECT_TRUE(keepsDestination(row.op) || traits.is(OpFlag::Accumulates)) << row.name;
    }
  }
}

/// The immediate forms of scalar arithmetic are the SOPK instructions of the scalar ALU that are
/// about no hardware register.
TEST(IsaTraits, ShortImmediatesAreThoseOfSopk) {
  std::set<Op> sopk;
  for (const emu::Opcode &row : emu::opcodes())
    if (row.format == emu::Format::Sopk && opUnit(row.op) == Unit::Salu &&
        row.op != Op::s_getreg_b32 && row.op != Op::s_setreg_b32 &&
        row.op != Op::s_setreg_imm32_b32)
      sopk.insert(row.op);
  for (const emu::Opcode &row : emu::opcodes())
    EXPECT_EQ(opTraits(row.op).shortImmediate != ShortImmediate::None, sopk.contains(row.op))
        << row.name;
}

/// The dwords that scalar and vector instructions without memory work on.
TEST(IsaTraits, TypesAreAsWideAsTheEmulatorsOperands) {
  using emu::Direction, emu::Field, emu::Format;
  size_t checked = 0;
  for (const emu::Opcode &row : emu::opcodes()) {
    const OpTraits &traits = opTraits(row.op);
    const Unit unit = opUnit(row.op);
    if ((unit != Unit::Salu && unit != Unit::Valu && unit != Unit::Trans) ||
        traits.source.bits == 0)
      continue;
    bool wide = false;
    for (const emu::Operand &operand : row.operands)
      wide |= operand.bits == 64 && operand.field != Field::Sdst && operand.field != Field::Vdst &&
              operand.field != Field::Exec;
    EXPECT_TRUE(!(traits.source.bits == 64) || wide || names(row, Field::Sdst, Direction::In))
        << row.name;
    const bool compares = traits.comparison.result != Comparison::Result::None;
    EXPECT_TRUE(!compares || wide == (traits.source.bits == 64)) << row.name;
    ++checked;
  }
  EXPECT_GT(checked, 500u);
}

TEST(IsaTraits, DualAccumulatorsAreTheFlaggedOnes) {
  for (const emu::Opcode &row : emu::opcodes())
    EXPECT_EQ(readsDestination(row.op),
              opTraits(row.op).is(OpFlag::Accumulates) && vopdOpcodeX(row.op) >= 0)
        << row.name;
}

TEST(IsaTraits, RelationsOfComparisons) {
  // Each of them with all the types that it has; V_CMPX says the same as V_CMP.
  std::map<Relation, unsigned> masks, execs;
  for (const emu::Opcode &row : emu::opcodes()) {
    if (row.format != emu::Format::Vopc)
      continue;
    const Comparison comparison = opTraits(row.op).comparison;
    EXPECT_NE(comparison.relation, Relation::None) << row.name;
    ++(comparison.result == Comparison::Result::Exec ? execs : masks)[comparison.relation];
  }
  EXPECT_EQ(masks, execs);
  EXPECT_EQ(masks.size(), 18u);
  EXPECT_EQ(masks[Relation::Unequal], 6u);
  EXPECT_EQ(masks[Relation::LessGreater], 3u);
  const Comparison lg = opTraits(Op::s_cmpk_lg_u32).comparison;
  EXPECT_EQ(lg.relation, Relation::Unequal);
  EXPECT_EQ(lg.result, Comparison::Result::Scc);
  EXPECT_EQ(opTraits(Op::s_cmpk_lg_u32).shortImmediate, ShortImmediate::Unsigned);
  EXPECT_EQ(opTraits(Op::s_cmpk_lg_i32).shortImmediate, ShortImmediate::Signed);
  EXPECT_EQ(opTraits(Op::v_cmp_neq_f32).comparison.relation, Relation::NotEqual);
}

} // namespace

} // namespace isaTraitsTest
