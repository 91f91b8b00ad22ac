#include "Verify/LaneFlow.h"

#include "Isa/OpTraits.h"

#include <algorithm>

namespace rdna::verify {

using Function = LaneFunctions::Function;
using Result = LaneFunctions::Result;

static constexpr unsigned kExec = 126;
/// Names of what an instruction reads that is no mask, behind those of what it writes.
static constexpr unsigned kSourceNames = 128;
static constexpr unsigned kChoiceName = 140;

LaneFlow::LaneFlow(const Module &module, const Cfg &cfg)
    : module_(module), cfg_(cfg), first_(cfg.blocks.empty() ? 0 : cfg.blocks.front().first),
      count_(cfg.blocks.empty() ? 0 : cfg.blocks.back().last - first_), start_(cfg.blocks.size()),
      end_(cfg.blocks.size()), phi_(cfg.blocks.size()), exec_(count_, LaneFunctions::kAll) {
  if (!cfg.blocks.empty())
    run();
}

Function LaneFlow::variable(uint32_t place, unsigned unit, uint32_t block) {
  const auto [it, isNew] =
      variables_.try_emplace({place, unit}, static_cast<uint32_t>(madeIn_.size()));
  if (isNew) {
    madeIn_.push_back(block);
    unitOf_.push_back(unit);
    named_[place].push_back(it->second);
  }
  return functions_.atom(it->second);
}

/// Many registers have one function.
static void replaceAll(llvm::MutableArrayRef<Function> all,
                       llvm::function_ref<Function(Function)> by) {
  llvm::SmallDenseMap<Function, Function> known;
  for (Function &f : all) {
    if (f == LaneFunctions::kNone || f == LaneFunctions::kAll)
      continue;
    const auto [it, isNew] = known.try_emplace(f, LaneFunctions::kAll);
    if (isNew)
      it->second = by(f);
    f = it->second;
  }
}

Function LaneFlow::sourceOf(const Instruction &inst, unsigned source, uint32_t block,
                            const Masks &masks) {
  unsigned seen = 0;
  for (const Operand &operand : inst.operands) {
    if (operand.cls != Operand::Class::Source || seen++ != source)
      continue;
    if (operand.kind == Operand::Kind::Immediate && operand.imm == 0)
      return LaneFunctions::kNone;
    if (operand.kind == Operand::Kind::Immediate && static_cast<uint32_t>(operand.imm) == ~0u)
      return LaneFunctions::kAll;
    if (operand.isReg() && operand.reg.dwords == 1 && !operand.reg.first.isVgpr() &&
        operand.reg.first.number() < kMasks)
      return operand.reg.first.isNull() ? LaneFunctions::kNone : masks[operand.reg.first.number()];
    break;
  }
  return variable(inst.index - first_, kSourceNames + source, block);
}

/// Of bitwise operations; those that save EXEC have it as their second source.
Result LaneFlow::resultOf(const Instruction &inst, uint32_t block, const Masks &masks) {
  const OpTraits &traits = opTraits(inst.op);
  const bool isOfExec = traits.is(OpFlag::SavesExec) || traits.is(OpFlag::WritesExec);
  const auto a = [&] { return sourceOf(inst, 0, block, masks); };
  const auto b = [&] { return isOfExec ? masks[kExec] : sourceOf(inst, 1, block, masks); };
  const auto inverse = [&](Result f) { return f ? functions_.complement(*f) : f; };
  const auto orNot = [&](Function x, Function y) {
    const Result other = functions_.complement(y);
    return other ? functions_.either(x, *other) : other;
  };
  switch (inst.op) {
  case Op::s_mov_b32:
    return a();
  case Op::s_not_b32:
    return functions_.complement(a());
  case Op::s_and_b32:
  case Op::s_and_saveexec_b32:
    return functions_.both(a(), b());
  case Op::s_or_b32:
  case Op::s_or_saveexec_b32:
    return functions_.either(a(), b());
  case Op::s_xor_b32:
  case Op::s_xor_saveexec_b32:
    return functions_.differing(a(), b());
  case Op::s_nand_b32:
  case Op::s_nand_saveexec_b32:
    return inverse(functions_.both(a(), b()));
  case Op::s_nor_b32:
  case Op::s_nor_saveexec_b32:
    return inverse(functions_.either(a(), b()));
  case Op::s_xnor_b32:
  case Op::s_xnor_saveexec_b32:
    return inverse(functions_.differing(a(), b()));
  case Op::s_and_not1_b32:
  case Op::s_and_not1_saveexec_b32:
  case Op::s_and_not1_wrexec_b32:
    return functions_.butNot(a(), b());
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not0_wrexec_b32:
    return functions_.butNot(b(), a());
  case Op::s_or_not1_b32:
  case Op::s_or_not1_saveexec_b32:
    return orNot(a(), b());
  case Op::s_or_not0_saveexec_b32:
    return orNot(b(), a());
  case Op::s_cselect_b32: // SCC says the same to all lanes.
    return functions_.choose(variable(inst.index - first_, kChoiceName, block), a(), b());
  default:
    return std::nullopt;
  }
}

void LaneFlow::step(const Instruction &inst, uint32_t block, Masks &masks) {
  const uint32_t place = inst.index - first_;
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64) {
    for (unsigned unit = 0; unit < kMasks; ++unit)
      masks[unit] = variable(place, unit, block);
    return;
  }
  const auto forWritten = [&](auto action) {
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        if (const unsigned index = access.reg.first.index + d;
            index >= RegUnit::kScalarBase && index < RegUnit::kScalarBase + kMasks)
          action(index - RegUnit::kScalarBase);
  };
  bool writes = false;
  forWritten([&](unsigned) { writes = true; });
  if (!writes)
    return;
  const Function exec = masks[kExec];
  const bool isCompare = inst.isValu() && isVectorCompare(inst.op);
  const Function notMade = ~0u;
  const Function result = isCompare ? notMade : resultOf(inst, block, masks).value_or(notMade);
  forWritten([&](unsigned unit) {
    const Function own = variable(place, unit, block);
    // V_CMP writes 0 for lanes that are switched off.
    masks[unit] = isCompare ? functions_.both(own, exec).value_or(own) : own;
  });
  const Operand &target = inst.operands.front();
  if (result == notMade || target.cls != Operand::Class::Def || !target.isReg() ||
      target.reg.dwords != 1 || target.reg.first.isVgpr() || target.reg.first.number() >= kMasks)
    return;
  const OpTraits &traits = opTraits(inst.op);
  if (!traits.is(OpFlag::SavesExec)) {
    masks[target.reg.first.number()] = result;
    if (traits.is(OpFlag::WritesExec))
      masks[kExec] = result;
  } else if (target.reg.first != kExecLo) { // Else which of two writes lasts is not documented.
    masks[target.reg.first.number()] = exec;
    masks[kExec] = result;
  }
}

