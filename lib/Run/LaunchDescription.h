//===- LaunchDescription.h - what to launch a kernel with -----------------===//
//
// The JSON file that lies beside every template, see docs/howto-run.md, and the built-in one of
// the SGEMM ladder's kernels.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Run/Elements.h"
#include "Run/Expression.h"
#include "Run/Gemm.h"

#include "llvm/Support/Error.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rdna::run {

/// What a file holds; shared, because descriptions and their launches are copied.
using FileContents = std::shared_ptr<const std::string>;

/// What an output must be: the file's elements, each up to `absolute + relative * |element|`; bit
/// for bit if both are 0.
struct Expectation {
  FileContents contents;
  std::string file;
  double absolute = 0, relative = 0;
};

/// A buffer whose size may depend on parameters.
struct BufferArgument {
  Formula bytes;
  ElementType type = ElementType::F32;
  Init init = Init::Random;
  std::optional<uint64_t> seed; ///< Else its number in the argument list.
  /// A workspace is the kernel's own: neither compared nor expected to stay as it is.
  enum class Role { Input, Output, Workspace } role = Role::Input;
  FileContents contents; ///< In place of `init`.
  std::optional<Expectation> expected;
};

/// The address of a buffer that another argument describes, plus an offset in bytes.
struct AddressArgument {
  std::string buffer;
  Formula offset;
};

/// Numbers of one type passed by value: a scalar, or several in a row.
struct ValueArgument {
  ElementType type = ElementType::I32;
  std::vector<Number> values;
};

struct Argument;

/// Fields in a row, as a C compiler places them or without gaps.
struct StructArgument {
  enum class Layout { Natural, Packed } layout = Layout::Natural;
  std::vector<Argument> fields;
};

struct Argument {
  std::string name; ///< Empty: "arg2", by its number; fields "arg2.1".
  std::variant<BufferArgument, AddressArgument, ValueArgument, StructArgument> value;
  Place place;
};

struct LaunchDescription {
  std::string file;                            ///< For errors; empty if it has none.
  std::string kernel;                          ///< Empty: the only kernel of the input.
  std::array<Formula, 3> grid{"1", "1", "1"};  ///< Workgroups.
  std::array<Formula, 3> block{"1", "1", "1"}; ///< Work-items.
  Formula lds;                                 ///< Dynamic LDS bytes.
  std::vector<Argument> arguments;
  std::vector<Argument> buffers; ///< That are no arguments; addresses in arguments name them.
  Parameters parameters;
  std::optional<GemmDescription> gemm; ///< What the host compares the outputs with.
};

/// Reads the JSON text; unknown keys are errors, because a misspelled one would change a launch.
/// Files that it names are read from the folder of `file`.
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
  std::string name; ///< "arg2", or what the description calls it.
  uint64_t bytes = 0;
  ElementType type = ElementType::F32;
  Init init = Init::Random;
  uint64_t seed = 0;
  BufferArgument::Role role = BufferArgument::Role::Input;
  FileContents contents;
  std::optional<Expectation> expected;
  bool isOutput() const { return role == BufferArgument::Role::Output; }
};

/// The bytes that the kernel gets. Addresses are put in once the buffers have some.
struct ResolvedArgument {
  struct Address {
    size_t at = 0;     ///< In `bytes`.
    size_t buffer = 0; ///< In ResolvedLaunch::buffers.
    uint64_t offset = 0;
  };
  std::string name;
  std::vector<std::byte> bytes;
  size_t alignment = 1;
  std::vector<Address> addresses;
  std::optional<ElementType> type; ///< Of a single number.
  std::optional<double> number() const {
    return type ? std::optional(loadElement(bytes.data(), *type)) : std::nullopt;
  }
  bool isAddress() const { return addresses.size() == 1 && bytes.size() == 8; }
};

struct ResolvedLaunch {
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t dynamicLdsBytes = 0;
  std::vector<ResolvedBuffer> buffers;
  std::vector<ResolvedArgument> arguments;
  Parameters parameters;
  std::optional<GemmShape> gemm; ///< As described, or recognised by gemmShape.
  uint64_t workgroups() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
};

/// Evaluates everything with `overrides` in place of the description's parameters; an override
/// that the description does not know is an error.
llvm::Expected<ResolvedLaunch> resolve(const LaunchDescription &description,
                                       const Parameters &overrides);

/// Appends a buffer and the argument that is its address; returns the buffer's index.
size_t addBuffer(ResolvedLaunch &launch, ResolvedBuffer buffer);

} // namespace rdna::run
