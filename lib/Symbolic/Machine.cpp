// Registers, operands and every instruction that has no normal form of its own: its results are
// functions of everything that it reads.

#include "Symbolic/Machine.h"

#include "Asm/Effects.h"
#include "Isa/HwRegister.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

WideSource wideSource(const Instruction &inst) {
  if (inst.value(OperandName::Clamp) != 0)
    return WideSource::None; // Whether it saturates depends on both halves.
  switch (inst.op) {
  case Op::v_mad_u64_u32:
  case Op::v_mad_i64_i32:
  case Op::v_lshlrev_b64:
    return WideSource::LowNeedsLow;
  case Op::v_lshrrev_b64:
  case Op::v_ashrrev_i64:
    return WideSource::HighNeedsHigh;
  default:
    return WideSource::None;
  }
}

//===----------------------------------------------------------------------===//
// Registers and operands
//===----------------------------------------------------------------------===//

Value Machine::readFull(RegUnit unit) const {
  return unit.isNull() ? pool_.constant(0) : state_[unit];
}

Value Machine::read(RegUnit unit) const {
  const Value value = readFull(unit);
  return unit.isVgpr() ? pool_.within(value, exec()) : value;
}

void Machine::writeAllLanes(RegUnit unit, Value value, const Instruction &inst) {
  if (unit.isNull())
    return;
  state_[unit] = value;
  if (unit.isVgpr())
    state_.writer[unit.index] = inst.index + 1;
}

void Machine::write(RegUnit unit, Value value, const Instruction &inst) {
  writeAllLanes(unit, unit.isVgpr() ? pool_.select(exec(), value, state_[unit]) : value, inst);
}

void Machine::writePair(RegUnit first, Value low, Value high, const Instruction &inst) {
  if (first.isNull()) // The register behind it is M0.
    return;
  write(first, low, inst);
  write({static_cast<uint16_t>(first.index + 1)}, high, inst);
}

void Machine::readOperand(const Operand &operand, llvm::SmallVectorImpl<Value> &into) const {
  if (!operand.isReg())
    return;
  for (unsigned d = 0; d < operand.reg.dwords; ++d)
    into.push_back(read({static_cast<uint16_t>(operand.reg.first.index + d)}));
}

Value Machine::readScalarOperand(const Operand &operand) const {
  switch (operand.kind) {
  case Operand::Kind::Register:
    return read(operand.reg.first);
  case Operand::Kind::Immediate:
    return pool_.constant(static_cast<uint32_t>(operand.imm));
  case Operand::Kind::Expression:
    break;
  }
  return pool_.symbol(operand.symbol);
}

static std::string shapeOf(const RegRange &reg) {
  // Scalar and vector sources differ in what an instruction does with them (readlane's lane).
  std::string text(1, reg.first.isVgpr() ? 'v' : 's');
  text += std::to_string(reg.dwords);
  if (reg.half != Half::Whole)
    text += reg.half == Half::Low ? 'l' : 'h';
  return text;
}

static std::string shapeOf(const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::Register:
    return operand.reg.first.isNull() && operand.cls == Operand::Class::Source
               ? "null"
               : shapeOf(operand.reg);
  case Operand::Kind::Immediate:
    return std::to_string(operand.imm);
  case Operand::Kind::Expression:
    break;
  }
  return fmt::format("<{}>", operand.symbol);
}

/// The form of an operation, as far as it is more than its operands.
static std::string_view formOf(const Instruction &inst) {
  switch (inst.bufferAddress) {
  case BufferAddress::None:
    break;
  case BufferAddress::Offset:
    return ".off";
  case BufferAddress::Offen:
    return ".offen";
  case BufferAddress::Idxen:
    return ".idxen";
  case BufferAddress::Bothen:
    return ".bothen";
  }
  return inst.named(OperandName::Dpp8) ? ".dpp8" : inst.isDpp() ? ".dpp" : "";
}

