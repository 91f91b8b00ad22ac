//===- Edit.h - changes to a document, applied all at once ----------------===//
#pragma once

#include "Asm/Module.h"
#include "Code/Code.h"

#include <string>
#include <vector>

namespace rdna {

/// Replaces the bytes [begin, end) of the original text; begin == end inserts.
struct TextEdit {
  uint32_t begin = 0, end = 0;
  Code replacement;
};

/// The module's text with the edits applied. Edits must not overlap; insertions at one place keep
/// their order.
std::string applyEdits(const Module &module, std::vector<TextEdit> edits);

/// Takes an instruction out: with its line, if nothing else stands there.
TextEdit removal(const Module &module, const Instruction &inst);
/// Puts other code in its place; what else stands on its line stays.
TextEdit replacement(const Instruction &inst, Code code);

/// Can a line of its own be put in front of an instruction's, or behind it? Not if a label or a
/// comment stands before it, if one begins behind it that may go on, or in a macro.
bool takesLineBefore(const Module &module, const Instruction &inst);
bool takesLineBehind(const Module &module, const Instruction &inst);
/// Puts it there.
TextEdit lineBefore(const Module &module, const Instruction &inst, Code code);
TextEdit lineBehind(const Module &module, const Instruction &inst, Code code);

/// "\r\n" if the file's first line ends so, else "\n".
std::string_view lineEnding(const Module &module);

} // namespace rdna
