#include "Analysis/Liveness.h"

#include "Isa/OpTraits.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

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
  // A callee may read any argument, and whoever is returned to any result or preserved register.
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 || inst.isSetPc())
    return VgprSet().set();
  return collect(inst, [](const RegAccess &a) { return a.reads(); });
}

VgprSet vgprReadsFor(const Instruction &inst, const VgprSet &liveAfter) {
  VgprSet reads = vgprReads(inst);
  if (inst.op != Op::v_mad_u64_u32 && inst.op != Op::v_mad_i64_i32 && inst.op != Op::v_lshlrev_b64)
    return reads;
  if (inst.value(OperandName::Clamp) != 0)
    return reads; // Whether it saturates depends on both halves.
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

namespace {

constexpr uint32_t kUnknown = ~0u;

/// EXEC at one point: its epoch, and SGPRs that hold the mask of an earlier epoch.
struct ExecState {
  uint32_t epoch = kUnknown;
  std::array<uint32_t, 108> saved{}; // by scalar encoding; kUnknown if it holds something else
  bool operator==(const ExecState &) const = default;
};

/// What an instruction does to EXEC.
enum class ExecChange { None, Narrow, Restore, Other };

class EpochFinder {
public:
  EpochFinder(const Module &module, const Cfg &cfg, Liveness &result)
      : module_(module), cfg_(cfg), result_(result),
        mergeBase_(1 + static_cast<uint32_t>(module.instructions().size())) {}
  /// By block: may EXEC be widened other than by restoring it, in a loop around the block?
  std::vector<uint8_t> run();

private:
  ExecChange apply(const Instruction &inst, ExecState &state) const;
  ExecState meet(uint32_t block, const std::vector<ExecState> &out, const ExecState &old) const;

  const Module &module_;
  const Cfg &cfg_;
  Liveness &result_;
  const uint32_t
      mergeBase_; // epochs: 0 at the entry, 1 + i behind a write at i, base + b for merges
};

} // namespace

static std::optional<unsigned> sgprOf(const Operand &operand) {
  if (!operand.isReg() || operand.reg.dwords != 1 || operand.reg.first.isVgpr() ||
      operand.reg.first.number() >= 108)
    return std::nullopt;
  return operand.reg.first.number();
}

ExecChange EpochFinder::apply(const Instruction &inst, ExecState &state) const {
  const uint32_t before = state.epoch;
  const bool writes = inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi);
  ExecChange change = writes ? ExecChange::Other : ExecChange::None;
  uint32_t after = writes ? 1 + inst.index : before;
  std::optional<unsigned> saver;
  const auto isExec = [](const Operand &o) { return o.isReg() && o.reg.first == kExecLo; };
  const auto &ops = inst.operands;
  switch (inst.op) {
  case Op::s_and_saveexec_b32:
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not1_saveexec_b32:
    change = ExecChange::Narrow;
    // s_and_not0 and s_and_not1 combine with the complement of one side; only the plain AND and
    // EXEC & ~source are sure to be subsets.
    if (inst.op == Op::s_and_not0_saveexec_b32)
      change = ExecChange::Other;
    saver = sgprOf(ops[0]);
    if (inst.op == Op::s_and_not1_saveexec_b32)
      change = ExecChange::Other; // source & ~EXEC
    break;
  case Op::s_and_b32:
  case Op::s_and_not1_b32:
    if (writes && ops.size() >= 3 && isExec(ops[0]) && isExec(ops[1]))
      change = ExecChange::Narrow;
    break;
  case Op::s_mov_b32:
    if (!writes && ops.size() >= 2 && isExec(ops[1]))
      saver = sgprOf(ops[0]);
    else if (writes && ops.size() >= 2)
      if (const auto sgpr = sgprOf(ops[1]); sgpr && state.saved[*sgpr] != kUnknown) {
        change = ExecChange::Restore;
        after = state.saved[*sgpr];
      }
    break;
  case Op::s_or_b32:
    // EXEC was narrowed since the save, so the saved mask contains it.
    if (writes && ops.size() >= 3 && isExec(ops[0]) && isExec(ops[1]))
      if (const auto sgpr = sgprOf(ops[2]); sgpr && state.saved[*sgpr] != kUnknown) {
        change = ExecChange::Restore;
        after = state.saved[*sgpr];
      }
    break;
  default:
    if (writes && isCompareToExec(inst.op))
      change = ExecChange::Narrow;
    break;
  }
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && !access.reg.first.isVgpr())
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        if (const unsigned n = access.reg.first.number() + d; n < 108)
          state.saved[n] = kUnknown;
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64)
    state.saved.fill(kUnknown);
  if (saver)
    state.saved[*saver] = before;
  state.epoch = after;
  return change;
}

