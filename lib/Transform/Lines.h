//===- Lines.h - what stands between the instructions of a block ----------===//
#pragma once

#include <string_view>

namespace rdna {

enum class LineKind {
  Harmless,  ///< Blank, a comment, a debug location: may move with the instruction behind it.
  Label,     ///< Of debug information: nothing branches to it, that would have started a block.
  Directive, ///< Must stay where it is.
};
LineKind lineKind(std::string_view line);
/// What a line of the kind Directive holds, for remarks: a label that must stay, or a directive.
std::string_view whatStands(std::string_view line);

/// A `.loc`.
bool isDebugLocation(std::string_view line);

} // namespace rdna
