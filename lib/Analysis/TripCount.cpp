#include "Analysis/TripCount.h"

#include "Isa/OpTraits.h"

namespace rdna {

/// The number in an operand list; the K forms hold 16 bits, sign-extended by the hardware.
static std::optional<int64_t> immediateOf(const Instruction &inst) {
  for (const Operand &operand : inst.operands)
    if (operand.kind == Operand::Kind::Immediate) {
      const bool narrow = opTraits(inst.op).shortImmediate == ShortImmediate::Signed;
      return narrow ? static_cast<int16_t>(operand.imm) : static_cast<int32_t>(operand.imm);
    }
  return std::nullopt;
}

/// Does the loop go on while its counter differs from the limit?
static bool loopsWhileUnequal(const Instruction &compare, const Instruction &branch) {
  const Relation relation = opTraits(compare.op).comparison.relation;
  const bool unequal = isScalarCompare(compare.op) && relation == Relation::Unequal;
  const bool equal = isScalarCompare(compare.op) && relation == Relation::Equal;
  return (unequal && branch.op == Op::s_cbranch_scc1) || (equal && branch.op == Op::s_cbranch_scc0);
}

std::optional<uint64_t> tripCount(const Module &module, const Cfg &cfg, const Loop &loop) {
  if (loop.blocks.size() != 1)
    return std::nullopt;
  const auto &insts = module.instructions();
  const Block &body = cfg.blocks[loop.header];
  const Instruction *compare = nullptr;
  for (uint32_t i = body.last; i-- > body.first && !compare;)
    if (insts[i].writesUnit(kScc))
      compare = &insts[i];
  if (!compare || compare->operands.empty() || !compare->operands[0].isReg() ||
      !loopsWhileUnequal(*compare, insts[body.last - 1]))
    return std::nullopt;
  const auto limit = immediateOf(*compare);
  const RegUnit counter = compare->operands[0].reg.first;
  if (!limit || compare->operands[0].reg.dwords != 1)
    return std::nullopt;
  std::optional<int64_t> step;
  for (uint32_t i = body.first; i < body.last; ++i) {
    if (!insts[i].writesUnit(counter))
      continue;
    const bool add = insts[i].op == Op::s_addk_i32 || insts[i].op == Op::s_add_i32 ||
                     insts[i].op == Op::s_add_u32;
    if (step || !add || i > compare->index || !insts[i].readsUnit(counter))
      return std::nullopt;
    step = immediateOf(insts[i]);
    if (!step)
      return std::nullopt;
  }
  std::optional<int64_t> start;
  for (const uint32_t pred : body.predecessors) {
    if (pred == loop.header)
      continue;
    const Instruction *init = nullptr;
    for (uint32_t i = cfg.blocks[pred].first; i < cfg.blocks[pred].last; ++i)
      if (insts[i].writesUnit(counter))
        init = &insts[i];
    if (!init || start || (init->op != Op::s_mov_b32 && init->op != Op::s_movk_i32))
      return std::nullopt;
    start = immediateOf(*init);
    if (!start)
      return std::nullopt;
  }
  if (!start || !step || *step == 0 || (*limit - *start) % *step != 0)
    return std::nullopt;
  const int64_t count = (*limit - *start) / *step;
  return count > 0 ? std::optional(static_cast<uint64_t>(count)) : std::nullopt;
}

} // namespace rdna
