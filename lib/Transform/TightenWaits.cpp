#include "Transform/TightenWaits.h"

#include "Analysis/Waits.h"
#include "Code/Build.h"
#include "Transform/Hints.h"
#include "Transform/WaitNeeds.h"

#include <algorithm>

namespace rdna {
namespace {

bool loadsFromLds(const Instruction &inst) {
  return inst.unit == Unit::Lds && inst.memory == MemoryEffect::Load;
}

/// Between a group of LDS loads and the end of the FMACs that use it: arithmetic, vector loads and
/// stores, waits that may be changed.
bool isInRun(const std::vector<uint8_t> &mayChange, const Instruction &inst) {
  if (inst.op == Op::s_waitcnt)
    return mayChange[inst.index];
  const bool isVectorAccess =
      isVmem(inst.unit) && inst.unit != Unit::Flat && inst.memory != MemoryEffect::None;
  return inst.isValu() || inst.unit == Unit::Salu || inst.unit == Unit::Control || isVectorAccess;
}

/// So many FMACs for each dword that the merged wait waits for besides: where there are fewer,
/// loads come back no faster than FMACs can use them, and arithmetic is better begun with the
/// first. Compiled kernels have 0.5 to 1.4 where a thread computes up to 2 x 2 results or one, 3 to
/// 16 from 4 x 4 on. The timing model has the former up to 11 % slower with one wait (one of eight
/// is faster, by half a percent), the latter from 2 % slower to 12 % faster; 2 parts the groups.
constexpr unsigned fmacsPerDword = 2;

/// How many dwords of a lane come back between the waits for `first` and for `last` LDS operations
/// in flight, of the loads of the block in front of instruction `end`.
unsigned dwordsBetween(const Module &module, const Block &block, uint32_t end, unsigned first,
                       unsigned last) {
  unsigned dwords = 0, younger = 0;
  for (uint32_t i = end; i-- > block.first && younger < first;) {
    const Instruction &inst = module.instructions()[i];
    if (inst.unit != Unit::Lds)
      continue;
    if (younger++ >= last && loadsFromLds(inst))
      dwords += inst.operands[0].reg.dwords;
  }
  return dwords;
}

/// Behind a group of LDS loads: all its waits become the first one, with the last one's count.
///
/// Loads of a group come back in order and close together: two or four cycles apart for 64 or 128
/// bits of each lane, behind some 35 cycles for the first (LdsLatency of Timing/Constants.def, and
/// issue). Every wait in between takes an issue slot of the wave, and the 20 cycles or so that a
/// single wait adds are other waves' FMACs; the by-hand kernel waits once as well. A wait in the
/// middle, for the second half of 12 loads, could win at most these 20 cycles of 64 FMACs, and only
/// for a wave that is alone. Loads from memory are no such group: theirs can be hundreds of cycles
/// apart.
bool mergeRun(const Module &module, const Block &block, const std::vector<uint32_t> &run,
              WaitPlan &plan) {
  std::vector<uint32_t> waits;
  unsigned fmacs = 0;
  for (const uint32_t i : run) {
    const auto it = plan.find(i);
    if (it != plan.end() && it->second.lgkm)
      waits.push_back(i);
    fmacs += !waits.empty() && isFmac(module.instructions()[i]);
  }
  const auto falls = [&](uint32_t a, uint32_t b) { return plan[b].lgkm >= plan[a].lgkm; };
  if (waits.size() < 2 || fmacs < leastRun ||
      std::adjacent_find(waits.begin(), waits.end(), falls) != waits.end())
    return false;
  if (fmacs < fmacsPerDword * dwordsBetween(module, block, run.front(), *plan[waits.front()].lgkm,
                                            *plan[waits.back()].lgkm))
    return false;
  plan[waits.front()].lgkm = plan[waits.back()].lgkm;
  for (size_t k = 1; k < waits.size(); ++k)
    plan[waits[k]].lgkm.reset();
  return true;
}

/// In the loops among the blocks; true if there was something to merge.
bool mergeWaits(const Module &module, const Cfg &cfg, const std::vector<uint8_t> &mayChange,
                WaitPlan &plan) {
  const std::vector<WaitState> pending = computeWaits(module, cfg, plan);
  bool merged = false;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (!cfg.loopOf(b))
      continue;
    WaitState state = pending[b];
    std::vector<uint32_t> run;
    bool behindLoads = false;
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i) {
      const Instruction &inst = module.instructions()[i];
      if (isInRun(mayChange, inst)) {
        run.push_back(i);
      } else {
        merged |= behindLoads && mergeRun(module, cfg.blocks[b], run, plan);
        run.clear();
      }
      state.step(inst, plannedCounts(plan, inst));
      if (run.empty()) // What a scalar load brings can be far away.
        behindLoads = loadsFromLds(inst) && !state.hasScalarLoads();
    }
    merged |= behindLoads && mergeRun(module, cfg.blocks[b], run, plan); // the block falls through
  }
  return merged;
}

/// An s_delay_alu names a second instruction by how many stand before it. Without some of those it
/// has to skip fewer.
void repairDelay(const WaitPlan &plan, const Instruction &delay, WaitEdits &result) {
  constexpr int64_t skipShift = 4, skipMask = 7;
  const int64_t immediate = delay.value(OperandName::Immediate);
  const auto skip = static_cast<uint32_t>(immediate >> skipShift & skipMask);
  uint32_t gone = 0;
  for (uint32_t i = delay.index + 1; i <= delay.index + skip; ++i)
    if (const auto it = plan.find(i); it != plan.end() && !it->second.any())
      ++gone;
  if (gone == 0 || delay.origin != Instruction::Origin::Text)
    return;
  const int64_t fewer = (immediate & ~(skipMask << skipShift)) | int64_t(skip - gone) << skipShift;
  result.edits.push_back(replacement(delay, build(Op::s_delay_alu, {imm(fewer)})));
}

} // namespace

WaitEdits tightenWaits(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks,
                       PlainSync plain) {
  WaitEdits result;
  if (cfg.blocks.empty())
    return result;
  const auto &insts = module.instructions();
  const uint32_t first = cfg.blocks.front().first, last = cfg.blocks.back().last;
  WaitPlan was;
  for (uint32_t i = first; i < last; ++i)
    if (const auto counts = waitCounts(insts[i]))
      was[i] = *counts;
  result.before = static_cast<unsigned>(was.size());
  // What is merged may spare later waits, or the scalar loads that a merging has to mind.
  WaitPlan plan = was;
  const std::vector<uint8_t> mayChange = changeableWaits(module, cfg, blocks);
  do {
    if (!raiseCounts(module, cfg, mayChange, plain, plan))
      return result;
  } while (mergeWaits(module, cfg, mayChange, plan));
  for (const auto &[i, counts] : plan) {
    if (counts == was[i])
      continue;
    const Instruction &inst = insts[i];
    if (counts.any()) {
      result.edits.push_back(replacement(inst, buildWait(counts)));
      ++result.changed;
    } else {
      result.edits.push_back(removal(module, inst));
      ++result.deleted;
    }
  }
  if (result.deleted > 0)
    for (uint32_t i = first; i < last; ++i)
      if (insts[i].op == Op::s_delay_alu)
        repairDelay(plan, insts[i], result);
  return result;
}

} // namespace rdna
