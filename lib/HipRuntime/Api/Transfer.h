//===- Transfer.h - copies and fills, checked -----------------------------===//
#pragma once

#include "HipRuntime/Runtime.h"

namespace rdna::hip {

/// Whether all bytes lie in the allocation that holds the first one. Memory that HIP does not know
/// is the host's own and passes where `unknown` says so.
enum class Unknown { Allowed, Refused };
bool covers(Runtime &r, const void *pointer, size_t bytes, Unknown unknown);

Error copy(Runtime &r, void *to, const void *from, size_t bytes, int32_t kind);

/// Boxes of `extent` (width in bytes), each row `pitch` and each slice `pitch * height` apart.
struct Box {
  void *data = nullptr;
  size_t pitch = 0, height = 0;
};
Error copyBox(Runtime &r, const Box &to, const Box &from, const Extent &extent, int32_t kind);

/// `value` in elements of 1, 2 or 4 bytes.
Error fill(Runtime &r, const Box &to, const Extent &extent, uint32_t value, size_t elementBytes);

} // namespace rdna::hip
