//===- Runtime.h - what the HIP functions share ---------------------------===//
//
// One device, whose work is done when the function returns that asks for it: streams and events are
// handles with an order that is kept trivially. All functions of a process take turns.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "HipRuntime/CodeModule.h"
#include "HipRuntime/DeviceMemory.h"
#include "HipRuntime/HipTypes.h"
#include "HipRuntime/Report.h"
#include "HipRuntime/Settings.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace rdna::hip {

struct Stream {
  uint32_t flags = 0;
  int32_t priority = 0;
};

struct Event {
  uint32_t flags = 0;
  std::optional<std::chrono::nanoseconds> recorded; ///< By the runtime's clock.
};

/// A fat binary of the program, as registered. Loaded when something of it is first used.
struct FatBinary {
  const void *data = nullptr;
  std::unique_ptr<CodeModule> module;
  Error failure = Error::Success; ///< Why it could not be loaded.
};

struct HostFunction {
  FatBinary *binary = nullptr;
  std::string name;
};

struct HostVariable {
  FatBinary *binary = nullptr;
  std::string name;
  size_t bytes = 0;
  void *managed = nullptr; ///< Its memory, if it is a managed one.
};

inline constexpr std::string_view deviceProcessor = "gfx1100";
inline constexpr std::string_view modelledCard = "7900xtx"; ///< Of the timing model's.

class Runtime {
public:
  explicit Runtime(Settings given);

  Settings settings;
  DeviceMemory memory;
  Report report;
  /// What a kernel did last that no later call can hide; hipDeviceReset ends it.
  Error fault = Error::Success;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::map<CodeModule *, std::unique_ptr<CodeModule>> modules;
  std::map<const void *, HostFunction> functions; ///< By the stub's address.
  std::map<const void *, HostVariable> variables; ///< By the shadow's address.
  std::vector<std::unique_ptr<FatBinary>> binaries;
  /// What launches have taken by the timing model.
  struct PredictedTimes {
    std::chrono::nanoseconds sum{};
    uint64_t launches = 0;
    uint64_t refused = 0;                 ///< Whose time is the emulator's own.
    std::set<std::string> refusedKernels; ///< Named already.
  } predicted;
  std::set<std::string> uncheckedKernels; ///< That wait for the whole grid; named already.
  bool timesAsked = false;                ///< By hipEventElapsedTime.
  /// For the end of the program: what its times are worth. Empty if it asked for none.
  std::string aboutTimes() const;
  /// What an event is stamped with: by the model only kernels take time.
  std::chrono::nanoseconds now() const;
  uint64_t watched = 0; ///< Launches that the settings' pattern fits, so far.

  FatBinary *addBinary(const void *data);
  void removeBinary(FatBinary *binary);
  /// The registered binary that `handle` stands for; null if it is none, or no longer.
  FatBinary *binaryOf(const void *handle) const;
  /// The module of a registered binary; null with the reason in `failure`.
  CodeModule *load(FatBinary &binary);
  /// Of bytes whose number is known, or of a pointer that a program hands in.
  llvm::Expected<CodeModule *> loadModule(std::span<const std::byte> image, std::string_view name);
  llvm::Expected<CodeModule *> loadModule(const void *image, std::string_view name);
  /// The kernel behind `<<<>>>`'s stub.
  ModuleKernel *kernelOf(const void *stub, Error &error);
  std::optional<Global> variable(const void *shadow);
  bool isKernel(const ModuleKernel *kernel) const;

private:
  llvm::Expected<std::unique_ptr<CodeModule>> read(std::span<const std::byte> image,
                                                   std::string_view name);
};

/// What a loading function returns where `error` is why it could not load.
Error errorOf(const llvm::Error &error);

} // namespace rdna::hip
