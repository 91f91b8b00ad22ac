//===- PrefetchLoop.h - a loop that loads the next tile while it uses this one ---===//
//
// A step of such a loop, where `guard` asks whether there is a next tile:
//
//   head       out to the step without loads if there is no next tile
//   loads      the next tile from memory to registers
//   use        this tile
//   stores     the next tile from the registers to LDS, behind the same guard
//   advance    the counter, the test
//
// An iteration may be several steps, each with a way out at its end: rocBLAS's kernels write their
// two LDS buffers out that way.
//
// What has to be so for the loads to go further ahead: what decides whether they are made, and
// where from, is computed of what the use has no part in.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/LdsStages.h"

#include <map>
#include <set>

namespace rdna {

struct PrefetchStep {
  std::vector<uint32_t> path;    ///< Blocks of a step that loads, in text order from its first on.
  uint32_t latch = 0;            ///< The last of the path.
  std::optional<uint32_t> guard; ///< The branch at its first block's end around the loads.
  bool loadsIfTaken = false;     ///< By the guard.
  /// Branches around stores alone: a step that has loaded a tile stores it.
  std::map<uint32_t, uint32_t> decided; ///< By branch: the block that it goes on in.
  std::set<uint32_t> loads;
  std::set<uint32_t> advance; ///< Instructions that count, and the test.
  std::set<uint32_t> test;    ///< Of these the comparison, which can be made again (AsksLast).
  uint32_t branch = 0;        ///< That asks: of the latch, or of the header.
  bool staysIfTaken = true;   ///< In the loop.
  uint32_t exit = 0;          ///< The block where it leaves the loop.
  /// By instruction: the registers that it reads as the loads have left them.
  std::map<uint32_t, std::set<uint16_t>> uses;
};

struct PrefetchLoop {
  uint32_t loop = 0;
  std::vector<PrefetchStep> steps; ///< The first begins with the header.
  /// Where a step asks whether there is a next one: at its end, behind the use, or at its begin,
  /// where it leaves the last tile to the code behind the loop. The latter with one step alone.
  enum class Form : uint8_t { AsksLast, AsksFirst } form = Form::AsksLast;
  std::set<uint16_t> carried; ///< What the loads write.
};

struct PrefetchLoopOutcome {
  std::optional<PrefetchLoop> prefetch;
  std::optional<StagesLeft> left;
};
PrefetchLoopOutcome findPrefetchLoop(const Module &module, const Cfg &cfg, uint32_t loop);

/// Of code that such loops become.
bool isAheadLabel(std::string_view name);
/// Is it what such code goes on with when nothing is left to load?
bool isBehindAhead(const Module &module, const Loop &loop);

} // namespace rdna
