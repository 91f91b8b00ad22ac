//===- LdsStages.h - which buffer in LDS can be pipelined? -----------------===//
//
// A step of a tiled loop stores the next tile into LDS and loads from it. With one buffer it needs
// two barriers: one behind the stores, and one behind the loads, so that no store of the next step
// overtakes them. With two buffers that take turns the second one is not needed.
//
// A buffer can be pipelined if (as ALCOP has it) it is filled by copies from memory alone, in a
// loop, and the barriers of the loop are those two.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/LdsOffsets.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna {

/// A piece of a block: all of it, or what stands in front of the turn, or behind it.
struct Segment {
  uint32_t block = 0;
  uint32_t first = 0, last = 0; ///< Instructions [first, last).
  std::vector<uint32_t> next;   ///< Segments; of a conditional branch the target first.
  bool isTurned = false;        ///< Behind it the other buffer's turn begins.
};

/// The function in segments; the other buffer's turn begins with each of the instructions `turns`,
/// which are in order.
std::vector<Segment> segmentsOf(const Module &module, const Cfg &cfg,
                                const std::vector<uint32_t> &turns);

struct StagesLeft {
  uint32_t line = 0;
  std::string reason;
  unsigned rule = 0; ///< Of ALCOP's, if one of them is the reason.
};

/// A loop whose buffer can be pipelined.
struct StagedLoop {
  uint32_t loop = 0; ///< Index in the graph.
  /// That keep stores from overtaking loads. One, but where the step stands in the text several
  /// times.
  std::vector<uint32_t> barriers;
  /// The first store behind each, or the branch from which several ways lead to one. A step that
  /// stores nothing, as the last one may be, has no turn: whatever was loaded behind it would still
  /// be what the last store has left.
  std::vector<uint32_t> turns;
  unsigned allBarriers = 0; ///< Of the loop.
  /// Why there is no turn behind one of the barriers: the buffers cannot change there.
  std::optional<StagesLeft> noTurn = {};
};

/// The loop's buffer, or why it cannot be; neither if the loop has no barrier.
struct StageOutcome {
  std::optional<StagedLoop> staged;
  std::optional<StagesLeft> left;
};
StageOutcome findStages(const Module &module, const Cfg &cfg, uint32_t loop);

/// The barriers, and invalidations of the L0 cache directly behind them: what goes with them.
std::vector<uint32_t> barriersWithInvalidations(const Module &module, const StagedLoop &staged);

bool hasBarrier(const Module &module, const Cfg &cfg, const Loop &loop);

/// A label that the copy of a loop has.
bool isBufferLabel(std::string_view name);

/// Does it load from or store to LDS?
bool accessesLds(const Instruction &inst);
bool storesToLds(const Instruction &inst);
RegUnit ldsAddressUnit(const Instruction &access);

} // namespace rdna
