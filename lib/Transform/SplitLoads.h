//===- SplitLoads.h - LDS loads in several parts, and the waits that count them ---===//
#pragma once

#include "Transform/BankChoice.h"

#include <map>
#include <set>
#include <vector>

namespace rdna {

/// One load in the place of a wider one: from `dword` of the old result on.
struct LoadPart {
  unsigned dword = 0, dwords = 1, offset = 0; ///< Offset in bytes.
};
/// The parts whose registers are consecutive; one if nothing has to be split.
std::vector<LoadPart> partsOf(const Instruction &inst, const FunctionWebs &webs,
                              const Registers &registers);

/// What loads in parts mean for the waits of a function without calls.
struct SplitWaits {
  std::map<uint32_t, unsigned> counts; ///< New lgkmcnt of waits, by instruction.
  /// Blocks at whose end a part may be in flight, where code behind counts: they have to wait for
  /// all of LDS before they end.
  std::set<uint32_t> drains;
};
SplitWaits countParts(const Module &module, const Cfg &cfg,
                      const std::map<uint32_t, std::vector<LoadPart>> &split);

} // namespace rdna
