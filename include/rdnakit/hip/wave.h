//===- wave.h - ballots, votes and shuffles among the 32 lanes of a wave ---===//
//
// Masks are 64 bits wide, as in HIP, because waves of other processors have 64 lanes; the upper
// half is 0. The forms with _sync take a mask of the lanes that take part and do not need it: lanes
// that are inactive have no value to give.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "coordinates.h"

inline namespace rdnakit_device {

RDNAKIT_DEVICE unsigned __lane_id() { return __builtin_amdgcn_mbcnt_lo(~0u, 0u); }

RDNAKIT_DEVICE unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w32(predicate != 0);
}
RDNAKIT_DEVICE unsigned long long __activemask() { return __ballot(1); }
RDNAKIT_DEVICE int __any(int predicate) { return __ballot(predicate) != 0; }
RDNAKIT_DEVICE int __all(int predicate) { return __ballot(predicate == 0) == 0; }

template <class Mask> RDNAKIT_DEVICE unsigned long long __ballot_sync(Mask mask, int predicate) {
  return __ballot(predicate) & mask;
}
template <class Mask> RDNAKIT_DEVICE int __any_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <class Mask> RDNAKIT_DEVICE int __all_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}

} // namespace rdnakit_device

namespace rdnakit {

/// The value that `lane` holds, dword by dword.
template <class T> RDNAKIT_DEVICE T fromLane(T value, int lane) {
  static_assert(sizeof(T) <= 4 || sizeof(T) % 4 == 0, "shuffles move whole dwords");
  constexpr unsigned dwords = (sizeof(T) + 3) / 4;
  int words[dwords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < dwords; ++i)
    words[i] = __builtin_amdgcn_ds_bpermute(lane * 4, words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

} // namespace rdnakit

inline namespace rdnakit_device {

template <class T> RDNAKIT_DEVICE T __shfl(T value, int source, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  return rdnakit::fromLane(value, (source & (width - 1)) + (self & ~(width - 1)));
}
template <class T> RDNAKIT_DEVICE T __shfl_up(T value, unsigned delta, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int source = self - static_cast<int>(delta);
  return rdnakit::fromLane(value, source < (self & ~(width - 1)) ? self : source);
}
template <class T> RDNAKIT_DEVICE T __shfl_down(T value, unsigned delta, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int source = self + static_cast<int>(delta);
  const bool outside = (self & (width - 1)) + static_cast<int>(delta) >= width;
  return rdnakit::fromLane(value, outside ? self : source);
}
template <class T> RDNAKIT_DEVICE T __shfl_xor(T value, int mask, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int source = self ^ mask;
  return rdnakit::fromLane(value, source >= ((self + width) & ~(width - 1)) ? self : source);
}

template <class Mask, class T>
RDNAKIT_DEVICE T __shfl_sync(Mask, T value, int source, int width = warpSize) {
  return __shfl(value, source, width);
}
template <class Mask, class T>
RDNAKIT_DEVICE T __shfl_up_sync(Mask, T value, unsigned delta, int width = warpSize) {
  return __shfl_up(value, delta, width);
}
template <class Mask, class T>
RDNAKIT_DEVICE T __shfl_down_sync(Mask, T value, unsigned delta, int width = warpSize) {
  return __shfl_down(value, delta, width);
}
template <class Mask, class T>
RDNAKIT_DEVICE T __shfl_xor_sync(Mask, T value, int mask, int width = warpSize) {
  return __shfl_xor(value, mask, width);
}

} // namespace rdnakit_device
