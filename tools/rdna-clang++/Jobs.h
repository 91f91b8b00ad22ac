//===- Jobs.h - the steps of clang's driver --------------------------------===//
//
// clang -### says what the driver would run. These steps are run as they stand, but for those that
// make device code for an RDNA3.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdna::hipclang {

struct Job {
  std::vector<std::string> words; ///< Program and arguments.

  bool has(std::string_view word) const;
  /// What stands behind `word`; empty if it is not there.
  std::string_view valueOf(std::string_view word) const;
  bool isForRdna3() const; ///< Device code for gfx1100 to gfx1103.
  /// What makes an object of such code: of a source, or of assembly.
  enum class Device : uint8_t { No, Compile, Assemble };
  Device device() const;
  std::string output() const { return std::string(valueOf("-o")); }
};

struct Plan {
  std::vector<Job> jobs;
  std::string messages; ///< The driver's warnings, and with -v what it says of itself.
};

/// Reads what `clang -###` printed.
Plan readPlan(std::string_view text);

/// The step that writes assembly into `output` instead of an object.
Job writingAssembly(const Job &compile, const std::string &output);

/// Whether some step makes device code that could be rewritten.
bool hasRdna3Code(const Plan &plan);

/// Whether such code is made by the linker (-foffload-lto), where nobody sees assembly.
bool linksRdna3Bitcode(const Plan &plan);

} // namespace rdna::hipclang
