//===- Preserved.h - registers that keep their values between two blocks --------===//
#pragma once

#include "Analysis/Cfg.h"

#include <bitset>

namespace rdna::verify {

/// Registers that nothing writes on the paths from the end of `from` to the start of `to` that do
/// not pass `from` again; none if one of them has a call.
std::bitset<kRegUnits> keptBetween(const Module &module, const Cfg &cfg, uint32_t from,
                                   uint32_t to);

} // namespace rdna::verify