ExecState EpochFinder::meet(uint32_t block, const std::vector<ExecState> &out,
                            const ExecState &old) const {
  ExecState state;
  state.saved.fill(kUnknown);
  if (block == 0)
    state.epoch = 0;
  bool first = block != 0;
  for (const uint32_t pred : cfg_.blocks[block].predecessors) {
    const ExecState &from = out[pred];
    if (from.epoch == kUnknown)
      continue; // not reached yet
    if (first)
      state.saved = from.saved;
    for (size_t i = 0; i < state.saved.size(); ++i)
      if (state.saved[i] != from.saved[i])
        state.saved[i] = kUnknown;
    first = false;
    if (state.epoch == kUnknown)
      state.epoch = from.epoch;
    else if (state.epoch != from.epoch)
      state.epoch = mergeBase_ + block;
  }
  if (old.epoch == mergeBase_ + block)
    state.epoch = old.epoch; // merges never come undone, which makes the iteration finite
  return state;
}

std::vector<uint8_t> EpochFinder::run() {
  const size_t count = cfg_.blocks.size();
  ExecState unreached;
  unreached.saved.fill(kUnknown);
  std::vector<ExecState> in(count, unreached), out(count, unreached);
  std::vector<uint8_t> widens(count, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < count; ++b) {
      const ExecState state = meet(b, out, in[b]);
      if (state.epoch == kUnknown)
        continue;
      ExecState at = state;
      widens[b] = 0;
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        result_.epoch[i - result_.firstInstruction] = at.epoch;
        widens[b] |= apply(module_.instructions()[i], at) == ExecChange::Other;
      }
      changed |= !(state == in[b]) || !(at == out[b]);
      in[b] = state;
      out[b] = at;
    }
  }
  std::vector<uint8_t> inLoop(count, 0);
  for (const Loop &loop : cfg_.loops)
    if (std::any_of(loop.blocks.begin(), loop.blocks.end(),
                    [&](uint32_t b) { return widens[b] != 0; }))
      for (const uint32_t b : loop.blocks)
        inLoop[b] = 1;
  return inLoop;
}

/// Epochs as dense numbers. A write in an epoch that merges others replaces values only if no loop
/// around it widens EXEC but by restoring it: else a later round may have lanes that this one
/// lacks.
static void numberEpochs(const Module &module, const std::vector<uint8_t> &widening,
                         Liveness &result) {
  const auto mergeBase = 1 + static_cast<uint32_t>(module.instructions().size());
  std::map<uint32_t, uint32_t> dense;
  for (uint32_t &epoch : result.epoch) {
    const auto [it, fresh] = dense.emplace(epoch, static_cast<uint32_t>(dense.size()));
    if (fresh)
      result.replaces.push_back(epoch < mergeBase || !widening[epoch - mergeBase]);
    epoch = it->second;
  }
}

VgprSet LiveWalk::live() const {
  VgprSet all;
  for (const VgprSet &set : live_)
    all |= set;
  return all;
}

VgprSet LiveWalk::replacedBy(const Instruction &inst) const {
  const uint32_t epoch = liveness_.epochOf(inst.index);
  VgprSet result = vgprFullWrites(inst);
  if (!liveness_.replaces[epoch])
    result.reset();
  for (uint32_t e = 0; e < live_.size(); ++e)
    if (e != epoch)
      result &= ~live_[e];
  return result;
}

void LiveWalk::stepOver(const Instruction &inst) {
  const uint32_t epoch = liveness_.epochOf(inst.index);
  const VgprSet reads = vgprReadsFor(inst, live());
  if (liveness_.replaces[epoch])
    live_[epoch] &= ~vgprFullWrites(inst);
  live_[epoch] |= reads;
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
  numberEpochs(module, EpochFinder(module, cfg, result).run(), result);

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

  const size_t count = cfg.blocks.size(), epochs = result.replaces.size();
  result.liveIn.resize(count);
  result.liveOut.resize(count);
  result.liveOutByEpoch.assign(count, std::vector<VgprSet>(epochs));
  std::vector<std::vector<VgprSet>> in(count, std::vector<VgprSet>(epochs));
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = static_cast<uint32_t>(count); b-- > 0;) {
      std::vector<VgprSet> &out = result.liveOutByEpoch[b];
      for (const uint32_t successor : cfg.blocks[b].successors)
        for (size_t e = 0; e < epochs; ++e)
          out[e] |= in[successor][e];
      LiveWalk walk(result, b);
      for (uint32_t i = cfg.blocks[b].last; i-- > cfg.blocks[b].first;)
        walk.stepOver(module.instructions()[i]);
      if (walk.byEpoch() != in[b]) {
        in[b] = walk.byEpoch();
        changed = true;
      }
      result.liveIn[b] = walk.live();
      result.liveOut[b] = LiveWalk(result, b).live();
    }
  }
  return result;
}

} // namespace rdna
