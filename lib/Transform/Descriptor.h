//===- Descriptor.h - register counts of descriptor and metadata ----------===//
#pragma once

#include "Asm/Edit.h"

#include <vector>

namespace rdna {

/// Edits that declare at least `vgprs` VGPRs for a kernel, wherever the file says how many there
/// are: the descriptor's directive (a number, or the symbol that clang 22 sets elsewhere), the
/// metadata's `.vgpr_count` and the compiler's comments. None if it already declares as many.
void raiseVgprCount(const Module &module, const Function &kernel, unsigned vgprs,
                    std::vector<TextEdit> &edits);

} // namespace rdna
