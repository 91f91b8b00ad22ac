//===- Liveness.h - which VGPRs hold a value that is still read -----------===//
#pragma once

#include "Analysis/Cfg.h"

#include <bitset>
#include <vector>

namespace rdna {

using VgprSet = std::bitset<256>;

/// VGPR liveness of one function, as a thread of the wave sees it.
///
/// A write under a narrowed EXEC leaves the other lanes alone. Two points belong to one EXEC epoch
/// if EXEC is sure to be the same at both: no write of it lies between, or it was saved and has
/// been restored. Liveness is kept by the epoch of the reader: a write replaces the old value for
/// readers of its own epoch only. That is cautious: it may call a dead value live, never the
/// reverse.
struct Liveness {
  std::vector<VgprSet> liveIn;  ///< By block.
  std::vector<VgprSet> liveOut; ///< By block.
  std::vector<uint32_t> epoch;  ///< By instruction, relative to the function's first one; dense.
  std::vector<std::vector<VgprSet>> liveOutByEpoch; ///< By block and epoch of the reader.
  uint32_t firstInstruction = 0;
  VgprSet killable; ///< Registers that are touched in one epoch only.
  std::vector<uint8_t>
      replaces; ///< By epoch: may a write replace a value at all? (See the source.)

  uint32_t epochOf(uint32_t instruction) const { return epoch[instruction - firstInstruction]; }
};

/// Walks a block backwards, from its end.
class LiveWalk {
public:
  LiveWalk(const Liveness &liveness, uint32_t block)
      : liveness_(liveness), live_(liveness.liveOutByEpoch[block]) {}
  /// Live registers at the current point.
  VgprSet live() const;
  /// Registers whose old value nobody reads once `inst`, which the walk steps over next, has
  /// written them.
  VgprSet replacedBy(const Instruction &inst) const;
  void stepOver(const Instruction &inst);
  const std::vector<VgprSet> &byEpoch() const { return live_; }

private:
  const Liveness &liveness_;
  std::vector<VgprSet> live_;
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

/// Live registers before an instruction, given those after it, whoever reads them: less exact than
/// LiveWalk.
VgprSet liveBefore(const Liveness &liveness, const Instruction &inst, const VgprSet &after);

} // namespace rdna
