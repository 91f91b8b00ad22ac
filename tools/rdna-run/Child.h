//===- Child.h - the program that is run ----------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rdna::tool {

/// The folder of this toolchain's libamdhip64.so, beside this executable; an error if it is gone.
llvm::Expected<std::string> runtimeFolder();

/// Runs the program in place of this process. If that fails, it ends with a shell's exit codes.
[[noreturn]] void becomeProgram(const std::vector<std::string> &command);

/// Runs it as a child and waits. Its exit code, or 128 + the signal that ended it.
llvm::Expected<int> runProgram(const std::vector<std::string> &command);

} // namespace rdna::tool
