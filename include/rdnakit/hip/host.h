//===- host.h - the part of HIP's host interface that kernels' files name --===//
//
// Declarations only: a file whose host code launches its kernels can then be compiled for the
// device. Host programs are linked with ROCm's runtime and its headers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "coordinates.h"

typedef decltype(sizeof(0)) rdnakit_size_t;

typedef enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorNotInitialized = 3,
  hipErrorInvalidConfiguration = 9,
  hipErrorInvalidSymbol = 13,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorFileNotFound = 301,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorLaunchFailure = 719,
  hipErrorUnknown = 999
} hipError_t;

typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4
} hipMemcpyKind;

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;

extern "C" {
// What clang calls for kernel<<<grid, block, lds, stream>>>(...).
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, rdnakit_size_t lds = 0,
                                      hipStream_t stream = nullptr);
hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                           rdnakit_size_t lds, hipStream_t stream);

hipError_t hipSetDevice(int device);
hipError_t hipGetDevice(int *device);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipDeviceSynchronize(void);
hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);
const char *hipGetErrorString(hipError_t error);
const char *hipGetErrorName(hipError_t error);

hipError_t hipMalloc(void **pointer, rdnakit_size_t bytes);
hipError_t hipFree(void *pointer);
hipError_t hipMemcpy(void *to, const void *from, rdnakit_size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyAsync(void *to, const void *from, rdnakit_size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream = nullptr);
hipError_t hipMemset(void *to, int value, rdnakit_size_t bytes);
hipError_t hipMemsetAsync(void *to, int value, rdnakit_size_t bytes, hipStream_t stream = nullptr);
hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, rdnakit_size_t bytes,
                             rdnakit_size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice);

hipError_t hipStreamCreate(hipStream_t *stream);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipEventCreate(hipEvent_t *event);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream = nullptr);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t begin, hipEvent_t end);

hipError_t hipModuleLoad(hipModule_t *module, const char *file);
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY,
                                 unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                 unsigned lds, hipStream_t stream, void **arguments, void **extra);
}

template <class T> static inline hipError_t hipMalloc(T **pointer, rdnakit_size_t bytes) {
  return hipMalloc(reinterpret_cast<void **>(pointer), bytes);
}
template <class T>
static inline hipError_t hipMemcpyToSymbol(const T &symbol, const void *from, rdnakit_size_t bytes,
                                           rdnakit_size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol(static_cast<const void *>(&symbol), from, bytes, offset, kind);
}

#define HIP_SYMBOL(name) name
#define hipLaunchKernelGGL(kernel, grid, block, lds, stream, ...)                                  \
  kernel<<<(grid), (block), (lds), (stream)>>>(__VA_ARGS__)
