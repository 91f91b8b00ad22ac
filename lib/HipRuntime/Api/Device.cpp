//===- Device.cpp - the one device, its contexts and its limits -----------===//
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/DeviceFacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace rdna::hip;

namespace {

/// What hipRuntimeGetVersion says: the interface that the structures of plain names follow.
constexpr int hipVersion = 60300000;
/// The primary context's handle: something that is not null.
int primaryContext = 0;

template <class Body> int32_t onDevice(int device, Body &&body) {
  return call([&](Runtime &r) { return device == 0 ? body(r) : Error::InvalidDevice; });
}

template <class T> int32_t give(T *out, T value) {
  return call([&](Runtime &) {
    if (!out)
      return Error::InvalidValue;
    *out = value;
    return Error::Success;
  });
}

int32_t succeed() {
  return call([](Runtime &) { return Error::Success; });
}

Error giveText(char *out, int size, std::string_view text) {
  if (!out || size <= 0)
    return Error::InvalidValue;
  const size_t length = std::min(text.size(), size_t(size) - 1);
  std::memcpy(out, text.data(), length);
  out[length] = 0;
  return Error::Success;
}

constexpr std::string_view pciBusId = "0000:03:00.0";

} // namespace

extern "C" {

int32_t hipInit(unsigned flags) {
  return call([&](Runtime &) { return flags ? Error::InvalidValue : Error::Success; });
}
int32_t hipRuntimeGetVersion(int *version) { return give(version, hipVersion); }
int32_t hipDriverGetVersion(int *version) { return give(version, hipVersion); }
int32_t hipGetDeviceCount(int *count) { return give(count, 1); }
int32_t hipGetDevice(int *device) { return give(device, 0); }
int32_t hipSetDevice(int device) {
  return onDevice(device, [](Runtime &) { return Error::Success; });
}
int32_t hipSetValidDevices(int *, int) { return succeed(); }
int32_t hipDeviceGet(int *device, int ordinal) {
  return onDevice(ordinal, [&](Runtime &) {
    if (!device)
      return Error::InvalidValue;
    *device = 0;
    return Error::Success;
  });
}

int32_t hipDeviceSynchronize() { return succeed(); }
int32_t hipCtxSynchronize() { return succeed(); }

/// Frees what the program has allocated and forgets a kernel's fault.
int32_t hipDeviceReset() {
  return call([](Runtime &r) {
    r.fault = Error::Success;
    std::vector<uint64_t> old;
    for (const auto &[address, allocation] : r.memory.allocations())
      if (allocation.kind != Allocation::Kind::Code && !allocation.function.starts_with("__hip"))
        old.push_back(address);
    for (uint64_t address : old)
      r.memory.release(address);
    return Error::Success;
  });
}

int32_t hipGetDevicePropertiesR0600(DevicePropR0600 *out, int device) {
  return onDevice(device, [&](Runtime &r) {
    if (!out)
      return Error::InvalidValue;
    *out = deviceProperties(r.memory.capacity());
    return Error::Success;
  });
}
int32_t hipGetDevicePropertiesR0000(DevicePropR0000 *out, int device) {
  return onDevice(device, [&](Runtime &r) {
    if (!out)
      return Error::InvalidValue;
    *out = oldLayout(deviceProperties(r.memory.capacity()));
    return Error::Success;
  });
}
/// The plain name keeps the old layout; headers of ROCm 6 ask for R0600 by a macro.
int32_t hipGetDeviceProperties(DevicePropR0000 *out, int device) {
  return hipGetDevicePropertiesR0000(out, device);
}
int32_t hipChooseDevice(int *device, const void *) { return give(device, 0); }
int32_t hipChooseDeviceR0000(int *device, const void *) { return give(device, 0); }
int32_t hipChooseDeviceR0600(int *device, const void *) { return give(device, 0); }

int32_t hipDeviceGetAttribute(int *value, int32_t attribute, int device) {
  return onDevice(device, [&](Runtime &r) {
    return value && deviceAttribute(deviceProperties(r.memory.capacity()), attribute, *value)
               ? Error::Success
               : Error::InvalidValue;
  });
}
int32_t hipDeviceGetName(char *name, int size, int device) {
  return onDevice(device, [&](Runtime &r) {
    return giveText(name, size, deviceProperties(r.memory.capacity()).name);
  });
}
int32_t hipDeviceGetUuid(Uuid *uuid, int device) {
  return onDevice(device, [&](Runtime &r) {
    if (!uuid)
      return Error::InvalidValue;
    *uuid = deviceProperties(r.memory.capacity()).uuid;
    return Error::Success;
  });
}
int32_t hipDeviceTotalMem(size_t *bytes, int device) {
  return onDevice(device, [&](Runtime &r) {
    if (!bytes)
      return Error::InvalidValue;
    *bytes = r.memory.capacity();
    return Error::Success;
  });
}
int32_t hipDeviceComputeCapability(int *major, int *minor, int device) {
  return onDevice(device, [&](Runtime &) {
    if (!major || !minor)
      return Error::InvalidValue;
    *major = 11;
    *minor = 0;
    return Error::Success;
  });
}
int32_t hipDeviceGetPCIBusId(char *text, int size, int device) {
  return onDevice(device, [&](Runtime &) { return giveText(text, size, pciBusId); });
}
int32_t hipDeviceGetByPCIBusId(int *device, const char *text) {
  return call([&](Runtime &) {
    if (!device || !text || text != pciBusId)
      return Error::InvalidValue;
    *device = 0;
    return Error::Success;
  });
}

int32_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return call([&](Runtime &) {
    if (least)
      *least = 1;
    if (greatest)
      *greatest = -1;
    return Error::Success;
  });
}
int32_t hipDeviceGetLimit(size_t *value, int32_t limit) {
  return call([&](Runtime &) {
    constexpr int32_t stackSize = 0, printfFifo = 1, mallocHeap = 2;
    if (!value || limit < stackSize || limit > mallocHeap)
      return Error::InvalidValue;
    if (limit == printfFifo)
      return Error::UnsupportedLimit;
    *value = limit == stackSize ? 1024 : size_t{8} << 20;
    return Error::Success;
  });
}
int32_t hipDeviceSetLimit(int32_t limit, size_t) {
  return call([&](Runtime &) {
    return limit == 0 || limit == 2 ? Error::Success : Error::UnsupportedLimit;
  });
}

