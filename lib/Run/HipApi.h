//===- HipApi.h - the part of libamdhip64 and librocblas used here --------===//
//
// Declared here and looked up at run time, so that one binary works without ROCm and with every
// version from 5 to 7: only functions whose signatures have not changed since ROCm 4, no structures
// (hipDeviceProp_t has three layouts).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <cstddef>
#include <string>

namespace rdna::run::hip {

using Status = int; ///< hipError_t; 0 is success.
using Event = struct OpaqueEvent *;
using Module = struct OpaqueModule *;
using Function = struct OpaqueFunction *;
using Stream = struct OpaqueStream *;

enum class CopyKind : int { HostToDevice = 1, DeviceToHost = 2 };
/// Values of hipDeviceAttribute_t (hip_runtime_api.h, unchanged from 5.0 to 7.1).
enum class DeviceAttribute : int { ClockRateKhz = 5, MultiprocessorCount = 63 };

struct Api {
  Status (*init)(unsigned flags);
  Status (*getDeviceCount)(int *count);
  Status (*setDevice)(int device);
  Status (*deviceGetName)(char *name, int length, int device);
  Status (*deviceGetAttribute)(int *value, DeviceAttribute attribute, int device);
  Status (*runtimeGetVersion)(int *version);
  Status (*malloc)(void **pointer, size_t bytes);
  Status (*free)(void *pointer);
  Status (*memcpy)(void *to, const void *from, size_t bytes, CopyKind kind);
  Status (*moduleLoadData)(Module *module, const void *image);
  Status (*moduleUnload)(Module module);
  Status (*moduleGetFunction)(Function *function, Module module, const char *name);
  Status (*moduleLaunchKernel)(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                               unsigned blockX, unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, Stream stream, void **parameters,
                               void **extra);
  Status (*eventCreate)(Event *event);
  Status (*eventDestroy)(Event event);
  Status (*eventRecord)(Event event, Stream stream);
  Status (*eventSynchronize)(Event event);
  Status (*eventElapsedTime)(float *milliseconds, Event start, Event stop);
  Status (*deviceSynchronize)();
  const char *(*getErrorString)(Status status);
  std::string library; ///< The name under which it was found.

  /// Success, or an error with HIP's own text.
  llvm::Error check(Status status, const char *what) const;
};

/// The library, loaded once per process; Failure::NoBackend if it is not there.
llvm::Expected<const Api *> api();

/// rocBLAS as the baseline of SGEMM benchmarks.
struct RocblasApi {
  using Handle = struct OpaqueHandle *;
  int (*createHandle)(Handle *handle);
  int (*destroyHandle)(Handle handle);
  /// Column-major; operations are 111 (none), 112 (transpose).
  int (*sgemm)(Handle handle, int operationA, int operationB, int m, int n, int k,
               const float *alpha, const float *a, int lda, const float *b, int ldb,
               const float *beta, float *c, int ldc);
};

/// Null if the library is not installed.
const RocblasApi *rocblas();

} // namespace rdna::run::hip
