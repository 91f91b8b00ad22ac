#include "Analysis/Liveness.h"

#include "Analysis/Dataflow.h"
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
  uint32_t epoch = kUnknown;         ///< kUnknown: not reached yet.
  std::array<uint32_t, 108> saved{}; ///< By scalar encoding; kUnknown if it holds something else.
  bool operator==(const ExecState &) const = default;
};

/// Epochs: 0 at the entry, 1 + i behind a write at i, and one for each block where different ones
/// meet.
struct ExecEpochs : DataflowProblem<ExecState, Direction::Forward> {
  std::vector<uint8_t> isMerged; ///< By block. Never undone, which makes the iteration finite.

  ExecState boundary(uint32_t block) const {
    ExecState state;
    if (block == 0) {
      state.epoch = 0;
      state.saved.fill(kUnknown);
    }
    return state;
  }
  void join(ExecState &into, const ExecState &from, Edge edge);
  void apply(uint32_t block, ExecState &state) const {
    if (state.epoch != kUnknown)
      forEach(block, [&](const Instruction &inst) { step(inst, state); });
  }
  static void step(const Instruction &inst, ExecState &state);
};

} // namespace

static std::optional<unsigned> sgprOf(const Operand &operand) {
  if (!operand.isReg() || operand.reg.dwords != 1 || operand.reg.first.isVgpr() ||
      operand.reg.first.number() >= 108)
    return std::nullopt;
  return operand.reg.first.number();
}

void ExecEpochs::step(const Instruction &inst, ExecState &state) {
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

void ExecEpochs::join(ExecState &into, const ExecState &from, Edge edge) {
  if (from.epoch == kUnknown)
    return;
  if (into.epoch == kUnknown) {
    into = from;
  } else {
    for (size_t i = 0; i < into.saved.size(); ++i)
      if (into.saved[i] != from.saved[i])
        into.saved[i] = kUnknown;
    if (into.epoch != from.epoch)
      isMerged[edge.to] = 1;
  }
  if (isMerged[edge.to])
    into.epoch = 1 + static_cast<uint32_t>(module.instructions().size()) + edge.to;
}

static std::vector<uint32_t> findEpochs(const Module &module, const Cfg &cfg) {
  const uint32_t first = cfg.blocks.front().first;
  std::vector<uint32_t> result(cfg.blocks.back().last - first);
  ExecEpochs problem{{module, cfg}, std::vector<uint8_t>(cfg.blocks.size(), 0)};
  BlockStates<ExecState> states = solve(cfg, problem);
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (ExecState &state = states.atStart[b]; state.epoch != kUnknown)
      problem.forEach(b, [&](const Instruction &inst) {
        result[inst.index - first] = state.epoch;
        ExecEpochs::step(inst, state);
      });
  std::map<uint32_t, uint32_t> dense;
  for (uint32_t &epoch : result)
    epoch = dense.emplace(epoch, static_cast<uint32_t>(dense.size())).first->second;
  return result;
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

namespace {

struct LiveLanes : DataflowProblem<LaneSets, Direction::Backward> {
  void join(LaneSets &into, LaneSets from, Edge edge) const {
    if (goesWithoutLane(module, cfg, edge.from, edge.to))
      from.active.reset();
    into.add(from);
  }
  void apply(uint32_t block, LaneSets &lanes) const {
    LiveWalk walk(std::move(lanes));
    forEach(block, [&](const Instruction &inst) { walk.stepOver(inst); });
    lanes = walk.byLanes();
  }
};

} // namespace

Liveness computeLiveness(const Module &module, const Cfg &cfg) {
  Liveness result;
  if (cfg.blocks.empty())
    return result;
  result.firstInstruction = cfg.blocks.front().first;
  result.epoch = findEpochs(module, cfg);
  LiveLanes problem{{module, cfg}};
  BlockStates<LaneSets> states = solve(cfg, problem);
  for (size_t b = 0; b < cfg.blocks.size(); ++b) {
    result.liveIn.push_back(states.atStart[b].all());
    result.liveOut.push_back(states.atEnd[b].all());
  }
  result.liveOutByLanes = std::move(states.atEnd);
  return result;
}

} // namespace rdna