// One device: it is no peer of itself, and there is no other.

int32_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
  return call([&](Runtime &) {
    if (!can)
      return Error::InvalidValue;
    *can = 0;
    return device || peer ? Error::InvalidDevice : Error::Success;
  });
}
int32_t hipDeviceEnablePeerAccess(int, unsigned) {
  return call([](Runtime &) { return Error::InvalidDevice; });
}
int32_t hipDeviceDisablePeerAccess(int) {
  return call([](Runtime &) { return Error::PeerAccessNotEnabled; });
}

// Caches and flags have no effect.

int32_t hipDeviceSetCacheConfig(int32_t) { return succeed(); }
int32_t hipDeviceGetCacheConfig(int32_t *config) { return give(config, 0); }
int32_t hipDeviceSetSharedMemConfig(int32_t) { return succeed(); }
int32_t hipDeviceGetSharedMemConfig(int32_t *config) { return give(config, 1); }
int32_t hipSetDeviceFlags(unsigned) { return succeed(); }
int32_t hipGetDeviceFlags(unsigned *flags) { return give(flags, 0u); }
int32_t hipProfilerStart() { return succeed(); }
int32_t hipProfilerStop() { return succeed(); }

// There is one context, which is always current.

int32_t hipDevicePrimaryCtxRetain(void **context, int device) {
  return onDevice(device, [&](Runtime &) {
    if (!context)
      return Error::InvalidValue;
    *context = &primaryContext;
    return Error::Success;
  });
}
int32_t hipDevicePrimaryCtxRelease(int) { return succeed(); }
int32_t hipDevicePrimaryCtxReset(int) { return succeed(); }
int32_t hipDevicePrimaryCtxSetFlags(int, unsigned) { return succeed(); }
int32_t hipDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  return onDevice(device, [&](Runtime &) {
    if (!flags || !active)
      return Error::InvalidValue;
    *flags = 0;
    *active = 1;
    return Error::Success;
  });
}
int32_t hipCtxCreate(void **context, unsigned, int device) {
  return hipDevicePrimaryCtxRetain(context, device);
}
int32_t hipCtxDestroy(void *) { return succeed(); }
int32_t hipCtxGetCurrent(void **context) {
  return give(context, static_cast<void *>(&primaryContext));
}
int32_t hipCtxSetCurrent(void *) { return succeed(); }
int32_t hipCtxPushCurrent(void *) { return succeed(); }
int32_t hipCtxPopCurrent(void **context) {
  if (context)
    *context = &primaryContext;
  return succeed();
}
int32_t hipCtxGetDevice(int *device) { return give(device, 0); }
int32_t hipCtxGetFlags(unsigned *flags) { return give(flags, 0u); }
int32_t hipCtxGetApiVersion(void *, int *version) { return give(version, 4); }

} // extern "C"
