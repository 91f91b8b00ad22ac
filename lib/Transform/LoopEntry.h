//===- LoopEntry.h - where a loop's invariants can be computed -------------===//
#pragma once

#include "Analysis/ScalarFlow.h"
#include "Analysis/Waits.h"
#include "Symbolic/BlockValues.h"

namespace rdna {

/// A place in front of a loop where SALU instructions may stand.
struct LoopEntry {
  uint32_t instruction = 0; ///< Before this one, or behind it.
  enum class Side : uint8_t { Before, Behind } side = Side::Before;
  verify::State state;
  WaitState waits;
  std::bitset<kRegUnits> stable; ///< Scalars that nothing writes from there to the loop's end.
};

/// What the whole function's analyses say.
struct FunctionFacts {
  FunctionFacts(const Module &module, const Cfg &cfg)
      : waits(computeWaits(module, cfg)), liveScalars(rdna::liveScalars(module, cfg)) {}
  std::vector<WaitState> waits;                    ///< By block, at its start.
  std::vector<std::bitset<kRegUnits>> liveScalars; ///< By block.
};

/// The last place where SCC is free, in front of the instruction `end` if that is given; nothing if
/// the loop has several ways in.
std::optional<LoopEntry> entryOf(const Module &module, const Cfg &cfg, const Loop &loop,
                                 const FunctionFacts &facts, verify::BlockValues &values,
                                 std::optional<uint32_t> end = std::nullopt);

/// The last place in a block up to the instruction `end` where SCC is free, for what is needed in
/// the block only.
std::optional<LoopEntry> placeIn(const Module &module, const Cfg &cfg, uint32_t block, uint32_t end,
                                 const FunctionFacts &facts, verify::BlockValues &values);

/// Does the place before an instruction lie between the members of an s_clause?
bool isInClause(const Module &module, const Block &block, uint32_t instruction);

} // namespace rdna
