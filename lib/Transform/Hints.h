//===- Hints.h - instructions that change when code runs, not what it does ---===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace rdna {

/// Shorter runs of FMACs than this are not worth an instruction or two. (A guess: the by-hand
/// kernel has runs of 64.)
inline constexpr unsigned leastRun = 16;
/// An FMAC, single or in a pair.
bool isFmac(const Instruction &inst);

/// How many instructions an s_clause covers: 2 to 63 (ISA guide 5, S_CLAUSE).
unsigned clauseLength(const Instruction &clause);
inline constexpr unsigned kLongestClause = 63;

/// What becomes of the hints of a block whose instructions go or move. An s_delay_alu counts
/// neighbours, which are others now: it goes, and --delay-alu sets it anew. An s_clause covers as
/// many as `covered(clause)` says of those that it had, or goes. Those of macros stay.
void repairHints(const Module &module, const Block &block,
                 llvm::function_ref<unsigned(const Instruction &)> covered,
                 std::vector<TextEdit> &edits);

struct HintEdits {
  std::vector<TextEdit> edits;
  unsigned instructions = 0; ///< Added.
};

/// S_CLAUSE before runs of memory instructions of one kind that stand in none: the members are
/// issued without another wave's in between.
HintEdits addClauses(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks);

/// Raises the wave's priority behind the first FMAC of a run and lowers it before the memory
/// instructions that follow: who computes goes on, who must wait anyway lets others pass. Only in
/// loops, and only in functions without S_SETPRIO of their own.
HintEdits addPriorities(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks);

} // namespace rdna
