#include "Verify/AheadText.h"

#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/OpTraits.h"
#include "Verify/BufferProof.h"
#include "Verify/Inert.h"
#include "Verify/Opaque.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

AheadText::AheadText(const Module &module, const Function &function, uint32_t cellBytes,
                     OutsideLds outside, Terms &terms, Footprints &places)
    : module_(module), function_(function), ldsBytes_(declaredLds(function)), cellBytes_(cellBytes),
      outside_(outside), terms_(terms), places_(places) {}

TermId AheadText::termOf(const AheadSide &side, RegUnit unit) const {
  return unit.isNull() ? terms_.constant(0) : side.terms[unit.index];
}

TermId AheadText::seenTerm(const AheadSide &side, RegUnit unit) const {
  const TermId term = termOf(side, unit);
  return unit.isVgpr() ? terms_.seenBy(termOf(side, kExecLo), term) : term;
}

bool isOfActiveLanes(const Instruction &inst) {
  return (inst.isValu() || isVmem(inst.unit)) && opTraits(inst.op).lanes == LanesRead::Own &&
         !inst.isDpp() && !ignoresExec(inst.op) && inst.op != Op::v_writelane_b32;
}

void AheadText::set(AheadSide &side, RegUnit unit, TermId term) {
  if (!unit.isNull())
    side.terms[unit.index] = term;
}

void AheadText::setResult(AheadSide &side, const Instruction &inst, RegUnit unit, TermId term,
                          Made made) {
  set(side, unit, term);
  const Term &whole = terms_[term];
  producers_[{whole.kind == Term::Kind::Lanes ? whole.args[1] : term, made}].insert(inst.index);
}

uint32_t AheadText::operationOf(const Instruction &inst) {
  std::vector<int64_t> signature{static_cast<int64_t>(inst.op), static_cast<int64_t>(inst.opY),
                                 static_cast<int64_t>(inst.memory),
                                 static_cast<int64_t>(inst.bufferAddress)};
  const bool isLds = inst.unit == Unit::Lds && inst.memory != MemoryEffect::None;
  for (const Operand &operand : inst.operands) {
    const bool isPlace =
        isLds && (operand.name == OperandName::Offset || operand.name == OperandName::Offset0 ||
                  operand.name == OperandName::Offset1);
    signature.insert(signature.end(),
                     {static_cast<int64_t>(operand.kind), static_cast<int64_t>(operand.cls),
                      static_cast<int64_t>(operand.name), static_cast<int64_t>(operand.special),
                      operand.tiedTo});
    if (operand.isReg())
      signature.insert(signature.end(), {operand.reg.dwords, static_cast<int64_t>(operand.reg.half),
                                         operand.reg.first.isVgpr(), operand.reg.first.isNull()});
    else
      signature.push_back(isPlace ? 0 : operand.imm);
  }
  return terms_.operation(std::move(signature));
}

TermId AheadText::withHalf(TermId was, Half half, TermId now) {
  return half == Half::Low ? terms_.pair(now, terms_.piece(was, 2, 2))
                           : terms_.pair(terms_.piece(was, 0, 2), now);
}

/// In the order of the instruction's accesses; behind them EXEC, and what a destination holds where
/// it may keep some of it. Of operations of some lanes what these have; of halves these.
std::vector<TermId> AheadText::operandsOf(const AheadSide &side, const Instruction &inst) {
  std::vector<TermId> operands;
  const bool sees = isOfActiveLanes(inst);
  const bool isPart = (!side.isWhole() && !sees) || keepsDestination(inst.op) || inst.isDpp() ||
                      inst.op == Op::v_writelane_b32;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if ((!access.reads() && !(isPart && unit.isVgpr())) || (sees && isKept(inst, access)))
        continue;
      const TermId term = sees ? seenTerm(side, unit) : termOf(side, unit);
      const Half half = access.writes() ? Half::Whole : readHalf(inst, access);
      operands.push_back(half == Half::Whole ? term
                                             : terms_.piece(term, half == Half::High ? 2 : 0, 2));
    }
  operands.push_back(termOf(side, kExecLo));
  return operands;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// A source of 32 bits, as a term.
