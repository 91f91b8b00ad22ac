//===- Exec.h - what an instruction does to EXEC ---------------------------===//
#pragma once

#include "Asm/Module.h"

namespace rdna {

enum class ExecEffect : uint8_t {
  None,
  Narrow, ///< Switches lanes off, none on.
  Widen,  ///< Switches lanes on, none off.
  Any,
};
ExecEffect execEffect(const Instruction &inst);

} // namespace rdna
