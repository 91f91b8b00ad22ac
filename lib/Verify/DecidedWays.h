//===- DecidedWays.h - branches that are decided by where one comes from ----===//
//
// Where compilers join the ways of an `if` that all lanes take alike, they note in an SGPR which
// way it was, 0 or all ones, and a block behind branches on that. Registers that one way alone has
// set are read behind such a branch, so whoever takes it for open reads what was there before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna::verify {

/// Can control go on from a block to a successor?
enum class Exit : uint8_t {
  Open,        ///< For all that is known.
  WithoutLane, ///< If no lane is active.
  Closed,
};
/// \param from the predecessor that it has come from; none: any of them.
Exit exitOf(const Module &module, const Cfg &cfg, uint32_t block, uint32_t successor,
            std::optional<uint32_t> from = std::nullopt);

} // namespace rdna::verify
