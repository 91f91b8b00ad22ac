//===- Exec.h - where no lane may be active --------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <vector>

namespace rdna::verify {

/// By instruction, relative to the function's first one: may no lane be active there? A kernel
/// starts with a lane, whoever calls a device function is not known; s_cbranch_execz and execnz say
/// what holds behind them.
std::vector<uint8_t> execMayBeEmpty(const Module &module, const Cfg &cfg);

} // namespace rdna::verify
