//===- Memory.cpp - allocations -------------------------------------------===//
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/HostCallers.h"

#include <cstring>

using namespace rdna::hip;

namespace {

using Kind = Allocation::Kind;

uint64_t addressOf(const void *p) { return reinterpret_cast<uint64_t>(p); }

Error allocate(Runtime &r, void **out, size_t bytes, Kind kind, const char *function,
               uint32_t flags = 0) {
  if (!out)
    return Error::InvalidValue;
  *out = nullptr;
  if (bytes == 0)
    return Error::Success;
  // As the runtime does with GPU_SINGLE_ALLOC_PERCENT.
  if (kind == Kind::Device && bytes > r.memory.capacity() / 100 * 85)
    return Error::OutOfMemory;
  Allocation *made = r.memory.allocate(bytes, kind, function);
  if (!made)
    return Error::OutOfMemory;
  made->flags = flags;
  if (r.settings.leaks)
    made->stack = hostStack();
  *out = reinterpret_cast<void *>(made->address);
  return Error::Success;
}

Error release(Runtime &r, void *pointer) {
  if (!pointer)
    return Error::Success;
  const Allocation *known = r.memory.findBase(addressOf(pointer));
  if (!known || known->kind == Kind::Code || known->kind == Kind::Registered)
    return Error::InvalidValue;
  r.memory.release(addressOf(pointer));
  return Error::Success;
}

/// Rows begin at multiples of this.
constexpr size_t pitchUnit = 256;

Error allocatePitched(Runtime &r, void **out, size_t *pitch, size_t width, size_t rows,
                      const char *function) {
  if (!out || !pitch)
    return Error::InvalidValue;
  size_t bytes = 0;
  if (width > SIZE_MAX - pitchUnit)
    return Error::InvalidValue;
  *pitch = (width + pitchUnit - 1) / pitchUnit * pitchUnit;
  if (__builtin_mul_overflow(*pitch, rows, &bytes))
    return Error::OutOfMemory;
  return allocate(r, out, bytes, Kind::Device, function);
}

Error pointerAttributes(Runtime &r, PointerAttributes *out, const void *pointer) {
  if (!out || !pointer)
    return Error::InvalidValue;
  *out = {};
  out->device = -2;
  const Allocation *known = r.memory.find(addressOf(pointer));
  if (!known)
    return Error::Success;
  constexpr int32_t host = 1, device = 2, managed = 3;
  const bool ofHost = known->kind == Kind::Host || known->kind == Kind::Registered;
  out->type = known->kind == Kind::Managed ? managed : ofHost ? host : device;
  out->device = 0;
  out->devicePointer = const_cast<void *>(pointer);
  out->hostPointer = known->kind == Kind::Device || known->kind == Kind::Code
                         ? nullptr
                         : const_cast<void *>(pointer);
  out->isManaged = known->kind == Kind::Managed;
  out->allocationFlags = known->flags;
  return Error::Success;
}

} // namespace

extern "C" {

int32_t hipMalloc(void **pointer, size_t bytes) {
  return call([&](Runtime &r) { return allocate(r, pointer, bytes, Kind::Device, "hipMalloc"); });
}
int32_t hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned flags) {
  return call([&](Runtime &r) {
    return allocate(r, pointer, bytes, Kind::Device, "hipExtMallocWithFlags", flags);
  });
}
int32_t hipMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  return call([&](Runtime &r) {
    return bytes == 0 || (flags != 1 && flags != 2)
               ? Error::InvalidValue
               : allocate(r, pointer, bytes, Kind::Managed, "hipMallocManaged", flags);
  });
}
int32_t hipHostMalloc(void **pointer, size_t bytes, unsigned flags) {
  return call([&](Runtime &r) {
    constexpr uint32_t coherent = 0x40000000, nonCoherent = 0x80000000;
    return flags & coherent && flags & nonCoherent
               ? Error::InvalidValue
               : allocate(r, pointer, bytes, Kind::Host, "hipHostMalloc", flags);
  });
}
int32_t hipHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return hipHostMalloc(pointer, bytes, flags);
}
int32_t hipExtHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return hipHostMalloc(pointer, bytes, flags);
}
int32_t hipMemAllocHost(void **pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, 0); }
int32_t hipMallocHost(void **pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, 0); }

int32_t hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return call([&](Runtime &r) {
    return allocatePitched(r, pointer, pitch, width, height, "hipMallocPitch");
  });
}
int32_t hipMemAllocPitch(void **pointer, size_t *pitch, size_t width, size_t height, unsigned) {
  return hipMallocPitch(pointer, pitch, width, height);
}
int32_t hipMalloc3D(PitchedPtr *out, Extent extent) {
  return call([&](Runtime &r) {
    size_t rows = 0;
    if (!out || __builtin_mul_overflow(extent.height, extent.depth, &rows))
      return Error::InvalidValue;
    out->xsize = extent.width;
    out->ysize = extent.height;
    return allocatePitched(r, &out->ptr, &out->pitch, extent.width, rows, "hipMalloc3D");
  });
}

