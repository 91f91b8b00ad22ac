//===- Pressure.h - how many VGPRs are in use at each instruction ----------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

/// By instruction of the function, relative to its first one: VGPRs that hold a value which is
/// still read, or that the instruction writes. 0 where no path leads.
std::vector<uint16_t> vgprPressure(const Module &module, const Cfg &cfg);

} // namespace rdna
