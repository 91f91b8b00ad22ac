#include "Transform/LoopUnroller.h"

#include "Asm/Effects.h"
#include "Asm/GlobalAddress.h"
#include "Asm/Lane.h"
#include "Asm/LdsOffsets.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Code/Edit.h"
#include "Transform/Hints.h"
#include "Transform/Lines.h"

#include <algorithm>
#include <utility>

namespace rdna {

LoopUnroller::LoopUnroller(const Module &module, const Block &body, const KnownScalars &atEntry,
                           const std::set<unsigned> &materialised)
    : module_(module), body_(body), newline_(lineEnding(module)), known_(atEntry),
      materialised_(materialised), at_(body.first) {
  // s_add_u32 and s_addc_u32 that step one pair, with nothing in between that looks at it or SCC.
  for (uint32_t i = body.first; i < body.last; ++i) {
    const Instruction &low = inst(i);
    if (low.op != Op::s_add_u32 || !low.operands[0].isReg())
      continue;
    const RegUnit first = low.operands[0].reg.first, second{static_cast<uint16_t>(first.index + 1)};
    uint32_t j = i + 1;
    const auto touches = [&](RegUnit unit) {
      return inst(j).readsUnit(unit) || inst(j).writesUnit(unit);
    };
    while (j < body.last && !touches(kScc) && !touches(first) && !touches(second))
      ++j;
    if (j < body.last && inst(j).op == Op::s_addc_u32 && inst(j).operands[0].isReg() &&
        inst(j).operands[0].reg.first == second && isSccDeadBehind(j) && first.index % 2 == 0 &&
        inst(j).operands[1].isReg() && inst(j).operands[1].reg.first == second &&
        low.operands[1].isReg() && low.operands[1].reg.first == first)
      pairs_[j] = i;
  }
}

bool LoopUnroller::isSccDeadBehind(uint32_t instruction) const {
  for (uint32_t i = instruction + 1; i < body_.last; ++i) {
    if (inst(i).readsUnit(kScc))
      return false;
    if (inst(i).writesUnit(kScc))
      return true;
  }
  return false; // Code behind the loop may read it.
}

/// May an instruction in front of this one not write SCC?
bool LoopUnroller::needsScc(uint32_t instruction) const {
  if (inst(instruction).readsUnit(kScc))
    return true;
  return !inst(instruction).writesUnit(kScc) && !isSccDeadBehind(instruction);
}

void LoopUnroller::line(const Code &code) {
  printKeptLines();
  if (!out_.empty())
    (out_ += newline_) += "\t";
  out_ += code;
  ++lines_;
}

/// What stands behind an instruction on its line.
static Code commentOf(const Module &module, const Instruction &inst) {
  const std::string_view whole = module.lineText(inst.line);
  const uint32_t from = inst.end - module.lineBegin(inst.line);
  const size_t last = whole.find_last_not_of(" \t\r");
  return last == std::string_view::npos || last < from
             ? Code()
             : Code::layout(whole.substr(from, last + 1 - from));
}

//===----------------------------------------------------------------------===//
// Additions of constants
//===----------------------------------------------------------------------===//

std::optional<uint32_t> LoopUnroller::constantOf(const Instruction &inst,
                                                 const Operand &operand) const {
  if (operand.kind == Operand::Kind::Immediate)
    return scalarImmediate(inst.op, operand.imm);
  if (operand.isReg() && operand.reg.dwords == 1 && !operand.reg.first.isVgpr())
    return known_[operand.reg.first.index];
  return std::nullopt;
}

/// The add of a VGPR and something that is known, if the instruction is one.
std::optional<std::pair<unsigned, LoopUnroller::Sum>>
LoopUnroller::vgprSum(const Instruction &inst) const {
  const auto lanes = laneOps(inst);
  if (inst.isVopd() || lanes.size() != 1 || lanes[0].op != Op::v_add_nc_u32)
    return std::nullopt;
  std::optional<unsigned> base;
  std::optional<uint32_t> added;
  for (const VopdSource &source : {lanes[0].src0, lanes[0].src1}) {
    if (source.isVgpr()) {
      if (base)
        return std::nullopt;
      base = source.value;
    } else {
      added = source.kind == VopdSource::Kind::Scalar ? known_[RegUnit::scalar(source.value).index]
                                                      : std::optional(source.value);
      if (!added || source.value == 253) // SCC
        return std::nullopt;
    }
  }
  if (!base || !added)
    return std::nullopt;
  Sum sum{*base, *added};
  if (const auto it = sums_.find(*base); it != sums_.end())
    sum = {it->second.base, it->second.added + *added};
  return std::pair(unsigned(lanes[0].dst.number), sum);
}

/// s_add_i32 s, s, constant and its relatives: the constant is noted down.
bool LoopUnroller::foldScalarSum(const Instruction &inst) {
  const bool isAdd =
      inst.op == Op::s_add_i32 || inst.op == Op::s_add_u32 || inst.op == Op::s_addk_i32;
  const bool isSub = inst.op == Op::s_sub_i32 || inst.op == Op::s_sub_u32;
  if ((!isAdd && !isSub) || isMaterialised_ || inst.operands.size() < 2 ||
      !inst.operands[0].isReg() || !isSccDeadBehind(inst.index))
    return false;
  const RegUnit unit = inst.operands[0].reg.first;
  bool isStep = inst.op == Op::s_addk_i32;
  std::optional<uint32_t> added;
  for (unsigned k = 1; k < inst.operands.size(); ++k) {
    const Operand &operand = inst.operands[k];
    if (operand.isReg() && operand.reg.first == unit && !isStep && (isAdd || k == 1))
      isStep = true;
    else if (const auto constant = constantOf(inst, operand))
      added = constant;
  }
  const bool isPlain = unit.index < RegUnit::scalar(106).index && unit.index >= 256;
  if (!isStep || !added || !isPlain || materialised_.contains(unit.index) ||
      pairSums_.contains(unit.index) || pairSums_.contains(unit.index - 1U))
    return false;
  scalarSums_[unit.index] += isSub ? 0 - *added : *added;
  ++scalarsFolded_;
  return true;
}

/// s_add_u32 and s_addc_u32 of a pair: where the second one stands the sum is noted down, if the
/// first one was left out.
bool LoopUnroller::foldPair(const Instruction &inst) {
  if (inst.op == Op::s_add_u32) {
    const auto pair = std::find_if(pairs_.begin(), pairs_.end(),
                                   [&](const auto &p) { return p.second == inst.index; });
    const unsigned first = inst.operands[0].reg.first.index;
    const auto addsConstant = [](const Instruction &half) {
      return half.operands.size() > 2 && half.operands[2].kind == Operand::Kind::Immediate;
    };
    if (pair == pairs_.end() || isMaterialised_ || materialised_.contains(first) || first < 256 ||
        first >= RegUnit::scalar(106).index || !addsConstant(inst) ||
        !addsConstant(this->inst(pair->first)) || scalarSums_.contains(first) ||
        scalarSums_.contains(first + 1) || stale_.test(first) || stale_.test(first + 1))
      return false;
    leftOut_ = inst.index;
    return true;
  }
  const auto pair = pairs_.find(inst.index);
  if (pair == pairs_.end() || leftOut_ != pair->second)
    return false;
  leftOut_.reset();
  const Instruction &low = this->inst(pair->second);
  pairSums_[low.operands[0].reg.first.index] +=
      uint64_t(uint32_t(inst.operands[2].imm)) << 32 | uint32_t(low.operands[2].imm);
  scalarsFolded_ += 2;
  return true;
}

/// Writes a VGPR's value where it belongs.
void LoopUnroller::materialise(unsigned vgpr) {
  const auto it = sums_.find(vgpr);
  if (it == sums_.end())
    return;
  const Sum sum = it->second;
  sums_.erase(it);
  if (sum.base != vgpr)
    freeBase(vgpr);
  else
    for (auto &[other, s] : sums_)
      if (s.base == vgpr)
        s.added -= sum.added;
  LaneOp add;
  add.op = Op::v_add_nc_u32;
  add.dst = Vgpr{static_cast<uint8_t>(vgpr)};
  add.src0 = {VopdSource::Kind::Literal, sum.added};
  add.src1 = {VopdSource::Kind::Vgpr, sum.base};
  line(buildLane(add));
}

/// Before `vgpr` changes: values that are relative to what is in it.
void LoopUnroller::freeBase(unsigned vgpr) {
  std::vector<unsigned> relative;
  for (const auto &[other, sum] : sums_)
    if (sum.base == vgpr && other != vgpr)
      relative.push_back(other);
  for (const unsigned other : relative)
    materialise(other);
}

/// An addition writes SCC. At the end nothing is in it: what the loop's branch looks at is known,
/// or the scalars were settled in front of it.
bool LoopUnroller::canAdd(unsigned unit) {
  if (at_ == body_.last || !needsScc(at_))
    return true;
  conflict_ = unit;
  return false;
}

void LoopUnroller::materialiseScalar(RegUnit unit) {
  if (stale_.test(unit.index)) {
    stale_.reset(unit.index);
    const uint32_t value = *known_[unit.index];
    if (unit == kScc)
      line(build(value ? Op::s_cmp_eq_u32 : Op::s_cmp_lg_u32, {imm(0), imm(0)}));
    else
      line(build(Op::s_mov_b32, {unit, imm(value)}));
  }
  if (const auto sum = scalarSums_.find(unit.index); sum != scalarSums_.end()) {
    if (sum->second != 0 && canAdd(unit.index))
      line(build(Op::s_add_i32, {unit, unit, imm(sum->second)}));
    scalarSums_.erase(sum);
  }
  for (const unsigned first : {unsigned(unit.index), unit.index - 1U})
    if (const auto sum = pairSums_.find(first); sum != pairSums_.end()) {
      const RegUnit low{static_cast<uint16_t>(first)}, high{static_cast<uint16_t>(first + 1)};
      if (sum->second != 0 && canAdd(first)) {
        line(build(Op::s_add_u32, {low, low, imm(uint32_t(sum->second))}));
        line(build(Op::s_addc_u32, {high, high, imm(uint32_t(sum->second >> 32))}));
      }
      pairSums_.erase(sum);
    }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The LDS access with its address's addition in its offsets, if they have room for it.
std::optional<Inst> LoopUnroller::withLdsSum(const Instruction &inst, unsigned address) const {
  const Sum &sum = sums_.at(inst.operands[address].reg.first.index);
  const LdsOffsets fields = ldsOffsets(inst);
  llvm::SmallVector<NewValue, 2> offsets;
  for (const OperandName name : {OperandName::Offset, OperandName::Offset0, OperandName::Offset1})
    if (const Operand *operand = inst.named(name))
      offsets.push_back({static_cast<unsigned>(operand - inst.operands.begin()), operand->imm});
  if (fields.fields == 0 || offsets.size() != fields.fields || sum.added % fields.unit != 0)
    return std::nullopt;
  for (NewValue &offset : offsets) {
    if (offset.value < 0)
      return std::nullopt;
    // Modulo 2^32, as the address is: an addition may be one of a negative number.
    offset.value = static_cast<uint32_t>(offset.value * fields.unit + sum.added) / fields.unit;
    if (offset.value > int64_t(fields.limit))
      return std::nullopt;
  }
  return withValues(module_, inst, offsets, [&](const Operand &, int index, Vgpr old) {
    return index == int(address) ? Vgpr{static_cast<uint8_t>(sum.base)} : old;
  });
}

std::optional<LoopUnroller::Folded> LoopUnroller::foldedScalar(const Instruction &inst,
                                                               ScalarAddress address) const {
  const RegRange base = inst.operands[address.base].reg;
  const auto sum = pairSums_.find(base.first.index);
  if (sum == pairSums_.end() || inst.value(OperandName::CachePolicy) != 0)
    return std::nullopt;
  const auto offset =
      static_cast<int64_t>(sum->second + uint64_t(inst.operands[address.offset].imm));
  if (offset < 0 || offset > kMostScalarOffset)
    return std::nullopt;
  auto access = withValues(module_, inst, {{address.offset, offset}},
                           [](const Operand &, int, Vgpr old) { return old; });
  return access ? std::optional(Folded{address.base, std::move(*access)}) : std::nullopt;
}

std::optional<LoopUnroller::Folded> LoopUnroller::foldedAddress(const Instruction &inst) const {
  if (inst.unit == Unit::Lds) {
    // The address is the first source.
    for (unsigned k = 0; k < inst.operands.size(); ++k) {
      const Operand &operand = inst.operands[k];
      if (operand.cls != Operand::Class::Source)
        continue;
      if (!operand.isReg() || !sums_.contains(operand.reg.first.index))
        return std::nullopt;
      auto access = withLdsSum(inst, k);
      return access ? std::optional(Folded{k, std::move(*access)}) : std::nullopt;
    }
    return std::nullopt;
  }
  if (const auto address = scalarAddress(inst))
    return foldedScalar(inst, *address);
  const auto address = globalAddress(inst);
  if (!address || !address->base)
    return std::nullopt;
  const auto sum = pairSums_.find(inst.operands[*address->base].reg.first.index);
  const RegRange vector = inst.operands[address->vector].reg;
  if (sum == pairSums_.end() || sums_.contains(vector.first.index))
    return std::nullopt;
  const auto offset =
      static_cast<int64_t>(sum->second + uint64_t(inst.operands[address->offset].imm));
  if (offset < kLeastGlobalOffset || offset > kMostGlobalOffset)
    return std::nullopt;
  auto access = withGlobalAddress(module_, inst, vector.first.index,
                                  sum->first - RegUnit::scalar(0).index, offset);
  return access ? std::optional(Folded{*address->base, std::move(*access)}) : std::nullopt;
}

/// Puts everything that an instruction reads where it reads it. An access whose address is a sum
/// gets a text of its own instead, if there is one.
std::optional<LoopUnroller::Folded> LoopUnroller::prepare(uint32_t instruction) {
  const Instruction &reader = inst(instruction);
  auto folded = foldedAddress(reader);
  for (const RegAccess &access : reader.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (!access.reads() || (folded && access.operand == int(folded->operand)))
        continue;
      if (unit.isVgpr())
        materialise(unit.index);
      else
        materialiseScalar(unit);
    }
  return folded;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Comments and labels once, debug locations in each iteration.
void LoopUnroller::keepLinesBefore(uint32_t instruction, Copy copy) {
  for (uint32_t l = instruction == body_.first ? inst(instruction).line
                                               : inst(instruction - 1).line + 1;
       l < inst(instruction).line; ++l)
    if (const std::string_view text = module_.lineText(l);
        copy == Copy::First || isDebugLocation(text)) {
      if (!kept_.empty())
        kept_ += newline_;
      const uint32_t begin = module_.lineBegin(l);
      kept_ += Code::original(begin, begin + static_cast<uint32_t>(text.size()));
    }
}

void LoopUnroller::printKeptLines() {
  if (!kept_.empty() && !out_.empty())
    out_ += newline_;
  out_ += std::exchange(kept_, {});
}

/// What must not be written any more once the instruction has written: values relative to what it
/// overwrites, and the other halves of pairs.
void LoopUnroller::materialiseWrites(const Instruction &writer) {
  for (const RegAccess &access : writer.accesses)
    for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (unit.isVgpr())
        freeBase(unit.index);
      else
        materialiseScalar(unit);
    }
}

/// What it writes is there, and nothing is to be added to it any more.
void LoopUnroller::overwrite(const Instruction &writer) {
  const auto writes = [&](unsigned unit) {
    return writer.writesUnit({static_cast<uint16_t>(unit)});
  };
  std::erase_if(pairSums_,
                [&](const auto &sum) { return writes(sum.first) && writes(sum.first + 1); });
  for (const RegAccess &access : writer.accesses)
    for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (unit.isVgpr()) {
        sums_.erase(unit.index);
        freeBase(unit.index);
        continue;
      }
      stale_.reset(unit.index);
      scalarSums_.erase(unit.index);
      materialiseScalar(unit); // The other half of a pair.
    }
}

void LoopUnroller::copy(uint32_t instruction, Copy copy) {
  const Instruction &original = inst(instruction);
  at_ = instruction;
  keepLinesBefore(instruction, copy);
  if (original.op == Op::s_delay_alu) // A hint about neighbours that it no longer has.
    return;
  if (const auto writes = foldScalar(original, [&](RegUnit unit) { return known_[unit.index]; })) {
    for (const auto &[unit, value] : *writes) {
      known_[unit.index] = value;
      stale_.set(unit.index);
      scalarSums_.erase(unit.index);
    }
    ++scalarsFolded_;
    return;
  }
  if (const auto sum = vgprSum(original)) {
    sums_[sum->first] = sum->second;
    return;
  }
  if (foldPair(original) || foldScalarSum(original))
    return;
  if (original.op == Op::s_clause) // Nothing may come between its members.
    for (uint32_t k = 1; k <= clauseLength(original) && instruction + k < body_.last; ++k) {
      prepare(instruction + k);
      materialiseWrites(inst(instruction + k));
    }
  const auto folded = prepare(instruction);
  overwrite(original);
  foldInto(original, known_);
  offsetsFolded_ += folded.has_value();
  line((folded ? Code(folded->access) : Code::copyOf(original)) +
       (copy == Copy::First ? commentOf(module_, original) : Code()));
}

void LoopUnroller::materialiseScalars(uint32_t instruction, const LiveBehind &live) {
  at_ = instruction;
  for (unsigned u = 256; u < kRegUnits; ++u)
    if (u != kScc.index && live.scalars.test(u))
      materialiseScalar({static_cast<uint16_t>(u)});
  isMaterialised_ = true;
}

void LoopUnroller::finish(const LiveBehind &live) {
  for (unsigned v = 0; v < 256; ++v)
    if (live.vgprs.test(v))
      materialise(v);
  materialiseScalars(body_.last, live);
  if (live.scalars.test(kScc.index)) // Last: it is the only one that the others might change.
    materialiseScalar(kScc);
  printKeptLines();
}

} // namespace rdna
