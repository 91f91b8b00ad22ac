#include "Verify/Demand.h"

#include "Symbolic/Machine.h"
#include "Verify/Exec.h"

#include <algorithm>

namespace rdna::verify {

using LaneFunction = LaneFlow::Function;
static constexpr LaneFunction kNoLane = LaneFunctions::kNone, kAllLanes = LaneFunctions::kAll;

Demand::Demand(const Module &module, const Cfg &cfg)
    : module_(module), cfg_(cfg), function_(module.functions()[cfg.functionIndex]),
      flow_(module, cfg), start_(cfg.blocks.size()) {
  run();
  for (State &state : start_)
    scalars_.push_back(state.scalar);
  start_.assign(cfg.blocks.size(), {});
  run();
}

bool Demand::mayBeEmpty(const Instruction &inst) {
  if (mayBeEmpty_.empty())
    mayBeEmpty_ = execMayBeEmpty(module_, cfg_);
  return mayBeEmpty_[inst.index - cfg_.blocks.front().first];
}

/// A vector instruction that only writes VGPRs nobody needs.
bool Demand::isUseless(const Instruction &inst, const State &state) {
  if (!inst.isValu())
    return false;
  const bool writesAllLanes = ignoresExec(inst.op) || inst.op == Op::v_writelane_b32;
  const LaneFunction lanes = writesAllLanes ? kAllLanes : flow_.execAt(inst.index);
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (unit.isVgpr() ? isNeeded(state, unit.index, lanes)
                        : unit == kExecLo || unit == kMode || state.scalar.test(unit.index))
        return false;
    }
  return true;
}

/// Registers are read and written under the EXEC in front of the instruction.
void Demand::backward(const Instruction &inst, State &state) {
  const bool leaves = inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 ||
                      (inst.isSetPc() && !function_.isKernel());
  if (leaves) {
    state.lanes.fill(kAllLanes);
    state.scalar.set();
    return;
  }
  flow_.acrossInstruction(state.lanes, inst.index);
  if (!isUseless(inst, state))
    readAndWrite(inst, state);
}

void Demand::readAndWrite(const Instruction &inst, State &state) {
  const LaneFunction exec = flow_.execAt(inst.index);
  // Which halves of a 64-bit source the needed halves of the result are made of.
  const WideSource wide = wideSource(inst);
  bool skipHalf = false;
  if (wide != WideSource::None) {
    const unsigned first = inst.operands[0].reg.first.index;
    const unsigned other = wide == WideSource::LowNeedsLow ? first + 1 : first;
    skipHalf = inst.operands[0].reg.dwords == 2 && !isNeeded(state, other, exec);
    for (const RegAccess &access : inst.accesses)
      if (access.writes() && !access.reg.first.isVgpr() &&
          state.scalar.test(access.reg.first.index))
        skipHalf = false; // the carry is made of everything
  }
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.access == Access::Write && d < access.reg.dwords; ++d) {
      const unsigned index = access.reg.first.index + d;
      if (index >= 256)
        state.scalar.reset(index);
      else if (ignoresExec(inst.op))
        state.lanes[index] = kNoLane;
      else if (state.lanes[index] != kNoLane) // What is too large stays needed.
        state.lanes[index] =
            flow_.functions().butNot(state.lanes[index], exec).value_or(state.lanes[index]);
    }
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
      if (index >= 256)
        state.scalar.set(index);
      else
        state.lanes[index] =
            allLanes ? kAllLanes
                     : flow_.functions().either(state.lanes[index], exec).value_or(kAllLanes);
    }
  }
}

void Demand::join(State &into, const State &from) {
  for (unsigned v = 0; v < 256; ++v)
    if (into.lanes[v] != from.lanes[v])
      into.lanes[v] = flow_.functions().either(into.lanes[v], from.lanes[v]).value_or(kAllLanes);
  into.scalar |= from.scalar;
}

Demand::State Demand::atEnd(uint32_t block) {
  State state;
  for (const uint32_t successor : cfg_.blocks[block].successors) {
    State next = start_[successor];
    if (flow_.isReached(block))
      flow_.acrossEdge(next.lanes, block, successor);
    join(state, next);
  }
  return state;
}

void Demand::run() {
  /// Lanes that a register is needed in grow a few times in a nest of loops, not often.
  constexpr unsigned kMostVisits = 64;
  std::vector<unsigned> visits(cfg_.blocks.size(), 0);
  std::vector<uint8_t> isQueued(cfg_.blocks.size(), 1);
  std::vector<uint32_t> work;
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    work.push_back(b); // taken from the back, so ends come first
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    isQueued[b] = 0;
    State state = atEnd(b);
    for (uint32_t i = cfg_.blocks[b].last; i-- > cfg_.blocks[b].first;)
      backward(module_.instructions()[i], state);
    // Every instruction depends on these, listed or not.
    for (const RegUnit unit : {kExecLo, kMode, kFlatScratch})
      state.scalar.set(unit.index);
    if (!flow_.isReached(b) || ++visits[b] > kMostVisits)
      for (LaneFunction &lanes : state.lanes)
        lanes = lanes == kNoLane ? kNoLane : kAllLanes;
    join(state, start_[b]);
    if (isCut(b) && flow_.isReached(b) && !scalars_.empty())
      coarsen(state, b);
    if (state == start_[b])
      continue;
    start_[b] = state;
    for (const uint32_t predecessor : cfg_.blocks[b].predecessors)
      if (!isQueued[predecessor]) {
        isQueued[predecessor] = 1;
        work.push_back(predecessor);
      }
  }
}

