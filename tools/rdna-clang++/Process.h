//===- Process.h - other programs -------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace rdna::hipclang {

/// Runs a program to its end; returns its exit code, 128 and more if a signal killed it.
llvm::Expected<int> runProgram(const std::vector<std::string> &words);

struct Captured {
  int code = 0;
  std::string out, err;
};
/// The same with what it prints. `folder` is where it puts temporary files, if not empty.
llvm::Expected<Captured> captureProgram(const std::vector<std::string> &words,
                                        const std::string &folder = "");

/// Becomes the program; comes back with an error only.
llvm::Error becomeProgram(const std::vector<std::string> &words);

/// A folder for temporary files that is gone when this process has ended, however it did: the work
/// is done in a child, whose exit code this returns.
llvm::Expected<int> workInFolder(const std::function<int(const std::string &folder)> &work);

} // namespace rdna::hipclang
