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
/// if no EXEC write lies between them on any path; a write of a register is taken to replace its
/// old value only if the register is read nowhere but in the epoch of that write. That is cautious:
/// it may call a dead value live, never the reverse.
struct Liveness {
  std::vector<VgprSet> liveIn;  ///< By block.
  std::vector<VgprSet> liveOut; ///< By block.
  std::vector<uint32_t> epoch;  ///< By instruction, relative to the function's first one.
  uint32_t firstInstruction = 0;
  VgprSet killable; ///< Registers whose writes replace the old value (one epoch only).

  uint32_t epochOf(uint32_t instruction) const { return epoch[instruction - firstInstruction]; }
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

/// Live registers before an instruction, given those after it.
VgprSet liveBefore(const Liveness &liveness, const Instruction &inst, const VgprSet &after);

} // namespace rdna
