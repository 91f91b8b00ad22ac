//===- Set.cpp - hipMemset and its kin ------------------------------------===//
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/Api/Transfer.h"

using namespace rdna::hip;

namespace {

int32_t set(void *to, uint32_t value, size_t count, size_t elementBytes) {
  return call([&](Runtime &r) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, elementBytes, &bytes))
      return Error::InvalidValue;
    return fill(r, {to, bytes, 1}, {bytes, 1, 1}, value, elementBytes);
  });
}

} // namespace

extern "C" {

int32_t hipMemset(void *to, int value, size_t bytes) { return set(to, uint32_t(value), bytes, 1); }
int32_t hipMemsetAsync(void *to, int value, size_t bytes, void *) {
  return hipMemset(to, value, bytes);
}
int32_t hipMemsetD8(void *to, unsigned char value, size_t count) {
  return set(to, value, count, 1);
}
int32_t hipMemsetD8Async(void *to, unsigned char value, size_t count, void *) {
  return set(to, value, count, 1);
}
int32_t hipMemsetD16(void *to, unsigned short value, size_t count) {
  return set(to, value, count, 2);
}
int32_t hipMemsetD16Async(void *to, unsigned short value, size_t count, void *) {
  return set(to, value, count, 2);
}
int32_t hipMemsetD32(void *to, int value, size_t count) {
  return set(to, uint32_t(value), count, 4);
}
int32_t hipMemsetD32Async(void *to, int value, size_t count, void *) {
  return set(to, uint32_t(value), count, 4);
}
int32_t hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return call([&](Runtime &r) {
    return fill(r, {to, pitch, height}, {width, height, 1}, uint32_t(value), 1);
  });
}
int32_t hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, void *) {
  return hipMemset2D(to, pitch, value, width, height);
}
int32_t hipMemset3D(PitchedPtr to, int value, Extent extent) {
  return call([&](Runtime &r) {
    return fill(r, {to.ptr, to.pitch, to.ysize}, extent, uint32_t(value), 1);
  });
}
int32_t hipMemset3DAsync(PitchedPtr to, int value, Extent extent, void *) {
  return hipMemset3D(to, value, extent);
}

} // extern "C"
