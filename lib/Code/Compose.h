//===- Compose.h - two sets of edits as one --------------------------------===//
#pragma once

#include "Code/Edit.h"

#include <vector>

namespace rdna {

/// Edits of `module` that give what `edits` of it and then `more`, edits of the module that came of
/// those, give. What neither touches is not edited, so places in the text can be followed. Of an
/// instruction that `edits` put in, `more` must take all or nothing.
std::vector<TextEdit> composeEdits(const Module &module, std::vector<TextEdit> edits,
                                   std::vector<TextEdit> more);

} // namespace rdna
