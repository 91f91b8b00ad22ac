//===- Inert.h - code that does nothing without lanes -----------------------===//
//
// s_cbranch_execz lets waves without lanes jump over code that would change nothing for them but
// scalar registers. All waves may as well go through it, then, and there are no two ways to follow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include <bitset>
#include <optional>

namespace rdna::verify {

/// May there be guards in it, over code that is inert as well, and loops that lanes leave one after
/// the other? Who allows it knows that waves may come to one branch several times.
enum class InnerGuards : uint8_t { Refused, Allowed };

/// A branch by which waves without lanes go another way than others, and might as well not.
struct LaneGuard {
  uint32_t all; ///< Where all may go.
  /// On that way: where those go on that have no lanes, or where the same code stands.
  uint32_t join;
  std::bitset<kRegUnits> scalars; ///< But EXEC, which a wave that goes there may write on its way.
  enum class Kind : uint8_t { Once, LoopEnd } kind = Kind::Once;
};

/// Of s_cbranch_execz over code, or to code of which a copy stands behind what it jumps over, of
/// s_cbranch_execnz to code that stands elsewhere, with a copy behind it of what stands behind the
/// branch, and of either at a loop's end, where waves leave
/// that have no lanes left, and might as well go round with the others. The way from `all` to
/// `join` is one, no branch but jumps. Nothing, if a wave whose EXEC is zero may do more there than
/// write scalar registers, or wait, or have another EXEC than zero at `join`.
std::optional<LaneGuard> laneGuardAt(const Module &module, const Function &function,
                                     const Instruction &branch, InnerGuards guards);

} // namespace rdna::verify
