#include "Transform/UnitSet.h"

namespace rdna {

void addUnits(const Instruction &inst, Units *reads, Units *writes) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const unsigned unit = access.reg.first.index + d;
      if (reads && access.reads())
        reads->set(unit);
      if (writes && access.writes())
        writes->set(unit);
    }
}

void addUnits(const LaneOp &lane, Units *reads, Units *writes) {
  const auto read = [&](RegUnit unit) {
    if (reads)
      reads->set(unit.index);
  };
  for (const VopdSource &source : {lane.src0, lane.src1})
    if (source.kind == VopdSource::Kind::Vgpr)
      read(RegUnit::vgpr(source.value));
    else if (source.kind == VopdSource::Kind::Scalar)
      read(source.value == 253 ? kScc : RegUnit::scalar(source.value));
  if (lane.addend)
    read(RegUnit::vgpr(lane.addend->number));
  if (lane.op == Op::v_cndmask_b32)
    read(kVccLo);
  if (writes)
    writes->set(RegUnit::vgpr(lane.dst.number).index);
}

void addUnits(const Instruction &inst, uint8_t halves, Units *reads, Units *writes) {
  if (!inst.isVopd())
    return addUnits(inst, reads, writes);
  const auto lanes = laneOps(inst);
  for (unsigned half = 0; half < lanes.size(); ++half)
    if ((halves >> half & 1) != 0)
      addUnits(lanes[half], reads, writes);
}

} // namespace rdna
