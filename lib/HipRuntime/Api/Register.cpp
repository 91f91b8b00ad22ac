//===- Register.cpp - what compiled programs call before main -------------===//
#include "HipRuntime/Api/Call.h"

#include <cstring>
#include <vector>

using namespace rdna::hip;

namespace {

struct Configuration {
  Dim3 grid, block;
  size_t shared = 0;
  void *stream = nullptr;
  std::vector<std::byte> arguments; ///< Of hipSetupArgument.
};

std::vector<Configuration> &configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

} // namespace

extern "C" {

int32_t hipLaunchKernel(const void *stub, Dim3 grid, Dim3 block, void **arguments, size_t shared,
                        void *stream);

/// What it returns is only stored, tested against null and handed back.
void **__hipRegisterFatBinary(const void *data) {
  return ask([&](Runtime &r) -> void ** {
    const auto *wrapper = static_cast<const FatBinaryWrapper *>(data);
    if (!wrapper || wrapper->magic != fatBinaryMagic || wrapper->version != 1 || !wrapper->binary) {
      r.report.warn("a fat binary of an unknown kind was registered; its kernels are missing");
      return nullptr;
    }
    return reinterpret_cast<void **>(r.addBinary(wrapper->binary));
  });
}

void __hipUnregisterFatBinary(void **handle) {
  ask([&](Runtime &r) { r.removeBinary(reinterpret_cast<FatBinary *>(handle)); });
}

void __hipRegisterFunction(void **handle, const void *stub, char *, const char *name, unsigned,
                           void *, void *, void *, void *, int *) {
  ask([&](Runtime &r) {
    if (FatBinary *binary = r.binaryOf(handle); binary && stub && name)
      r.functions.try_emplace(stub, HostFunction{binary, name});
  });
}

void __hipRegisterVar(void **handle, void *shadow, char *, const char *name, int, size_t bytes, int,
                      int) {
  ask([&](Runtime &r) {
    if (FatBinary *binary = r.binaryOf(handle); binary && shadow && name)
      r.variables.try_emplace(shadow, HostVariable{binary, name, bytes, nullptr});
  });
}

void __hipRegisterManagedVar(void **handle, void **pointer, void *initial, const char *name,
                             size_t bytes, unsigned) {
  ask([&](Runtime &r) {
    FatBinary *binary = r.binaryOf(handle);
    if (!binary || !pointer || !name || bytes == 0)
      return;
    Allocation *memory =
        r.memory.allocate(bytes, Allocation::Kind::Managed, "__hipRegisterManagedVar");
    if (!memory)
      return;
    void *data = reinterpret_cast<void *>(memory->address);
    if (initial)
      std::memcpy(data, initial, bytes);
    *pointer = data;
    r.variables[pointer] = HostVariable{binary, name, bytes, data};
  });
}

int32_t __hipPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void *stream) {
  configurations().push_back({grid, block, shared, stream, {}});
  return 0;
}

int32_t __hipPopCallConfiguration(Dim3 *grid, Dim3 *block, size_t *shared, void **stream) {
  if (configurations().empty())
    return lastError() = int32_t(Error::MissingConfiguration);
  const Configuration top = std::move(configurations().back());
  configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *stream = top.stream;
  return 0;
}

int32_t hipConfigureCall(Dim3 grid, Dim3 block, size_t shared, void *stream) {
  return __hipPushCallConfiguration(grid, block, shared, stream);
}

int32_t hipSetupArgument(const void *argument, size_t size, size_t offset) {
  return call([&](Runtime &) {
    constexpr size_t longest = 65536;
    if (configurations().empty() || !argument || offset > longest || size > longest)
      return Error::InvalidValue;
    std::vector<std::byte> &bytes = configurations().back().arguments;
    bytes.resize(std::max(bytes.size(), offset + size));
    std::memcpy(bytes.data() + offset, argument, size);
    return Error::Success;
  });
}

int32_t hipLaunchByPtr(const void *stub) {
  return call([&](Runtime &r) {
    if (configurations().empty())
      return Error::MissingConfiguration;
    Configuration top = std::move(configurations().back());
    configurations().pop_back();
    LaunchRequest request;
    Error error = Error::Success;
    request.kernel = r.kernelOf(stub, error);
    if (!request.kernel)
      return error;
    size_t size = top.arguments.size();
    void *extra[] = {reinterpret_cast<void *>(1), top.arguments.data(), reinterpret_cast<void *>(2),
                     &size, reinterpret_cast<void *>(3)};
    request.grid = top.grid;
    request.block = top.block;
    request.dynamicLds = top.shared;
    request.extra = extra;
    return launch(r, request);
  });
}

} // extern "C"
