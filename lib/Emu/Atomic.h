//===- Atomic.h - read-modify-write operations ----------------------------===//
#pragma once

#include "Emu/FloatOps.h"

#include <cstdint>

namespace rdna::emu::atomic {

// Each is new = f(old, data, compare); the last two are the instruction's data operands.
template <class T> T add(T old, T data, T) { return T(old + data); }
inline float addFloat(float old, float data, float) { return quiet(old + data); }
template <class T> T sub(T old, T data, T) { return T(old - data); }
template <class T> T rsub(T old, T data, T) { return T(data - old); }
/// Subtract, not below 0.
template <class T> T csub(T old, T data, T) { return old < data ? 0 : T(old - data); }
template <class T> T inc(T old, T data, T) { return old >= data ? 0 : T(old + 1); }
template <class T> T dec(T old, T data, T) { return old == 0 || old > data ? data : T(old - 1); }
template <class T> T min(T old, T data, T) { return data < old ? data : old; }
template <class T> T max(T old, T data, T) { return data > old ? data : old; }
template <class T> T bitAnd(T old, T data, T) { return old & data; }
template <class T> T bitOr(T old, T data, T) { return old | data; }
template <class T> T bitXor(T old, T data, T) { return old ^ data; }
template <class T> T maskOr(T old, T data, T data2) { return (old & ~data) | data2; }
template <class T> T swap(T, T data, T) { return data; }
template <class T> T cmpswap(T old, T data, T compare) { return old == compare ? data : old; }
template <class T> T wrap(T old, T data, T data2) {
  return old >= data ? T(old - data) : T(old + data2);
}

} // namespace rdna::emu::atomic
