#include "Analysis/Liveness.h"

namespace rdna {

template <typename Pick> static VgprSet collect(const Instruction &inst, Pick pick) {
  VgprSet set;
  for (const RegAccess &access : inst.accesses)
    if (access.reg.first.isVgpr() && pick(access))
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        set.set(access.reg.first.index + d);
  return set;
}

VgprSet vgprReads(const Instruction &inst) {
  return collect(inst, [](const RegAccess &a) { return a.reads(); });
}

VgprSet vgprReadsFor(const Instruction &inst, const VgprSet &liveAfter) {
  VgprSet reads = vgprReads(inst);
  if (inst.op != Op::v_mad_u64_u32 && inst.op != Op::v_mad_i64_i32 && inst.op != Op::v_lshlrev_b64)
    return reads;
  const auto isPair = [](const Operand &operand) {
    return operand.isReg() && operand.reg.first.isVgpr() && operand.reg.dwords == 2;
  };
  if (inst.operands.empty() || !isPair(inst.operands[0]) ||
      liveAfter.test(inst.operands[0].reg.first.index + 1u))
    return reads;
  VgprSet single;
  for (size_t i = 1; i < inst.operands.size(); ++i) // a register that is also read otherwise stays
    if (inst.operands[i].isReg() && inst.operands[i].reg.first.isVgpr())
      single.set(inst.operands[i].reg.first.index);
  for (size_t i = 1; i < inst.operands.size(); ++i)
    if (isPair(inst.operands[i]) && !single.test(inst.operands[i].reg.first.index + 1u))
      reads.reset(inst.operands[i].reg.first.index + 1u);
  return reads;
}

VgprSet vgprWrites(const Instruction &inst) {
  return collect(inst, [](const RegAccess &a) { return a.writes(); });
}

VgprSet vgprFullWrites(const Instruction &inst) {
  return collect(inst, [](const RegAccess &a) { return a.access == Access::Write; });
}

/// Forward: the epoch at a block's start is that of its predecessors if they agree, else its own.
static void computeEpochs(const Module &module, const Cfg &cfg, Liveness &result) {
  constexpr uint32_t kUnknown = ~0u;
  std::vector<uint32_t> in(cfg.blocks.size(), kUnknown), out(cfg.blocks.size(), kUnknown);
  // Epoch ids: 0 at the entry, 1 + i after an EXEC write at instruction i, kMerge + b for merges.
  const uint32_t mergeBase = 1 + static_cast<uint32_t>(module.instructions().size());
  const auto transfer = [&](uint32_t block, uint32_t epoch) {
    for (uint32_t i = cfg.blocks[block].first; i < cfg.blocks[block].last; ++i) {
      result.epoch[i - result.firstInstruction] = epoch;
      const Instruction &inst = module.instructions()[i];
      if (inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi))
        epoch = 1 + i;
    }
    return epoch;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block = 0; block < cfg.blocks.size(); ++block) {
      uint32_t epoch = block == 0 ? 0 : kUnknown;
      for (const uint32_t pred : cfg.blocks[block].predecessors) {
        if (out[pred] == kUnknown || out[pred] == epoch)
          continue;
        epoch = epoch == kUnknown ? out[pred] : mergeBase + block;
      }
      if (in[block] == mergeBase + block)
        epoch = in[block]; // merges never come undone, which makes the iteration finite
      if (epoch == kUnknown)
        continue; // not reached yet, or never
      if (epoch == in[block] && out[block] != kUnknown)
        continue;
      in[block] = epoch;
      out[block] = transfer(block, epoch);
      changed = true;
    }
  }
}

VgprSet liveBefore(const Liveness &liveness, const Instruction &inst, const VgprSet &after) {
  return (after & ~(vgprFullWrites(inst) & liveness.killable)) | vgprReadsFor(inst, after);
}

Liveness computeLiveness(const Module &module, const Cfg &cfg) {
  Liveness result;
  if (cfg.blocks.empty())
    return result;
  result.firstInstruction = cfg.blocks.front().first;
  result.epoch.resize(cfg.blocks.back().last - result.firstInstruction);
  computeEpochs(module, cfg, result);

  // A register is killable if all its reads and writes lie in one epoch.
  std::array<uint32_t, 256> only{};
  std::array<uint8_t, 256> seen{};
  result.killable.set();
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      const VgprSet touched = vgprReads(inst) | vgprWrites(inst);
      const uint32_t epoch = result.epochOf(i);
      for (unsigned v = 0; v < 256; ++v) {
        if (!touched.test(v))
          continue;
        if (seen[v] && only[v] != epoch)
          result.killable.reset(v);
        seen[v] = 1;
        only[v] = epoch;
      }
    }

  const size_t count = cfg.blocks.size();
  result.liveIn.resize(count);
  result.liveOut.resize(count);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = count; b-- > 0;) {
      VgprSet out;
      for (const uint32_t successor : cfg.blocks[b].successors)
        out |= result.liveIn[successor];
      VgprSet in = out;
      for (uint32_t i = cfg.blocks[b].last; i-- > cfg.blocks[b].first;)
        in = liveBefore(result, module.instructions()[i], in);
      changed |= out != result.liveOut[b] || in != result.liveIn[b];
      result.liveOut[b] = out;
      result.liveIn[b] = in;
    }
  }
  return result;
}

} // namespace rdna
