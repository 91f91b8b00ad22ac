#include "Analysis/Liveness.h"

#include "Asm/Effects.h"

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
  // A callee may read any argument, whoever is returned to any result or preserved register, and
  // M0 may choose any.
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 || inst.isSetPc() ||
      isRelative(inst))
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

class EpochFinder {
public:
  EpochFinder(const Module &module, const Cfg &cfg, Liveness &result)
      : module_(module), cfg_(cfg), result_(result),
        mergeBase_(1 + static_cast<uint32_t>(module.instructions().size())) {}
  void run();

private:
  void apply(const Instruction &inst, ExecState &state) const;
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

void EpochFinder::apply(const Instruction &inst, ExecState &state) const {
  const uint32_t before = state.epoch;
  const bool writes = inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi);
  uint32_t after = writes ? 1 + inst.index : before;
  std::optional<unsigned> saver;
  const auto isExec = [](const Operand &o) { return o.isReg() && o.reg.first == kExecLo; };
  const auto &ops = inst.operands;
  switch (inst.op) {
  case Op::s_and_saveexec_b32:
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not1_saveexec_b32:
    saver = sgprOf(ops[0]);
    break;
  case Op::s_mov_b32:
    if (!writes && ops.size() >= 2 && isExec(ops[1]))
      saver = sgprOf(ops[0]);
    else if (writes && ops.size() >= 2)
      if (const auto sgpr = sgprOf(ops[1]); sgpr && state.saved[*sgpr] != kUnknown)
        after = state.saved[*sgpr];
    break;
  case Op::s_or_b32:
    // EXEC was narrowed since the save, so the saved mask contains it.
    if (writes && ops.size() >= 3 && isExec(ops[0]) && isExec(ops[1]))
      if (const auto sgpr = sgprOf(ops[2]); sgpr && state.saved[*sgpr] != kUnknown)
        after = state.saved[*sgpr];
    break;
  default:
    break;
  }
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && !access.reg.first.isVgpr())
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        if (const unsigned n = access.reg.first.number() + d; n < 108)
          state.saved[n] = kUnknown;
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 ||
      (isRelative(inst) && !inst.isValu()))
    state.saved.fill(kUnknown);
  if (saver)
    state.saved[*saver] = before;
  state.epoch = after;
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

void EpochFinder::run() {
  const size_t count = cfg_.blocks.size();
  ExecState unreached;
  unreached.saved.fill(kUnknown);
  std::vector<ExecState> in(count, unreached), out(count, unreached);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < count; ++b) {
      const ExecState state = meet(b, out, in[b]);
      if (state.epoch == kUnknown)
        continue;
      ExecState at = state;
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        result_.epoch[i - result_.firstInstruction] = at.epoch;
        apply(module_.instructions()[i], at);
      }
      changed |= !(state == in[b]) || !(at == out[b]);
      in[b] = state;
      out[b] = at;
    }
  }
  std::map<uint32_t, uint32_t> dense;
  for (uint32_t &epoch : result_.epoch)
    epoch = dense.emplace(epoch, static_cast<uint32_t>(dense.size())).first->second;
}

VgprSet LiveWalk::replacedBy(const Instruction &inst) const {
  const VgprSet writes = vgprFullWrites(inst);
  return ignoresExec(inst.op) ? writes : writes & ~live_.switchedOff();
}

void LiveWalk::stepOver(const Instruction &inst) {
  const VgprSet reads = vgprReadsFor(inst, live()), writes = vgprFullWrites(inst);
  live_.stepOverMasks(inst);
  if (writes.any())
    ignoresExec(inst.op) ? live_.drop(writes) : live_.dropActive(writes);
  live_.active |= reads;
  // With no lane active v_readfirstlane reads one that is off. Whoever moves its source asks.
  const bool isCall = inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64;
  if (isCall || (readsAllLanes(inst) && inst.op != Op::v_readfirstlane_b32))
    live_.inactive |= reads;
}

Liveness computeLiveness(const Module &module, const Cfg &cfg) {
  Liveness result;
  if (cfg.blocks.empty())
    return result;
  result.firstInstruction = cfg.blocks.front().first;
  result.epoch.resize(cfg.blocks.back().last - result.firstInstruction);
  EpochFinder(module, cfg, result).run();

  const size_t count = cfg.blocks.size();
  result.liveOutByLanes.resize(count);
  std::vector<LaneSets> in(count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = static_cast<uint32_t>(count); b-- > 0;) {
      LaneSets out;
      for (const uint32_t successor : cfg.blocks[b].successors) {
        LaneSets lanes = in[successor];
        if (goesWithoutLane(module, cfg, b, successor))
          lanes.active.reset();
        out.add(lanes);
      }
      LiveWalk walk(out);
      for (uint32_t i = cfg.blocks[b].last; i-- > cfg.blocks[b].first;)
        walk.stepOver(module.instructions()[i]);
      changed |= !(walk.byLanes() == in[b]);
      in[b] = walk.byLanes();
      result.liveOutByLanes[b] = std::move(out);
    }
  }
  for (size_t b = 0; b < count; ++b) {
    result.liveIn.push_back(in[b].all());
    result.liveOut.push_back(result.liveOutByLanes[b].all());
  }
  return result;
}

} // namespace rdna