// The 32-bit and the 64-bit encoding of a VALU operation are one operation, so they have to get one
// signature: modifiers and controls that are zero are what the shorter form means by not having
// them, and VCC is listed where the longer form names it, behind the other results or sources.
std::string Machine::describe(const Instruction &inst, llvm::ArrayRef<OperandName> without) const {
  std::string results, sources, controls;
  for (const Operand &operand : inst.operands) {
    switch (operand.cls) {
    case Operand::Class::Def:
      results += '=' + shapeOf(operand) + ' ';
      break;
    case Operand::Class::Source:
      sources += shapeOf(operand) + ' ';
      break;
    case Operand::Class::Modifier:
      if (operand.imm != 0)
        sources += fmt::format("m{} ", operand.imm);
      break;
    case Operand::Class::Control:
      if (operand.name == OperandName::Unnamed) // then only its place says what it is
        controls += fmt::format("{}:{} ", &operand - inst.operands.begin(), operand.imm);
      else if (operand.imm != 0 && !llvm::is_contained(without, operand.name))
        controls += fmt::format("{}={} ", toString(operand.name), operand.imm);
      break;
    }
  }
  for (const RegAccess &access : inst.accesses)
    if (access.operand < 0 && inst.isValu())
      (access.writes() ? results : sources) +=
          (access.writes() ? "=" : "") + shapeOf(access.reg) + ' ';
  return fmt::format("{}{}[{}{}{}]", opName(inst.op), formOf(inst), results, sources, controls);
}

Value Machine::part(std::string_view text, unsigned dword, llvm::ArrayRef<Value> args) {
  return pool_.apply(fmt::format("{}.{}", text, dword), args);
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

/// s_getreg and s_setreg: which hardware register (ISA guide, S_GETREG_B32). Nothing for others.
static std::optional<HwRegister> hardwareRegister(const Instruction &inst) {
  switch (inst.op) {
  case Op::s_getreg_b32:
  case Op::s_setreg_b32:
  case Op::s_setreg_imm32_b32:
    break;
  default:
    return std::nullopt;
  }
  // LLVM has it last, behind what s_setreg_imm32_b32 writes.
  for (const Operand &operand : llvm::reverse(inst.operands))
    if (operand.kind == Operand::Kind::Immediate)
      return hwRegister(static_cast<unsigned>(operand.imm));
  return std::nullopt;
}

bool readsExceptions(const Instruction &inst) {
  return inst.op == Op::s_trap ||
         (inst.op == Op::s_getreg_b32 && hardwareRegister(inst) == HwRegister::TrapStatus);
}

/// Registers of the machine, traps and the like see, or show others, what has happened so far; MODE
/// is a register like any other.
static bool isSystemEffect(const Instruction &inst) {
  if (const auto reg = hardwareRegister(inst))
    return *reg != HwRegister::Mode;
  return inst.op == Op::s_trap || inst.op == Op::s_sethalt;
}

bool Machine::readsAll(const Instruction &inst) const {
  if (!readsAllLanes(inst))
    return false;
  const bool hasLane = observed_ && !observed_->mayBeEmpty.empty() &&
                       !observed_->mayBeEmpty[inst.index - observed_->first];
  return inst.op != Op::v_readfirstlane_b32 || !hasLane;
}

void Machine::executeGeneric(const Instruction &inst) {
  if (isSystemEffect(inst))
    fence(inst, {});
  const std::string text = describe(inst);
  const bool allLanes = readsAll(inst);
  const bool laneCrossing = inst.isDpp() || readsAllLanes(inst) ||
                            inst.op == Op::v_permlane16_b32 || inst.op == Op::v_permlanex16_b32;
  llvm::SmallVector<Value, 12> args;
  bool writesScalar = false, systemState = false;
  for (const RegAccess &access : inst.accesses) {
    writesScalar |= access.writes() && !access.reg.first.isVgpr();
    if (!access.reads())
      continue;
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      args.push_back(allLanes ? readFull(unit) : read(unit));
    }
  }
  args.push_back(state_[kMode]);
  if (inst.isValu() && (writesScalar || laneCrossing))
    args.push_back(exec());
  switch (inst.op) {
  case Op::s_setreg_b32:
  case Op::s_setreg_imm32_b32:
  case Op::s_getreg_b32:
    systemState = true;
    break;
  default:
    systemState = inst.unit == Unit::Other || inst.unit == Unit::Control;
    break;
  }
  if (systemState) {
    args.push_back(state_.space(Space::System));
    args.push_back(exec());
    if (hardwareRegister(inst) == HwRegister::Status)
      args.append({state_[kScc], state_[kVccLo]});
  }
  const bool isCompare = inst.isValu() && isVectorCompare(inst.op);
  if (isCompare)
    args.push_back(exec());
  llvm::SmallVector<std::pair<RegUnit, Value>, 8> results;
  unsigned index = 0;
  for (const RegAccess &access : inst.accesses) {
    if (!access.writes())
      continue;
    for (unsigned d = 0; d < access.reg.dwords; ++d, ++index) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      results.emplace_back(unit, isCompare ? pool_.compare(text, args) : part(text, index, args));
    }
  }
  if (systemState)
    state_.space(Space::System) = pool_.apply("after " + text, args);
  if (const auto reg = hardwareRegister(inst);
      inst.op != Op::s_getreg_b32 &&
      (reg == HwRegister::FlatScratchLow || reg == HwRegister::FlatScratchHigh))
    state_[kFlatScratch] = pool_.apply("flat scratch after " + text,
                                       {state_[kFlatScratch], state_.space(Space::System)});
  const bool whole = ignoresExec(inst.op) || inst.op == Op::v_writelane_b32;
  for (const auto &[unit, value] : results)
    if (whole)
      writeAllLanes(unit, value, inst);
    else
      write(unit, value, inst);
}

