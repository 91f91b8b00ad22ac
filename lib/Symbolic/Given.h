//===- Given.h - what is known of a kernel's launches ----------------------===//
//
// A range speaks of what a launch passes: of a dword of the kernarg segment, as an unsigned number,
// of a workgroup's number in the grid, of a work-item's in its workgroup. It says nothing else: not
// of what the kernel stores there, and not of a value that was loaded from there afterwards.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"
#include "Symbolic/Interval.h"

#include "llvm/Support/Error.h"

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rdna::verify {

struct LaunchRanges {
  std::map<uint32_t, Interval> kernarg; ///< By offset of a dword; any value where there is none.
  std::array<Interval, 3> workgroup;    ///< By dimension.
  /// Besides what the function's metadata says.
  std::array<std::optional<Interval>, 3> workitem;
  bool operator==(const LaunchRanges &other) const = default;
};

/// What a launch puts into registers (LLVM's AMDGPUUsage, "Initial Kernel Execution State"), by
/// register number.
struct LaunchRegisters {
  std::optional<unsigned> kernarg;                  ///< Lower SGPR of the pointer.
  std::array<std::optional<unsigned>, 3> workgroup; ///< SGPRs.
  unsigned workitemDims = 1; ///< Of v0: ten bits for each. With one it holds nothing else.
};

/// Nothing of what is no kernel, or may be entered in another way.
std::optional<LaunchRegisters> launchRegisters(const Function &function);

/// A work-item's number in one dimension: what the metadata allows and the launches have.
Interval workitemRange(const Function &function, const LaunchRanges &ranges, unsigned dimension);

/// One thing that a launch may give: a kernel argument or a dword, the number of a workgroup or of
/// a work-item.
struct Quantity {
  enum class Kind : uint8_t { Kernarg, Workgroup, Workitem } kind = Kind::Kernarg;
  uint32_t index = 0; ///< Offset of a dword; dimension.
  auto operator<=>(const Quantity &other) const = default;
};
Interval &rangeOf(LaunchRanges &ranges, const Quantity &quantity);

/// Names of arguments besides those of the metadata: which of the explicit ones.
using ArgumentNames = std::map<std::string, unsigned, std::less<>>;

/// Ranges as they were said, for messages and for the output.
struct Given {
  LaunchRanges ranges;
  std::vector<std::string> said; ///< "N <= 32768", in the order of the options.
  ArgumentNames names;
};

/// Reads `N<=32768`, `1<=N<32768`, `arg3==4096`, `kernarg+24<4096`, `workgroup_id_x<256` and the
/// like for one kernel. `names` are those of its arguments beside the metadata's. Errors are
/// InputError, Failure::BadInput.
llvm::Expected<Given> parseGiven(const Function &function, const std::vector<std::string> &texts,
                                 const ArgumentNames &names = {});

/// The ranges one by one, by offset and id: "1 <= kernarg+24 <= 32768", "workgroup_id_x <= 255".
std::vector<std::string> canonicalText(const LaunchRanges &ranges);

/// "N", "arg3", "kernarg+24", "workgroup_id_x".
std::string nameOf(const Function &function, const Quantity &quantity,
                   const ArgumentNames &names = {});

} // namespace rdna::verify
