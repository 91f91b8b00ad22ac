//===- Modules.cpp - code objects that programs load themselves -----------===//
#include "HipRuntime/Api/Call.h"

#include "Support/File.h"

#include <cstring>

using namespace rdna::hip;

namespace {

CodeModule *moduleOf(const Runtime &r, void *module) {
  auto *known = static_cast<CodeModule *>(module);
  return r.modules.contains(known) ? known : nullptr;
}

template <class Image>
Error loadData(Runtime &r, void **module, const Image &image, std::string_view name) {
  *module = nullptr;
  auto loaded = r.loadModule(image, name);
  if (!loaded) {
    llvm::Error error = loaded.takeError();
    const Error result = errorOf(error);
    r.report.warn(llvm::toString(std::move(error)));
    return result;
  }
  *module = *loaded;
  return Error::Success;
}

/// Of an attribute of a function; false if there is no such one.
bool functionAttribute(const rdna::object::Kernel &kernel, int32_t attribute, int32_t &value) {
  constexpr int32_t version = 110, mostLds = 65536;
  switch (attribute) {
  case 0:
    value = int32_t(kernel.maxFlatWorkgroupSize.value_or(1024));
    return true;
  case 1:
    value = int32_t(kernel.ldsBytes);
    return true;
  case 3:
    value = int32_t(kernel.scratchBytes);
    return true;
  case 4:
    value = int32_t(kernel.vgprs);
    return true;
  case 5:
  case 6:
    value = version;
    return true;
  case 8:
    value = mostLds - int32_t(kernel.ldsBytes);
    return true;
  case 2:
  case 7:
  case 9:
    value = 0;
    return true;
  default:
    return false;
  }
}

} // namespace

extern "C" {

int32_t hipModuleLoadData(void **module, const void *image) {
  return call([&](Runtime &r) {
    return module && image ? loadData(r, module, image, "module") : Error::InvalidValue;
  });
}
int32_t hipModuleLoadDataEx(void **module, const void *image, unsigned, void *, void **) {
  return hipModuleLoadData(module, image);
}
int32_t hipModuleLoadFatBinary(void **module, const void *image) {
  return hipModuleLoadData(module, image);
}

int32_t hipModuleLoad(void **module, const char *path) {
  return call([&](Runtime &r) {
    if (!module || !path)
      return Error::InvalidValue;
    auto text = rdna::readInput(path);
    if (!text) {
      consumeError(text.takeError());
      return Error::FileNotFound;
    }
    if (text->empty())
      return Error::InvalidValue;
    return loadData(r, module, std::as_bytes(std::span(*text)), path);
  });
}

int32_t hipModuleUnload(void *module) {
  return call([&](Runtime &r) {
    if (!module)
      return Error::InvalidHandle;
    return r.modules.erase(static_cast<CodeModule *>(module)) ? Error::Success : Error::NotFound;
  });
}

int32_t hipModuleGetFunction(void **function, void *module, const char *name) {
  return call([&](Runtime &r) {
    if (!function || !name || !*name)
      return Error::InvalidValue;
    if (!module)
      return Error::InvalidHandle;
    CodeModule *known = moduleOf(r, module);
    ModuleKernel *kernel = known ? known->kernel(name) : nullptr;
    *function = kernel;
    return kernel ? Error::Success : Error::NotFound;
  });
}

int32_t hipModuleGetFunctionCount(unsigned *count, void *module) {
  return call([&](Runtime &r) {
    CodeModule *known = moduleOf(r, module);
    if (!count || !known)
      return count ? Error::InvalidHandle : Error::InvalidValue;
    *count = unsigned(known->kernelCount());
    return Error::Success;
  });
}

int32_t hipModuleGetGlobal(void **pointer, size_t *bytes, void *module, const char *name) {
  return call([&](Runtime &r) {
    if ((!pointer && !bytes) || !name || !*name)
      return Error::InvalidValue;
    if (!module)
      return Error::InvalidHandle;
    CodeModule *known = moduleOf(r, module);
    const auto global = known ? known->global(name) : std::nullopt;
    if (!global)
      return Error::NotFound;
    if (pointer)
      *pointer = reinterpret_cast<void *>(global->address);
    if (bytes)
      *bytes = global->bytes;
    return Error::Success;
  });
}

int32_t hipFuncGetAttribute(int *value, int32_t attribute, ModuleKernel *kernel) {
  return call([&](Runtime &r) {
    if (!value)
      return Error::InvalidValue;
    if (!kernel || !r.isKernel(kernel))
      return Error::InvalidDeviceFunction;
    return functionAttribute(kernel->kernel(), attribute, *value) ? Error::Success
                                                                  : Error::InvalidValue;
  });
}

int32_t hipFuncGetAttributes(FuncAttributes *out, const void *stub) {
  return call([&](Runtime &r) {
    if (!out)
      return Error::InvalidValue;
    Error error = Error::Success;
    ModuleKernel *found = r.kernelOf(stub, error);
    if (!found)
      return error == Error::InvalidDeviceFunction ? Error::InvalidSymbol : error;
    const rdna::object::Kernel &kernel = found->kernel();
    *out = {};
    out->binaryVersion = out->ptxVersion = 110;
    out->localSizeBytes = kernel.scratchBytes;
    out->maxDynamicSharedSizeBytes = 65536 - int32_t(kernel.ldsBytes);
    out->maxThreadsPerBlock = int32_t(kernel.maxFlatWorkgroupSize.value_or(1024));
    out->numRegs = int32_t(kernel.vgprs);
    out->sharedSizeBytes = kernel.ldsBytes;
    return Error::Success;
  });
}

int32_t hipFuncSetAttribute(const void *stub, int32_t attribute, int value) {
  return call([&](Runtime &r) {
    Error error = Error::Success;
    ModuleKernel *kernel = stub ? r.kernelOf(stub, error) : nullptr;
    if (!kernel)
      return Error::InvalidDeviceFunction;
    if (attribute == 8)
      return value >= 0 && value <= 65536 - int(kernel->kernel().ldsBytes) ? Error::Success
                                                                           : Error::InvalidValue;
    return attribute == 9 && value >= -1 && value <= 100 ? Error::Success : Error::InvalidValue;
  });
}

int32_t hipFuncSetCacheConfig(const void *, int32_t) {
  return call([](Runtime &) { return Error::Success; });
}
int32_t hipFuncSetSharedMemConfig(const void *, int32_t) {
  return call([](Runtime &) { return Error::Success; });
}

int32_t hipGetFuncBySymbol(void **function, const void *stub) {
  return call([&](Runtime &r) {
    if (!function)
      return Error::InvalidValue;
    Error error = Error::Success;
    ModuleKernel *kernel = r.kernelOf(stub, error);
    *function = kernel;
    return kernel ? Error::Success : error;
  });
}

const char *hipKernelNameRef(ModuleKernel *kernel) {
  return ask([&](Runtime &r) -> const char * {
    return kernel && r.isKernel(kernel) ? kernel->kernel().name.c_str() : nullptr;
  });
}

const char *hipKernelNameRefByPtr(const void *stub, void *) {
  return ask([&](Runtime &r) -> const char * {
    const auto found = r.functions.find(stub);
    return found == r.functions.end() ? nullptr : found->second.name.c_str();
  });
}

} // extern "C"
