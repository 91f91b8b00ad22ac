//===- SymbolAddress.h - code that makes the address of a symbol ------------===//
//
// s_getpc_b64 s[n:n+1]; s_add_u32 sn, sn, SYM@rel32@lo+4; s_addc_u32 sn+1, sn+1, SYM@rel32@hi+12:
// the symbol's address wherever the three lie, as long as they lie together. So compilers find
// tables in memory (__constant__) and, by @gotpcrel32, what other files define.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include <optional>
#include <string_view>

namespace rdna::verify {

struct SymbolAddress {
  std::string_view symbol; ///< With what it is: `table@rel32`.
  std::string_view name;   ///< `table`
  unsigned place = 0;      ///< Of the instruction among the three.
  RegUnit low;             ///< The other half is behind it.
};
/// Nothing if the instruction is none of three such ones.
std::optional<SymbolAddress> symbolAddressAt(const Module &module, const Instruction &inst);

} // namespace rdna::verify
