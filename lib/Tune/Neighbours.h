//===- Neighbours.h - what differs in one thing (private to lib/Tune) ------===//
#pragma once

#include "Tune/Space.h"

namespace rdna::tune {

/// Points beside one, which the space need not have; swizzles and hints only if the space has
/// several. Not all of them are legal.
std::vector<Point> neighboursOf(const Point &point, const Space &space);

} // namespace rdna::tune
