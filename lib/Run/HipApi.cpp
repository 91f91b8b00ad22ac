#include "Run/HipApi.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <optional>

namespace rdna::run::hip {

/// Newest first, because an older runtime may be left over beside it; the name without a version
/// exists where development packages do and is the administrator's choice.
static void *openFirst(std::initializer_list<const char *> names, std::string &found) {
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      found = name;
      return library;
    }
  return nullptr;
}

template <typename F> static bool look(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

llvm::Error Api::check(Status status, const char *what) const {
  if (status == 0)
    return llvm::Error::success();
  // hipErrorNoBinaryForGpu: this card is no gfx1100, which is no fault of the input.
  const Failure failure = status == 209 ? Failure::NoBackend : Failure::Refused;
  return makeError(failure, "",
                   fmt::format("HIP: {}: {} (error {})", what, getErrorString(status), status));
}

static std::optional<Api> loadApi(std::string &reason) {
  Api api{};
  void *library = openFirst(
      {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}, api.library);
  if (library == nullptr) {
    reason = "libamdhip64.so is not installed";
    return std::nullopt;
  }
  const char *missing = nullptr;
  const auto need = [&](const char *name, auto &function) {
    if (!look(library, name, function) && missing == nullptr)
      missing = name;
  };
  need("hipInit", api.init);
  need("hipGetDeviceCount", api.getDeviceCount);
  need("hipSetDevice", api.setDevice);
  need("hipDeviceGetName", api.deviceGetName);
  need("hipDeviceGetAttribute", api.deviceGetAttribute);
  need("hipRuntimeGetVersion", api.runtimeGetVersion);
  need("hipMalloc", api.malloc);
  need("hipFree", api.free);
  need("hipMemcpy", api.memcpy);
  need("hipModuleLoadData", api.moduleLoadData);
  need("hipModuleUnload", api.moduleUnload);
  need("hipModuleGetFunction", api.moduleGetFunction);
  need("hipModuleLaunchKernel", api.moduleLaunchKernel);
  need("hipEventCreate", api.eventCreate);
  need("hipEventDestroy", api.eventDestroy);
  need("hipEventRecord", api.eventRecord);
  need("hipEventSynchronize", api.eventSynchronize);
  need("hipEventElapsedTime", api.eventElapsedTime);
  need("hipDeviceSynchronize", api.deviceSynchronize);
  need("hipGetErrorString", api.getErrorString);
  if (missing != nullptr) {
    reason = fmt::format("{} has no function {}", api.library, missing);
    return std::nullopt;
  }
  return api;
}

llvm::Expected<const Api *> api() {
  static std::string reason;
  static const std::optional<Api> loaded = loadApi(reason);
  if (!loaded)
    return makeError(Failure::NoBackend, "",
                     fmt::format("backend hip is not available: {}", reason));
  return &*loaded;
}

const RocblasApi *rocblas() {
  static const std::optional<RocblasApi> loaded = []() -> std::optional<RocblasApi> {
    std::string name;
    void *library = openFirst({"librocblas.so", "librocblas.so.5", "librocblas.so.4",
                               "librocblas.so.3", "librocblas.so.0"},
                              name);
    RocblasApi api{};
    if (library == nullptr || !look(library, "rocblas_create_handle", api.createHandle) ||
        !look(library, "rocblas_destroy_handle", api.destroyHandle) ||
        !look(library, "rocblas_sgemm", api.sgemm))
      return std::nullopt;
    return api;
  }();
  return loaded ? &*loaded : nullptr;
}

} // namespace rdna::run::hip
