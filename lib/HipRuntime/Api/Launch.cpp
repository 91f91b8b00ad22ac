//===- Launch.cpp - kernels are launched ----------------------------------===//
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/Api/Handles.h"

using namespace rdna::hip;

namespace {

using Cooperation = LaunchRequest::Cooperation;

Error launchStub(Runtime &r, const void *stub, Dim3 grid, Dim3 block, void **arguments,
                 size_t shared, void *stream, Cooperation cooperation) {
  if (!isStream(r, stream))
    return Error::InvalidValue;
  Error error = Error::Success;
  LaunchRequest request;
  request.kernel = r.kernelOf(stub, error);
  if (!request.kernel)
    return error;
  request.grid = grid;
  request.block = block;
  request.dynamicLds = shared;
  request.parameters = arguments;
  request.cooperation = cooperation;
  return launch(r, request);
}

Error launchFunction(Runtime &r, ModuleKernel *kernel, Dim3 grid, Dim3 block, size_t shared,
                     void *stream, void **parameters, void **extra, Cooperation cooperation) {
  if (!isStream(r, stream))
    return Error::InvalidValue;
  if (!kernel || !r.isKernel(kernel))
    return Error::InvalidHandle;
  LaunchRequest request;
  request.kernel = kernel;
  request.grid = grid;
  request.block = block;
  request.dynamicLds = shared;
  request.parameters = parameters;
  request.extra = extra;
  request.cooperation = cooperation;
  return launch(r, request);
}

/// hipExtModuleLaunchKernel and its kin count work-items.
Error launchItems(Runtime &r, ModuleKernel *kernel, Dim3 items, Dim3 block, size_t shared,
                  void *stream, void **parameters, void **extra, void *begin, void *end) {
  if (block.x == 0 || block.y == 0 || block.z == 0)
    return Error::InvalidConfiguration;
  if (items.x % block.x || items.y % block.y || items.z % block.z)
    return Error::InvalidValue; // Blocks that are not full are not offered.
  stamp(r, begin);
  const Error error =
      launchFunction(r, kernel, {items.x / block.x, items.y / block.y, items.z / block.z}, block,
                     shared, stream, parameters, extra, Cooperation::None);
  stamp(r, end);
  return error;
}

} // namespace

extern "C" {

int32_t hipLaunchKernel(const void *stub, Dim3 grid, Dim3 block, void **arguments, size_t shared,
                        void *stream) {
  return call([&](Runtime &r) {
    return launchStub(r, stub, grid, block, arguments, shared, stream, Cooperation::None);
  });
}

int32_t hipLaunchCooperativeKernel(const void *stub, Dim3 grid, Dim3 block, void **arguments,
                                   unsigned shared, void *stream) {
  return call([&](Runtime &r) {
    return launchStub(r, stub, grid, block, arguments, shared, stream, Cooperation::Grid);
  });
}

int32_t hipExtLaunchKernel(const void *stub, Dim3 grid, Dim3 block, void **arguments, size_t shared,
                           void *stream, void *begin, void *end, int) {
  return call([&](Runtime &r) {
    stamp(r, begin);
    const Error error =
        launchStub(r, stub, grid, block, arguments, shared, stream, Cooperation::None);
    stamp(r, end);
    return error;
  });
}

int32_t hipModuleLaunchKernel(ModuleKernel *kernel, unsigned gx, unsigned gy, unsigned gz,
                              unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                              void **parameters, void **extra) {
  return call([&](Runtime &r) {
    if (gx > 0x7fffffff || gy > 65536 || gz > 65536)
      return Error::InvalidValue;
    return launchFunction(r, kernel, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, extra,
                          Cooperation::None);
  });
}

int32_t hipModuleLaunchCooperativeKernel(ModuleKernel *kernel, unsigned gx, unsigned gy,
                                         unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                         unsigned shared, void *stream, void **parameters) {
  return call([&](Runtime &r) {
    return launchFunction(r, kernel, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters,
                          nullptr, Cooperation::Grid);
  });
}

int32_t hipExtModuleLaunchKernel(ModuleKernel *kernel, unsigned x, unsigned y, unsigned z,
                                 unsigned bx, unsigned by, unsigned bz, size_t shared, void *stream,
                                 void **parameters, void **extra, void *begin, void *end,
                                 unsigned) {
  return call([&](Runtime &r) {
    return launchItems(r, kernel, {x, y, z}, {bx, by, bz}, shared, stream, parameters, extra, begin,
                       end);
  });
}

} // extern "C"

// Some headers declare these without extern "C", so programs ask for the mangled names.

extern "C" int32_t
hipExtModuleLaunchKernelMangled(ModuleKernel *, unsigned, unsigned, unsigned, unsigned, unsigned,
                                unsigned, size_t, void *, void **, void **, void *, void *,
                                unsigned) asm("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_"
                                              "tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_"
                                              "tS6_j");
int32_t hipExtModuleLaunchKernelMangled(ModuleKernel *kernel, unsigned x, unsigned y, unsigned z,
                                        unsigned bx, unsigned by, unsigned bz, size_t shared,
                                        void *stream, void **parameters, void **extra, void *begin,
                                        void *end, unsigned flags) {
  return hipExtModuleLaunchKernel(kernel, x, y, z, bx, by, bz, shared, stream, parameters, extra,
                                  begin, end, flags);
}