/// Does it name what may have been made again since it was?
bool LaneFlow::isStale(Function f, uint32_t block) {
  for (const uint32_t variable : functions_.variablesOf(f))
    if (const uint32_t home = madeIn_[variable]; home == block || !cfg_.dominates(home, block))
      return true;
  return false;
}

void LaneFlow::meet(uint32_t block, Masks &into) {
  for (unsigned unit = 0; unit < kMasks; ++unit) {
    std::optional<Function> value;
    bool differs = phi_[block].test(unit);
    for (const uint32_t from : cfg_.blocks[block].predecessors)
      if (end_[from] && !differs) {
        differs = value && *value != (*end_[from])[unit];
        value = (*end_[from])[unit];
      }
    if (differs || !value || isStale(*value, block)) {
      phi_[block].set(unit);
      into[unit] = variable(phiPlace(block), unit, block);
    } else {
      into[unit] = *value;
    }
  }
}

/// Is what a block begins with another than last time?
bool LaneFlow::enter(uint32_t block) {
  Masks now;
  meet(block, now);
  const bool changed = !start_[block] || *start_[block] != now;
  start_[block] = now;
  return changed;
}

void LaneFlow::run() {
  phi_[0].set(); // Nothing is known of what the function is entered with.
  // Only names are added, so this ends; where it does not soon, everything that meets gets one.
  for (unsigned round = 0, changed = 1; changed; ++round) {
    changed = 0;
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      const auto &from = cfg_.blocks[b].predecessors;
      if (b != 0 &&
          std::none_of(from.begin(), from.end(), [&](uint32_t p) { return end_[p].has_value(); }))
        continue;
      if (round > 20 && from.size() > 1)
        phi_[b].set();
      if (!enter(b))
        continue;
      changed = 1;
      Masks masks = *start_[b];
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        exec_[i - first_] = masks[kExec];
        step(module_.instructions()[i], b, masks);
      }
      end_[b] = masks;
    }
  }
}

void LaneFlow::acrossInstruction(llvm::MutableArrayRef<Function> all, uint32_t instruction) {
  const auto it = named_.find(instruction - first_);
  if (it == named_.end())
    return;
  replaceAll(all, [&](Function f) {
    for (const uint32_t variable : it->second)
      f = functions_.without(f, variable).value_or(LaneFunctions::kAll);
    return f;
  });
}

void LaneFlow::acrossEdge(llvm::MutableArrayRef<Function> all, uint32_t from, uint32_t to) {
  const auto it = named_.find(phiPlace(to));
  if (it == named_.end())
    return;
  llvm::SmallDenseMap<uint32_t, Function> values;
  for (const uint32_t variable : it->second) {
    const unsigned unit = unitOf_[variable];
    values[variable] = (*end_[from])[unit];
  }
  const auto valueOf = [&](uint32_t variable) -> Result {
    const auto known = values.find(variable);
    return known == values.end() ? functions_.atom(variable) : known->second;
  };
  replaceAll(all, [&](Function f) {
    return functions_.replaced(f, valueOf).value_or(LaneFunctions::kAll);
  });
}

} // namespace rdna::verify
