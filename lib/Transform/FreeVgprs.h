//===- FreeVgprs.h - VGPRs for copies of what stands in neighbours ---------===//
#pragma once

#include "Analysis/Liveness.h"

#include <cstdint>
#include <map>
#include <vector>

namespace rdna {

/// Ascending VGPRs, cut where one is no neighbour of the one before: what one load brings stays
/// together.
std::vector<llvm::ArrayRef<uint16_t>> runsOf(llvm::ArrayRef<uint16_t> units);

/// The first of so many neighbours that are free, which are taken then. Beyond v255 all are free:
/// the caller refuses those. `end`: behind the highest VGPR in use.
unsigned takeFreeVgprs(VgprSet &taken, size_t count, unsigned &end);

/// Other names of a run's registers, from `first` on.
void nameRun(llvm::ArrayRef<uint16_t> run, unsigned first, std::map<uint16_t, unsigned> &names);

} // namespace rdna
