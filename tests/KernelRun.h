//===- KernelRun.h - compiled kernels, ready to be launched ---------------===//
#pragma once

#include "KernelManifest.h"

#include "Object/CodeObject.h"
#include "Run/Backend.h"
#include "Run/LaunchDescription.h"
#include "Support/File.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

namespace rdna::test {

template <typename T> T unwrap(llvm::Expected<T> value, const std::string &what) {
  if (!value)
    throw std::runtime_error(what + ": " + llvm::toString(value.takeError()));
  return std::move(*value);
}

/// The launch that lies beside a kernel's source; one tile of the ladder's kernels, whose -O0 code
/// is slow.
inline run::ResolvedLaunch launchOf(const CompiledKernel &kernel) {
  const std::string &path = kernel.launch;
  const run::LaunchDescription description =
      unwrap(run::parseLaunchDescription(unwrap(readInput(path), path), path), path);
  run::Parameters overrides;
  if (kernel.set.empty())
    overrides["N"] = 128;
  return unwrap(run::resolve(description, overrides), path);
}

/// A kernel on the emulator. The code object must outlive what is loaded from it.
struct EmulatedFile {
  object::CodeObject object;
  std::unique_ptr<run::LoadedKernel> loaded;

  EmulatedFile(const std::string &assembly, const std::string &name)
      : object(unwrap(object::loadCodeObject(assembly), assembly)) {
    const auto entry = std::find_if(object.kernels.begin(), object.kernels.end(),
                                    [&](const object::Kernel &k) { return k.name == name; });
    if (entry == object.kernels.end())
      throw std::runtime_error(assembly + ": no kernel " + name);
    loaded = unwrap(run::createEmulatorBackend()->load(object, *entry), assembly);
  }
  EmulatedFile(const EmulatedFile &) = delete;
  EmulatedFile &operator=(const EmulatedFile &) = delete;
};

/// A wave that loops for ever is a failure, not a hang.
inline constexpr uint64_t waveBudget = 50'000'000;

} // namespace rdna::test
