//===- HipTypes.h - HIP's types as compiled programs lay them out ---------===//
//
// Written down here so that one library serves programs that were compiled against ROCm 5, 6 and 7,
// whichever headers this machine has. HipTypes.cpp checks every size and offset.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace rdna::hip {

enum class Error : int32_t {
#define HIP_ERROR(value, name, text) name = value,
#include "HipRuntime/Errors.def"
};

/// hipErrorOutOfMemory and its kin, and the sentence for people.
const char *errorName(int32_t error);
const char *errorText(int32_t error);
bool isError(int32_t error);

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

struct Uuid {
  char bytes[16];
};

struct DevicePropR0600 {
#define HIP_PROPERTY(offset, type, name) type name;
#define HIP_PROPERTIES(offset, type, name, count) type name[count];
#include "HipRuntime/DevicePropR0600.def"
};

struct DevicePropR0000 {
#define HIP_PROPERTY(offset, type, name) type name;
#define HIP_PROPERTIES(offset, type, name, count) type name[count];
#include "HipRuntime/DevicePropR0000.def"
};

struct FuncAttributes {
  int32_t binaryVersion, cacheModeCA;
  size_t constSizeBytes, localSizeBytes;
  int32_t maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout,
      ptxVersion;
  size_t sharedSizeBytes;
};

struct PointerAttributes {
  int32_t type, device;
  void *devicePointer, *hostPointer;
  int32_t isManaged;
  uint32_t allocationFlags;
};

struct LaunchParams {
  const void *func;
  Dim3 grid, block;
  void **args;
  size_t sharedMem;
  void *stream;
};

struct PitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};

struct Extent {
  size_t width, height, depth;
};

struct Pos {
  size_t x, y, z;
};

struct Memcpy3DParms {
  void *srcArray;
  Pos srcPos;
  PitchedPtr srcPtr;
  void *dstArray;
  Pos dstPos;
  PitchedPtr dstPtr;
  Extent extent;
  int32_t kind;
};

/// hip_Memcpy2D, the driver interface's.
struct MemcpyParam2D {
  size_t srcXInBytes, srcY;
  int32_t srcMemoryType;
  const void *srcHost;
  void *srcDevice, *srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  int32_t dstMemoryType;
  void *dstHost, *dstDevice, *dstArray;
  size_t dstPitch, widthInBytes, height;
};

/// What __hipRegisterFatBinary gets.
struct FatBinaryWrapper {
  uint32_t magic, version;
  const void *binary;
  void *unused;
};
inline constexpr uint32_t fatBinaryMagic = 0x48495046; // "HIPF"

enum CopyKind : int32_t {
  HostToHost = 0,
  HostToDevice = 1,
  DeviceToHost = 2,
  DeviceToDevice = 3,
  CopyDefault = 4,
  DeviceToDeviceNoCU = 1024
};

} // namespace rdna::hip
