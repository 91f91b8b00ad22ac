// The families that a rewriter changes: FMA, VOPD halves, moves, lane masks and 64-bit operations
// with a meaningless half.

#include "Symbolic/Machine.h"

#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

namespace rdna::verify {

bool Machine::executeLanes(const Instruction &inst) {
  if (inst.isDpp()) // one whose control bits are all zero looks like the plain form
    return false;
  const auto lanes = laneOps(inst);
  if (lanes.empty())
    return false;
  const auto source = [&](const VopdSource &from) -> Value {
    switch (from.kind) {
    case VopdSource::Kind::Vgpr:
      return read(RegUnit::vgpr(from.value));
    case VopdSource::Kind::Scalar:
      return readFull(from.value == 253 ? kScc : RegUnit::scalar(from.value));
    default:
      return pool_.constant(from.value);
    }
  };
  llvm::SmallVector<std::pair<Vgpr, Value>, 2> results; // both halves read before either writes
  for (const LaneOp &lane : lanes) {
    const Value mode = state_[kMode];
    Value a = source(lane.src0);
    Value b = lane.op == Op::v_mov_b32 ? a : source(lane.src1);
    Value result = 0;
    switch (lane.op) {
    case Op::v_mov_b32:
      result = a;
      break;
    case Op::v_fmac_f32:
      result = pool_.applyCommutative(pool_.signature("fma"), a, b,
                                      {read(RegUnit::vgpr(lane.addend->number)), mode});
      break;
    case Op::v_fmaak_f32:
      result = pool_.applyCommutative(pool_.signature("fma"), a, b,
                                      {pool_.constant(*lane.constant), mode});
      break;
    case Op::v_fmamk_f32:
      result = pool_.applyCommutative(pool_.signature("fma"), a, pool_.constant(*lane.constant),
                                      {b, mode});
      break;
    case Op::v_add_nc_u32:
      result = pool_.sum(a, b);
      break;
    case Op::v_lshlrev_b32:
      if (const auto amount = pool_.asConstant(a); amount)
        result = pool_.shifted(b, *amount);
      else
        result = pool_.apply("v_lshlrev_b32", {a, b, mode});
      break;
    case Op::v_cndmask_b32:
      result = pool_.apply("v_cndmask_b32", {a, b, state_[kVccLo], mode});
      break;
    case Op::v_subrev_f32:
      result = pool_.apply("v_sub_f32", {b, a, mode});
      break;
    default: {
      llvm::SmallVector<Value, 2> rest;
      if (lane.addend)
        rest.push_back(read(RegUnit::vgpr(lane.addend->number)));
      rest.push_back(mode);
      // Of floats that is so as far as results that are NaN compare equal to any NaN: V_MIN and
      // V_MAX hand one of two NaNs on, S0's in the emulator. Zeros have no such choice: -0 < +0.
      if (swapKind(lane.op) == Swap::SameOp)
        result = pool_.applyCommutative(pool_.signature(opName(lane.op)), a, b, rest);
      else
        result = pool_.apply(opName(lane.op), {a, b, mode});
      break;
    }
    }
    results.emplace_back(lane.dst, result);
  }
  for (const auto &[dst, value] : results)
    write(RegUnit::vgpr(dst.number), value, inst);
  return true;
}

/// A 32-bit float as the instruction takes it. To negate is to turn the sign bit, of whatever it
/// is: adding 2^31 does the same.
Value Machine::modified(Value value, int64_t modifier) {
  constexpr int64_t kNegated = 1; // SISrcMods::NEG; 2 is ABS.
  if (modifier == 0)
    return value;
  if (modifier == kNegated)
    return pool_.sum(value, pool_.constant(0x80000000));
  return pool_.apply(fmt::format("modifier{}", modifier), {value});
}

/// v_fma_f32 and v_fmac_f32 with modifiers or with operands that no VOPD slot takes.
bool Machine::executeFma(const Instruction &inst) {
  if ((inst.op != Op::v_fma_f32 && inst.op != Op::v_fmac_f32) || inst.isDpp())
    return false;
  llvm::SmallVector<Value, 3> sources;
  int64_t modifier = 0;
  std::string controls;
  for (const Operand &operand : inst.operands) {
    switch (operand.cls) {
    case Operand::Class::Def:
      break;
    case Operand::Class::Modifier:
      modifier = operand.imm;
      break;
    case Operand::Class::Source: {
      const Value value = readScalarOperand(operand);
      sources.push_back(modified(value, modifier));
      modifier = 0;
      break;
    }
    case Operand::Class::Control: // clamp and omod
      if (operand.imm != 0)
        controls += fmt::format(".{}={}", toString(operand.name), operand.imm);
      break;
    }
  }
  if (sources.size() != 3)
    return false;
  write(inst.operands[0].reg.first,
        pool_.applyCommutative(pool_.signature("fma" + controls), sources[0], sources[1],
                               {sources[2], state_[kMode]}),
        inst);
  return true;
}

/// Bitwise scalar operations, because lane masks are made of them.
bool Machine::executeMask(const Instruction &inst) {
  const auto sources = [&] {
    llvm::SmallVector<Value, 2> values;
    for (const Operand &operand : inst.operands)
      if (operand.cls == Operand::Class::Source)
        values.push_back(readScalarOperand(operand));
    return values;
  }();
  const auto finish = [&](Value result) { write(kScc, pool_.nonzero(result), inst); };
  const auto saveExec = [&](Value result) {
    const Value old = exec();
    write(kExecLo, result, inst);
    write(inst.operands[0].reg.first, old, inst);
    finish(result);
  };
  const auto writeExec = [&](Value result) {
    write(kExecLo, result, inst);
    write(inst.operands[0].reg.first, result, inst);
    finish(result);
  };
  const auto plain = [&](Value result) {
    write(inst.operands[0].reg.first, result, inst);
    finish(result);
  };
  // Which of two writes of EXEC lasts is not documented well enough: a function of all it reads.
  const bool writesExecTwice = inst.operands.size() == 2 && inst.operands[0].isReg() &&
                               inst.operands[0].reg.first == kExecLo &&
                               opTraits(inst.op).is(OpFlag::SavesExec);
  if (writesExecTwice)
    return false;
  switch (inst.op) {
  case Op::s_mov_b32:
    write(inst.operands[0].reg.first, sources[0], inst);
    return true;
  case Op::s_and_b32:
    plain(pool_.maskAnd(sources[0], sources[1]));
    return true;
  case Op::s_or_b32:
    plain(pool_.maskOr(sources[0], sources[1]));
    return true;
  case Op::s_xor_b32:
    plain(pool_.maskXor(sources[0], sources[1]));
    return true;
  case Op::s_and_not1_b32:
    plain(pool_.maskAndNot(sources[0], sources[1]));
    return true;
  case Op::s_and_saveexec_b32:
    saveExec(pool_.maskAnd(sources[0], exec()));
    return true;
  case Op::s_or_saveexec_b32:
    saveExec(pool_.maskOr(sources[0], exec()));
    return true;
  case Op::s_xor_saveexec_b32:
    saveExec(pool_.maskXor(sources[0], exec()));
    return true;
  case Op::s_and_not0_saveexec_b32: // EXEC & ~S0
    saveExec(pool_.maskAndNot(exec(), sources[0]));
    return true;
  case Op::s_and_not1_saveexec_b32: // S0 & ~EXEC
    saveExec(pool_.maskAndNot(sources[0], exec()));
    return true;
  case Op::s_nand_saveexec_b32:
  case Op::s_nor_saveexec_b32:
  case Op::s_xnor_saveexec_b32:
  case Op::s_or_not0_saveexec_b32:
  case Op::s_or_not1_saveexec_b32:
    saveExec(pool_.apply(opName(inst.op), {sources[0], exec()}));
    return true;
  case Op::s_and_not0_wrexec_b32:
    writeExec(pool_.maskAndNot(exec(), sources[0]));
    return true;
  case Op::s_and_not1_wrexec_b32:
    writeExec(pool_.maskAndNot(sources[0], exec()));
    return true;
  default:
    return false;
  }
}

bool Machine::executeSpecial(const Instruction &inst) {
  switch (inst.op) {
  case Op::v_swap_b32: {
    const RegUnit a = inst.operands[0].reg.first, b = inst.operands[1].reg.first;
    const Value valueA = read(a), valueB = read(b);
    write(a, valueB, inst);
    write(b, valueA, inst);
    return true;
  }
  case Op::v_permlane64_b32: // Does nothing in wave32 (pseudo-code of V_PERMLANE64_B32).
    return true;
  case Op::s_getpc_b64:
    executeGetPc(inst);
    return true;
  case Op::s_mov_b64: {
    llvm::SmallVector<Value, 2> values;
    readOperand(inst.operands[1], values);
    if (values.size() != 2)
      return false;
    writePair(inst.operands[0].reg.first, values[0], values[1], inst);
    return true;
  }
  default:
    break;
  }
  if (wideSource(inst) == WideSource::None)
    return false;
  executeWide(inst);
  return true;
}

void Machine::executeWide(const Instruction &inst) {
  const WideSource kind = wideSource(inst);
  llvm::SmallVector<Value, 4> common;
  std::optional<std::pair<Value, Value>> wide;
  for (const Operand &operand : inst.operands) {
    if (operand.cls != Operand::Class::Source || !operand.isReg())
      continue;
    if (operand.reg.dwords == 2 && !wide) {
      llvm::SmallVector<Value, 2> values;
      readOperand(operand, values);
      wide.emplace(values[0], values[1]);
    } else {
      readOperand(operand, common);
    }
  }
  const std::string text = describe(inst);
  llvm::SmallVector<Value, 6> low(common.begin(), common.end()), high(low);
  if (wide) {
    low.push_back(wide->first);
    high.push_back(wide->second);
    // The half that needs both.
    (kind == WideSource::LowNeedsLow ? high : low).append({wide->first, wide->second});
  }
  llvm::SmallVector<std::pair<RegUnit, Value>, 3> results;
  const RegUnit dst = inst.operands[0].reg.first;
  results.emplace_back(dst, part(text, 0, low));
  results.emplace_back(RegUnit{static_cast<uint16_t>(dst.index + 1)}, part(text, 1, high));
  if (inst.operands.size() > 1 && inst.operands[1].cls == Operand::Class::Def) {
    high.push_back(exec());
    results.emplace_back(inst.operands[1].reg.first, part(text, 2, high));
  }
  for (const auto &[unit, value] : results)
    write(unit, value, inst);
}

/// What makes the address of a long branch. Where that goes is known to whoever follows branches;
/// the registers are worth nothing elsewhere, because another text has other distances.
bool Machine::executeLongBranch(const Instruction &inst) {
  constexpr uint32_t kLongest = 5;
  const auto &all = module_.instructions();
  uint32_t ahead = 1;
  while (ahead <= kLongest && inst.index + ahead < all.size() &&
         all[inst.index + ahead].longBranch < ahead)
    ++ahead;
  if (ahead > kLongest || inst.index + ahead >= all.size())
    return false;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      write(
          unit,
          pool_.apply(fmt::format("distance<{} of {} {} {}>", observed_ ? observed_->text : "code",
                                  opName(inst.op), inst.index, unit.index),
                      {}),
          inst);
    }
  return true;
}

/// The value depends on where the code lies. Followed at once by the two additions of a
/// PC-relative symbol address it becomes that address wherever it lies; Opaque.cpp lets no other
/// use through unless the function is unchanged.
void Machine::executeGetPc(const Instruction &inst) {
  const Instruction &low = module_.instructions()[inst.index + 1];
  for (const Operand &operand : low.operands)
    if (operand.kind == Operand::Kind::Expression) {
      const RegUnit dst = inst.operands[0].reg.first;
      write(dst, pool_.apply(fmt::format("pc-low<{}>", operand.symbol), {}), inst);
      write({static_cast<uint16_t>(dst.index + 1)},
            pool_.apply(fmt::format("pc-high<{}>", operand.symbol), {}), inst);
      return;
    }
}

} // namespace rdna::verify
