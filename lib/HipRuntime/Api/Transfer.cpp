#include "HipRuntime/Api/Transfer.h"

#include <cstring>

namespace rdna::hip {

namespace {

uint64_t addressOf(const void *p) { return reinterpret_cast<uint64_t>(p); }

bool isKind(int32_t kind) {
  return (kind >= HostToHost && kind <= CopyDefault) || kind == DeviceToDeviceNoCU;
}

/// Bytes from the first of a box to behind its last; false if that is more than there can be.
bool span(const Box &box, const Extent &e, size_t &bytes) {
  size_t rows = 0, slice = 0;
  if (box.pitch < e.width && (e.height > 1 || e.depth > 1))
    return false;
  if (__builtin_mul_overflow(box.height, e.depth - 1, &rows) ||
      __builtin_add_overflow(rows, e.height - 1, &rows) ||
      __builtin_mul_overflow(rows, box.pitch, &slice))
    return false;
  return !__builtin_add_overflow(slice, e.width, &bytes);
}

void markWritten(Runtime &r, const void *pointer) {
  if (Allocation *known = r.memory.find(addressOf(pointer)))
    known->contents = Allocation::Contents::Defined;
}

std::byte *rowOf(const Box &box, size_t y, size_t z) {
  return static_cast<std::byte *>(box.data) + (z * box.height + y) * box.pitch;
}

} // namespace

bool covers(Runtime &r, const void *pointer, size_t bytes, Unknown unknown) {
  const Allocation *known = r.memory.find(addressOf(pointer));
  if (!known) // An address of the device that nothing owns is nobody's host memory.
    return unknown == Unknown::Allowed && !r.memory.isDeviceAddress(addressOf(pointer));
  return bytes <= known->end() - addressOf(pointer);
}

Error copy(Runtime &r, void *to, const void *from, size_t bytes, int32_t kind) {
  return copyBox(r, {to, bytes, 1}, {const_cast<void *>(from), bytes, 1}, {bytes, 1, 1}, kind);
}

Error copyBox(Runtime &r, const Box &to, const Box &from, const Extent &extent, int32_t kind) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
    return Error::Success;
  if (!to.data || !from.data)
    return Error::InvalidValue;
  if (!isKind(kind))
    return Error::InvalidMemcpyDirection;
  size_t toBytes = 0, fromBytes = 0;
  if (!span(to, extent, toBytes) || !span(from, extent, fromBytes))
    return Error::InvalidPitchValue;
  if (!covers(r, to.data, toBytes, Unknown::Allowed) ||
      !covers(r, from.data, fromBytes, Unknown::Allowed))
    return Error::InvalidValue;
  const bool known = r.memory.find(addressOf(to.data)) || r.memory.find(addressOf(from.data));
  if (!known && kind != HostToHost && kind != CopyDefault)
    return Error::InvalidValue;
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y)
      std::memmove(rowOf(to, y, z), rowOf(from, y, z), extent.width);
  markWritten(r, to.data);
  return Error::Success;
}

Error fill(Runtime &r, const Box &to, const Extent &extent, uint32_t value, size_t elementBytes) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
    return Error::Success;
  size_t bytes = 0;
  if (!to.data || !span(to, extent, bytes) || !covers(r, to.data, bytes, Unknown::Refused))
    return Error::InvalidValue;
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y) {
      std::byte *row = rowOf(to, y, z);
      if (elementBytes == 1)
        std::memset(row, int(value), extent.width);
      else
        for (size_t x = 0; x + elementBytes <= extent.width; x += elementBytes)
          std::memcpy(row + x, &value, elementBytes);
    }
  markWritten(r, to.data);
  return Error::Success;
}

} // namespace rdna::hip
