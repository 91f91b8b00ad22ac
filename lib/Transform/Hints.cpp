#include "Transform/Hints.h"

#include "Asm/Lane.h"
#include "Code/Build.h"

#include <algorithm>

namespace rdna {
namespace {

bool isMemory(const Instruction &inst) {
  return inst.memory != MemoryEffect::None && !clauseKind(inst).empty();
}

void insertBefore(const Module &module, const Instruction &inst, Inst hint, HintEdits &result) {
  result.edits.push_back(lineBefore(module, inst, std::move(hint)));
  ++result.instructions;
}

} // namespace

bool isFmac(const Instruction &inst) {
  const auto lanes = laneOps(inst);
  return isFmaFamily(inst) || std::any_of(lanes.begin(), lanes.end(), [](const LaneOp &lane) {
           return lane.op == Op::v_fmac_f32;
         });
}

unsigned clauseLength(const Instruction &clause) {
  return static_cast<unsigned>(clause.operands[0].imm & 63) + 1;
}

void repairHints(const Module &module, const Block &block,
                 llvm::function_ref<unsigned(const Instruction &)> covered,
                 std::vector<TextEdit> &edits) {
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (inst.origin != Instruction::Origin::Text)
      continue;
    if (inst.op == Op::s_delay_alu) {
      edits.push_back(removal(module, inst));
    } else if (inst.op == Op::s_clause) {
      const unsigned length = covered(inst);
      if (length != clauseLength(inst))
        edits.push_back(length < 2 ? removal(module, inst)
                                   : replacement(inst, buildClause(length)));
    }
  }
}

HintEdits addClauses(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks) {
  HintEdits result;
  const auto &insts = module.instructions();
  for (const uint32_t b : blocks) {
    const Block &block = cfg.blocks[b];
    uint32_t taken = block.first; // Up to here instructions stand in a clause already.
    for (uint32_t i = block.first; i < block.last;) {
      if (insts[i].op == Op::s_clause) {
        taken = i + 1 + clauseLength(insts[i]);
        ++i;
        continue;
      }
      uint32_t end = i;
      while (end < block.last && isMemory(insts[end]) && end - i < kLongestClause &&
             clauseKind(insts[end]) == clauseKind(insts[i]))
        ++end;
      if (end - i >= 2 && i >= taken && takesLineBefore(module, insts[i]))
        insertBefore(module, insts[i], buildClause(end - i), result);
      i = std::max(end, i + 1);
    }
  }
  return result;
}

/// By instruction of the block: may nothing be put in front of it, because a clause (of VALU or
/// memory instructions) has begun before and not ended? One more for the block's end.
static std::vector<bool> insideClauses(llvm::ArrayRef<Instruction> insts, const Block &block) {
  std::vector<bool> inside(block.last - block.first + 1);
  for (uint32_t i = block.first; i < block.last; ++i)
    if (insts[i].op == Op::s_clause)
      for (uint32_t k = 1; k <= clauseLength(insts[i]) && i + k <= block.last; ++k)
        inside[i + k - block.first] = true;
  return inside;
}

HintEdits addPriorities(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks) {
  HintEdits result;
  const auto &insts = module.instructions();
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i)
      if (insts[i].op == Op::s_setprio)
        return result;
  for (const uint32_t b : blocks) {
    const Block &block = cfg.blocks[b];
    if (!cfg.loopOf(b))
      continue;
    const std::vector<bool> clauses = insideClauses(insts, block);
    const auto endsRun = [&](const Instruction &inst) {
      return isMemory(inst) || inst.op == Op::s_clause || inst.unit == Unit::Barrier ||
             inst.isTerminator();
    };
    for (uint32_t i = block.first; i < block.last;) {
      uint32_t end = i, first = block.last;
      unsigned fmacs = 0;
      for (; end < block.last && !endsRun(insts[end]); ++end)
        if (isFmac(insts[end]) && !clauses[end + 1 - block.first]) {
          first = std::min(first, end);
          ++fmacs;
        }
      if (fmacs >= leastRun && end < block.last && !clauses[end - block.first] &&
          takesLineBefore(module, insts[first + 1]) && takesLineBefore(module, insts[end])) {
        insertBefore(module, insts[first + 1], build(Op::s_setprio, {imm(1)}), result);
        insertBefore(module, insts[end], build(Op::s_setprio, {imm(0)}), result);
      }
      i = std::max(end, i) + 1;
    }
  }
  return result;
}

} // namespace rdna
