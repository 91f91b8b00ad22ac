//===- Delays.h - the s_delay_alu that LLVM would write -------------------===//
//
// The rules of LLVM 22 for gfx1100: an ALU instruction that reads a result which is still on its
// way is told how far back its producer stands, so that another wave may be issued meanwhile.
// Latencies are those of LLVM's model; what was in flight when paths meet is the worst of all
// paths.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

/// One s_delay_alu.
struct Delay {
  uint32_t before = 0;    ///< Instruction in front of which it stands.
  uint16_t immediate = 0; ///< instid0 [3:0], instskip [6:4], instid1 [10:7].
  bool operator==(const Delay &) const = default;
};

/// By block, in order. An s_delay_alu that stands in the text counts as if it were not there.
std::vector<std::vector<Delay>> computeDelays(const Module &module, const Cfg &cfg);

} // namespace rdna
