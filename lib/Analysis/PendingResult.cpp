#include "Analysis/PendingResult.h"

namespace rdna {

Producer producerOf(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Valu:
    return Producer::Valu;
  case Unit::Trans:
    return Producer::Trans;
  case Unit::Salu:
  case Unit::Branch:
  case Unit::Barrier:
  case Unit::Wait:
  case Unit::Message:
  case Unit::Control:
  case Unit::End:
    return Producer::Salu;
  default:
    return Producer::Other;
  }
}

PendingResult PendingResult::of(Producer producer, unsigned latency) {
  PendingResult result;
  if (producer == Producer::Valu) {
    result.valu = {latency, 0};
  } else if (producer == Producer::Trans) {
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

void PendingResult::pass(Producer producer, unsigned time) {
  valu.pass(time, producer == Producer::Valu);
  trans.pass(time, producer == Producer::Trans);
  transValus = trans.any() ? transValus + (producer == Producer::Valu) : farthestValu + 1;
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