/// What raises exceptions in which lanes.
void Machine::recordSums(const Instruction &inst) {
  if (!observed_ || observed_->exceptions == Observed::Exceptions::Ignored)
    return;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
      if (usesFloats(inst.op) || usesFloats(inst.opY))
        trace_.sums.push_back(pool_.apply(
            "raised", {exec(), read({static_cast<uint16_t>(access.reg.first.index + d)})}));
}

void Machine::execute(const Instruction &inst) {
  if (const auto wait = waitOf(inst)) {
    executeWait(inst, *wait);
    return;
  }
  switch (inst.unit) {
  case Unit::Valu:
  case Unit::Trans:
    if (!executeArithmetic(inst) && !executeLanes(inst) && !executeFma(inst) &&
        !executeSpecial(inst))
      executeGeneric(inst);
    recordSums(inst);
    return;
  case Unit::Salu:
    if (!executeLongBranch(inst) && !executeConstants(inst) && !executeCondition(inst) &&
        !executeArithmetic(inst) && !executeMask(inst) && !executeSpecial(inst))
      executeGeneric(inst);
    return;
  case Unit::Smem:
  case Unit::Lds:
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    executeMemory(inst);
    return;
  case Unit::Barrier:
    fence(inst, {});
    return;
  case Unit::Message: {
    llvm::SmallVector<Value, 2> args{state_[kM0]};
    fence(inst, args);
    for (const RegAccess &access : inst.accesses)
      if (access.writes())
        for (unsigned d = 0; d < access.reg.dwords; ++d)
          write({static_cast<uint16_t>(access.reg.first.index + d)},
                part("message", d, {state_.space(Space::System)}), inst);
    return;
  }
  case Unit::Wait: // s_waitcnt_depctr, s_wait_event, s_waitcnt_expcnt
  case Unit::Branch:
  case Unit::End:
    return;
  case Unit::Control:
    switch (inst.op) {
    case Op::s_nop:
    case Op::s_delay_alu:
    case Op::s_setprio:
    case Op::s_clause:
    case Op::s_sleep:
    case Op::s_code_end:
    case Op::s_set_inst_prefetch_distance:
      return;
    default:
      executeGeneric(inst);
      return;
    }
  case Unit::Other:
    fence(inst, {});
    executeGeneric(inst);
    return;
  }
}

} // namespace rdna::verify
