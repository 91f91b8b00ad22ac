#include "mutation/Dataflow.h"

#include "Asm/Lane.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace rdna::mutation {

/// EXEC, M0 and what stands behind the SGPRs but VCC and SCC: taken to be read all the time.
static bool isAlwaysLive(RegUnit unit) {
  return !unit.isVgpr() && !unit.isSgpr() && unit != kVccLo && unit != kVccHi && unit != kScc;
}

static bool touchesScalarsOnly(const Instruction &inst) {
  return inst.unit == Unit::Salu || inst.unit == Unit::Smem;
}

static bool isCallOrReturn(const Instruction &inst) {
  return inst.op == Op::s_swappc_b64 || inst.op == Op::s_setpc_b64 || inst.op == Op::s_call_b64;
}

static bool crossesLanes(const Instruction &inst) {
  for (const std::string_view word : {"readlane", "writelane", "permlane", "wmma"})
    if (opName(inst.op).find(word) != std::string_view::npos)
      return true;
  return inst.isDpp();
}

Dataflow::Dataflow(const Module &module, uint32_t function)
    : module_(module), cfg_(buildCfg(module, function)), liveness_(computeLiveness(module, cfg_)) {
  findConstants();
  liveOut_.resize(cfg_.blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = cfg_.blocks.size(); b-- > 0;) {
      const Block &block = cfg_.blocks[b];
      Units live = liveOut_[b];
      for (uint32_t i = block.last; i-- > block.first;)
        stepBack(module.instructions()[i], live);
      for (const uint32_t p : block.predecessors) {
        const Units grown = liveOut_[p] | live;
        changed |= grown != liveOut_[p];
        liveOut_[p] = grown;
      }
    }
  }
}

void Dataflow::stepBack(const Instruction &inst, Units &live) const {
  // What a callee or a caller reads is not known.
  if (isCallOrReturn(inst))
    live.set();
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (access.access == Access::Write && !access.reg.first.isVgpr())
        live.reset(access.reg.first.index + d);
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (access.reads())
        live.set(access.reg.first.index + d);
}

Dataflow::Units Dataflow::liveBehind(uint32_t instruction) const {
  const uint32_t b = cfg_.blockOf(instruction);
  Units scalars = liveOut_[b];
  LiveWalk vectors(liveness_, b);
  for (uint32_t i = cfg_.blocks[b].last; --i > instruction;) {
    const Instruction &inst = module_.instructions()[i];
    stepBack(inst, scalars);
    vectors.stepOver(inst);
  }
  const VgprSet live = vectors.live();
  for (unsigned v = 0; v < 256; ++v)
    scalars.set(v, live.test(v));
  return scalars;
}

/// Is no lane whose value is of no use read? A write makes the active lanes useful, switching lanes
/// on brings in others. Liveness is more cautious with a register that is used under several masks.
bool Dataflow::onlyUsefulIsRead(uint32_t instruction, unsigned vgpr, Active active) const {
  std::set<std::pair<uint32_t, Active>> seen; // Blocks, as they start.
  std::vector<std::tuple<uint32_t, uint32_t, Active>> work{
      {cfg_.blockOf(instruction), instruction + 1, active}};
  while (!work.empty()) {
    auto [block, from, now] = work.back();
    work.pop_back();
    for (uint32_t i = from; i < cfg_.blocks[block].last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      const bool reads = vgprReads(inst).test(vgpr), crosses = crossesLanes(inst);
      if (isCallOrReturn(inst) || (reads && (now == Active::Useless || crosses)))
        return false;
      if (vgprFullWrites(inst).test(vgpr) && !crosses)
        now = Active::Useful;
      if (inst.writesUnit(kExecLo) && !narrowsExec(inst))
        now = Active::Useless;
    }
    for (const uint32_t s : cfg_.blocks[block].successors)
      if (seen.emplace(s, now).second)
        work.emplace_back(s, cfg_.blocks[s].first, now);
  }
  return true;
}

bool Dataflow::allDeadBehind(uint32_t instruction, std::span<const RegUnit> units) const {
  const Units live = liveBehind(instruction);
  return std::none_of(units.begin(), units.end(), [&](RegUnit unit) {
    return isAlwaysLive(unit) ||
           (live.test(unit.index) &&
            !(unit.isVgpr() && onlyUsefulIsRead(instruction, unit.index, Active::Useless)));
  });
}

bool narrowsExec(const Instruction &inst) {
  if (inst.op == Op::s_and_saveexec_b32 || opName(inst.op).starts_with("v_cmpx"))
    return true;
  return (inst.op == Op::s_and_b32 || inst.op == Op::s_and_not1_b32) && inst.operands[1].isReg() &&
         inst.operands[1].reg.first == kExecLo;
}

