//===- Trace.h - a recorded stream: what a SIMD really issued, and when ------===//
//
// The thread traces' CSV: one row for each event, with a clock, the pc and the instruction's text.
// Streams have instructions that no assembler writes, so what an instruction is comes from the
// packet that the hardware wrote, and from the text only its registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Timing/TimedOp.h"

#include "Timing/Machine.h"

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace rdna::timing {

struct TraceIssue {
  unsigned wave = 0;
  Cycles cycle = 0;
  std::string text;
  TimedOp op; ///< `offset` is the pc.
};

/// Operands that the unit took from the other SIMD of the compute unit.
struct OtherTransfer {
  Cycles cycle = 0;
  unsigned clocks = 1;
};

struct Trace {
  std::string name;
  std::vector<TraceIssue> issues; ///< In the order of time.
  std::vector<OtherTransfer> otherLds, otherMemory;
  /// From the start of the first wave to the end of the last one that was traced.
  Cycles begin = 0, end = 0;
};

llvm::Expected<Trace> readTrace(std::string_view csv, std::string_view file);

} // namespace rdna::timing
