//===- Assembly.h - a relocatable object and where its lines went ---------===//
//
// assemble() of CodeObject.h is this without the extras.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Diagnostic.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::object {

/// Where one instruction of the .s lies: relative to a named symbol of its section, because the
/// section itself gets its address from the linker, and symbols keep their names there.
struct PlacedInstruction {
  std::string anchor;
  int64_t offset = 0;
  unsigned line = 0; ///< For code of a macro, the line of the outermost invocation.
};

struct Assembly {
  std::vector<std::byte> object;
  std::vector<PlacedInstruction> instructions;
  std::vector<Diagnostic> warnings;
};

llvm::Expected<Assembly> assembleWithLines(std::string_view text, std::string_view file);

} // namespace rdna::object