/// The needed scalar register whose mask, apart from some lanes, is these lanes, or else has them
/// and as few others as there is one.
std::optional<unsigned> Demand::tightest(uint32_t block, LaneFunction lanes, LaneFunction apart) {
  LaneFunctions &functions = flow_.functions();
  const LaneFlow::Masks &masks = flow_.atStart(block);
  std::optional<unsigned> best;
  LaneFunction bestMask = kAllLanes;
  for (unsigned n = 0; n < 108; ++n) {
    const LaneFunction mask = masks[n];
    if (!scalars_[block].test(RegUnit::scalar(n).index) || !functions.isWithin(lanes, mask))
      continue;
    if (functions.butNot(mask, apart) == lanes)
      return n;
    if (mask != bestMask && functions.isWithin(mask, bestMask)) {
      best = n;
      bestMask = mask;
    }
  }
  return best;
}

/// Makes of the lanes of each register those that are compared at a cut, because all that is
/// compared there has to be the same on each way to it.
void Demand::coarsen(State &state, uint32_t block) {
  LaneFunctions &functions = flow_.functions();
  const LaneFunction exec = flow_.atStart(block)[kExecLo.number()];
  llvm::SmallDenseMap<LaneFunction, LaneFunction> known;
  const auto compared = [&](LaneFunction lanes) {
    const auto off = functions.butNot(lanes, exec);
    if (!off)
      return kAllLanes;
    const LaneFunction on = functions.isDisjoint(lanes, exec) ? kNoLane : exec;
    if (*off == kNoLane)
      return on;
    const auto mask = tightest(block, *off, exec);
    const auto others = functions.butNot(mask ? flow_.atStart(block)[*mask] : kAllLanes, exec);
    return others ? functions.either(on, *others).value_or(kAllLanes) : kAllLanes;
  };
  for (LaneFunction &lanes : state.lanes) {
    if (lanes == kNoLane || lanes == kAllLanes)
      continue;
    const auto [it, isNew] = known.try_emplace(lanes, kAllLanes);
    if (isNew)
      it->second = compared(lanes);
    lanes = it->second;
  }
}

Needs Demand::needsOf(const State &state, LaneFunction exec, std::optional<uint32_t> block) {
  Needs needs;
  needs.scalar = state.scalar;
  llvm::SmallDenseMap<LaneFunction, uint16_t> known; ///< By lanes that are off.
  for (unsigned v = 0; v < 256; ++v) {
    const LaneFunction lanes = state.lanes[v];
    if (lanes == kNoLane)
      continue;
    needs.active.set(v, isNeeded(state, v, exec));
    const auto off = flow_.functions().butNot(lanes, exec);
    if (off == kNoLane)
      continue;
    needs.inactive.set(v);
    if (!off || !block)
      continue;
    const auto [it, isNew] = known.try_emplace(*off, uint16_t(0));
    if (isNew)
      if (const auto mask = tightest(*block, *off, exec))
        it->second = RegUnit::scalar(*mask).index;
    needs.inactiveIn[v][0] = it->second;
  }
  return needs;
}

Demand::Around Demand::aroundExec(uint32_t block) {
  if (!flow_.isReached(block))
    return {};
  const LaneFlow::Masks &masks = flow_.atStart(block);
  const LaneFunction exec = masks[kExecLo.number()];
  const auto mask = tightest(block, exec, kNoLane);
  if (!mask)
    return {};
  return {masks[*mask] == exec ? Around::Lanes::Same : Around::Lanes::More, RegUnit::scalar(*mask)};
}

Needs Demand::atStart(uint32_t block) {
  if (!flow_.isReached(block))
    return needsOf(start_[block], kAllLanes, std::nullopt);
  return needsOf(start_[block], flow_.atStart(block)[kExecLo.number()], block);
}

Needs Demand::after(uint32_t instruction) {
  const uint32_t block = cfg_.blockOf(instruction);
  State state = atEnd(block);
  for (uint32_t i = cfg_.blocks[block].last; i-- > instruction + 1;)
    backward(module_.instructions()[i], state);
  const bool isLast = instruction + 1 == cfg_.blocks[block].last;
  if (!isLast)
    return needsOf(state, flow_.execAt(instruction + 1), std::nullopt);
  return needsOf(state, flow_.execAtEnd(block), std::nullopt);
}

} // namespace rdna::verify
