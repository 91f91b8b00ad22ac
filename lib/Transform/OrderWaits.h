//===- OrderWaits.h - waits that may order memory for other waves -----------===//
//
// A wait that only stands before the use of a register is placed anew with its user. One that an
// acquire or a release may need (docs/design.md, "The memory model") keeps its place between what
// it waits for and the accesses behind it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/InFlight.h"
#include "Analysis/Liveness.h"

#include <map>
#include <vector>

namespace rdna {

/// What the whole function says of memory and lanes; by instruction, relative to its first one.
struct MemoryFacts {
  std::vector<uint8_t> flags;      ///< loadsLookedAt().
  std::vector<uint8_t> mayBeEmpty; ///< mayHaveNoLane().
  std::vector<InFlight> inFlight;  ///< At the start of every block.
};
MemoryFacts memoryFacts(const Module &module, const Cfg &cfg, const Liveness &liveness);

struct OrderWait {
  std::vector<uint32_t> covered; ///< Instructions of the block that are complete behind it.
  bool vmBefore = false;         ///< ... and all vector loads from before the block,
  bool lgkmBefore = false;       ///< all LDS accesses and scalar loads.
  enum class Orders : uint8_t { Stores, Accesses } orders = Orders::Stores;
};

/// An access that other waves see.
bool isSharedAccess(const Instruction &inst);

/// By instruction: the s_waitcnt of a block that may order memory. `assumed`: plain loads and
/// stores synchronise nothing by themselves (Assumption::NoSyncWithoutBarrier).
enum class PlainSync : uint8_t { Possible, Excluded };
std::map<uint32_t, OrderWait> orderWaits(const Module &module, const Cfg &cfg, uint32_t block,
                                         const MemoryFacts &facts, PlainSync plain);

} // namespace rdna
