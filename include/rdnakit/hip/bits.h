//===- bits.h - bit operations, casts and conversions ----------------------===//
//
// __popc, __clz, __brev; __float_as_int; __float2int_rn; __ldg; clock64; integer min, max and abs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "qualifiers.h"

inline namespace rdnakit_device {

// Counting. The number of leading zeros of 0 is the width, and __ffs of 0 is 0.
RDNAKIT_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
RDNAKIT_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
RDNAKIT_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
RDNAKIT_DEVICE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
RDNAKIT_DEVICE int __ffs(int x) { return x == 0 ? 0 : 1 + __builtin_ctz(static_cast<unsigned>(x)); }
RDNAKIT_DEVICE int __ffsll(long long x) {
  return x == 0 ? 0 : 1 + __builtin_ctzll(static_cast<unsigned long long>(x));
}
RDNAKIT_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
RDNAKIT_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}

// Parts of products and sums.
RDNAKIT_DEVICE int __mulhi(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) * y) >> 32);
}
RDNAKIT_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32);
}
RDNAKIT_DEVICE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
RDNAKIT_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
RDNAKIT_DEVICE int __mul24(int x, int y) {
  return (static_cast<int>(static_cast<unsigned>(x) << 8) >> 8) *
         (static_cast<int>(static_cast<unsigned>(y) << 8) >> 8);
}
RDNAKIT_DEVICE unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
RDNAKIT_DEVICE int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
RDNAKIT_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
RDNAKIT_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned sum) {
  return (x > y ? x - y : y - x) + sum;
}
RDNAKIT_DEVICE unsigned __sad(int x, int y, unsigned sum) {
  return (x > y ? static_cast<unsigned>(x) - static_cast<unsigned>(y)
                : static_cast<unsigned>(y) - static_cast<unsigned>(x)) +
         sum;
}

// Choosing bits. The selector of __byte_perm counts from the low byte of x; its bit 3 is ignored.
RDNAKIT_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(both >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return result;
}
RDNAKIT_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(
      ((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
RDNAKIT_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}

// The same bits as another type.
RDNAKIT_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
RDNAKIT_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
RDNAKIT_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
RDNAKIT_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
RDNAKIT_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
RDNAKIT_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
RDNAKIT_DEVICE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
RDNAKIT_DEVICE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
RDNAKIT_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                             static_cast<unsigned>(low)));
}

// Conversions to integers: to nearest even, towards 0, up and down. What does not fit is undefined.
#define RDNAKIT_TO_INTEGER(Name, From, To, nearest, up, down)                                      \
  RDNAKIT_DEVICE To Name##_rn(From x) { return static_cast<To>(nearest(x)); }                      \
  RDNAKIT_DEVICE To Name##_rz(From x) { return static_cast<To>(x); }                               \
  RDNAKIT_DEVICE To Name##_ru(From x) { return static_cast<To>(up(x)); }                           \
  RDNAKIT_DEVICE To Name##_rd(From x) { return static_cast<To>(down(x)); }
#define RDNAKIT_TO_INTEGERS(From, From2, nearest, up, down)                                        \
  RDNAKIT_TO_INTEGER(__##From2##2int, From, int, nearest, up, down)                                \
  RDNAKIT_TO_INTEGER(__##From2##2uint, From, unsigned, nearest, up, down)                          \
  RDNAKIT_TO_INTEGER(__##From2##2ll, From, long long, nearest, up, down)                           \
  RDNAKIT_TO_INTEGER(__##From2##2ull, From, unsigned long long, nearest, up, down)
RDNAKIT_TO_INTEGERS(float, float, __builtin_rintf, __builtin_ceilf, __builtin_floorf)
RDNAKIT_TO_INTEGERS(double, double, __builtin_rint, __builtin_ceil, __builtin_floor)
#undef RDNAKIT_TO_INTEGERS
#undef RDNAKIT_TO_INTEGER

// Conversions to floating-point numbers round to nearest.
RDNAKIT_DEVICE float __int2float_rn(int x) { return static_cast<float>(x); }
RDNAKIT_DEVICE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
RDNAKIT_DEVICE float __ll2float_rn(long long x) { return static_cast<float>(x); }
RDNAKIT_DEVICE float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
RDNAKIT_DEVICE double __int2double_rn(int x) { return x; }
RDNAKIT_DEVICE double __uint2double_rn(unsigned x) { return x; }
RDNAKIT_DEVICE double __ll2double_rn(long long x) { return static_cast<double>(x); }
RDNAKIT_DEVICE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
RDNAKIT_DEVICE float __double2float_rn(double x) { return static_cast<float>(x); }

template <class T> RDNAKIT_DEVICE T __ldg(const T *address) { return *address; }

// Shader clocks since some moment, and the constant 100 MHz clock.
RDNAKIT_DEVICE long long clock64() { return static_cast<long long>(__builtin_readcyclecounter()); }
RDNAKIT_DEVICE long long clock() { return clock64(); }
RDNAKIT_DEVICE long long wall_clock64() {
  return static_cast<long long>(__builtin_amdgcn_s_memrealtime());
}

} // namespace rdnakit_device
