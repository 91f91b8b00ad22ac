//===- Pools.cpp - memory pools -------------------------------------------===//
//
// Every pool takes from the device's memory and gives back at once: attributes are kept, nothing
// follows from them.
//
//===----------------------------------------------------------------------===//
#include "HipRuntime/Api/Call.h"

#include <array>
#include <cstring>
#include <map>

using namespace rdna::hip;

namespace {

constexpr int attributes = 9; // hipMemPoolAttr counts from 1 to 8.

struct Pool {
  std::array<uint64_t, attributes> values{};
};

/// The first is the device's own. Never destroyed, like everything that functions share.
std::map<Pool *, std::unique_ptr<Pool>> &pools() {
  static auto *all = new std::map<Pool *, std::unique_ptr<Pool>>;
  return *all;
}

Pool *defaultPool() {
  static auto *pool = [] {
    auto made = std::make_unique<Pool>();
    Pool *handle = made.get();
    pools()[handle] = std::move(made);
    return handle;
  }();
  return pool;
}

Pool *current = nullptr;

Error giveDefault(Pool **pool, int device) {
  if (!pool || device != 0)
    return pool ? Error::InvalidDevice : Error::InvalidValue;
  *pool = defaultPool();
  return Error::Success;
}

/// 1 to 3 are int, the others 64 bits wide.
size_t sizeOf(int attribute) { return attribute <= 3 ? sizeof(int) : sizeof(uint64_t); }

bool isKnown(Pool *pool, int attribute, const void *value) {
  return pools().contains(pool) && attribute > 0 && attribute < attributes && value;
}

} // namespace

extern "C" {

int32_t hipDeviceGetDefaultMemPool(Pool **pool, int device) {
  return call([&](Runtime &) { return giveDefault(pool, device); });
}
int32_t hipDeviceGetMemPool(Pool **pool, int device) {
  return call([&](Runtime &) {
    const Error error = giveDefault(pool, device);
    if (error == Error::Success && current)
      *pool = current;
    return error;
  });
}
int32_t hipDeviceSetMemPool(int device, Pool *pool) {
  return call([&](Runtime &) {
    if (device != 0 || !pools().contains(pool))
      return device ? Error::InvalidDevice : Error::InvalidValue;
    current = pool;
    return Error::Success;
  });
}
int32_t hipMemPoolCreate(Pool **pool, const void *properties) {
  return call([&](Runtime &) {
    if (!pool || !properties)
      return Error::InvalidValue;
    auto made = std::make_unique<Pool>();
    *pool = made.get();
    pools()[*pool] = std::move(made);
    return Error::Success;
  });
}
int32_t hipMemPoolDestroy(Pool *pool) {
  return call([&](Runtime &) {
    if (pool == defaultPool() || pools().erase(pool) == 0)
      return Error::InvalidValue;
    if (current == pool)
      current = nullptr;
    return Error::Success;
  });
}
int32_t hipMemPoolTrimTo(Pool *pool, size_t) {
  return call([&](Runtime &) {
    return pools().contains(pool) || pool == defaultPool() ? Error::Success : Error::InvalidValue;
  });
}
int32_t hipMemPoolSetAttribute(Pool *pool, int attribute, const void *value) {
  return call([&](Runtime &) {
    if (!isKnown(pool, attribute, value))
      return Error::InvalidValue;
    std::memcpy(&pool->values[size_t(attribute)], value, sizeOf(attribute));
    return Error::Success;
  });
}
int32_t hipMemPoolGetAttribute(Pool *pool, int attribute, void *value) {
  return call([&](Runtime &) {
    if (!isKnown(pool, attribute, value))
      return Error::InvalidValue;
    std::memcpy(value, &pool->values[size_t(attribute)], sizeOf(attribute));
    return Error::Success;
  });
}
int32_t hipMemPoolSetAccess(Pool *pool, const void *, size_t) { return hipMemPoolTrimTo(pool, 0); }

} // extern "C"
