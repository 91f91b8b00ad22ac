//===- DualIssueEdits.h - a function with other pairs and registers --------===//
#pragma once

#include "Code/Edit.h"
#include "Code/Expand.h"
#include "Transform/Pairing.h"
#include "Transform/SplitLoads.h"

#include <map>
#include <optional>
#include <vector>

namespace rdna {

/// One way to write the function.
struct Candidate {
  Registers registers;
  std::vector<Pairing> blocks; ///< By block; all that has changed is there.
  Pairing pairing;             ///< Counts of the function.
  std::vector<Pairing> loops;  ///< By loop, inner loops once.
  std::map<uint32_t, std::vector<LoadPart>> split;
  uint64_t cost = 0; ///< By weight of the loops.
  unsigned extraLoads = 0;
  std::vector<unsigned> loads; ///< These by loop, inner loops once.
};

/// The edits that write it so; nothing if something cannot be written.
std::optional<std::vector<TextEdit>> editsOf(const Module &module, const Cfg &cfg,
                                             const FunctionWebs &webs,
                                             const Invocations &invocations,
                                             const Candidate &candidate);

} // namespace rdna
