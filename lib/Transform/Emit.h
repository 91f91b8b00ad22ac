//===- Emit.h - a scheduled and allocated region as text edits ------------===//
#pragma once

#include "Analysis/Waits.h"
#include "Code/Edit.h"
#include "Transform/Allocate.h"
#include "Transform/Constants.h"

#include <map>
#include <string>
#include <vector>

namespace rdna {

struct RegionCode {
  const RegionModel &region;
  const Schedule &schedule;
  LoadWidths width;
  std::vector<Vgpr> registers; ///< By web.
};

/// PathConditions about the function that emission needs besides the region itself.
struct EmitContext {
  const FunctionContext &function;
  const std::vector<WaitState> &waits; ///< At block starts.
  const ConstantFacts &constants;
  unsigned budget = 256;
};

struct EmitResult {
  std::vector<TextEdit> edits;
  unsigned entryMoves = 0, exitMoves = 0;   ///< Instructions.
  unsigned entryValues = 0, exitValues = 0; ///< Values that change their register.
  unsigned entryConstants =
      0;              ///< Values that needed no move: their new register holds the constant.
  unsigned loads = 0; ///< LDS loads in the new block.
};

/// Home or new place of every moved web at the start of a block.
struct Placement {
  Vgpr home, place;
};
std::vector<Placement> placementsAt(const EmitContext &context, const RegionCode &code,
                                    uint32_t block);

/// Text of the block and of the moves around its loops, or why it cannot be written.
std::optional<LeftAlone> emitRegion(const EmitContext &context, const RegionCode &code,
                                    EmitResult &result);

} // namespace rdna
