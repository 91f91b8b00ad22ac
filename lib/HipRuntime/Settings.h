//===- Settings.h - what rdna-run tells the runtime -----------------------===//
//
// The runtime lives in a foreign program, so its settings are environment variables. docs/
// howto-hip-run.md lists them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Check.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace rdna::hip {

/// A finding that is known: each part that is given must match somewhere (regular expressions).
struct Suppression {
  std::optional<std::regex> rule, kernel, source;
};

/// What events measure.
enum class Times { Emulator, Predicted };

struct Settings {
  bool check = false;
  bool leaks = false;                  ///< Allocations that are left at the end are findings.
  emu::CheckSet checks;                ///< For launches that are watched.
  std::optional<std::regex> kernels;   ///< Only these are watched.
  uint64_t launchSkip = 0;             ///< So many watched launches run unwatched at first,
  uint64_t launchCount = ~uint64_t(0); ///< and no more than so many are watched.
  std::vector<Suppression> suppressions;
  std::string reportFile; ///< JSON at the end, if not empty.
  bool quiet = false;     ///< No summary line.
  Times times = Times::Emulator;
  emu::Engine engine = emu::Engine::Auto;
  unsigned threads = 0;
  uint64_t memoryBytes = uint64_t{24} << 30;
  uint64_t budget = 0; ///< Instructions of a wave.
};

/// By what `variable` gives for a name, null for what is not set; an error names the variable.
llvm::Expected<Settings> readSettings(const std::function<const char *(const char *)> &variable);

/// Lines "rule=... kernel=... source=...", '#' begins a comment.
llvm::Expected<std::vector<Suppression>> parseSuppressions(std::string_view text,
                                                           std::string_view file);

} // namespace rdna::hip
