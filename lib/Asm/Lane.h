//===- Lane.h - VALU instructions as per-lane operations ------------------===//
//
// A VOPD instruction is two of them, a plain v_fmac_f32 one. Passes that pair and re-pair work on
// lane operations and never look at encodings.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"
#include "Isa/Vopd.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace rdna {

/// dst = op(src0, src1 [, addend] [, constant]): the operation in VOPD's terms. FMA is FMAC whose
/// addend need not be the destination; only when they agree can it be a VOPD half as it stands.
struct LaneOp {
  Op op = Op::unknown;
  Vgpr dst;
  VopdSource src0, src1;
  std::optional<Vgpr> addend;       ///< FMAC and DOT2ACC.
  std::optional<uint32_t> constant; ///< FMAAK, FMAMK.
  bool operator==(const LaneOp &) const = default;
};

/// The lane operations of an instruction: two for VOPD, one for a VALU instruction without
/// modifiers that a VOPD slot knows; none for anything else.
llvm::SmallVector<LaneOp, 2> laneOps(const Instruction &inst);

/// Is the operation the same with its two sources swapped? SUB and SUBREV swap into each other.
enum class Swap : uint8_t { Never, SameOp, OtherOp };
Swap swapKind(Op op);
/// The operation with src0 and src1 exchanged, if that is the same value and both sources fit their
/// slots (src1 must be a VGPR).
std::optional<LaneOp> swapped(const LaneOp &op);

/// FMAC with a constant factor as FMAMK, which adds any VGPR: what is left for one whose addend is
/// not its destination. It costs a literal, so FMAC is the better form where that will do.
std::optional<LaneOp> withConstantFactor(const LaneOp &op);

/// An FMAC, one of whose factors is negated, which no VOPD slot can: with the factor's register
/// holding the negated value it would be `lane`.
struct NegatedFmac {
  LaneOp lane;
  unsigned factor = 0; ///< 0 or 1: src0 or src1, a VGPR.
  Vgpr negated() const {
    return {static_cast<uint8_t>((factor == 0 ? lane.src0 : lane.src1).value)};
  }
};
std::optional<NegatedFmac> asNegatedFmac(const Instruction &inst);

/// As a VOPD half; nothing if the addend is not the destination or src1 is no VGPR.
std::optional<VopdHalf> asVopdHalf(const LaneOp &op);
/// The two halves of a VOPD instruction.
std::optional<std::pair<VopdHalf, VopdHalf>> vopdHalves(const Instruction &inst);

/// The F32 FMAs that VOPD has: FMAC, FMAAK, FMAMK.
bool isVopdFma(Op op);
/// V_FMA whose destination is its addend: an FMAC in its long form, modifiers or not.
bool addsToItself(const Instruction &inst);
/// Any F32 fused multiply-add that VOPD has a form for: FMAC, FMA with dst = addend, FMAAK, FMAMK,
/// FMA with a constant addend or factor. What `single_fmac` counts when it stands alone.
bool isFmaFamily(const Instruction &inst);

} // namespace rdna