std::optional<TermId> AheadText::operandTerm(const AheadSide &side, const Instruction &inst,
                                             size_t source) {
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Modifier)
      return std::nullopt;
    if (operand.cls != Operand::Class::Source || source-- != 0)
      continue;
    if (operand.kind == Operand::Kind::Immediate)
      return terms_.constant(inst.isValu() ? static_cast<uint32_t>(operand.imm)
                                           : scalarImmediate(inst.op, operand.imm));
    if (!operand.isReg() || operand.reg.dwords != 1 || operand.reg.half != Half::Whole)
      return std::nullopt;
    return termOf(side, operand.reg.first);
  }
  return std::nullopt;
}

/// A source that is a mask: as lanes, if these are known.
TermId AheadText::lanesOf(const AheadSide &side, const Instruction &inst, size_t source) {
  size_t before = source;
  for (const Operand &operand : inst.operands) {
    if (operand.cls != Operand::Class::Source || before-- != 0)
      continue;
    if (operand.isReg() && isKnown(side.values[operand.reg.first]))
      return terms_.known(side.values[operand.reg.first].bits);
    break;
  }
  return *operandTerm(side, inst, source);
}

static bool isImmediate(const Instruction &inst, size_t source) {
  for (const Operand &operand : inst.operands)
    if (operand.cls == Operand::Class::Source && source-- == 0)
      return operand.kind == Operand::Kind::Immediate;
  return false;
}

/// Of the bits of two numbers.
static std::optional<uint32_t> bitwise(Op op, uint32_t a, uint32_t b) {
  switch (op) {
  case Op::s_and_b32:
    return a & b;
  case Op::s_or_b32:
    return a | b;
  case Op::s_xor_b32:
    return a ^ b;
  case Op::s_and_not1_b32:
    return a & ~b;
  case Op::s_or_not1_b32:
    return a | ~b;
  default:
    return std::nullopt;
  }
}

/// Of numbers, and of a number and a selection of two: that is a selection of the results.
std::optional<TermId> AheadText::bitwiseTerm(Op op, TermId a, TermId b) {
  const auto numberA = terms_.asNumber(a), numberB = terms_.asNumber(b);
  if (!numberA && !numberB)
    return std::nullopt;
  const auto hasAll = [&](uint32_t bits) { return numberA == bits || numberB == bits; };
  if (op == Op::s_or_b32 && hasAll(~0u)) // EXEC behind code for some of the lanes.
    return terms_.constant(~0u);
  if (numberA && numberB) {
    const auto result = bitwise(op, *numberA, *numberB);
    return result ? std::optional(terms_.constant(*result)) : std::nullopt;
  }
  const Term selection = terms_[numberA ? b : a];
  if (selection.kind != Term::Kind::Select)
    return std::nullopt;
  std::array<TermId, 2> results{};
  for (size_t way = 0; way < 2; ++way) {
    const auto number = terms_.asNumber(selection.args[1 + way]);
    const auto result =
        number ? bitwise(op, numberA.value_or(*number), numberB.value_or(*number)) : std::nullopt;
    if (!result)
      return std::nullopt;
    results[way] = terms_.constant(*result);
  }
  return terms_.select(selection.args[0], results[0], results[1]);
}

/// Of the bits of a mask that only some waves have written, those in lanes of the other one.
TermId AheadText::bothMasks(TermId a, TermId b) {
  const TermId seenA = terms_.seenBy(b, a);
  return terms_.both(seenA, terms_.seenBy(seenA, b));
}

