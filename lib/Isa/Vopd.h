//===- Vopd.h - may two operations share a VOPD instruction? --------------===//
//
// Encoding law only (ISA guide 7.6; every rule agrees with llvm-mc 22 on gfx1100). What a legal
// pair costs is another question with another answer.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Op.h"
#include "Isa/Register.h"

#include <cstdint>
#include <optional>

namespace rdna {

/// A source operand of one half.
struct VopdSource {
  enum class Kind : uint8_t { None, Vgpr, Scalar, Inline, Literal } kind = Kind::None;
  uint32_t value = 0; ///< VGPR number, scalar encoding, inline encoding or literal bits.
  bool operator==(const VopdSource &) const = default;
  bool isVgpr() const { return kind == Kind::Vgpr; }
};

/// One half of a pair: `op dst, src0, src1` plus FMAAK's and FMAMK's constant.
struct VopdHalf {
  Op op = Op::unknown;
  Vgpr dst;
  VopdSource src0;
  VopdSource src1; ///< Always a VGPR, or None (MOV). For FMAMK it is the addend.
  std::optional<uint32_t> constant;
};

/// The first rule that a pair breaks.
enum class VopdRule : uint8_t {
  OpcodeX,        ///< The operation is not available in slot X.
  OpcodeY,        ///< ... in slot Y.
  Source1NotVgpr, ///< src1 must be a VGPR.
  DestinationParity,
  Source0Bank,
  Source1Bank,
  Source2Parity,
  ScalarLimit,
  LiteralLimit,
};

/// The first rule that X and Y, in these slots, break on gfx1100; nothing if llvm-mc accepts them.
/// Dependence between the halves is not an encoding question: both read before either writes.
std::optional<VopdRule> whyNotDual(const VopdHalf &x, const VopdHalf &y);

/// Distinct source VGPRs of one slot (src0 with src0, src1 with src1) of the same parity can lose
/// an interlock on GFX11 (llvm-project pull request 220348), although the assembler accepts them.
bool hasParityHazard(const VopdHalf &x, const VopdHalf &y);

/// Pairs of different VGPRs in one bank among the up to four src0/src1 VGPRs of the two halves.
unsigned sourceBankConflicts(const VopdHalf &x, const VopdHalf &y);

/// Does the operation read its destination (FMAC, DOT2ACC)?
bool readsDestination(Op op);
/// The VGPR on the SRC2 port: the accumulator, or FMAMK's addend.
std::optional<Vgpr> source2Port(const VopdHalf &half);
/// The VGPR on the SRC1 port (FMAMK's src1 operand is on SRC2, MOV has none).
std::optional<Vgpr> source1Port(const VopdHalf &half);
std::optional<Vgpr> source0Port(const VopdHalf &half);

const char *toString(VopdRule rule);

} // namespace rdna