int32_t hipFree(void *pointer) {
  return call([&](Runtime &r) { return release(r, pointer); });
}
int32_t hipHostFree(void *pointer) { return hipFree(pointer); }
int32_t hipFreeHost(void *pointer) { return hipFree(pointer); }

int32_t hipHostRegister(void *pointer, size_t bytes, unsigned flags) {
  return call([&](Runtime &r) {
    if (!pointer || bytes == 0)
      return Error::InvalidValue;
    Allocation *made = r.memory.addHostMemory(pointer, bytes, "hipHostRegister");
    if (!made)
      return Error::HostMemoryAlreadyRegistered;
    made->flags = flags;
    return Error::Success;
  });
}
int32_t hipHostUnregister(void *pointer) {
  return call([&](Runtime &r) {
    const Allocation *known = r.memory.findBase(addressOf(pointer));
    if (!known || known->kind != Kind::Registered)
      return Error::HostMemoryNotRegistered;
    r.memory.release(addressOf(pointer));
    return Error::Success;
  });
}
int32_t hipHostGetDevicePointer(void **device, void *host, unsigned flags) {
  return call([&](Runtime &r) {
    if (!device || !host || flags || !r.memory.find(addressOf(host)))
      return Error::InvalidValue;
    *device = host;
    return Error::Success;
  });
}
int32_t hipHostGetFlags(unsigned *flags, void *host) {
  return call([&](Runtime &r) {
    const Allocation *known = r.memory.find(addressOf(host));
    if (!flags || !known || known->kind == Kind::Device || known->kind == Kind::Code)
      return Error::InvalidValue;
    *flags = known->flags;
    return Error::Success;
  });
}

int32_t hipMemGetInfo(size_t *free, size_t *total) {
  return call([&](Runtime &r) {
    if (!free || !total)
      return Error::InvalidValue;
    *total = r.memory.capacity();
    *free = r.memory.capacity() - r.memory.used();
    return Error::Success;
  });
}

int32_t hipMemPtrGetInfo(void *pointer, size_t *bytes) {
  return call([&](Runtime &r) {
    const Allocation *known = r.memory.find(addressOf(pointer));
    if (!bytes || !known)
      return Error::InvalidValue;
    *bytes = known->bytes;
    return Error::Success;
  });
}

int32_t hipMemGetAddressRange(void **base, size_t *bytes, void *pointer) {
  return call([&](Runtime &r) {
    const Allocation *known = r.memory.find(addressOf(pointer));
    if (!known)
      return Error::NotFound;
    if (base)
      *base = reinterpret_cast<void *>(known->address);
    if (bytes)
      *bytes = known->bytes;
    return Error::Success;
  });
}

int32_t hipPointerGetAttributes(PointerAttributes *out, const void *pointer) {
  return call([&](Runtime &r) { return pointerAttributes(r, out, pointer); });
}

// Managed memory lies where it lies: advice changes nothing.

int32_t hipMemPrefetchAsync(const void *pointer, size_t, int, void *) {
  return call([&](Runtime &r) {
    return r.memory.find(addressOf(pointer)) ? Error::Success : Error::InvalidValue;
  });
}
int32_t hipMemAdvise(const void *pointer, size_t, int32_t, int) {
  return hipMemPrefetchAsync(pointer, 0, 0, nullptr);
}

// There is one pool, and what is freed is free at once.

int32_t hipMallocAsync(void **pointer, size_t bytes, void *) {
  return call(
      [&](Runtime &r) { return allocate(r, pointer, bytes, Kind::Device, "hipMallocAsync"); });
}
int32_t hipMallocFromPoolAsync(void **pointer, size_t bytes, void *, void *stream) {
  return hipMallocAsync(pointer, bytes, stream);
}
int32_t hipFreeAsync(void *pointer, void *) {
  return call([&](Runtime &r) { return pointer ? release(r, pointer) : Error::InvalidValue; });
}

int32_t hipGetSymbolAddress(void **pointer, const void *symbol) {
  return call([&](Runtime &r) {
    const auto global = r.variable(symbol);
    if (!global || !pointer)
      return pointer ? Error::InvalidSymbol : Error::InvalidValue;
    *pointer = reinterpret_cast<void *>(global->address);
    return Error::Success;
  });
}
int32_t hipGetSymbolSize(size_t *bytes, const void *symbol) {
  return call([&](Runtime &r) {
    const auto global = r.variable(symbol);
    if (!global || !bytes)
      return bytes ? Error::InvalidSymbol : Error::InvalidValue;
    *bytes = global->bytes;
    return Error::Success;
  });
}

} // extern "C"