/// The result of operations of which more is known than that they are the same; of a comparison
/// that is SCC.
std::optional<TermId> AheadText::scalarTerm(const AheadSide &side, const Instruction &inst) {
  const auto a = operandTerm(side, inst, 0);
  if (!a)
    return std::nullopt;
  if (inst.op == Op::s_mov_b32)
    return a;
  const auto b = operandTerm(side, inst, 1);
  if (!b)
    return std::nullopt;
  const auto numberA = terms_.asNumber(*a), numberB = terms_.asNumber(*b);
  if (const auto bits = bitwiseTerm(inst.op, *a, *b))
    return bits;
  using Kind = Term::Kind;
  switch (inst.op) {
  case Op::s_add_u32:
  case Op::s_add_i32:
  case Op::s_addk_i32:
    // Of a register that happens to hold a number now the sum is not taken apart: the next step
    // computes the same of another one.
    return numberB && isImmediate(inst, 1)   ? std::optional(terms_.plus(*a, *numberB))
           : numberA && isImmediate(inst, 0) ? std::optional(terms_.plus(*b, *numberA))
                                             : std::nullopt;
  case Op::s_sub_u32:
  case Op::s_sub_i32:
    return numberB && isImmediate(inst, 1) ? std::optional(terms_.plus(*a, 0 - *numberB))
                                           : std::nullopt;
  case Op::s_and_b32:
    return numberA && isImmediate(inst, 0)   ? std::optional(terms_.masked(*b, *numberA))
           : numberB && isImmediate(inst, 1) ? std::optional(terms_.masked(*a, *numberB))
           : numberA == ~0u                  ? b
           : numberB == ~0u                  ? a
           : !numberA && !numberB
               ? std::optional(bothMasks(lanesOf(side, inst, 0), lanesOf(side, inst, 1)))
               : std::nullopt;
  case Op::s_or_b32: // EXEC behind code for some of the lanes.
    return terms_.united(*a, *b);
  case Op::s_xor_b32: // The others of them.
    return terms_.isWithin(*a, *b)   ? std::optional(terms_.without(*b, *a))
           : terms_.isWithin(*b, *a) ? std::optional(terms_.without(*a, *b))
                                     : std::nullopt;
  case Op::s_and_not1_b32:
    return terms_.without(*a, *b);
  case Op::s_cselect_b32:
    return terms_.select(termOf(side, kScc), *a, *b);
  case Op::s_cmp_eq_u32:
  case Op::s_cmp_eq_i32:
    return terms_.equal(*a, *b);
  case Op::s_cmp_lg_u32:
  case Op::s_cmp_lg_i32:
    return terms_.negated(terms_.equal(*a, *b));
  case Op::s_cmp_lt_u32:
    return terms_.make({Kind::IsBelow, 0, {*a, *b}});
  case Op::s_cmp_gt_u32:
    return terms_.make({Kind::IsBelow, 0, {*b, *a}});
  case Op::s_cmp_ge_u32:
    return terms_.negated(terms_.make({Kind::IsBelow, 0, {*a, *b}}));
  case Op::s_cmp_le_u32:
    return terms_.negated(terms_.make({Kind::IsBelow, 0, {*b, *a}}));
  case Op::s_cmp_lt_i32:
    return terms_.make({Kind::IsBelowSigned, 0, {*a, *b}});
  case Op::s_cmp_gt_i32:
    return terms_.make({Kind::IsBelowSigned, 0, {*b, *a}});
  case Op::s_cmp_ge_i32:
    return terms_.negated(terms_.make({Kind::IsBelowSigned, 0, {*a, *b}}));
  case Op::s_cmp_le_i32:
    return terms_.negated(terms_.make({Kind::IsBelowSigned, 0, {*b, *a}}));
  default:
    return std::nullopt;
  }
}

/// EXEC behind an instruction that saves what it was.
std::optional<TermId> AheadText::lanesBehindSave(const AheadSide &side, const Instruction &inst) {
  if (!savesExec(inst.op))
    return std::nullopt;
  auto mask = operandTerm(side, inst, 0);
  const TermId exec = termOf(side, kExecLo);
  if (mask && inst.operands[1].isReg()) // Lanes of a mask that is known are, if others are not.
    if (const KnownValue &value = side.values[inst.operands[1].reg.first]; isKnown(value))
      mask = terms_.known(value.bits);
  if (!mask)
    return std::nullopt;
  switch (inst.op) {
  case Op::s_and_saveexec_b32:
    return bothMasks(exec, *mask);
  case Op::s_or_saveexec_b32:
    return terms_.united(exec, *mask);
  case Op::s_and_not0_saveexec_b32:
    return terms_.without(exec, *mask);
  case Op::s_and_not1_saveexec_b32:
    return terms_.without(*mask, exec);
  default:
    return std::nullopt;
  }
}

