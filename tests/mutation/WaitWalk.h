//===- WaitWalk.h - counters followed along concrete paths ------------------===//
#pragma once

#include "Asm/Module.h"

#include <cstdint>

namespace rdna::mutation {

/// Two texts that differ in their waits only, walked side by side along random paths with exact
/// queues of outstanding operations: true if the second one touches no register that a load still
/// owes, and at every barrier and message has nothing outstanding that the first one has not.
bool walkWaits(const Module &original, const Module &weakened, uint32_t function, uint64_t seed);

} // namespace rdna::mutation
