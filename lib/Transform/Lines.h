//===- Lines.h - what stands between the instructions of a block ----------===//
#pragma once

#include "Asm/Module.h"

#include <string_view>

namespace rdna {

/// The line behind this one, which is not inside a comment: a block comment that goes over lines is
/// part of the line that it begins on.
uint32_t nextLine(const Module &module, uint32_t line);
/// From a line's begin to that of the one behind it.
std::string_view wholeLine(const Module &module, uint32_t line);

enum class LineKind {
  Harmless,  ///< Blank, a comment, a debug location: may move with the instruction behind it.
  Label,     ///< Of debug information: nothing branches to it, that would have started a block.
  Directive, ///< Must stay where it is.
};
LineKind lineKind(std::string_view line); ///< Of a whole line.
/// What a line of the kind Directive holds, for remarks: a label that must stay, or a directive.
std::string_view whatStands(std::string_view line);

/// A `.loc`.
bool isDebugLocation(std::string_view line);

} // namespace rdna
