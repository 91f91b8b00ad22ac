//===- TimedOp.h - what of an instruction costs time ------------------------===//
#pragma once

#include "Emu/Observe/Plan.h"
#include "Isa/OpTiming.h"

#include "llvm/ADT/SmallVector.h"

namespace rdna::timing {

/// Who takes an instruction from its wave. Each SIMD gives one of each a clock, from different
/// waves.
enum class IssueClass : uint8_t {
  Vector,
  Scalar,
  ScalarMemory,
  Lds,
  VectorMemory,
  Branch,
  Barrier,
  Wait,     ///< Until counters are low.
  Internal, ///< The sequencer's own: s_nop, s_clause, s_setprio, ...
  Hint,     ///< s_delay_alu: no issue of its own.
  End,
};
inline constexpr unsigned issueClasses = 11;

/// One instruction of a text, or of a recorded stream.
struct TimedOp {
  IssueClass issue = IssueClass::Internal;
  VectorRate rate = VectorRate::Full;
  ScalarKind scalar = ScalarKind::Plain;
  uint8_t scalarSources = 0; ///< SGPRs or pairs that a scalar instruction reads.
  uint8_t vectorSources = 0; ///< Sources that are gathered; 0 if none is a VGPR.
  uint8_t sharedSources = 0; ///< Sources of a dual instruction in the bank that has most of them.
  uint8_t tripleBank = 0;    ///< 1: three sources of one bank in a single instruction.
  uint8_t operandClocks = 1; ///< Of the transfer to LDS or the memory path.
  uint8_t accessBytes = 0;   ///< Of a lane, at each of its addresses.
  uint8_t resultDwords = 0;  ///< That a load brings to each lane.
  uint8_t bytes = 4;         ///< Encoded size.
  uint8_t counters = 0;      ///< emu::Counter bits.
  uint8_t priority = 255;    ///< S_SETPRIO's argument.
  uint8_t delays = 0;        ///< Of S_DELAY_ALU: bit n for the n-th instruction behind it.
  uint16_t idle = 0;         ///< Clocks of S_NOP; units of S_SLEEP are multiplied already.
  uint32_t offset = 0;       ///< In the image, or the stream.
  uint32_t number = 0;       ///< Among the ops of a text.
  emu::WaitLimit wait;
  /// Register units (Isa/Register.h).
  llvm::SmallVector<uint16_t, 8> reads, writes;

  bool isMemory() const { return issue == IssueClass::Lds || issue == IssueClass::VectorMemory; }
  bool usesVectorUnit() const { return issue == IssueClass::Vector; }
};

TimedOp describe(const emu::InstPlan &plan);

} // namespace rdna::timing
