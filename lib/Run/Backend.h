//===- Backend.h - where a kernel runs ------------------------------------===//
#pragma once

#include "Emu/Check.h"
#include "Emu/Emulator.h"
#include "Object/CodeObject.h"
#include "Run/Buffers.h"
#include "Run/Gemm.h"
#include "Run/LaunchDescription.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::run {

using ProgressFunction = std::function<void(uint64_t done, uint64_t total)>;

struct RunOptions {
  unsigned warmups = 0;
  unsigned repeats = 1;
  /// Workgroups to run; empty means all. A backend that cannot choose runs all.
  std::vector<std::array<uint32_t, 3>> onlyWorkgroups;
  unsigned threads = 0;                   ///< Host threads of the emulator; 0 = all cores.
  uint64_t instructionBudget = 0;         ///< Per wave, emulator only; 0 = no limit.
  emu::CheckSet checks;                   ///< Emulator only; other backends refuse.
  std::vector<emu::Observer *> observers; ///< Not owned. Emulator only.
  emu::Engine engine = emu::Engine::Auto; ///< Of the emulator.
  std::optional<uint64_t> delaySeed;      ///< Emulator only, see emu::Launch.
  ProgressFunction progress;              ///< Workgroups done; may be empty.
};

/// Accesses outside every buffer by one instruction.
struct BoundsFinding {
  enum class Kind { Read, Write, Atomic } kind = Kind::Read;
  uint64_t address = 0;      ///< Of the instruction, in the code object.
  unsigned line = 0;         ///< In the .s, 0 if unknown.
  std::string instruction;   ///< Its text.
  uint64_t lanes = 0;        ///< Number of lane accesses.
  uint64_t firstAddress = 0; ///< Lowest and highest address accessed; highest 0 if unknown.
  uint64_t lastAddress = 0;
  std::string nearest; ///< "128 bytes past the end of arg2", or empty.
};

/// What a check found, with lines of the .s (0 if unknown).
struct CheckFinding {
  emu::Finding finding;
  unsigned line = 0, otherLine = 0;
};

struct RunOutcome {
  std::vector<double> milliseconds;  ///< One per repeat.
  uint64_t instructions = 0;         ///< Wave instructions of one run; 0 if unknown.
  uint64_t compiledInstructions = 0; ///< Those of them that the emulator's JIT has compiled.
  uint64_t workgroups = 0;
  std::vector<BoundsFinding> bounds;
  std::vector<CheckFinding> findings; ///< Of RunOptions::checks.
  bool stopped = false;               ///< A listener ended the run before its end.
};

/// One kernel, loaded.
class LoadedKernel {
public:
  virtual ~LoadedKernel() = default;
  /// Runs the launch on the buffers' contents and leaves its results there.
  virtual llvm::Expected<RunOutcome> run(const ResolvedLaunch &launch, BufferSet &buffers,
                                         const RunOptions &options) = 0;
};

class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  /// What it runs on, in words ("AMD Radeon RX 7900 XTX, 48 WGPs, 2500 MHz").
  virtual std::string device() const = 0;
  virtual llvm::Expected<std::unique_ptr<LoadedKernel>> load(const object::CodeObject &object,
                                                             const object::Kernel &kernel) = 0;
  /// FP32 peak of the device in GFLOP/s; 0 where the figure would mean nothing.
  virtual double peakGflops() const { return 0; }
  /// Milliseconds of the vendor library's SGEMM on the same matrices, or empty if there is none.
  virtual std::vector<double> sgemmBaseline(const GemmShape &, const RunOptions &) { return {}; }
};

std::unique_ptr<Backend> createEmulatorBackend();

/// Failure::NoBackend if the HIP library or a device is missing.
llvm::Expected<std::unique_ptr<Backend>> createHipBackend();

/// "emulator" or "hip".
llvm::Expected<std::unique_ptr<Backend>> createBackend(std::string_view name);

/// What every backend refuses before a launch: wave64, a workgroup larger than the kernel allows,
/// too much LDS, another GPU's code.
llvm::Error checkLaunch(const object::CodeObject &object, const object::Kernel &kernel,
                        const ResolvedLaunch &launch);

} // namespace rdna::run
