//===- SecondBuffer.h - code for a second buffer in LDS --------------------===//
//
// The code from the first store of a step on gets a copy, in which all accesses to LDS are so many
// bytes further. In front of that store either goes on in the other: so the buffers take turns, and
// the barrier that kept the stores behind the loads goes. What does not touch LDS any more behind
// the loop stays single.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/LdsStages.h"

#include <optional>
#include <vector>

namespace rdna {

struct SecondBuffer {
  std::vector<TextEdit> edits;
  uint32_t distance = 0;     ///< Bytes from one buffer to the other.
  unsigned instructions = 0; ///< Copied.
  unsigned bytes = 0;        ///< Of code.
  unsigned offsets = 0;      ///< Accesses with another offset.
  unsigned additions = 0;    ///< Instructions that change an address for a while.
  unsigned takenApart = 0;   ///< Pairs with a parity hazard that are single in the copy.
  unsigned turns = 0;        ///< Addresses that every step turns to the other buffer; 0: a copy.
};

struct SecondBufferOutcome {
  std::optional<SecondBuffer> rewrite;
  std::optional<StagesLeft> left;
};

/// `ldsBytes` is the size of the one buffer with all that is in LDS.
SecondBufferOutcome addBuffer(const Module &module, const Cfg &cfg, const StagedLoop &staged,
                              uint32_t ldsBytes);

/// The same without a copy: in front of a step's first store every address in LDS is turned to the
/// other buffer by an exclusive or. That costs an instruction for each register with addresses, and
/// LDS up to a power of two; the registers must hold nothing else.
SecondBufferOutcome turnBuffers(const Module &module, const Cfg &cfg, const StagedLoop &staged,
                                uint32_t ldsBytes);

} // namespace rdna
