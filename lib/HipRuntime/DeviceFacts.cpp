#include "HipRuntime/DeviceFacts.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace rdna::hip {

namespace {

constexpr char deviceName[] = "AMD Radeon RX 7900 XTX (emulated)";
constexpr char deviceUuid[] = "rdnakit-emulated";
static_assert(sizeof deviceUuid == sizeof(Uuid) + 1);

void setTextures(DevicePropR0600 &p) {
  p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2D[1] = p.maxTexture3D[2] = 16384;
  p.maxTexture3D[0] = p.maxTexture3D[1] = 16384;
  p.maxTexture1DLinear = INT_MAX;
  p.textureAlignment = p.texturePitchAlignment = 256;
}

} // namespace

DevicePropR0600 deviceProperties(uint64_t memoryBytes) {
  DevicePropR0600 p;
  std::memset(&p, 0, sizeof p);
  std::memcpy(p.name, deviceName, sizeof deviceName);
  std::memcpy(p.uuid.bytes, deviceUuid, sizeof p.uuid.bytes);
  std::memcpy(p.gcnArchName, "gfx1100", sizeof "gfx1100");
  constexpr int lds = 65536, processors = 48, wavesOfProcessor = 64;
  p.totalGlobalMem = memoryBytes;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = p.maxSharedMemoryPerMultiProcessor = lds;
  p.sharedMemPerMultiprocessor = lds;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = p.maxThreadsDim[2] = 1024;
  p.maxGridSize[0] = INT_MAX;
  p.maxGridSize[1] = p.maxGridSize[2] = 65536;
  p.memPitch = p.totalConstMem = std::min<uint64_t>(memoryBytes / 100 * 85, INT_MAX);
  p.clockRate = 2500000;
  p.memoryClockRate = 1250000;
  p.memoryBusWidth = 384;
  p.clockInstructionRate = 1000000;
  p.l2CacheSize = 6 << 20;
  p.major = 11;
  p.multiProcessorCount = processors;
  p.maxThreadsPerMultiProcessor = 32 * wavesOfProcessor;
  p.maxBlocksPerMultiProcessor = 2;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
  p.concurrentManagedAccess = p.directManagedMemAccessFromHost = p.hostRegisterSupported = 1;
  p.cooperativeLaunch = p.memoryPoolsSupported = p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.ipcEventSupported = p.isLargeBar = 1;
  p.asyncEngineCount = 8;
  p.deviceOverlap = 1;
  p.pciBusID = 3;
  setTextures(p);
  p.arch = 0x97ff; // All but funnel shifts, threadfence_system's old kin and dynamic parallelism.
  return p;
}

// A member of the old layout is the new one's of the same name, if that has one.
DevicePropR0000 oldLayout(const DevicePropR0600 &p) {
  DevicePropR0000 old;
  std::memset(&old, 0, sizeof old);
#define HIP_PROPERTY(offset, type, member)                                                         \
  [&](const auto &from) {                                                                          \
    if constexpr (requires { from.member; })                                                       \
      old.member = from.member;                                                                    \
  }(p);
#define HIP_PROPERTIES(offset, type, member, count)                                                \
  [&](const auto &from) {                                                                          \
    if constexpr (requires { from.member; }) {                                                     \
      static_assert(sizeof old.member == sizeof from.member);                                      \
      std::memcpy(old.member, from.member, sizeof old.member);                                     \
    }                                                                                              \
  }(p);
#include "HipRuntime/DevicePropR0000.def"
  old.gcnArch = 1100;
  return old;
}

bool deviceAttribute(const DevicePropR0600 &p, int32_t attribute, int32_t &value) {
  const auto answer = [&](auto number) {
    value = int32_t(std::min<uint64_t>(uint64_t(number), INT_MAX));
    return true;
  };
  switch (attribute) {
#define HIP_ATTRIBUTE(number, name, member)                                                        \
  case number:                                                                                     \
    return answer(p.member);
#include "HipRuntime/Attributes.def"
  case 10015: // hipDeviceAttributePhysicalMultiProcessorCount: compute units.
    return answer(2 * p.multiProcessorCount);
  case 10016: // hipDeviceAttributeFineGrainSupport
    return answer(1);
  case 10017: // hipDeviceAttributeWallClockRate, in kHz.
    return answer(100000);
  case 89:    // hipDeviceAttributeVirtualMemoryManagementSupported
  case 10013: // hipDeviceAttributeCanUseStreamWaitValue
  case 10014: // hipDeviceAttributeImageSupport
    return answer(0);
  default:
    return false;
  }
}

} // namespace rdna::hip
