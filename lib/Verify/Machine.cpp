// Registers, operands and every instruction that has no normal form of its own: its results are
// functions of everything that it reads.

#include "Verify/Machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

bool isDpp(const Module &module, const Instruction &inst) {
  if (!inst.isValu() || inst.isVopd() || inst.sizeBytes < 8)
    return false;
  if (inst.origin == Instruction::Origin::Macro)
    return true;
  const std::string_view text = module.instructionText(inst);
  for (const std::string_view word : {"dpp", "quad_perm", "row_"})
    if (text.find(word) != std::string_view::npos)
      return true;
  return false;
}

bool ignoresExec(Op op) { return opName(op).starts_with("v_wmma"); }

// v_readfirstlane_b32 is not among them: with no active lane it would read lane 0, but code that
// runs so without a branch around it is not made by compilers (LLVM
// hasUnwantedEffectsWhenEXECEmpty).
bool readsAllLanes(const Module &module, const Instruction &inst) {
  switch (inst.op) {
  case Op::v_readlane_b32:
  case Op::v_writelane_b32:
  case Op::v_permlane64_b32:
    return true;
  case Op::v_permlane16_b32:
  case Op::v_permlanex16_b32:
    // op_sel[0] is fetch-inactive (ISA guide, V_PERMLANE16_B32).
    return std::any_of(inst.operands.begin(), inst.operands.end(), [](const Operand &o) {
      return o.cls == Operand::Class::Modifier && o.imm != 0;
    });
  default:
    break;
  }
  if (ignoresExec(inst.op))
    return true;
  // Without fetch-inactive a DPP source lane that is switched off counts as invalid.
  return isDpp(module, inst) && (inst.origin == Instruction::Origin::Macro ||
                                 module.instructionText(inst).find("fi:1") != std::string::npos);
}

WideSource wideSource(Op op) {
  switch (op) {
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

std::string Machine::describe(const Instruction &inst, unsigned without) const {
  std::string text(opName(inst.op));
  if (isDpp(module_, inst))
    text += ".dpp";
  text += '[';
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Control && without > 0) {
      --without;
      continue;
    }
    const char *kind = operand.cls == Operand::Class::Def        ? "="
                       : operand.cls == Operand::Class::Modifier ? "m"
                       : operand.cls == Operand::Class::Control  ? "c"
                                                                 : "";
    text += kind;
    switch (operand.kind) {
    case Operand::Kind::Register:
      if (operand.reg.first.isNull() && operand.cls == Operand::Class::Source) {
        text += "null";
      } else {
        // Scalar and vector sources differ in what an instruction does with them (readlane's lane).
        text += operand.reg.first.isVgpr() ? 'v' : 's';
        text += std::to_string(operand.reg.dwords);
        if (operand.reg.half != Half::Whole)
          text += operand.reg.half == Half::Low ? 'l' : 'h';
      }
      break;
    case Operand::Kind::Immediate:
      text += std::to_string(operand.imm);
      break;
    case Operand::Kind::Expression:
      text += '<';
      text += operand.symbol;
      text += '>';
      break;
    }
    text += ' ';
  }
  text += ']';
  return text;
}

Value Machine::part(std::string_view text, unsigned dword, llvm::ArrayRef<Value> args) {
  return pool_.apply(fmt::format("{}.{}", text, dword), args);
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

void Machine::executeGeneric(const Instruction &inst) {
  const std::string text = describe(inst);
  const bool allLanes = readsAllLanes(module_, inst);
  const bool laneCrossing = isDpp(module_, inst) || allLanes || inst.op == Op::v_permlane16_b32 ||
                            inst.op == Op::v_permlanex16_b32;
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
  }
  const bool isCompare = inst.isValu() && opName(inst.op).starts_with("v_cmp");
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
  const bool whole = ignoresExec(inst.op) || inst.op == Op::v_writelane_b32;
  for (const auto &[unit, value] : results)
    if (whole)
      writeAllLanes(unit, value, inst);
    else
      write(unit, value, inst);
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
    return;
  case Unit::Salu:
    if (!executeConstants(inst) && !executeCondition(inst) && !executeArithmetic(inst) &&
        !executeMask(inst) && !executeSpecial(inst))
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
