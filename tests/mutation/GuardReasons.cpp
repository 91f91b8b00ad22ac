#include "mutation/GuardReasons.h"

#include "Analysis/ScalarFlow.h"
#include "Asm/Effects.h"

#include <algorithm>
#include <set>

namespace rdna::mutation {
namespace {

/// Does the instruction stand between a loop's head and the branch to what is left over of it?
bool isInGuard(const Module &module, const Instruction &inst) {
  for (uint32_t i = inst.index; i < module.instructions().size() && i < inst.index + 4; ++i) {
    const Instruction &next = module.instructions()[i];
    const std::string_view target = module.branchTarget(next);
    if (!target.empty())
      return target.starts_with(".Lrdnakit_") && target.find("_rest") != std::string_view::npos;
    if (next.unit != Unit::Salu)
      return false;
  }
  return false;
}

/// The immediate of an instruction that has one.
std::optional<int64_t> immediateOf(const Instruction &inst) {
  for (const Operand &operand : inst.operands)
    if (operand.kind == Operand::Kind::Immediate)
      return operand.imm;
  return std::nullopt;
}

/// Where code goes on behind instructions [first, last): the label of a branch that is taken, empty
/// behind them; nothing if that does not follow from what is known.
std::optional<std::string> goesTo(const Module &module, uint32_t first, uint32_t last,
                                  KnownScalars known) {
  for (uint32_t i = first; i < last; ++i) {
    const Instruction &inst = module.instructions()[i];
    const std::string label(module.branchTarget(inst));
    if (inst.op == Op::s_branch)
      return label;
    if (inst.op != Op::s_cbranch_scc0 && inst.op != Op::s_cbranch_scc1) {
      foldInto(inst, known);
      continue;
    }
    if (!known[kScc.index])
      return std::nullopt;
    if ((*known[kScc.index] != 0) == (inst.op == Op::s_cbranch_scc1))
      return label;
  }
  return std::string();
}

/// The register and the constants that the comparisons of a range look at; nothing if it is not one
/// register.
std::optional<RegUnit> compared(const Module &module, uint32_t first, uint32_t last,
                                std::set<uint32_t> &constants) {
  std::optional<RegUnit> unit;
  for (uint32_t i = first; i < last; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (!opName(inst.op).starts_with("s_cmp"))
      continue;
    for (const Operand &operand : inst.operands) {
      if (!operand.isReg()) {
        constants.insert(scalarImmediate(inst.op, operand.imm));
        continue;
      }
      if (unit && *unit != operand.reg.first)
        return std::nullopt;
      unit = operand.reg.first;
    }
  }
  return unit;
}

} // namespace

std::optional<std::string> decidedReason(const Step &step, const Mutant &mutant,
                                         const Module &mutated) {
  const Module &original = *step.after;
  const Cfg cfg = buildCfg(original, step.function);
  const Block &block = cfg.blocks[cfg.blockOf(mutant.instructions.front())];
  const uint32_t last = cfg.blocks.back().last, size = uint32_t(original.instructions().size());
  const uint32_t newLast = block.last + uint32_t(mutated.instructions().size()) - size;
  const Instruction &changed = original.instructions()[mutant.instructions.front()];
  const bool isTest = opName(changed.op).starts_with("s_cmp") || changed.op == Op::s_cbranch_scc0 ||
                      changed.op == Op::s_cbranch_scc1;
  if (!isTest || mutant.instructions.size() != 1 || block.predecessors.size() != 1 ||
      newLast > last)
    return std::nullopt;
  const auto scalars = liveScalars(original, cfg);
  for (const uint32_t s : block.successors)
    if (scalars[s].test(kScc.index))
      return std::nullopt;
  const Block &before = cfg.blocks[block.predecessors[0]];
  uint32_t test = before.last;
  while (test > before.first && !original.instructions()[test - 1].writesUnit(kScc))
    --test;
  if (test == before.first)
    return std::nullopt;
  --test;
  std::set<uint32_t> constants, values{0, ~0u, 0x7fffffff, 0x80000000};
  const auto unit = compared(original, test, before.last, constants);
  for (const auto &[module, end] : {std::pair(&original, block.last), {&mutated, newLast}})
    if (const auto other = compared(*module, block.first, end, constants);
        other && (!unit || *other != *unit))
      return std::nullopt;
  for (const uint32_t constant : constants)
    values.insert({constant - 1, constant, constant + 1});
  for (const uint32_t value : values) {
    KnownScalars known;
    known[unit->index] = value;
    const auto way = goesTo(original, test, before.last, known);
    if (!way)
      return std::nullopt;
    const bool arrives =
        way->empty() ? before.last == block.first : original.labelTarget(*way) == block.first;
    if (!arrives)
      continue;
    for (uint32_t i = test; i < before.last; ++i)
      foldInto(original.instructions()[i], known);
    const auto was = goesTo(original, block.first, block.last, known);
    if (!was || was != goesTo(mutated, block.first, newLast, known))
      return std::nullopt;
  }
  return unit ? std::optional<std::string>("decided by the branch in front of it") : std::nullopt;
}

std::optional<std::string> guardReason(const Step &step, const Mutant &mutant,
                                       const Module &mutated) {
  const Instruction &was = step.after->instructions()[mutant.instructions.front()];
  const Instruction &now = mutated.instructions()[mutant.instructions.front()];
  if (mutant.instructions.size() != 1 || !isInGuard(*step.after, was) || was.op != now.op)
    return std::nullopt;
  const std::string_view name = opName(was.op);
  const auto from = immediateOf(was), to = immediateOf(now);
  const bool asksForMore = from && to && *from < *to &&
                           (name.starts_with("s_cmp_ge_u32") || name.starts_with("s_sub_i32"));
  const auto isRegister = [](const Operand &operand, const Operand &other) {
    return operand.isReg() && other.isReg() && operand.reg == other.reg;
  };
  const bool isNever =
      name.starts_with("s_cmp_lt_") && isRegister(now.operands[0], now.operands[1]);
  if (asksForMore || isNever)
    return "the guard asks for more, and what is left over is the loop as it was";
  return std::nullopt;
}

/// A jump right behind a branch that goes on with no lane only: on the way from the mutant's place
/// to the one that was meant there is nothing but vector instructions, which then do nothing.
static bool leadsThereWithoutLane(const Module &module, const Instruction &was,
                                  std::optional<uint32_t> meant, std::optional<uint32_t> instead) {
  if (was.op != Op::s_branch || was.index == 0 || !meant || !instead || *instead > *meant ||
      module.instructions()[was.index - 1].op != Op::s_cbranch_execnz)
    return false;
  for (const Instruction &inst : module.instructions())
    if (module.labelTarget(module.branchTarget(inst)) == was.index)
      return false;
  for (uint32_t i = *instead; i < *meant; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (!inst.isValu() ||
        std::any_of(inst.accesses.begin(), inst.accesses.end(), [](const RegAccess &access) {
          return access.writes() && !access.reg.first.isVgpr();
        }))
      return false;
  }
  return true;
}

std::optional<std::string> branchReason(const Step &step, const Mutant &mutant,
                                        const Module &mutated) {
  const auto leadsTo = [](const Module &module, const Instruction &branch) {
    std::optional<uint32_t> at = module.labelTarget(module.branchTarget(branch));
    for (unsigned steps = 0; at && steps < 8; ++steps) {
      const Instruction &next = module.instructions()[*at];
      if (next.op != Op::s_branch)
        break;
      at = module.labelTarget(module.branchTarget(next));
    }
    return at;
  };
  const Instruction &was = step.after->instructions()[mutant.instructions.front()];
  const Instruction &now = mutated.instructions()[mutant.instructions.front()];
  if (was.op == now.op && mutated.instructions().size() == step.after->instructions().size() &&
      leadsTo(*step.after, was) == leadsTo(mutated, now))
    return "leads to the same place";
  if (was.op == now.op &&
      leadsThereWithoutLane(mutated, was, leadsTo(*step.after, was), leadsTo(mutated, now)))
    return "no lane goes that way";
  return std::nullopt;
}

} // namespace rdna::mutation
