//===- Reprint.h - every instruction through LLVM's printer ---------------===//
#pragma once

#include "Asm/Module.h"

#include <string>

namespace rdna {

/// The document with every instruction printed anew by LLVM; all else stays byte for byte. An
/// instruction with a symbol keeps its operands' text (numeric labels and the like cannot be
/// printed), and what comes out of a macro stays behind its invocation.
std::string reprint(const Module &module);

/// One instruction as LLVM prints it; of a macro's, which have no text of their own in the file.
std::string printed(const Module &module, const Instruction &inst);

} // namespace rdna
