//===- Expand.h - macro invocations written out ---------------------------===//
#pragma once

#include "Asm/Module.h"

namespace rdna {

/// The module's text with every invocation of a macro and every .rept, .irp and .irpc block that
/// makes nothing but instructions replaced by these instructions, one a line. An invocation that
/// also makes labels, data or directives, or whose instructions name symbols, stays as it is. The
/// result is read again and its instructions are compared with the module's before it is returned.
llvm::Expected<std::string> expandMacros(const Module &module);

} // namespace rdna
