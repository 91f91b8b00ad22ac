//===- Expand.h - macro invocations written out ---------------------------===//
#pragma once

#include "Asm/Module.h"

#include <memory>
#include <optional>
#include <utility>

namespace rdna {

/// The module's text with every invocation of a macro and every .rept, .irp and .irpc block that
/// makes nothing but instructions replaced by these instructions, one a line. What a .rept, .irp or
/// .irpc block assigns to symbols stays behind them, as a block of its own. An invocation that also
/// makes labels, data or directives, or whose instructions name symbols, stays as it is. The result
/// is read again and its instructions are compared with the module's before it is returned.
llvm::Expected<std::string> expandMacros(const Module &module);

/// Invocations that can be written out, one by one.
class Invocations {
public:
  explicit Invocations(const Module &module);
  ~Invocations();
  /// The bytes that the instructions of the invocation on this line replace, without the last line
  /// end; nothing if it has to stay.
  std::optional<std::pair<uint32_t, uint32_t>> range(uint32_t line) const;

private:
  const Module &module_;
  mutable std::unique_ptr<struct MacroBodies> macros_; ///< Read when they are asked for first.
};

} // namespace rdna
