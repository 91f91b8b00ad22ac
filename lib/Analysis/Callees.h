//===- Callees.h - the functions that code calls, by name ------------------===//
//
// For reports only: no rewrite counts on a name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

/// The symbol whose address each of Cfg::calls jumps to, where the code in front of it shows it;
/// empty where it does not (a pointer).
std::vector<std::string> calleesOf(const Module &module, const Cfg &cfg);

} // namespace rdna
