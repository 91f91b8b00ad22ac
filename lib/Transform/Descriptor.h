//===- Descriptor.h - register counts of descriptor and metadata ----------===//
#pragma once

#include "Code/Edit.h"

#include <vector>

namespace rdna {

/// Edits that declare at least `vgprs` VGPRs for a kernel, wherever the file says how many there
/// are: the descriptor's directive (a number, or the symbol that clang 22 sets elsewhere), the
/// metadata's `.vgpr_count` and the compiler's comments. None if it already declares as many.
void raiseVgprCount(const Module &module, const Function &kernel, unsigned vgprs,
                    std::vector<TextEdit> &edits);

/// The same the other way round: at most `vgprs`. The code must not use more.
void lowerVgprCount(const Module &module, const Function &kernel, unsigned vgprs,
                    std::vector<TextEdit> &edits);

/// `raiseVgprCount` for SGPRs without VCC: `.amdhsa_next_free_sgpr` and `.sgpr_count`. All waves
/// get 106 whatever is declared (ISA guide 3.3.1), so these numbers inform and limit nothing.
void raiseSgprCount(const Module &module, const Function &kernel, unsigned sgprs,
                    std::vector<TextEdit> &edits);

} // namespace rdna
