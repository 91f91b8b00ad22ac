#include "Analysis/Underway.h"

namespace rdna {

Maker makerOf(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Valu:
    return Maker::Valu;
  case Unit::Trans:
    return Maker::Trans;
  case Unit::Salu:
  case Unit::Branch:
  case Unit::Barrier:
  case Unit::Wait:
  case Unit::Message:
  case Unit::Control:
  case Unit::End:
    return Maker::Salu;
  default:
    return Maker::Other;
  }
}

PendingResult PendingResult::of(Maker maker, unsigned latency) {
  PendingResult result;
  if (maker == Maker::Valu) {
    result.valu = {latency, 0};
  } else if (maker == Maker::Trans) {
    result.trans = {latency, 0};
    result.transValus = 0;
  } else {
    result.saluCycles = std::min(latency, mostSaluCycles + 1);
  }
  return result;
}

void PendingResult::merge(const PendingResult &other) {
  valu.merge(other.valu);
  trans.merge(other.trans);
  transValus = std::min(transValus, other.transValus);
  saluCycles = std::max(saluCycles, other.saluCycles);
}

void PendingResult::pass(Maker maker, unsigned time) {
  valu.pass(time, maker == Maker::Valu);
  trans.pass(time, maker == Maker::Trans);
  transValus = trans.any() ? transValus + (maker == Maker::Valu) : farthestValu + 1;
  saluCycles -= std::min(saluCycles, time);
}

uint16_t PendingResult::immediate() const {
  llvm::SmallVector<unsigned, 3> ids;
  if (trans.back <= farthestTrans)
    ids.push_back(4 + trans.back);
  // VALU instructions retire in order: one that is older than the transcendental is done by then.
  if (valu.back <= farthestValu && valu.back <= transValus)
    ids.push_back(valu.back);
  if (saluCycles > 0)
    ids.push_back(8 + saluCycles);
  // There is no room for three.
  return static_cast<uint16_t>(ids.empty() ? 0u : ids[0] | (ids.size() > 1 ? ids[1] << 7 : 0u));
}

} // namespace rdna
