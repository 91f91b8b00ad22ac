//===- Copies.h - addresses that are read where they were copied from ------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"

#include <vector>

namespace rdna {

/// Edits that make memory instructions take their address from the register that it was copied
/// from, as long as that still holds it. What is left of the copies may be dead then. Operands of
/// VALU instructions stay, because their banks were chosen.
std::vector<TextEdit> forwardAddressCopies(const Module &module, const Cfg &cfg);

} // namespace rdna
