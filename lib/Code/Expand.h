//===- Expand.h - macro invocations written out ---------------------------===//
#pragma once

#include "Asm/Module.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rdna {

/// The module's text with every invocation of a macro and every .rept, .irp and .irpc block that
/// makes nothing but instructions replaced by these instructions, one a line, and what it assigns
/// to symbols. An invocation that also makes labels, data or directives, or whose instructions name
/// symbols, stays as it is. The result is read again and its instructions are compared with the
/// module's before it is returned.
llvm::Expected<std::string> expandMacros(const Module &module);

/// What can be written in place of an invocation of a macro, or of a repeated block.
struct Invocation {
  uint32_t begin, end;                  ///< In bytes, without the last line end.
  std::vector<std::string> assignments; ///< What symbols are behind it: ".set i, 8", one a line.
};

/// Invocations that can be written out, one by one.
class Invocations {
public:
  explicit Invocations(const Module &module);
  ~Invocations();
  /// The one on this line; nothing if it has to stay.
  std::optional<Invocation> find(uint32_t line) const;

private:
  const Module &module_;
  mutable std::unique_ptr<struct MacroBodies> macros_; ///< Read when they are asked for first.
};

} // namespace rdna
