//===- TwoWays.h - an `if` with an `else` around a tile's stores -------------===//
//
// As compilers write it: lanes are switched off by a saved mask, the first way's are on; then the
// others, and then all of them again. Found from the instruction that switches off the second way's
// lanes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <map>
#include <optional>
#include <vector>

namespace rdna {

/// Either way may have guards in it.
struct TwoWays {
  uint32_t opens = 0;                   ///< Switches off the lanes of the second way.
  std::vector<uint32_t> first, between; ///< The first way, and what all lanes do behind it.
  std::vector<uint32_t> second;         ///< Without branches.
  std::vector<unsigned> depth;          ///< By instruction of the second way: in how many guards.
  std::map<uint32_t, RegUnit> masks;    ///< In one guard: the SGPR that chooses lanes.
  std::vector<uint32_t> gone;           ///< Hints, guards of the first way and what switches lanes.
  uint32_t turns = 0;                   ///< Switches to the second way.
  uint32_t join = 0;                    ///< Switches all of them on.
  RegUnit all = kExecLo;                ///< Has all lanes behind `opens`.
  RegUnit rest = kExecLo;               ///< Those of the second way.
  RegUnit taken = kExecLo;              ///< What the join adds.
};

/// Where that instruction is `opens`; nothing if it is something else, or reads from LDS, waits at
/// a barrier or goes different ways.
std::optional<TwoWays> findTwoWays(const Module &module, const Cfg &cfg, const Loop &loop,
                                   uint32_t opens);

/// An operand, if it is a register of one dword.
std::optional<RegUnit> dwordOperand(const Instruction &inst, size_t operand);

} // namespace rdna
