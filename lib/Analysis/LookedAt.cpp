#include "Analysis/LookedAt.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"

namespace rdna {
namespace {

/// How a register's value is looked at later on: as it was loaded, or also what was computed of it.
enum Sight : unsigned { kNo = 0, kLoaded = 1, kComputed = 2, kAny = 3 };

struct Seen {
  std::bitset<kRegUnits> loaded, computed;
  bool operator==(const Seen &) const = default;

  unsigned of(RegRange range) const {
    unsigned sight = kNo;
    for (unsigned d = 0; d < range.dwords; ++d)
      sight |= (loaded.test(range.first.index + d) ? kLoaded : kNo) |
               (computed.test(range.first.index + d) ? kComputed : kNo);
    return sight;
  }
  void look(RegRange range, unsigned sight) {
    for (unsigned d = 0; d < range.dwords; ++d) {
      if (sight & kLoaded)
        loaded.set(range.first.index + d);
      if (sight & kComputed)
        computed.set(range.first.index + d);
    }
  }
  void forget(unsigned unit) {
    loaded.reset(unit);
    computed.reset(unit);
  }
};

/// How a source is looked at if the result is.
unsigned through(ValueRole role, unsigned result) {
  switch (role) {
  case ValueRole::Move:
    return result;
  case ValueRole::Sum:
    return result & kComputed ? kAny : kNo;
  case ValueRole::Look:
    return kAny;
  case ValueRole::Other:
    return result | kLoaded;
  }
  return kAny;
}

using Looks = llvm::SmallVector<std::pair<RegRange, unsigned>, 6>;

void looksOfPair(const Instruction &inst, const Seen &seen, Looks &looks) {
  for (const LaneOp &lane : laneOps(inst)) {
    const auto range = [](unsigned vgpr) { return RegRange{RegUnit::vgpr(vgpr), 1, Half::Whole}; };
    const unsigned sight = through(valueRole(lane.op), seen.of(range(lane.dst.number)));
    for (const VopdSource &source : {lane.src0, lane.src1})
      if (source.isVgpr())
        looks.emplace_back(range(source.value), sight);
    if (lane.addend)
      looks.emplace_back(range(lane.addend->number), sight);
    for (const RegAccess &access : inst.accesses)
      if (access.reads() && !access.reg.first.isVgpr())
        looks.emplace_back(access.reg, sight);
  }
}

/// Of a store what it stores may be looked at by whoever loads it.
void looksOfMemory(const Instruction &inst, Looks &looks) {
  const bool stores = inst.memory == MemoryEffect::Store;
  const bool addressFirst = inst.unit == Unit::Lds || inst.unit == Unit::Global ||
                            inst.unit == Unit::Flat || inst.unit == Unit::Scratch;
  unsigned vgprs = 0;
  for (const RegAccess &access : inst.accesses)
    vgprs += access.reads() && access.reg.first.isVgpr();
  unsigned seen = 0;
  for (const RegAccess &access : inst.accesses) {
    if (!access.reads())
      continue;
    const bool isFirst = access.reg.first.isVgpr() && seen++ == 0;
    const bool isAddress =
        !access.reg.first.isVgpr() ||
        (addressFirst ? isFirst && (vgprs > 1 || inst.unit != Unit::Scratch) : !isFirst);
    looks.emplace_back(access.reg, stores && !isAddress ? kLoaded : kAny);
  }
}

void looksOfOther(const Instruction &inst, const Seen &seen, Looks &looks) {
  unsigned result = kNo;
  bool writes = false, steers = false; // EXEC, M0 and MODE decide what others do.
  for (const RegAccess &access : inst.accesses)
    if (access.writes()) {
      result |= seen.of(access.reg);
      writes = true;
      steers |=
          access.reg.contains(kExecLo) || access.reg.contains(kM0) || access.reg.contains(kMode);
    }
  const unsigned sight = !writes || steers ? unsigned(kAny) : through(valueRole(inst.op), result);
  // Which lane, not what of it.
  const bool isPermutation = inst.op == Op::ds_bpermute_b32 || inst.op == Op::ds_permute_b32;
  const int value = isPermutation ? 1 : 0;
  int source = 0;
  for (const Operand &operand : inst.operands)
    if (operand.cls == Operand::Class::Source && operand.isReg()) {
      const bool isLane = crossesLanes(inst.op)
                              ? source != value
                              : inst.op == Op::v_writelane_b32 && source > 0 && operand.tiedTo < 0;
      looks.emplace_back(operand.reg, isLane ? unsigned(kAny) : sight);
      ++source;
    }
  for (const RegAccess &access : inst.accesses)
    if (access.reads() && access.operand < 0)
      looks.emplace_back(access.reg, sight);
}

void stepOver(const Instruction &inst, const VgprSet &replaced, Seen &seen) {
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 || inst.isSetPc()) {
    seen.loaded.set();
    seen.computed.set();
    return;
  }
  Looks looks;
  if (inst.isVopd())
    looksOfPair(inst, seen, looks);
  else if (inst.memory != MemoryEffect::None)
    looksOfMemory(inst, looks);
  else
    looksOfOther(inst, seen, looks);
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.access == Access::Write && d < access.reg.dwords; ++d)
      if (const unsigned unit = access.reg.first.index + d; unit >= 256 || replaced.test(unit))
        seen.forget(unit);
  for (const auto &[range, sight] : looks)
    seen.look(range, sight);
}

/// Which registers are looked at later on.
struct LooksAhead : DataflowProblem<Seen, Direction::Backward> {
  std::vector<VgprSet> replaced; ///< By instruction, relative to the function's first.

  void join(Seen &into, const Seen &from, Edge) const {
    into.loaded |= from.loaded;
    into.computed |= from.computed;
  }
  void apply(uint32_t block, Seen &seen) const {
    forEach(block, [&](const Instruction &inst) { step(inst, seen); });
  }
  void step(const Instruction &inst, Seen &seen) const {
    stepOver(inst, replaced[inst.index - cfg.blocks.front().first], seen);
  }
};

} // namespace

std::vector<uint8_t> loadsLookedAt(const Module &module, const Cfg &cfg, const Liveness &liveness) {
  std::vector<uint8_t> result;
  if (cfg.blocks.empty())
    return result;
  const uint32_t first = cfg.blocks.front().first;
  result.assign(cfg.blocks.back().last - first, 0);
  LooksAhead looks{{module, cfg}, std::vector<VgprSet>(result.size())};
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    LiveWalk walk(liveness, b);
    looks.forEach(b, [&](const Instruction &inst) {
      looks.replaced[inst.index - first] = walk.replacedBy(inst);
      walk.stepOver(inst);
    });
  }
  BlockStates<Seen> states = solve(cfg, looks);
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    looks.forEach(b, [&](const Instruction &inst) {
      Seen &seen = states.atEnd[b];
      if (inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn)
        for (const RegAccess &access : inst.accesses)
          result[inst.index - first] |= access.writes() && (seen.of(access.reg) & kLoaded);
      looks.step(inst, seen);
    });
  return result;
}

} // namespace rdna