namespace {
/// The halves of a VOPD, and what could be one.
struct FollowedLanes {
  llvm::SmallVector<LaneOp, 2> ops;
  RegUnit mask = kVccLo; ///< Of a selection, which outside of a VOPD may have any other.
};
} // namespace

static FollowedLanes followedLanes(const Instruction &inst) {
  if (inst.isDpp())
    return {};
  if (inst.op != Op::v_cndmask_b32 || inst.isVopd() || inst.operands.empty())
    return {laneOps(inst)};
  const auto mask = llvm::find_if(llvm::reverse(inst.operands), [](const Operand &operand) {
    return operand.cls == Operand::Class::Source;
  });
  if (mask == inst.operands.rend() || !mask->isReg() || mask->reg.dwords != 1 ||
      mask->reg.first.isVgpr())
    return {laneOps(inst)};
  Instruction plain = inst;
  plain.operands[static_cast<size_t>(&*mask - inst.operands.begin())].reg.first = kVccLo;
  return {laneOps(plain), mask->reg.first};
}

/// The halves of a VOPD, and what could be one, whatever it is written as.
void AheadText::computeLanes(AheadSide &side, const Instruction &inst, llvm::ArrayRef<LaneOp> lanes,
                             RegUnit mask) {
  struct Result {
    RegUnit unit;
    TermId term;
    Made made;
  };
  llvm::SmallVector<Result, 2> results; // Both read before either writes.
  for (const LaneOp &lane : lanes) {
    const auto source = [&](const VopdSource &from) {
      if (from.kind == VopdSource::Kind::Vgpr)
        return seenTerm(side, RegUnit::vgpr(from.value));
      if (from.kind == VopdSource::Kind::Scalar)
        return termOf(side, from.value == 253 ? kScc : RegUnit::scalar(from.value));
      return terms_.constant(from.value);
    };
    const RegUnit unit = RegUnit::vgpr(lane.dst.number);
    const TermId exec = termOf(side, kExecLo);
    const bool isMove = lane.op == Op::v_mov_b32;
    const auto write = [&](TermId now) {
      results.push_back({unit, terms_.lanes(exec, now, termOf(side, unit)),
                         isMove ? Made::Moved : Made::Computed});
    };
    if (isMove) {
      write(source(lane.src0));
      continue;
    }
    std::vector<TermId> args{source(lane.src0), source(lane.src1)};
    if (lane.addend)
      args.push_back(seenTerm(side, RegUnit::vgpr(lane.addend->number)));
    if (lane.op == Op::v_cndmask_b32)
      args.push_back(termOf(side, mask));
    args.push_back(exec);
    const auto immediate = [&](const VopdSource &from, TermId term) {
      return from.kind == VopdSource::Kind::Vgpr || from.kind == VopdSource::Kind::Scalar
                 ? std::nullopt
                 : terms_.asNumber(term);
    };
    const auto a = immediate(lane.src0, args[0]);
    const auto b = immediate(lane.src1, args[1]);
    if (lane.op == Op::v_add_nc_u32 && (a || b)) {
      write(a ? terms_.plus(args[1], *a) : terms_.plus(args[0], *b));
      continue;
    }
    const uint32_t operation =
        terms_.operation({signature::kLane, static_cast<int64_t>(lane.op), lane.addend.has_value(),
                          lane.constant ? int64_t(*lane.constant) : -1});
    write(terms_.make({Term::Kind::Result, operation, std::move(args)}));
  }
  execute(side, inst);
  for (const Result &result : results)
    setResult(side, inst, result.unit, result.term, result.made);
}

