#include "Transform/Constants.h"

#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

#include <map>

namespace rdna {

static void transfer(const Instruction &inst, KnownVgprs &known) {
  llvm::SmallVector<std::pair<unsigned, std::optional<uint32_t>>, 2> values;
  for (const LaneOp &lane : laneOps(inst)) {
    if (lane.op != Op::v_mov_b32)
      continue;
    std::optional<uint32_t> value;
    if (lane.src0.isVgpr())
      value = known[lane.src0.value];
    else if (lane.src0.kind == VopdSource::Kind::Inline ||
             lane.src0.kind == VopdSource::Kind::Literal)
      value = lane.src0.value;
    values.emplace_back(lane.dst.number, value);
  }
  const VgprSet written = vgprWrites(inst);
  for (unsigned v = 0; v < 256; ++v)
    if (written.test(v))
      known[v].reset();
  for (const auto &[reg, value] : values)
    known[reg] = value;
  // What is known holds in the lanes that are active; a wider EXEC adds lanes that nobody wrote.
  const bool narrows = inst.op == Op::s_and_saveexec_b32 || isCompareToExec(inst.op);
  if ((inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi)) && !narrows)
    known.fill(std::nullopt);
}

ConstantFacts findConstants(const FunctionContext &context) {
  const size_t count = context.cfg.blocks.size();
  ConstantFacts facts;
  facts.in.resize(count);
  facts.out.resize(count);
  std::vector<uint8_t> reached(count, 0);
  if (count == 0)
    return facts;
  // Optimistic: a block not reached yet agrees with everything.
  reached[0] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < count; ++b) {
      if (!reached[b])
        continue;
      KnownVgprs state = facts.in[b];
      for (uint32_t i = context.cfg.blocks[b].first; i < context.cfg.blocks[b].last; ++i)
        transfer(context.module.instructions()[i], state);
      facts.out[b] = state;
      for (const uint32_t s : context.cfg.blocks[b].successors) {
        if (!reached[s]) {
          reached[s] = 1;
          facts.in[s] = state;
          changed = true;
          continue;
        }
        // (Block 0 starts with nothing known, and stays so.)
        for (unsigned v = 0; v < 256; ++v)
          if (facts.in[s][v] && facts.in[s][v] != state[v]) {
            facts.in[s][v].reset();
            changed = true;
          }
      }
    }
  }
  return facts;
}

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

std::optional<uint64_t> tripCount(const FunctionContext &context, const Loop &loop) {
  if (loop.blocks.size() != 1)
    return std::nullopt;
  const auto &insts = context.module.instructions();
  const Block &body = context.cfg.blocks[loop.header];
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
    for (uint32_t i = context.cfg.blocks[pred].first; i < context.cfg.blocks[pred].last; ++i)
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
