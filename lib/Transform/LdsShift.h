//===- LdsShift.h - copies of code in another buffer in LDS -----------------===//
#pragma once

#include "Code/Change.h"
#include "Code/Code.h"
#include "Transform/LdsStages.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <optional>
#include <vector>

namespace rdna {

struct LdsShift {
  std::vector<Code> lines;
  unsigned instructions = 0; ///< Copied.
  unsigned bytes = 0;        ///< Of code.
  unsigned offsets = 0;      ///< Accesses with another offset.
  unsigned additions = 0;    ///< Instructions that change an address for a while.
};

struct LdsShiftOutcome {
  std::optional<LdsShift> shift;
  std::optional<StagesLeft> left;
};

/// What a copy is like.
struct LdsShiftRequest {
  uint32_t distance = 0; ///< Bytes that accesses to LDS are further.
  llvm::function_ref<bool(uint32_t)> leaveOut;
  RenameFn rename = {}; ///< Nothing: registers stay.
  /// Hints are about neighbours: where something is left out they may be wrong.
  enum class Hints : uint8_t { Keep, LeaveOut } hints = Hints::Keep;
  /// Other code in place of an instruction that accesses no memory.
  std::function<std::optional<Code>(uint32_t)> instead = {};
};

/// Copies the instructions [first, last) of a block: by the offset of each access, or, where that
/// does not reach, by an addition to the address in front of the first access and one behind the
/// last.
LdsShiftOutcome shiftLds(const Module &module, uint32_t first, uint32_t last,
                         const LdsShiftRequest &request);

} // namespace rdna