/// Of moves and selections of 64 bits.
std::optional<TermId> AheadText::pairTerm(const AheadSide &side, const Instruction &inst,
                                          unsigned dword) {
  std::vector<TermId> sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls != Operand::Class::Source)
      continue;
    if (!operand.isReg() || operand.reg.dwords != 2)
      return std::nullopt;
    sources.push_back(termOf(side, {static_cast<uint16_t>(operand.reg.first.index + dword)}));
  }
  if (inst.op == Op::s_mov_b64 && sources.size() == 1)
    return sources[0];
  if (inst.op == Op::s_cselect_b64 && sources.size() == 2)
    return terms_.select(termOf(side, kScc), sources[0], sources[1]);
  return std::nullopt;
}

/// The low half of a product and a sum of 64 bits: the addend's high half is no part of it, and
/// compilers leave anything there.
std::optional<TermId> AheadText::lowSum(const AheadSide &side, const Instruction &inst) {
  if (inst.op != Op::v_mad_u64_u32)
    return std::nullopt;
  std::vector<TermId> args;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    if (operand.cls != Operand::Class::Source) { // Clamp, for one.
      if (operand.imm != 0)
        return std::nullopt;
      continue;
    }
    const bool isAddend = args.size() == 2; // A number there has 64 bits.
    if (operand.isReg())
      args.push_back(seenTerm(side, operand.reg.first));
    else if (operand.kind == Operand::Kind::Immediate && !isAddend)
      args.push_back(terms_.constant(static_cast<uint32_t>(operand.imm)));
    else
      return std::nullopt;
  }
  if (args.size() != 3)
    return std::nullopt;
  args.push_back(termOf(side, kExecLo));
  return terms_.make({Term::Kind::Result, terms_.operation({signature::kLowSum}), std::move(args)});
}

/// What is in between counts from where this text stands; the address is that of the symbol.
void AheadText::makeAddress(AheadSide &side, const Instruction &inst,
                            const SymbolAddress &address) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      side.values.forget(unit);
      set(side, unit, terms_.unknown());
    }
  if (address.place == 0)
    return;
  std::vector<int64_t> signature{signature::kAddress, address.place};
  signature.insert(signature.end(), address.symbol.begin(), address.symbol.end());
  const RegUnit half{static_cast<uint16_t>(address.low.index + address.place - 1)};
  side.values.setUniform(half);
  set(side, half, terms_.make({Term::Kind::Result, terms_.operation(std::move(signature)), {}}));
}

TextFault AheadText::compute(AheadSide &side, const Instruction &inst) {
  if (isRelative(inst))
    return "M0 chooses registers here";
  if (isInLongBranch(module_, inst)) { // Distances of this text.
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
        const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
        side.values.forget(unit);
        set(side, unit, terms_.unknown());
      }
    dropOthersLanes(side);
    return std::nullopt;
  }
  if (const auto address = symbolAddressAt(module_, inst)) {
    makeAddress(side, inst, *address);
    return std::nullopt;
  }
  const FollowedLanes lanes = followedLanes(inst);
  if (inst.isVopd() && lanes.ops.size() != 2)
    return "this pair is not followed";
  if (!lanes.ops.empty()) {
    computeLanes(side, inst, lanes.ops, lanes.mask);
    return std::nullopt;
  }
  const bool isScalar = inst.unit == Unit::Salu;
  const auto low = lowSum(side, inst);
  const auto special = isScalar ? scalarTerm(side, inst) : std::nullopt;
  const auto saved = isScalar ? lanesBehindSave(side, inst) : std::nullopt;
  Term term{Term::Kind::Result, operationOf(inst), operandsOf(side, inst)};
  const TermId exec = termOf(side, kExecLo);
  const bool isOfSome = isOfActiveLanes(inst);
  const size_t place = term.args.size();
  term.args.push_back(0);
  llvm::SmallVector<std::pair<RegUnit, TermId>, 4> results;
  const auto writtenTwice = [&](RegUnit unit) { // v_swap_b16 of the halves of one register.
    return unit.isVgpr() &&
           llvm::any_of(results, [&](const auto &result) { return result.first == unit; });
  };
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (writtenTwice(unit))
        return "an instruction that writes a register twice is not followed";
      term.args[place] = terms_.constant(static_cast<uint32_t>(results.size()));
      const bool isFirst =
          isScalarCompare(inst.op)
              ? unit == kScc
              : access.operand == 0 && access.reg.dwords == 1 && access.reg.half == Half::Whole;
      const auto half = isScalar && access.operand == 0 ? pairTerm(side, inst, d) : std::nullopt;
      TermId result = half                                   ? *half
                      : special && isFirst                   ? *special
                      : low && access.operand == 0 && d == 0 ? *low
                                                             : terms_.make(term);
      if (const Half written = writtenHalf(inst, access.reg); isOfSome && written != Half::Whole)
        result = withHalf(seenTerm(side, unit), written, result);
      if (isOfSome && unit.isVgpr())
        result = terms_.lanes(exec, result, termOf(side, unit));
      if (unit == kExecLo && isCompareToExec(inst.op))
        result = terms_.both(exec, result);
      if (saved && unit != kScc)
        result = unit == kExecLo ? *saved : exec;
      results.emplace_back(unit, result);
    }
  execute(side, inst);
  for (const auto &[unit, result] : results) {
    // Lanes that are known are the same ones, however a text has come to them: as masks that are
    // within others, or as numbers.
    TermId lanes = result;
    if (unit == kExecLo && isKnown(side.values[unit]))
      lanes = terms_.known(side.values[unit].bits);
    else if (unit == kExecLo)
      side.values.setLanes(terms_.asLanes(result));
    setResult(side, inst, unit, lanes);
  }
  if (inst.writesUnit(kExecLo))
    dropOthersLanes(side);
  return std::nullopt;
}

