//===- Faults.h - more faults than tests/mutation plants --------------------===//
#pragma once

#include "mutation/Operators.h"

#include <vector>

namespace rdna::fuzz {

/// tests/mutation's operators and: drop or double any instruction, exchange any neighbours, move a
/// memory access over a wait, an instruction over a branch, a label by an instruction, change
/// cache bits and modifiers, e32 and e64, waits' counts, code that nothing leads to.
const std::vector<mutation::Operator> &allFaults();

/// The text with instructions added that compute nothing.
std::string withHints(const Module &module, uint64_t seed);

} // namespace rdna::fuzz
