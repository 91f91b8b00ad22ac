//===- SgprBase.h - global accesses relative to scalar pointers ------------===//
//
// A 64-bit address in VGPRs that is (what all lanes share) + (what they do not) becomes an SGPR
// pair and a 32-bit VGPR offset. Accesses that share the divergent offset share the offset; the
// pairs are computed before the loop, or where they are needed outside loops. What only made the
// old addresses is dead then (Transform/DeadCode).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"
#include "Symbolic/Expr.h"

#include <string>
#include <vector>

namespace rdna {

struct SgprBaseRewrite {
  std::vector<TextEdit> edits;
  unsigned accesses = 0; ///< That have a scalar base now.
  unsigned pairs = 0;    ///< Different SGPR pairs that they have.
  unsigned offsets = 0;  ///< VGPR offsets, each a VALU instruction an iteration.
  unsigned sgprs = 0;    ///< Highest SGPR that is used, plus one; 0 for none.
  unsigned vgprs = 0;
  std::vector<Diagnostic> remarks;
};

struct SgprBaseOptions {
  verify::Indices indices = verify::Indices::MayWrap;
  unsigned mostVgprs = 256; ///< That the rewrite may use without a loss of occupancy.
};

/// What the user is told of accesses that the assumption would have helped.
Diagnostic remarkOfWrap(const Module &module, const Instruction &first, size_t accesses);

/// `blocks`: those whose accesses may be rewritten.
SgprBaseRewrite useSgprBases(const Module &module, const Cfg &cfg,
                             const std::vector<uint32_t> &blocks, const SgprBaseOptions &options);

} // namespace rdna
