//===- Derive.h - a document made of a document -----------------------------===//
#pragma once

#include "Code/Edit.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace rdna {

/// The module with the edits applied, without parsing it: what is not edited is taken over, what is
/// new says what it is. Costs a copy of the file. Only for an edit with Code::Text the result is
/// parsed, and Failure::BadInput says what is wrong with it.
llvm::Expected<std::unique_ptr<Module>> derive(const Module &module, std::vector<TextEdit> edits);

/// Where two modules of one text are not the same: instructions operand by operand as LLVM has them
/// and as we do, labels, functions, entries, descriptors. Empty if nowhere; else a sentence with a
/// line.
std::string firstDifference(const Module &derived, const Module &parsed);

/// Parses the module's text. Failure::Refused if that is not what the module says, which would be a
/// mistake of the printer or of derive().
llvm::Error confirm(const Module &derived);

} // namespace rdna
