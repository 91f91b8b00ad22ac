//===- Liveness.h - which VGPRs hold a value that is still read -----------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/LaneSets.h"

#include <bitset>
#include <vector>

namespace rdna {

using VgprSet = std::bitset<256>;

/// VGPR liveness of one function. A write under a narrowed EXEC leaves the other lanes alone, so
/// live registers are told apart by the lanes in which they are read.
struct Liveness {
  std::vector<VgprSet> liveIn;  ///< By block.
  std::vector<VgprSet> liveOut; ///< By block.
  std::vector<LaneSets> liveOutByLanes;
  /// By instruction, relative to the function's first one; dense. Two points belong to one epoch if
  /// EXEC is sure to be the same at both: no write of it lies between, or it was saved and has been
  /// restored.
  std::vector<uint32_t> epoch;
  uint32_t firstInstruction = 0;

  uint32_t epochOf(uint32_t instruction) const { return epoch[instruction - firstInstruction]; }
};

/// Walks a block backwards, from its end.
class LiveWalk {
public:
  LiveWalk(const Liveness &liveness, uint32_t block) : live_(liveness.liveOutByLanes[block]) {}
  explicit LiveWalk(LaneSets atEnd) : live_(std::move(atEnd)) {}
  /// Live registers at the current point.
  VgprSet live() const { return live_.all(); }
  const LaneSets &byLanes() const { return live_; }
  /// Registers whose old value nobody reads once `inst`, which the walk steps over next, has
  /// written them.
  VgprSet replacedBy(const Instruction &inst) const;
  void stepOver(const Instruction &inst);

private:
  LaneSets live_;
};

Liveness computeLiveness(const Module &module, const Cfg &cfg);

/// VGPRs that an instruction reads (partial writes included) and writes.
VgprSet vgprReads(const Instruction &inst);
/// The reads that matter when only `liveAfter` is read behind the instruction: the upper half of
/// v_mad_u64_u32's addend and of a 64-bit left shift's source only feed the upper half of the
/// result. Compilers put unrelated registers there, also ones that hold nothing.
VgprSet vgprReadsFor(const Instruction &inst, const VgprSet &liveAfter);
VgprSet vgprWrites(const Instruction &inst);
/// VGPRs that it replaces completely.
VgprSet vgprFullWrites(const Instruction &inst);

} // namespace rdna
