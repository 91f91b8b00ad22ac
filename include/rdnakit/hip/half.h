//===- half.h - half and half2 ---------------------------------------------===//
//
// half is the compiler's own type, so that operators, conversions and comparisons are the
// language's. Through the vector type half2 becomes packed instructions.
//
//===----------------------------------------------------------------------===//
#pragma once
#pragma clang system_header

#include "../hip.h"

typedef _Float16 half;
typedef _Float16 __half;

struct alignas(4) __half2 {
  half x, y;
};
typedef __half2 half2;

namespace rdnakit {
typedef _Float16 PackedHalves __attribute__((ext_vector_type(2)));
RDNAKIT_DEVICE PackedHalves packed(half2 v) { return PackedHalves{v.x, v.y}; }
RDNAKIT_DEVICE half2 unpacked(PackedHalves v) { return half2{v.x, v.y}; }
} // namespace rdnakit

inline namespace rdnakit_device {

RDNAKIT_DEVICE half __float2half(float x) { return static_cast<half>(x); }
RDNAKIT_DEVICE half __float2half_rn(float x) { return static_cast<half>(x); }
RDNAKIT_DEVICE float __half2float(half x) { return x; }
RDNAKIT_DEVICE half __int2half_rn(int x) { return static_cast<half>(x); }
RDNAKIT_DEVICE int __half2int_rz(half x) { return static_cast<int>(x); }
RDNAKIT_DEVICE unsigned short __half_as_ushort(half x) {
  return __builtin_bit_cast(unsigned short, x);
}
RDNAKIT_DEVICE half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(half, x); }

RDNAKIT_DEVICE half __hadd(half x, half y) { return x + y; }
RDNAKIT_DEVICE half __hsub(half x, half y) { return x - y; }
RDNAKIT_DEVICE half __hmul(half x, half y) { return x * y; }
RDNAKIT_DEVICE half __hdiv(half x, half y) { return x / y; }
RDNAKIT_DEVICE half __hfma(half x, half y, half z) { return __builtin_fmaf16(x, y, z); }
RDNAKIT_DEVICE half __hneg(half x) { return -x; }
RDNAKIT_DEVICE half __habs(half x) { return __builtin_fabsf16(x); }
RDNAKIT_DEVICE half __hmax(half x, half y) { return __builtin_fmaxf16(x, y); }
RDNAKIT_DEVICE half __hmin(half x, half y) { return __builtin_fminf16(x, y); }
RDNAKIT_DEVICE bool __heq(half x, half y) { return x == y; }
RDNAKIT_DEVICE bool __hne(half x, half y) { return x != y; }
RDNAKIT_DEVICE bool __hlt(half x, half y) { return x < y; }
RDNAKIT_DEVICE bool __hle(half x, half y) { return x <= y; }
RDNAKIT_DEVICE bool __hgt(half x, half y) { return x > y; }
RDNAKIT_DEVICE bool __hge(half x, half y) { return x >= y; }
// f32's functions are exact enough that rounding their results is all that counts.
RDNAKIT_DEVICE half hsqrt(half x) { return static_cast<half>(rdnakit::squareRoot(float(x))); }
RDNAKIT_DEVICE half hrsqrt(half x) { return static_cast<half>(rdnakit::reciprocalRoot(float(x))); }
RDNAKIT_DEVICE half hexp(half x) { return static_cast<half>(rdnakit::exp(float(x))); }
RDNAKIT_DEVICE half hexp2(half x) { return static_cast<half>(rdnakit::exp2(float(x))); }
RDNAKIT_DEVICE half hlog(half x) { return static_cast<half>(rdnakit::log(float(x))); }
RDNAKIT_DEVICE half hlog2(half x) { return static_cast<half>(rdnakit::log2(float(x))); }
RDNAKIT_DEVICE half hsin(half x) { return static_cast<half>(rdnakit::sin(float(x))); }
RDNAKIT_DEVICE half hcos(half x) { return static_cast<half>(rdnakit::cos(float(x))); }
RDNAKIT_DEVICE half hrcp(half x) { return static_cast<half>(1.0f / float(x)); }

RDNAKIT_DEVICE half2 make_half2(half x, half y) { return half2{x, y}; }
RDNAKIT_DEVICE half2 __halves2half2(half x, half y) { return half2{x, y}; }
RDNAKIT_DEVICE half2 __half2half2(half x) { return half2{x, x}; }
RDNAKIT_DEVICE half2 __float2half2_rn(float x) { return half2{half(x), half(x)}; }
RDNAKIT_DEVICE half2 __floats2half2_rn(float x, float y) { return half2{half(x), half(y)}; }
RDNAKIT_DEVICE half2 __float22half2_rn(float2 v) { return half2{half(v.x), half(v.y)}; }
RDNAKIT_DEVICE float2 __half22float2(half2 v) { return float2(v.x, v.y); }
RDNAKIT_DEVICE half __low2half(half2 v) { return v.x; }
RDNAKIT_DEVICE half __high2half(half2 v) { return v.y; }
RDNAKIT_DEVICE float __low2float(half2 v) { return v.x; }
RDNAKIT_DEVICE float __high2float(half2 v) { return v.y; }
RDNAKIT_DEVICE half2 __lowhigh2highlow(half2 v) { return half2{v.y, v.x}; }

#define RDNAKIT_HALF2(name, op)                                                                    \
  RDNAKIT_DEVICE half2 name(half2 x, half2 y) {                                                    \
    return rdnakit::unpacked(rdnakit::packed(x) op rdnakit::packed(y));                            \
  }                                                                                                \
  RDNAKIT_DEVICE half2 operator op(half2 x, half2 y) { return name(x, y); }                        \
  RDNAKIT_DEVICE half2 &operator op## = (half2 & x, half2 y) { return x = name(x, y); }
RDNAKIT_HALF2(__hadd2, +)
RDNAKIT_HALF2(__hsub2, -)
RDNAKIT_HALF2(__hmul2, *)
RDNAKIT_HALF2(__h2div, /)
#undef RDNAKIT_HALF2
RDNAKIT_DEVICE half2 __hneg2(half2 x) { return rdnakit::unpacked(-rdnakit::packed(x)); }
RDNAKIT_DEVICE half2 __hfma2(half2 x, half2 y, half2 z) {
  return half2{__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}

} // namespace rdnakit_device
