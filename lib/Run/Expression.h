//===- Expression.h - integer expressions over launch parameters ----------===//
#pragma once

#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rdna::run {

using Parameters = std::map<std::string, int64_t, std::less<>>;

/// Evaluates `+ - * / %`, parentheses, decimal and 0x numbers and parameter names, in 64-bit
/// integers; division truncates, so a ceiling is written (N+127)/128. Overflow, division by zero
/// and unknown names are errors.
llvm::Expected<int64_t> evaluate(std::string_view text, const Parameters &parameters);

} // namespace rdna::run
