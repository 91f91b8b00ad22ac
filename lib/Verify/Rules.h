//===- Rules.h - what one text breaks, by rule and instruction --------------===//
#pragma once

#include "Asm/Module.h"

#include <optional>
#include <string_view>
#include <vector>

namespace rdna::verify {

/// A rule of checkStructure that one text breaks.
struct RuleFault {
  Diagnostic diagnostic;
  std::string_view rule;               ///< Its name: a check of Analysis/Lint.h, or one of ours.
  std::optional<uint32_t> instruction; ///< Nothing for what a directive breaks.
  uint32_t function = 0;
};

/// Of one function, in text order.
std::vector<RuleFault> findRuleFaults(const Module &module, uint32_t function);

} // namespace rdna::verify
