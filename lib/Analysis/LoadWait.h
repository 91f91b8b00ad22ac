//===- LoadWait.h - any instruction that waits for loads --------------------===//
#pragma once

#include "Asm/Module.h"
#include "Isa/WaitCounts.h"

#include <optional>

namespace rdna {

/// The counts of an s_waitcnt, or of a wait for vmcnt or lgkmcnt alone, which one can replace.
std::optional<WaitCounts> loadWait(const Instruction &inst);

} // namespace rdna
