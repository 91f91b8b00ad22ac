//===- Replay.h - the issue model against a recorded stream ------------------===//
//
// For each instruction: what the model says of its issue, given when everything in front of it was
// really issued. So an error does not spoil what follows, and each gap is a sample of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Timing/Stall.h"
#include "Timing/Trace.h"

namespace rdna::timing {

enum class GapKind : uint8_t {
  Vector,
  Scalar,
  Lds,
  VectorMemory,
  ScalarMemory,
  LdsWait,
  Barrier,
  Other
};
inline constexpr unsigned gapKinds = 8;
std::string_view toString(GapKind kind);

struct Gap {
  GapKind kind = GapKind::Other;
  unsigned occurrence = 0; ///< Of this kind in the trace.
  Cycles measured = 0, predicted = 0;
  /// Why it is no sample: cold code, or a wait for cold memory, whose time is not the model's.
  enum class Left : uint8_t { No, ColdCode, ColdMemory } left = Left::No;
  Stall why = Stall::None;
  const TraceIssue *issue = nullptr;
};

/// What stands in front of an instruction when it is predicted: what really was, or what the model
/// says of it, so that errors add up as they would in a wave that nobody measured. Gaps that are no
/// samples are given in both.
enum class InFront : uint8_t { Measured, Predicted };

/// Of all instructions but each wave's first. The trace must outlive the result.
std::vector<Gap> replay(const Trace &trace, const Machine &machine,
                        InFront inFront = InFront::Measured);

/// Clocks of a wave from its first issue to its last one, without the gaps that are no samples.
struct WaveClocks {
  unsigned wave = 0;
  Cycles measured = 0, predicted = 0;
};
std::vector<WaveClocks> durations(const Trace &trace, const Machine &machine);

/// How well a kind is predicted.
struct GapScore {
  unsigned samples = 0, exact = 0, withinOne = 0, withinTwo = 0;
  unsigned coldCode = 0, coldMemory = 0;
  Cycles bestConstant = 0;    ///< The one number that is right most often,
  unsigned constantExact = 0; ///< so often.
};

enum class Occurrences : uint8_t { All, Even, Odd };
GapScore score(const std::vector<Gap> &gaps, GapKind kind, Occurrences which);

} // namespace rdna::timing
