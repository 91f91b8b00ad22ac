//===- Options.h - the command line of hsaco-loader -----------------------===//
#pragma once

#include "common/Tool.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdna::loader {

enum class Command { Assemble, Inspect, Run, Verify, Bench, Unbundle, Bundle };
enum class Format { Text, Json, LaunchTemplate };
enum class LintPolicy { Warn, Fail };

/// As given; lists and expressions are still text, see Launch.h.
struct Options {
  Command command = Command::Inspect;
  std::string input = "-";
  std::string kernel;
  Format format = Format::Text;
  std::optional<LintPolicy> lint; ///< Empty: verify fails, the others warn.

  std::string launchFile;
  std::string sgemm;                   ///< "256,512"
  std::string tile;                    ///< "128x128"
  std::string block;                   ///< "128" or "16x16"
  std::vector<std::string> parameters; ///< "N=64,128"
  std::string backend = "emulator";
  std::string inputs;
  uint64_t seed = 1;
  unsigned threads = 0;
  uint64_t budget = uint64_t{1} << 30;
  std::string checks; ///< "waits,races" or "all".
  std::string sarif, suppressionFile;
  std::vector<std::string> suppressed;
  enum class AllFindings { No, Yes } allFindings = AllFindings::No;
  std::string engine = "auto";
  std::optional<uint64_t> delays; ///< The first seed.
  unsigned delayRuns = 10;

  std::string dump;        ///< Where run writes its outputs.
  std::string dumpNpy;     ///< Folder for the same as .npy.
  std::string dumpOutputs; ///< Folder for one file each, of run and verify.
  /// Debugging a run, see Debug.h.
  std::string trace;     ///< "0" or "all"; empty: no trace.
  std::string workgroup; ///< "1,0,0"
  std::vector<std::string> breakpoints, watches;
  std::optional<uint64_t> stopAfter;
  bool dumpRegisters = false, dumpLds = false;

  std::string against;
  std::optional<uint64_t> sample; ///< Empty: the whole grid.
  std::string bounds = "report";
  bool exact = false;

  /// Of bundle and unbundle.
  std::string target, folder; ///< "gfx1100", or an id; where unbundle writes.
  std::string codeObject;     ///< What is put in.
  size_t bundleNumber = 0;    ///< From 1; 0: found by its kernels.

  unsigned warmups = 2, repeats = 10;
  std::string flops;
  /// Of the timing model.
  std::string device = "7900xtx";
  std::string calibrate; ///< Where the machine file of --calibrate goes.
  std::string whatIf;
  bool coldCaches = false;
};

/// Declares the subcommands on `tool`; `options` must outlive the parsing.
void declareOptions(tool::Tool &tool, Options &options);

} // namespace rdna::loader
