#include "Transform/RenamedBlock.h"

namespace rdna {

static bool readsUnit(const LaneOp &lane, Vgpr reg) {
  return (lane.src0.isVgpr() && lane.src0.value == reg.number) ||
         (lane.src1.isVgpr() && lane.src1.value == reg.number) || lane.addend == reg;
}

bool areApart(const LaneOp &a, const LaneOp &b) {
  return !readsUnit(b, a.dst) && !readsUnit(a, b.dst);
}

RenamedBlock::RenamedBlock(const Module &module, const Block &block, const Renaming &renaming)
    : renaming_(renaming), first_(block.first), renamed_(block.last - block.first) {
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    auto &[lanes, reads, writes] = renamed_[i - first_];
    lanes = movableLanesOf(inst);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const RegUnit unit = unitOf(inst, access, d);
        if (access.reads())
          reads.set(unit.index);
        if (access.writes())
          writes.set(unit.index);
      }
  }
}

/// The register that an operand's dword has now.
RegUnit RenamedBlock::unitOf(const Instruction &inst, const RegAccess &access,
                             unsigned dword) const {
  const auto old = static_cast<uint16_t>(access.reg.first.index + dword);
  if (!access.reg.first.isVgpr() || access.operand < 0)
    return {old};
  const WebId web = renaming_.webs.webAt(inst.index, static_cast<unsigned>(access.operand), dword);
  return web == kNoWeb ? RegUnit{old} : RegUnit::vgpr(renaming_.registers.of[web].number);
}

LaneOp RenamedBlock::rename(const Instruction &inst, LaneOp lane) const {
  const auto numberNow = [&](uint32_t old, Operand::Class wanted) {
    for (size_t o = 0; o < inst.operands.size(); ++o) {
      const Operand &operand = inst.operands[o];
      const bool isDef = operand.cls == Operand::Class::Def;
      if (operand.isReg() && operand.reg.first == RegUnit::vgpr(old) &&
          isDef == (wanted == Operand::Class::Def))
        if (const WebId web = renaming_.webs.webAt(inst.index, unsigned(o), 0); web != kNoWeb)
          return uint32_t(renaming_.registers.of[web].number);
    }
    return old;
  };
  const auto sourceNow = [&](uint32_t old) { return numberNow(old, Operand::Class::Source); };
  if (lane.src0.isVgpr())
    lane.src0.value = sourceNow(lane.src0.value);
  if (lane.src1.isVgpr())
    lane.src1.value = sourceNow(lane.src1.value);
  if (lane.addend)
    lane.addend = Vgpr{static_cast<uint8_t>(sourceNow(lane.addend->number))};
  lane.dst = Vgpr{static_cast<uint8_t>(numberNow(lane.dst.number, Operand::Class::Def))};
  return lane;
}

std::vector<LaneOp> RenamedBlock::lanesOf(const Instruction &inst) const {
  std::vector<LaneOp> lanes;
  for (const LaneOp &lane : laneOps(inst))
    lanes.push_back(rename(inst, lane));
  return lanes;
}

std::vector<LaneOp> RenamedBlock::movableLanesOf(const Instruction &inst) const {
  if (renaming_.fixed[inst.index - renaming_.first])
    return {};
  std::vector<LaneOp> lanes = lanesOf(inst);
  for (LaneOp &lane : lanes) {
    if (lane.op == Op::v_cndmask_b32)
      return {}; // a write of its mask too close behind it is a hazard
    if (!asVopdHalf(lane)) {
      const bool elsewhere = lane.addend && *lane.addend != lane.dst;
      const auto other = elsewhere ? withConstantFactor(lane) : swapped(lane);
      if (!other || !asVopdHalf(*other))
        return {};
      lane = *other;
    }
  }
  // Halves that exchange registers stay together.
  if (lanes.size() == 2 && !areApart(lanes[0], lanes[1]))
    lanes.clear();
  return lanes;
}

bool RenamedBlock::differs(const Instruction &inst) const {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (unitOf(inst, access, d).index != access.reg.first.index + d)
        return true;
  return false;
}

RenamedBlock::Units unitsRead(const LaneOp &lane) {
  RenamedBlock::Units reads;
  for (const VopdSource &source : {lane.src0, lane.src1}) {
    if (source.isVgpr())
      reads.set(source.value);
    if (source.kind == VopdSource::Kind::Scalar)
      reads.set(source.value == 253 ? kScc.index : RegUnit::scalar(source.value).index);
  }
  if (lane.addend)
    reads.set(lane.addend->number);
  return reads;
}

} // namespace rdna
