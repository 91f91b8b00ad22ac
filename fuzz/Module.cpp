// Anything as the device code of a HIP program: loaded, its variables looked at, each kernel
// launched for a few instructions, unloaded.
#include "FuzzTarget.h"
#include "HipRuntime/Launch.h"

#include <array>

using namespace rdna;

static void launchOnce(hip::Runtime &runtime, hip::CodeModule &module, std::string_view name) {
  std::array<std::byte, 256> arguments{};
  size_t size = arguments.size();
  const auto tag = [](uintptr_t n) { return reinterpret_cast<void *>(n); };
  void *extra[] = {tag(1), arguments.data(), tag(2), &size, tag(3)};
  hip::LaunchRequest request;
  request.kernel = module.kernel(name);
  request.grid = {2, 1, 1};
  request.block = {33, 1, 1};
  request.extra = extra;
  hip::launch(runtime, request);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hip::Settings settings;
  settings.engine = emu::Engine::Interpreter;
  settings.threads = 1;
  settings.memoryBytes = uint64_t{256} << 20;
  settings.budget = 500;
  hip::Runtime runtime(settings);
  const std::span bytes(reinterpret_cast<const std::byte *>(data), size);
  auto module = runtime.loadModule(bytes, "a file");
  if (!module) {
    llvm::consumeError(module.takeError());
    return 0;
  }
  for (const auto &[name, global] : (*module)->globals())
    (*module)->global(name);
  for (const object::Kernel &kernel : (*module)->object().kernels)
    launchOnce(runtime, **module, kernel.name);
  runtime.modules.erase(*module);
  return 0;
}
