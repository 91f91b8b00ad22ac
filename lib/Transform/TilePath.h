//===- TilePath.h - how a step of a loop comes to its tile -------------------===//
//
// From where a step begins to the barrier behind its stores to LDS: one way, in which lanes may be
// switched off for a while (guards: loads inside a matrix alone), with branches for waves that have
// none left. Where a step goes several ways by scalar conditions, as to a tile that is whole or to
// one at an edge, the way with the fewest guards is the path, and the others are kept beside it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/LdsStages.h"

#include <set>
#include <utility>
#include <vector>

namespace rdna {

struct TilePath {
  /// As they are executed by a wave that never jumps, without branches.
  std::vector<uint32_t> instructions;
  /// By place: which guard it stands in, 0 for none.
  std::vector<unsigned> guards;
  /// By guard: the one around it, and the places where lanes are switched off and on again.
  std::vector<unsigned> outer{0};
  std::vector<size_t> opens{0}, closes{0};
  /// For waves that have no lanes left: in front of which place, and to which.
  std::vector<std::pair<size_t, size_t>> jumps;
  /// Where a step may go another way to the barrier: in front of which place, by which branch, and
  /// whether if that is taken.
  struct Departure {
    size_t place = 0;
    uint32_t branch = 0;
    enum class If : uint8_t { Taken, NotTaken } when = If::Taken;
  };
  std::vector<Departure> departures;
  std::set<uint32_t> blocks; ///< The last one may go on behind the barrier.
  /// All from where a step begins to the barrier, in the order of the text, but last the one with
  /// the barrier; nothing if there is but one way.
  std::vector<uint32_t> allWays;
  uint32_t barrier = 0; ///< Behind the stores.

  size_t size() const { return instructions.size(); }
  /// Is guard `inner` in guard `outer`, or that one?
  bool isWithin(unsigned inner, unsigned outer) const;
};

struct TilePathOutcome {
  std::optional<TilePath> path;
  std::optional<StagesLeft> left;
};
TilePathOutcome findTilePath(const Module &module, const Cfg &cfg, uint32_t loop);

/// Whatever a register holds at a place of the path.
struct TileDefs {
  std::vector<size_t> places; ///< Where it was written, the last first: by guard another.
  bool areAll = false;        ///< Nothing of it is from before the path.
};
/// In front of that place, or behind all of the path; of a VGPR's half, or of all of it.
TileDefs definitionsAt(const Module &module, const TilePath &path, size_t place, RegUnit unit,
                       Half wanted = Half::Whole);

} // namespace rdna
