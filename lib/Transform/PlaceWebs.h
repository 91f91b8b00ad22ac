//===- PlaceWebs.h - registers of wanted banks for values of a function ----===//
//
// Colouring with preferences: everybody names banks, and whoever finds no register that is free
// drives out those that it costs least to place again. Nothing is spilled and nothing is moved: if
// it does not work out within a bounded number of steps, there is no answer.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/FunctionWebs.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace rdna {

/// One or more webs that want consecutive registers.
struct WebGroup {
  std::vector<WebId> webs;
  llvm::SmallVector<unsigned, 4> banks; ///< Of the first, the best ones first.
  /// Where it may go as well rather than drive out many others again and again.
  llvm::SmallVector<unsigned, 2> worse = {};
};

/// Registers below `budget` for all groups, placed in this order at first; other webs stay at home.
/// A group stays at home if that is one of its first two banks and free.
std::optional<Registers> placeWebs(const FunctionWebs &webs, const Interference &apart,
                                   std::vector<WebGroup> groups, unsigned budget);

} // namespace rdna
