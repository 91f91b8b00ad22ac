//===- Inert.h - code that does nothing without lanes -----------------------===//
//
// s_cbranch_execz lets waves without lanes jump over code that would change nothing for them but
// scalar registers. All waves may as well go through it, then, and there are no two ways to follow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include <bitset>
#include <optional>

namespace rdna::verify {

/// May there be an s_cbranch_execz in it, over code that is inert as well?
enum class InnerGuards : uint8_t { Refused, Allowed };

/// The scalar registers but EXEC that may be written on the way from `first` to `target`, which is
/// one way: no branch but jumps. Nothing, if a wave whose EXEC is zero at `first` may do more there
/// than write these, or wait, or have another EXEC than zero at `target`.
std::optional<std::bitset<kRegUnits>> scalarsOfInertCode(const Module &module,
                                                         const Function &function, uint32_t first,
                                                         uint32_t target, InnerGuards guards);

} // namespace rdna::verify
