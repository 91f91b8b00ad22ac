//===- AssemblyPrecheck.h - what LLVM's assembler gets wrong about a .s ---===//
#pragma once

#include "llvm/Support/Error.h"

#include <optional>
#include <string_view>

namespace rdna::object {

/// What to assemble a text as.
struct AssemblyFacts {
  /// Code object version to put in front; empty if the text says it itself.
  std::optional<unsigned> impliedVersion;
};

/// Finds what LLVM would answer with an exit of the process (a code object version outside 4..6),
/// with text on standard error (malformed YAML in .amdgpu_metadata) or with an error per
/// instruction (another GPU, wave64) and makes it one error with a place. Works on the text's
/// lines: directives that a macro composes are not seen.
llvm::Expected<AssemblyFacts> precheckAssembly(std::string_view text, std::string_view file);

} // namespace rdna::object
