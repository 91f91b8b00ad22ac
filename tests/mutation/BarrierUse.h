//===- BarrierUse.h - does a barrier order anything? -----------------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/LaunchDescription.h"

#include <cstdint>
#include <set>

namespace rdna::mutation {

/// The barriers (by code offset) of a launch that keep apart accesses of two waves to one byte of
/// LDS: those that must stay. For kernels that share LDS only, with plain ds_load and ds_store; a
/// second implementation beside the checker's, by the simplest means: a map of bytes for the
/// interval before the barrier and one for the interval behind it.
std::set<uint64_t> barriersThatOrder(const object::CodeObject &object, const object::Kernel &kernel,
                                     const run::ResolvedLaunch &launch);

} // namespace rdna::mutation