void AheadText::execute(AheadSide &side, const Instruction &inst) const {
  side.values.setMask(termOf(side, kExecLo));
  side.values.execute(inst);
}

void AheadText::dropOthersLanes(AheadSide &side) const {
  auto values = side.values.ofSome();
  const TermId exec = termOf(side, kExecLo);
  if (std::erase_if(values, [&](const auto &entry) {
        return !terms_.isWithin(exec, entry.second.mask);
      }) != 0)
    side.values.setOfSome(std::move(values));
}

TermId AheadText::conditionOf(const AheadSide &side, RegUnit unit) {
  const TermId term = termOf(side, unit);
  return unit == kScc ? term : terms_.negated(terms_.isZero(term));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

const std::optional<LaneGuard> &AheadText::guardAt(const Instruction &branch) {
  const auto [known, isNew] = guards_.try_emplace(branch.index);
  if (isNew)
    known->second = laneGuardAt(module_, function_, branch, InnerGuards::Allowed);
  return known->second;
}

void AheadText::skip(AheadSide &side, const LaneGuard &guard) const {
  side.skipped.push_back({guard.join, side.log, guard.scalars, termOf(side, kExecLo)});
  side.at = guard.all;
}

void AheadText::endSkipped(AheadSide &side) {
  while (!side.skipped.empty() && side.skipped.back().target == side.at) {
    const AheadSide::Skipped &jumped = side.skipped.back();
    side.log.join(jumped.log);
    for (unsigned i = 0; i < kRegUnits; ++i) {
      const RegUnit unit{static_cast<uint16_t>(i)};
      if (!jumped.scalars.test(i) || unit.isNull())
        continue;
      // Of a mask the bits of lanes that went through are known: their wave has written it.
      side.values.forget(unit);
      set(side, unit, terms_.lanes(jumped.lanes, termOf(side, unit), terms_.unknown()));
    }
    side.skipped.pop_back();
  }
}

void AheadText::wait(AheadSide &side, const Instruction &inst) const {
  if (const auto wait = waitOf(inst))
    side.log.wait(*wait);
}

TextFault AheadText::barrier(AheadSide &side, const Instruction &inst) const {
  if (side.parting)
    return fmt::format(
        "waves may reach this barrier on different ways, from line {} of the text on",
        instruction(*side.parting).line);
  if (inst.op != Op::s_barrier)
    return "this kind of barrier is not followed";
  side.log.barrier(TextSide::Old);
  side.log.barrier(TextSide::New);
  side.sinceBarrier.clear();
  return std::nullopt;
}

} // namespace rdna::verify
