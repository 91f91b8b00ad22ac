//===- TileLoop.h - a loop that loads a tile, stores it to LDS and uses it ---===//
//
// What a step of such a loop does, in this order, with what a tile that is made steps ahead needs:
//
//   head       load the tile from memory               may be made ahead: reads nothing that the
//                                                       use writes; some by some lanes alone
//   stores     waits, converts it, stores it to LDS     of registers that can have other names;
//                                                       among the loads; some by some lanes, the
//                                                       same in all steps
//   barrier
//   use        load it from LDS, compute
//   barrier                                             in the latch
//   advance    the counter, the test                    in the latch, independent of the use
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/TilePath.h"
#include "Transform/TileValues.h"
#include "Transform/UnitSet.h"

#include <map>
#include <set>
#include <vector>

namespace rdna {

/// What the use reads of what differs from tile to tile (a counter in a comparison, a place in a
/// matrix) is another tile's where tiles are made ahead: the loads of those get registers of their
/// own, and every use counts for itself.
struct TileCounters {
  std::vector<uint32_t> ofPath; ///< Instructions that count; on the path, in order.
  std::set<uint32_t> ofLatch;   ///< And those that advance.
  /// Those that set a condition (VCC, SCC) by the counters; again in front of each use, because the
  /// loads have conditions of their own.
  std::vector<uint32_t> conditions;
  std::set<uint16_t> units; ///< What they write, SGPRs and VGPRs.
};

struct TileLoop {
  uint32_t loop = 0;
  uint32_t header = 0, latch = 0; ///< Blocks; may be one.
  /// That the use is in: as the text has them, from the barrier behind the stores on, and from the
  /// loop's first block again. Behind the latch may be more of them.
  std::vector<uint32_t> useBlocks;
  TilePath path;              ///< Loads the tile and stores it.
  size_t stores = 0;          ///< Place of the first that stores, with its wait.
  uint32_t filled = 0;        ///< The barrier behind the stores.
  uint32_t used = 0;          ///< The barrier behind the use.
  std::set<uint32_t> advance; ///< Of the latch, or of the path.
  /// Of these, dual instructions with one half that belongs to the use: which one advances.
  std::map<uint32_t, unsigned> advancingHalf;
  uint32_t branch = 0;      ///< Of the latch, back to the header.
  bool branchesBack = true; ///< If taken.
  /// What of the head stores to LDS, and waits for that: stores and loads may take turns.
  std::set<uint32_t> storing;
  /// Places of what switches lanes off and on around stores, and of what makes their addresses:
  /// loads and stores both need it. Of a dual instruction which halves, as bits.
  std::map<size_t, uint8_t> aroundStores;
  /// Places that switch lanes off around stores by what differs from step to step: which lanes are
  /// left is kept from the loads to the stores.
  std::set<size_t> keptLanes;
  TileValues values;
  /// Instructions of the head that give the use registers which it goes on with, as a place in the
  /// tile that it counts on from: every use needs them, and what they read is the same in all
  /// steps.
  std::vector<uint32_t> prepare;
  TileCounters counters;
  /// A step that goes another way goes it when the tile is stored, from its beginning: what it has
  /// begun with, of which the path makes what the next step begins with.
  std::vector<RegUnit> carriedByPath;
  /// Places of the path by which it is found out, in front of the tile's loads, which way a step
  /// goes.
  std::set<size_t> deciding;

  /// Does the instruction belong to the use, or one half of it?
  bool isInUse(const Cfg &cfg, uint32_t instruction) const;
  /// Those that do; what goes back comes last.
  std::vector<uint32_t> use(const Cfg &cfg) const;
};

/// What of an instruction belongs to the use, or to what is advanced.
void addUse(const Module &module, const TileLoop &tile, uint32_t instruction, Units *reads,
            Units *writes);
void addAdvance(const Module &module, const TileLoop &tile, uint32_t instruction, Units *reads,
                Units *writes);
/// What the use reads from before, and what it writes.
struct UseUnits {
  Units needed, written;
};
UseUnits unitsOfUse(const Module &module, const Cfg &cfg, const TileLoop &tile);
/// What the path needs that it has not written itself; without EXEC.
Units neededByPath(const Module &module, const TilePath &path);

struct TileLoopOutcome {
  std::optional<TileLoop> tile;
  std::optional<StagesLeft> left; ///< Why it cannot be made ahead.
  enum class Shape : uint8_t { OneStep, Ahead } shape = Shape::OneStep; ///< Is it ahead already?
};

/// `staged` is what findStages says of the loop.
TileLoopOutcome findTileLoop(const Module &module, const Cfg &cfg, const StagedLoop &staged);

} // namespace rdna
