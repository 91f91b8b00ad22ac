//===- Values.h - the data flow of one block ------------------------------===//
//
// A block, or several iterations of a loop that is one block, as operations on versions of VGPRs.
// Every write makes a version; operations that nothing else in the block waits for are deferred, so
// that they can be emitted in the order that suits the host's registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Jit/Plan.h"

#include <vector>

namespace rdna::emu::jit {

struct Version {
  uint16_t vgpr = 0;
  int32_t producer = -1; ///< Item that computes it as a value; -1: it is in the wave's memory.
  int32_t born = -1;     ///< Without producer: the Native item that leaves it, -1: an input.
  uint32_t uses = 0;     ///< By items.
};

struct Item {
  const Operation *operation = nullptr;
  uint32_t iteration = 0;
  std::vector<int32_t> sources; ///< Versions; of a Native step those that must be in memory.
  std::vector<int32_t> results; ///< Versions; of a Native step those that it surely writes.
  std::vector<int32_t> lost;    ///< Versions in memory that a Native step may overwrite.
  bool deferred = false;
};

struct DataFlow {
  std::vector<Version> versions;
  std::vector<Item> items;   ///< In program order, without steps that do nothing.
  std::vector<int32_t> last; ///< By VGPR: the version at the end, -1 if untouched.
};

DataFlow analyse(const Block &block, unsigned iterations);

/// The deferred items, chains of accumulations side by side: `width` of them at a time, so that
/// their accumulators stay in the host's registers. A new group begins where `begins` is set:
/// operands read since then may be reused, older ones would only occupy registers.
struct Deferred {
  uint32_t item = 0;
  bool begins = false;
};
std::vector<Deferred> orderDeferred(const DataFlow &flow, unsigned width);

} // namespace rdna::emu::jit
