//===- Report.h - what went wrong in kernels, for people and for scripts --===//
#pragma once

#include "HipRuntime/Settings.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rdna::hip {

/// One thing that is wrong, at one instruction of one launch.
struct KernelFinding {
  std::string rule; ///< "illegal-address", "leak", or the rule of the emulator's check.
  std::string message;
  std::string kernel, source, instruction; ///< Each may be empty.
  std::string other;                       ///< The other party of a race, in words.
  std::optional<std::array<uint32_t, 3>> block, thread;
  uint64_t launch = 0; ///< Of the process, from 1; 0 if it belongs to none.
  uint64_t count = 1;
  std::vector<std::string> callers; ///< Of the launch, the innermost first.
};

class Report {
public:
  explicit Report(const Settings &settings) : settings_(settings) {}

  /// Where text goes; nowhere at first.
  std::function<void(const std::string &)> print = [](const std::string &) {};

  /// Prints it unless it is suppressed; the same one of a later launch is only counted.
  void add(KernelFinding finding);
  void warn(const std::string &text) { print("rdna-run: warning: " + text + "\n"); }
  /// Once for each function that is missing.
  void missing(const std::string &function);

  uint64_t launches = 0, instructions = 0, watchedLaunches = 0;
  uint64_t comparedLaunches = 0; ///< Of rewritten kernels, with their originals.
  size_t findings() const { return findings_.size(); }
  std::string summary() const;
  std::string json() const;

private:
  bool isSuppressed(const KernelFinding &finding) const;

  const Settings &settings_;
  std::vector<KernelFinding> findings_;
  std::vector<std::string> missing_;
  uint64_t suppressed_ = 0;
};

/// The finding as it is printed, with a final line end.
std::string render(const KernelFinding &finding);

} // namespace rdna::hip
