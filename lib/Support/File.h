//===- File.h - reading whole inputs, writing outputs atomically ----------===//
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>

namespace rdna {

/// Reads a file, or standard input for "-". The error names the file and the system's reason.
llvm::Expected<std::string> readInput(const std::string &path);

/// How the input is called in diagnostics: the path, or "<stdin>".
std::string displayName(const std::string &path);

/// Writes `text` to `path` through a temporary file in the same folder and a rename, so that the
/// target is either the old or the new file and may be the input itself; "-" is standard output.
llvm::Error writeOutput(const std::string &path, std::string_view text);

} // namespace rdna
