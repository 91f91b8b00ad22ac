//===- PerThread.cpp - -fgpu-default-stream=per-thread --------------------===//
//
// With it the headers call these names, for which null is the thread's own stream. Streams need no
// order here, so both mean the same.
//
//===----------------------------------------------------------------------===//
#include "HipRuntime/HipTypes.h"

using namespace rdna::hip;

using Callback = void (*)(void *stream, int32_t status, void *data);
using HostFunctionPointer = void (*)(void *data);

extern "C" {

int32_t hipEventRecord(void *, void *);
int32_t hipEventRecord_spt(void *event, void *stream) { return hipEventRecord(event, stream); }

int32_t hipLaunchCooperativeKernel(const void *, Dim3, Dim3, void **, unsigned, void *);
int32_t hipLaunchCooperativeKernel_spt(const void *stub, Dim3 grid, Dim3 block, void **arguments,
                                       unsigned shared, void *stream) {
  return hipLaunchCooperativeKernel(stub, grid, block, arguments, shared, stream);
}

int32_t hipLaunchKernel(const void *, Dim3, Dim3, void **, size_t, void *);
int32_t hipLaunchKernel_spt(const void *stub, Dim3 grid, Dim3 block, void **arguments,
                            size_t shared, void *stream) {
  return hipLaunchKernel(stub, grid, block, arguments, shared, stream);
}

int32_t hipMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int32_t);
int32_t hipMemcpy2D_spt(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                        size_t height, int32_t kind) {
  return hipMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}

int32_t hipMemcpy3D(const Memcpy3DParms *);
int32_t hipMemcpy3D_spt(const Memcpy3DParms *p) { return hipMemcpy3D(p); }

int32_t hipMemcpyAsync(void *, const void *, size_t, int32_t, void *);
int32_t hipMemcpyAsync_spt(void *to, const void *from, size_t bytes, int32_t kind, void *p4) {
  return hipMemcpyAsync(to, from, bytes, kind, p4);
}

int32_t hipMemcpyFromSymbol(void *, const void *, size_t, size_t, int32_t);
int32_t hipMemcpyFromSymbol_spt(void *to, const void *symbol, size_t bytes, size_t offset,
                                int32_t kind) {
  return hipMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

int32_t hipMemcpyToSymbol(const void *, const void *, size_t, size_t, int32_t);
int32_t hipMemcpyToSymbol_spt(const void *symbol, const void *from, size_t bytes, size_t offset,
                              int32_t kind) {
  return hipMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

int32_t hipMemcpy(void *, const void *, size_t, int32_t);
int32_t hipMemcpy_spt(void *to, const void *from, size_t bytes, int32_t kind) {
  return hipMemcpy(to, from, bytes, kind);
}

int32_t hipMemset2D(void *, size_t, int, size_t, size_t);
int32_t hipMemset2D_spt(void *to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2D(to, pitch, value, width, height);
}

int32_t hipMemset3D(PitchedPtr, int, Extent);
int32_t hipMemset3D_spt(PitchedPtr to, int value, Extent extent) {
  return hipMemset3D(to, value, extent);
}

int32_t hipMemset(void *, int, size_t);
int32_t hipMemset_spt(void *to, int value, size_t bytes) { return hipMemset(to, value, bytes); }

int32_t hipStreamGetFlags(void *, unsigned *);
int32_t hipStreamGetFlags_spt(void *stream, unsigned *flags) {
  return hipStreamGetFlags(stream, flags);
}

int32_t hipStreamGetPriority(void *, int *);
int32_t hipStreamGetPriority_spt(void *stream, int *priority) {
  return hipStreamGetPriority(stream, priority);
}

int32_t hipStreamQuery(void *);
int32_t hipStreamQuery_spt(void *stream) { return hipStreamQuery(stream); }

int32_t hipStreamSynchronize(void *);
int32_t hipStreamSynchronize_spt(void *stream) { return hipStreamSynchronize(stream); }

int32_t hipStreamWaitEvent(void *, void *, unsigned);
int32_t hipStreamWaitEvent_spt(void *stream, void *event, unsigned flags) {
  return hipStreamWaitEvent(stream, event, flags);
}

int32_t hipLaunchHostFunc(void *, HostFunctionPointer, void *);
int32_t hipLaunchHostFunc_spt(void *stream, HostFunctionPointer function, void *data) {
  return hipLaunchHostFunc(stream, function, data);
}

int32_t hipMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, int32_t, void *);
int32_t hipMemcpy2DAsync_spt(void *to, size_t toPitch, const void *from, size_t fromPitch,
                             size_t width, size_t height, int32_t kind, void *p7) {
  return hipMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, p7);
}

int32_t hipMemcpy3DAsync(const Memcpy3DParms *, void *);
int32_t hipMemcpy3DAsync_spt(const Memcpy3DParms *p, void *p1) { return hipMemcpy3DAsync(p, p1); }

int32_t hipMemcpyFromSymbolAsync(void *, const void *, size_t, size_t, int32_t, void *);
int32_t hipMemcpyFromSymbolAsync_spt(void *to, const void *symbol, size_t bytes, size_t offset,
                                     int32_t kind, void *p5) {
  return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, p5);
}

int32_t hipMemcpyToSymbolAsync(const void *, const void *, size_t, size_t, int32_t, void *);
int32_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *from, size_t bytes,
                                   size_t offset, int32_t kind, void *p5) {
  return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, p5);
}

int32_t hipMemset2DAsync(void *, size_t, int, size_t, size_t, void *);
int32_t hipMemset2DAsync_spt(void *to, size_t pitch, int value, size_t width, size_t height,
                             void *p5) {
  return hipMemset2DAsync(to, pitch, value, width, height, p5);
}

int32_t hipMemset3DAsync(PitchedPtr, int, Extent, void *);
int32_t hipMemset3DAsync_spt(PitchedPtr to, int value, Extent extent, void *p3) {
  return hipMemset3DAsync(to, value, extent, p3);
}

int32_t hipMemsetAsync(void *, int, size_t, void *);
int32_t hipMemsetAsync_spt(void *to, int value, size_t bytes, void *p3) {
  return hipMemsetAsync(to, value, bytes, p3);
}

int32_t hipStreamAddCallback(void *, Callback, void *, unsigned);
int32_t hipStreamAddCallback_spt(void *stream, Callback callback, void *data, unsigned flags) {
  return hipStreamAddCallback(stream, callback, data, flags);
}

int32_t hipStreamIsCapturing(void *, int *);
int32_t hipStreamIsCapturing_spt(void *stream, int *status) {
  return hipStreamIsCapturing(stream, status);
}

} // extern "C"
