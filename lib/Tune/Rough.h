//===- Rough.h - which points are worth an estimate (private to lib/Tune) --===//
//
// Where a person waits for one kernel, not every point can be made and estimated: a count of what
// blocks issue, read and wait for leaves out what is far off.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Tune/Measure.h"

#include <array>

namespace rdna::tune {

/// Kernels that are far from each other, so that each kind has its own candidates: where elements
/// come from, and is K in parts?
using Kind = std::pair<Elements, bool>;
inline Kind kindOf(const generate::KernelSpec &spec) { return {elementsOf(spec), spec.splitK > 1}; }

/// Where a search begins: the ladder's kernel 8, and of the other kinds the shapes that were the
/// best at 4096^3 on a 7900 XTX, found by hand. No answers: the model judges them like all others.
bool isSeed(const generate::KernelSpec &spec);

/// Of each kind so many, each of another size of blocks and threads: the others are their
/// neighbours. Seeds of large products come on top.
std::vector<Point> roughBest(const std::vector<Point> &points, size_t ofKind,
                             const Subject &subject);

} // namespace rdna::tune
