#include "HipRuntime/Runtime.h"

#include "Object/Bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::hip {

Runtime::Runtime(Settings given)
    : settings(std::move(given)), memory(settings.memoryBytes), report(settings) {}

std::chrono::nanoseconds Runtime::now() const {
  return settings.times == Times::Predicted ? predicted.sum
                                            : std::chrono::steady_clock::now().time_since_epoch();
}

std::string Runtime::aboutTimes() const {
  if (settings.times == Times::Predicted)
    return fmt::format(
        "rdna-run: event times are predicted, for a Radeon RX 7900 XTX: kernels {:.4f} "
        "ms in all, anything else none; nothing was measured{}\n",
        std::chrono::duration<double, std::milli>(predicted.sum).count(),
        predicted.refused == 0
            ? ""
            : fmt::format("; {} of {} launches have no prediction and count with the "
                          "emulator's own time",
                          predicted.refused, predicted.refused + predicted.launches));
  return timesAsked ? "rdna-run: event times are the emulator's own, not a GPU's\n" : "";
}

Error errorOf(const llvm::Error &error) {
  return error.isA<object::NoCodeForProcessor>() ? Error::NoBinaryForGpu : Error::InvalidImage;
}

FatBinary *Runtime::addBinary(const void *data) {
  for (const auto &binary : binaries)
    if (binary->data == data)
      return binary.get();
  binaries.push_back(std::make_unique<FatBinary>());
  binaries.back()->data = data;
  return binaries.back().get();
}

FatBinary *Runtime::binaryOf(const void *handle) const {
  for (const auto &binary : binaries)
    if (binary.get() == handle)
      return binary.get();
  return nullptr;
}

void Runtime::removeBinary(FatBinary *binary) {
  const auto found = std::find_if(binaries.begin(), binaries.end(),
                                  [&](const auto &b) { return b.get() == binary; });
  if (found == binaries.end())
    return;
  std::erase_if(functions, [&](const auto &f) { return f.second.binary == binary; });
  std::erase_if(variables, [&](const auto &v) {
    if (v.second.binary == binary && v.second.managed)
      memory.release(reinterpret_cast<uint64_t>(v.second.managed));
    return v.second.binary == binary;
  });
  binaries.erase(found);
}

llvm::Expected<std::unique_ptr<CodeModule>> Runtime::read(std::span<const std::byte> image,
                                                          std::string_view name) {
  auto code = object::codeFor(image, deviceProcessor);
  if (!code)
    return code.takeError();
  auto module = CodeModule::load(std::move(*code), name, memory);
  if (!module)
    return module;
  auto before = object::codeWithId(image, object::originalId(deviceProcessor));
  if (!before)
    return before.takeError();
  if (before->empty())
    return module;
  auto original = CodeModule::load(std::move(*before), name, memory);
  if (!original)
    return original.takeError();
  (*module)->setOriginal(std::move(*original));
  return module;
}

/// The bytes that a pointer of the program stands for.
static llvm::Expected<std::span<const std::byte>> bytesAt(const void *image) {
  auto size = object::imageSize(image);
  if (!size)
    return size.takeError();
  return std::span(static_cast<const std::byte *>(image), *size);
}

CodeModule *Runtime::load(FatBinary &binary) {
  if (binary.module || binary.failure != Error::Success)
    return binary.module.get();
  auto bytes = bytesAt(binary.data);
  auto module = bytes ? read(*bytes, "the program")
                      : llvm::Expected<std::unique_ptr<CodeModule>>(bytes.takeError());
  if (!module) {
    llvm::Error error = module.takeError();
    binary.failure = errorOf(error);
    report.warn(llvm::toString(std::move(error)));
    return nullptr;
  }
  binary.module = std::move(*module);
  // A managed variable of the device is a pointer to the memory that the host has already.
  for (const auto &[shadow, variable] : variables)
    if (variable.binary == &binary && variable.managed)
      if (const auto global = binary.module->global(variable.name); global && global->bytes >= 8)
        std::memcpy(reinterpret_cast<void *>(global->address), &variable.managed, 8);
  return binary.module.get();
}

llvm::Expected<CodeModule *> Runtime::loadModule(const void *image, std::string_view name) {
  auto bytes = bytesAt(image);
  if (!bytes)
    return bytes.takeError();
  return loadModule(*bytes, name);
}

llvm::Expected<CodeModule *> Runtime::loadModule(std::span<const std::byte> image,
                                                 std::string_view name) {
  auto module = read(image, name);
  if (!module)
    return module.takeError();
  CodeModule *handle = module->get();
  modules[handle] = std::move(*module);
  return handle;
}

ModuleKernel *Runtime::kernelOf(const void *stub, Error &error) {
  const auto found = functions.find(stub);
  if (found == functions.end()) {
    error = Error::InvalidDeviceFunction;
    return nullptr;
  }
  CodeModule *module = load(*found->second.binary);
  ModuleKernel *kernel = module ? module->kernel(found->second.name) : nullptr;
  if (!kernel)
    error = module ? Error::InvalidDeviceFunction : found->second.binary->failure;
  return kernel;
}

std::optional<Global> Runtime::variable(const void *shadow) {
  const auto found = variables.find(shadow);
  if (found == variables.end())
    return std::nullopt;
  const HostVariable &variable = found->second;
  if (variable.managed)
    return Global{reinterpret_cast<uint64_t>(variable.managed), variable.bytes};
  CodeModule *module = load(*variable.binary);
  return module ? module->global(variable.name) : std::nullopt;
}

bool Runtime::isKernel(const ModuleKernel *kernel) const {
  return std::any_of(modules.begin(), modules.end(),
                     [&](const auto &m) { return m.first->has(kernel); }) ||
         std::any_of(binaries.begin(), binaries.end(),
                     [&](const auto &b) { return b->module && b->module->has(kernel); });
}

} // namespace rdna::hip
