//===- NoLane.h - where passes reckon with no active lane -------------------===//
#pragma once

#include "Analysis/Liveness.h"

#include <vector>

namespace rdna {

/// By instruction, relative to the function's first one: may no lane be active there? By the epochs
/// of liveness: a launch begins with a lane, and s_cbranch_execz and execnz say what holds behind
/// them. A guess for passes; the proof has its own (Verify/Exec.h).
std::vector<uint8_t> mayHaveNoLane(const Module &module, const Cfg &cfg, const Liveness &liveness);

} // namespace rdna
