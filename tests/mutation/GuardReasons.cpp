#include "mutation/GuardReasons.h"

#include <algorithm>

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

} // namespace

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
  return std::nullopt;
}

} // namespace rdna::mutation
