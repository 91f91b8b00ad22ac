//===- Drains.h - places where nobody counts what is in flight ------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

/// On every way from an instruction on, is the first thing that counts LDS operations, or at which
/// others may notice which have come back, a wait for all of them (or the end)?
bool drainsLdsNext(const Module &module, const Cfg &cfg, uint32_t instruction);

} // namespace rdna
