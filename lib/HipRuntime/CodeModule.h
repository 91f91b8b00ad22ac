//===- CodeModule.h - a code object in the device's memory ----------------===//
#pragma once

#include "Emu/Emulator.h"
#include "HipRuntime/DeviceMemory.h"
#include "HipRuntime/SourcePlaces.h"
#include "Object/CodeObject.h"

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rdna::hip {

/// A variable of the device.
struct Global {
  uint64_t address = 0, bytes = 0;
};

class CodeModule;

/// A kernel of a module, decoded when it is first launched. Lives as long as its module.
class ModuleKernel {
public:
  ModuleKernel(CodeModule &module, const object::Kernel &kernel)
      : module_(module), kernel_(kernel) {}
  const object::Kernel &kernel() const { return kernel_; }
  CodeModule &module() const { return module_; }
  llvm::Expected<const emu::Program *> program();
  uint32_t dynamicLdsLimit = 0; ///< hipFuncSetAttribute's; kept, not needed.

private:
  CodeModule &module_;
  const object::Kernel &kernel_;
  std::unique_ptr<emu::Program> program_;
};

class CodeModule {
public:
  /// Places the code object in `memory` and applies its relocations.
  static llvm::Expected<std::unique_ptr<CodeModule>>
  load(std::vector<std::byte> elf, std::string_view name, DeviceMemory &memory);
  ~CodeModule();
  CodeModule(const CodeModule &) = delete;
  CodeModule &operator=(const CodeModule &) = delete;

  ModuleKernel *kernel(std::string_view name);
  bool has(const ModuleKernel *kernel) const;
  std::optional<Global> global(std::string_view name) const;
  const object::CodeObject &object() const { return object_; }
  std::byte *image() const { return image_; }
  const SourcePlaces &places() const { return places_; }
  size_t kernelCount() const { return object_.kernels.size(); }
  const std::map<std::string, Global, std::less<>> &globals() const { return globals_; }
  /// What the compiler made, where this module is rewritten and the binary has both; else null.
  CodeModule *original() const { return original_.get(); }
  void setOriginal(std::unique_ptr<CodeModule> original) { original_ = std::move(original); }

private:
  CodeModule(object::CodeObject object, DeviceMemory &memory)
      : object_(std::move(object)), memory_(memory), places_(object_) {}
  llvm::Error place();
  llvm::Error readGlobals();

  object::CodeObject object_;
  DeviceMemory &memory_;
  SourcePlaces places_;
  std::byte *image_ = nullptr;
  std::unique_ptr<CodeModule> original_;
  std::map<std::string, std::unique_ptr<ModuleKernel>, std::less<>> kernels_;
  std::map<std::string, Global, std::less<>> globals_;
};

} // namespace rdna::hip
