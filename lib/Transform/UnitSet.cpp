#include "Transform/UnitSet.h"

#include "Asm/Effects.h"

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

void NeededUnits::add(const Instruction &inst, IsRead isRead) {
  std::array<Units, 2> writes;
  for (const RegAccess &access : inst.accesses) {
    const Half half = access.writes() ? writtenHalf(inst, access.reg) : readHalf(inst, access);
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      for (const Half one : {Half::Low, Half::High}) {
        const size_t n = one == Half::Low ? 0 : 1;
        if (half != Half::Whole && half != one)
          continue;
        if (access.reads() && !isKept(inst, access) && !written_[n].test(unit.index) &&
            isRead(unit))
          needed_.set(unit.index);
        if (access.writes())
          writes[n].set(unit.index);
      }
    }
  }
  for (size_t n = 0; n < 2; ++n)
    written_[n] |= writes[n];
}

void NeededUnits::add(const Units &reads, const Units &writes) {
  needed_ |= reads & ~(written_[0] & written_[1]);
  for (Units &half : written_)
    half |= writes;
}

} // namespace rdna
