//===- Metrics.h - the figures that reports give of loops and kernels -----===//
//
// One definition of every count, used for a loop before and after a rewrite alike. The definitions
// are those of docs/design.md, "Contract of the tools".
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Lane.h"
#include "Isa/Occupancy.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdna {

/// Counts over a loop body, or over any run of instructions.
struct LoopMetrics {
  std::string header; ///< The header's label; empty for a straight-line block.
  unsigned depth = 0; ///< 1 for an outermost loop, 0 for a straight-line block.
  uint32_t firstLine = 0, lastLine = 0;
  unsigned instructions = 0; ///< Everything with an encoding.
  unsigned hints = 0;        ///< Of these s_clause, s_delay_alu and s_setprio.
  unsigned valu = 0;         ///< Transcendentals included; a VOPD is one.
  unsigned vopd = 0;
  unsigned dualFmac = 0;   ///< VOPDs whose both halves are F32 FMAs (FMAC, FMAAK, FMAMK).
  unsigned singleFmac = 0; ///< F32 FMAs of the family of `isFmaFamily` outside such a pair.
  unsigned dsLoads = 0;
  unsigned globalLoads = 0;
  unsigned sourceBankConflicts = 0; ///< Pairs of different src0/src1 VGPRs in one bank, per VOPD.
  unsigned parityHazards = 0;       ///< VOPDs with a hazard as in Isa/Vopd.h.
  unsigned src0Reuse = 0;           ///< Halves that read what the same half read there before.
  unsigned src1Reuse = 0;
  unsigned destinationRotation = 0; ///< VOPDs whose banks are not those of the previous VOPD.
  bool operator==(const LoopMetrics &) const = default;
};

/// Counts over instruction indices in text order.
LoopMetrics measure(const Module &module, llvm::ArrayRef<uint32_t> instructions);
/// Counts over a loop's body, nested loops once.
LoopMetrics measureLoop(const Module &module, const Cfg &cfg, const Loop &loop);

struct KernelMetrics {
  std::string name;
  unsigned vgprs = 0;     ///< As the descriptor declares them (next_free_vgpr).
  unsigned vgprsUsed = 0; ///< Highest used + 1; callees not followed.
  unsigned sgprs = 0;     ///< Highest used + 1, VCC not counted.
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0; ///< Per lane.
  uint32_t codeBytes = 0;
  unsigned instructions = 0;
  std::optional<unsigned> workgroupSize; ///< Work-items; nothing if neither file nor user says it.
  WorkgroupMode mode = WorkgroupMode::Wgp;
  Occupancy occupancy;
  unsigned calls = 0;
  std::vector<LoopMetrics> loops; ///< In text order, outer before inner.
};

/// `block` is the workgroup size to assume where the file gives none.
KernelMetrics measureKernel(const Module &module, uint32_t functionIndex,
                            std::optional<unsigned> block = std::nullopt);

/// The workgroup size: .reqd_workgroup_size, else .max_flat_workgroup_size, else `block`.
std::optional<unsigned> workgroupSize(const Function &kernel, std::optional<unsigned> block);
/// What limits the waves of a kernel: its descriptor's registers, LDS and mode.
OccupancyQuery occupancyQuery(const Function &kernel, std::optional<unsigned> block);

/// The VGPR that each source slot of a VOPD's two halves reads, and what of it the previous VOPD
/// left in the operand cache (the same half's same slot held the same VGPR).
struct VopdReads {
  std::optional<Vgpr> x0, x1, y0, y1;
  bool operator==(const VopdReads &) const = default;
};
VopdReads vopdReads(const VopdHalf &x, const VopdHalf &y);

} // namespace rdna
