//===- LaunchDescription.h - what to launch a kernel with -----------------===//
//
// The JSON file that lies beside every template, see docs/howto-run.md, and the built-in one of
// the SGEMM ladder's kernels.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Run/Elements.h"
#include "Run/Expression.h"

#include "llvm/Support/Error.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rdna::run {

/// A buffer whose size may depend on parameters.
struct BufferArgument {
  std::string bytes; ///< Expression.
  ElementType type = ElementType::F32;
  Init init = Init::Random;
  std::optional<uint64_t> seed; ///< Else its number in the argument list.
  enum class Role { Input, Output } role = Role::Input;
};

/// A number passed by value: an expression for integers, a constant for floats.
struct ScalarArgument {
  ElementType type = ElementType::I32;
  std::variant<std::string, double> value;
};

using Argument = std::variant<BufferArgument, ScalarArgument>;

struct LaunchDescription {
  std::string kernel;                              ///< Empty: the only kernel of the input.
  std::array<std::string, 3> grid{"1", "1", "1"};  ///< Workgroups; expressions.
  std::array<std::string, 3> block{"1", "1", "1"}; ///< Work-items; expressions.
  std::string lds = "0";                           ///< Dynamic LDS bytes; expression.
  std::vector<Argument> arguments;
  Parameters parameters;
};

/// Reads the JSON text; unknown keys are errors, because a misspelled one would change a launch.
llvm::Expected<LaunchDescription> parseLaunchDescription(std::string_view text,
                                                         std::string_view file);

struct SgemmOptions {
  std::array<uint32_t, 2> tile{128, 128}; ///< Columns and rows of C per workgroup.
  std::array<uint32_t, 3> block{128, 1, 1};
};

/// (A, B, C, N, alpha, beta): row-major N x N matrices, alpha 1.25, beta 0.5; parameter N.
LaunchDescription sgemmDescription(const SgemmOptions &options);

/// A description with its expressions evaluated.
struct ResolvedBuffer {
  std::string name; ///< "arg2".
  uint64_t bytes = 0;
  ElementType type = ElementType::F32;
  Init init = Init::Random;
  uint64_t seed = 0;
  BufferArgument::Role role = BufferArgument::Role::Input;
};
struct ResolvedScalar {
  ElementType type = ElementType::I32;
  std::array<std::byte, 8> bits{};
  double asDouble() const { return loadElement(bits.data(), type); }
};
using ResolvedArgument = std::variant<ResolvedBuffer, ResolvedScalar>;

struct ResolvedLaunch {
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t dynamicLdsBytes = 0;
  std::vector<ResolvedArgument> arguments;
  Parameters parameters;
  uint64_t workgroups() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
};

/// Evaluates everything with `overrides` in place of the description's parameters; an override
/// that the description does not know is an error.
llvm::Expected<ResolvedLaunch> resolve(const LaunchDescription &description,
                                       const Parameters &overrides);

/// C = alpha * A * B + beta * C on square row-major f32 matrices, if the arguments look like that.
struct GemmShape {
  uint64_t n = 0;
  float alpha = 0, beta = 0;
};
std::optional<GemmShape> gemmShape(const ResolvedLaunch &launch);

} // namespace rdna::run