static void stepConstants(const Instruction &inst, Constants &known) {
  std::vector<std::pair<unsigned, std::optional<uint32_t>>> results;
  for (const LaneOp &lane : laneOps(inst)) {
    if (lane.op != Op::v_mov_b32)
      continue;
    const VopdSource &source = lane.src0;
    const auto value =
        source.isVgpr() ? known[source.value]
        : source.kind == VopdSource::Kind::Scalar
            ? source.value == 253 ? known[kScc.index] : known[RegUnit::scalar(source.value).index]
            : std::optional(source.value);
    results.emplace_back(lane.dst.number, value);
  }
  if (inst.op == Op::s_mov_b32) {
    const Operand &source = inst.operands[1];
    std::optional<uint32_t> value;
    if (source.kind == Operand::Kind::Immediate)
      value = static_cast<uint32_t>(source.imm);
    else if (source.isReg())
      value = known[source.reg.first.index];
    results.emplace_back(inst.operands[0].reg.first.index, value);
  }
  const bool call = inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64;
  const bool otherLanes = inst.writesUnit(kExecLo) && !narrowsExec(inst);
  for (unsigned i = 0; i < kRegUnits; ++i)
    if (call || (otherLanes && i < 256))
      known[i].reset();
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
      known[access.reg.first.index + d].reset();
  for (const auto &[unit, value] : results)
    known[unit] = value;
}

void Dataflow::findConstants() {
  constants_.resize(cfg_.blocks.size());
  constants_[0].emplace();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
      if (!constants_[b])
        continue;
      Constants known = *constants_[b];
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i)
        stepConstants(module_.instructions()[i], known);
      for (const uint32_t successor : cfg_.blocks[b].successors) {
        auto &there = constants_[successor];
        const auto old = there;
        if (!there)
          there = known;
        for (unsigned i = 0; i < kRegUnits; ++i)
          if ((*there)[i] != known[i] || successor == 0)
            (*there)[i].reset();
        changed |= old != there;
      }
    }
  }
}

Constants Dataflow::constantsBefore(uint32_t instruction) const {
  const uint32_t b = cfg_.blockOf(instruction);
  Constants known = constants_[b].value_or(Constants{});
  for (uint32_t i = cfg_.blocks[b].first; i < instruction; ++i)
    stepConstants(module_.instructions()[i], known);
  return known;
}

bool Dataflow::canExchange(const Instruction &first, const Instruction &second) const {
  const auto hasMemory = [](const Instruction &i) { return i.memory != MemoryEffect::None; };
  if (hasMemory(first) && hasMemory(second))
    return false;
  const Units live = liveBehind(second.index);
  VgprSet liveVectors;
  for (unsigned v = 0; v < 256; ++v)
    liveVectors.set(v, live.test(v));
  const auto unitsOf = [](const Instruction &inst, bool (RegAccess::*wanted)() const) {
    Units units;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; (access.*wanted)() && d < access.reg.dwords; ++d)
        units.set(access.reg.first.index + d);
    return units;
  };
  const auto readsOf = [&](const Instruction &inst) {
    Units units = unitsOf(inst, &RegAccess::reads);
    const VgprSet matter = vgprReadsFor(inst, liveVectors);
    for (unsigned v = 0; v < 256; ++v)
      units.set(v, matter.test(v));
    // Every vector instruction reads EXEC as its lane gate.
    units.set(kExecLo.index, units.test(kExecLo.index) || !touchesScalarsOnly(inst));
    return units;
  };
  const Units firstWrites = unitsOf(first, &RegAccess::writes),
              secondWrites = unitsOf(second, &RegAccess::writes);
  if ((firstWrites & readsOf(second)).any())
    return false;
  const auto isDead = [&](const Units &units) {
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (units.test(i) && (live.test(i) || isAlwaysLive({static_cast<uint16_t>(i)})))
        return false;
    return true;
  };
  // Then the first one does not matter, early or late.
  if (!hasMemory(first) && isDead(firstWrites & ~secondWrites))
    return true;
  return (readsOf(first) & secondWrites).none() && isDead(firstWrites & secondWrites);
}

bool Dataflow::canWaitFor(const Instruction &gate, const Instruction &inst) const {
  if (!inst.isValu() || crossesLanes(inst) || !narrowsExec(gate) || inst.readsUnit(kExecLo) ||
      inst.writesUnit(kExecLo))
    return false;
  for (uint32_t i = inst.index + 1; i <= gate.index; ++i) {
    const Instruction &other = module_.instructions()[i];
    if (isCallOrReturn(other) || (other.writesUnit(kExecLo) && !narrowsExec(other)))
      return false;
    for (const RegAccess &mine : inst.accesses)
      for (const RegAccess &its : other.accesses)
        if ((mine.writes() || its.writes()) && mine.reg.overlaps(its.reg))
          return false;
  }
  const Units live = liveBehind(gate.index);
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (!unit.isVgpr() && (live.test(unit.index) || isAlwaysLive(unit)))
        return false;
    }
  const VgprSet results = vgprWrites(inst);
  for (unsigned v = 0; v < 256; ++v)
    if (results.test(v) && !onlyUsefulIsRead(gate.index, v, Active::Useful))
      return false;
  return true;
}

} // namespace rdna::mutation
