//===- TripCount.h - how often a loop runs ---------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <cstdint>
#include <optional>

namespace rdna {

/// Times that a loop of one block runs, if it counts an SGPR from a constant by a constant to a
/// constant; nothing otherwise.
std::optional<uint64_t> tripCount(const Module &module, const Cfg &cfg, const Loop &loop);

} // namespace rdna
