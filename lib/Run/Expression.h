//===- Expression.h - integer expressions over launch parameters ----------===//
#pragma once

#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace rdna::run {

using Parameters = std::map<std::string, int64_t, std::less<>>;

/// Evaluates `+ - * / %`, parentheses, decimal and 0x numbers and parameter names, in 64-bit
/// integers; division truncates, so a ceiling is written (N+127)/128. Overflow, division by zero
/// and unknown names are errors.
llvm::Expected<int64_t> evaluate(std::string_view text, const Parameters &parameters);

/// Where in a launch description something stands, for errors that only its evaluation shows.
/// Line 0: it was not read from a file.
struct Place {
  unsigned line = 0, column = 0;
  std::string sourceLine;
};

/// An expression of a launch description.
struct Formula {
  std::string text = "0";
  Place place;
  Formula() = default;
  Formula(std::string text, Place place = {}) : text(std::move(text)), place(std::move(place)) {}
  Formula(const char *text) : text(text) {}
};

/// Errors are of the formula's place in `file`, if it has one.
llvm::Expected<int64_t> evaluate(const Formula &formula, const Parameters &parameters,
                                 std::string_view file);

/// A number: an expression for integers, a constant for floats.
using Number = std::variant<Formula, double>;

} // namespace rdna::run
