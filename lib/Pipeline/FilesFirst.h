//===- FilesFirst.h - file numbers in front of the functions that use them ----===//
#pragma once

#include "Code/Edit.h"

#include <vector>

namespace rdna {

/// Compilers declare a source file's number (".file 3 ...") where debug locations first use it, in
/// the middle of loops, too. There it would keep passes from moving and copying what stands around
/// it. These edits put such lines in front of their function.
std::vector<TextEdit> filesFirst(const Module &module);

} // namespace rdna
