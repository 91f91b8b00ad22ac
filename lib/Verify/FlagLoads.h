//===- FlagLoads.h - loads that may tell what other waves have done ---------===//
//
// A wave learns that another one has released something by looking at what it has loaded. A value
// that only goes into floating-point products and sums, whose results are never looked at either,
// tells nothing: its load cannot be an acquire. docs/design.md, "The memory model".
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <vector>

namespace rdna::verify {

/// By instruction, relative to the function's first one: loads and atomics whose result may be
/// looked at. Every use counts, in whatever lanes and wherever moves and lane exchanges take it:
/// F32 and F16 FMA, MUL and ADD only hand it on, and their results may be stored; a comparison, a
/// lane mask, an address, a selection, a branch, a call or a return looks at it. A loaded value
/// that is stored as it came is taken for one that is looked at, because whoever loads it may look.
std::vector<uint8_t> flagLoads(const Module &module, const Cfg &cfg);

} // namespace rdna::verify
