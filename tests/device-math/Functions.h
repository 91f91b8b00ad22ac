//===- Functions.h - what each function of the header must give -----------===//
#pragma once

#include "Inputs.h"

#include <string>
#include <vector>

namespace rdna::devicemath {

using Reference = long double (*)(long double x, long double y);

/// A function with its bound as the header states it; for f32 and f64 alike.
struct Function {
  std::string name; ///< Of the f64 function; that for f32 has an f behind it.
  double ulps;      ///< Below 1/2 none but the rounding: the result is the nearest number.
  Reference reference;
  Kind kind = Kind::Anywhere;
  enum class Has { Both, SingleOnly } has = Has::Both;
  /// What -ffast-math leaves of the bound: for finite numbers all of it, or for doubles only,
  /// because the fast form replaces the float's, or nothing.
  enum class Fast { Holds, DoublesOnly, Nothing } fast = Fast::Holds;
};

/// The functions that are computed, and those that are exact or rounded once.
const std::vector<Function> &functions();

/// The forms of one or two instructions, f32 only: bounds of the absolute error.
struct Approximation {
  std::string name;
  Reference reference;
  /// The bound at x, y, where the exact result is `wanted`; negative where nothing is promised.
  double (*bound)(double x, double y, double wanted);
  Kind kind = Kind::Anywhere;
};
const std::vector<Approximation> &approximations();

} // namespace rdna::devicemath
