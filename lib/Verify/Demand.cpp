#include "Verify/Demand.h"

#include "Asm/Effects.h"
#include "Symbolic/Machine.h"
#include "Verify/Exec.h"

#include <algorithm>

namespace rdna::verify {

namespace {
class Transfer {
public:
  Transfer(const Module &module, const Cfg &cfg)
      : module_(module), cfg_(cfg), function_(module.functions()[cfg.functionIndex]) {}
  void backward(const Instruction &inst, Needs &needs) const;

private:
  bool isUseless(const Instruction &inst, const Needs &needs) const;
  const Module &module_;
  const Cfg &cfg_;
  const Function &function_;
  bool mayBeEmpty(const Instruction &inst) const {
    if (mayBeEmpty_.empty())
      mayBeEmpty_ = execMayBeEmpty(module_, cfg_);
    return mayBeEmpty_[inst.index - cfg_.blocks.front().first];
  }
  mutable std::vector<uint8_t> mayBeEmpty_; ///< Few functions need it.
};
} // namespace

/// A vector instruction that only writes VGPRs nobody needs.
bool Transfer::isUseless(const Instruction &inst, const Needs &needs) const {
  if (!inst.isValu())
    return false;
  const bool writesAllLanes = ignoresExec(inst.op) || inst.op == Op::v_writelane_b32;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (unit.isVgpr() ? needs.maybeActive().test(unit.index) ||
                              (writesAllLanes && needs.switchedOff().test(unit.index))
                        : unit == kExecLo || unit == kMode || needs.scalar.test(unit.index))
        return false;
    }
  return true;
}

void Transfer::backward(const Instruction &inst, Needs &needs) const {
  const bool leaves = inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 ||
                      (inst.isSetPc() && !function_.isKernel());
  if (leaves || isRelative(inst)) {
    needs.active.set();
    needs.inactive.set();
    needs.others.clear();
    needs.scalar.set();
    return;
  }
  if (isUseless(inst, needs))
    return;

  // Which halves of a 64-bit source the needed halves of the result are made of.
  const WideSource wide = wideSource(inst);
  bool skipHalf = false;
  if (wide != WideSource::None) {
    const unsigned first = inst.operands[0].reg.first.index;
    const unsigned other = wide == WideSource::LowNeedsLow ? first + 1 : first;
    skipHalf = inst.operands[0].reg.dwords == 2 && !needs.maybeActive().test(other);
    for (const RegAccess &access : inst.accesses)
      if (access.writes() && !access.reg.first.isVgpr() &&
          needs.scalar.test(access.reg.first.index))
        skipHalf = false; // the carry is made of everything
  }

  // Reads and writes of vector registers happen under the old EXEC.
  needs.stepOverMasks(inst);
  LaneSets::Vgprs written;
  for (const RegAccess &access : inst.accesses) {
    if (access.access != Access::Write)
      continue;
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const unsigned index = access.reg.first.index + d;
      if (index >= 256) {
        needs.scalar.reset(index);
        continue;
      }
      written.set(index);
    }
  }
  if (written.any())
    ignoresExec(inst.op) ? needs.drop(written) : needs.dropActive(written);
  const bool allLanes =
      readsAllLanes(inst) && (inst.op != Op::v_readfirstlane_b32 || mayBeEmpty(inst));
  bool wideSeen = false;
  for (const RegAccess &access : inst.accesses) {
    if (!access.reads())
      continue;
    unsigned begin = 0, end = access.reg.dwords;
    if (skipHalf && end == 2 && !wideSeen && access.reg.first.isVgpr()) {
      wideSeen = true;
      (wide == WideSource::LowNeedsLow ? end : begin) = 1;
    }
    for (unsigned d = begin; d < end; ++d) {
      const unsigned index = access.reg.first.index + d;
      if (index >= 256) {
        needs.scalar.set(index);
        continue;
      }
      needs.active.set(index);
      if (allLanes)
        needs.inactive.set(index);
    }
  }
}

static Needs needsAtEnd(const Module &module, const Cfg &cfg, const std::vector<Needs> &atStart,
                        uint32_t block) {
  Needs needs;
  for (const uint32_t successor : cfg.blocks[block].successors) {
    LaneSets lanes = atStart[successor];
    if (goesWithoutLane(module, cfg, block, successor))
      lanes.active.reset();
    needs.add(lanes);
    needs.scalar |= atStart[successor].scalar;
  }
  return needs;
}

Needs needsAfter(const Module &module, const Cfg &cfg, const std::vector<Needs> &atStart,
                 uint32_t instruction) {
  const Transfer transfer(module, cfg);
  const uint32_t block = cfg.blockOf(instruction);
  Needs needs = needsAtEnd(module, cfg, atStart, block);
  for (uint32_t i = cfg.blocks[block].last; i-- > instruction + 1;)
    transfer.backward(module.instructions()[i], needs);
  return needs;
}

std::vector<Needs> computeNeeds(const Module &module, const Cfg &cfg) {
  std::vector<Needs> atStart(cfg.blocks.size());
  const Transfer transfer(module, cfg);
  std::vector<uint8_t> queued(cfg.blocks.size(), 1);
  std::vector<uint32_t> work;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    work.push_back(b); // taken from the back, so ends come first
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    queued[b] = 0;
    Needs needs = needsAtEnd(module, cfg, atStart, b);
    for (uint32_t i = cfg.blocks[b].last; i-- > cfg.blocks[b].first;)
      transfer.backward(module.instructions()[i], needs);
    // Every instruction depends on these, listed or not.
    for (const RegUnit unit : {kExecLo, kMode, kFlatScratch})
      needs.scalar.set(unit.index);
    // Only ever more, so that it ends: how many kinds of lanes are told apart is bounded.
    needs.add(atStart[b]);
    needs.scalar |= atStart[b].scalar;
    if (needs == atStart[b])
      continue;
    atStart[b] = needs;
    for (const uint32_t predecessor : cfg.blocks[b].predecessors)
      if (!queued[predecessor]) {
        queued[predecessor] = 1;
        work.push_back(predecessor);
      }
  }
  return atStart;
}

} // namespace rdna::verify
