//===- NestCounts.h - what a function costs, loop by loop ------------------===//
//
// What no rewrite may make more of. Counted for every loop and for the function as a whole, each
// with what is nested in it by the number of its iterations: a loop whose number is not known
// counts once. If no such sum grows, nothing is executed more often, however often the loops run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <cstdint>
#include <map>
#include <string>

namespace rdna {

struct LaneOp;

/// Do the two factors of a single FMA come from one bank, without being one register?
bool factorsConflict(const LaneOp &lane);
/// A single FMA's, one of which may be negated: its register is read all the same.
bool factorsConflict(const Instruction &inst);

struct CodeCounts {
  uint64_t valu = 0;       ///< VALU instructions; a VOPD is one.
  uint64_t singleFmas = 0; ///< F32 FMAs outside of a VOPD of two FMACs.
  uint64_t conflicts = 0;  ///< Bank conflicts of VOPDs and of single FMAs.
  /// Those of them in loops that are known to run more than once in what is counted.
  uint64_t repeatedConflicts = 0;
  uint64_t hazards = 0;     ///< VOPDs with a parity hazard.
  uint64_t ldsAccesses = 0; ///< LDS instructions.
  void add(const CodeCounts &more, uint64_t times);
  bool operator==(const CodeCounts &) const = default;
};
CodeCounts countInstruction(const Instruction &inst);
/// Of instructions [first, last).
CodeCounts countRange(const Module &module, uint32_t first, uint32_t last);

/// By a label of the loop's header.
using KnownTripCounts = std::map<std::string, uint64_t, std::less<>>;
KnownTripCounts knownTripCounts(const Module &module, const Cfg &cfg);

struct NestCounts {
  CodeCounts function; ///< One run of it.
  std::map<std::string, CodeCounts, std::less<>>
      iteration; ///< One iteration of each loop with a label.
  /// Once each of the blocks that are in the loop and in no inner one; "" is outside of all.
  std::map<std::string, CodeCounts, std::less<>> own;
};
NestCounts countNest(const Module &module, const Cfg &cfg, const KnownTripCounts &iterations);

} // namespace rdna
