//===- Hints.h - instructions that change when code runs, not what it does ---===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"

#include <vector>

namespace rdna {

/// Shorter runs of FMACs than this are not worth an instruction or two. (A guess: the by-hand
/// kernel has runs of 64.)
inline constexpr unsigned leastRun = 16;
/// An FMAC, single or in a pair.
bool isFmac(const Instruction &inst);

struct HintEdits {
  std::vector<TextEdit> edits;
  unsigned instructions = 0; ///< Added.
};

/// S_CLAUSE before runs of memory instructions of one kind that stand in none: the members are
/// issued without another wave's in between (ISA guide 5, S_CLAUSE: 2 to 63 of them).
HintEdits addClauses(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks);

/// Raises the wave's priority behind the first FMAC of a run and lowers it before the memory
/// instructions that follow: who computes goes on, who must wait anyway lets others pass. Only in
/// loops, and only in functions without S_SETPRIO of their own.
HintEdits addPriorities(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks);

} // namespace rdna
