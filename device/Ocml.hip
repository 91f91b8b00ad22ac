//===- Ocml.hip - the math functions that clang's HIP headers call --------===//
//
// By those of rdnakit/hip/math.h, with the bounds that it states (docs/howto-hip.md has the table).
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include "../include/rdnakit/hip.h"

#define UNARY(name)                                                                                \
  DEVICE_FUNCTION float __ocml_##name##_f32(float x) { return name(x); }                           \
  DEVICE_FUNCTION double __ocml_##name##_f64(double x) { return name(x); }
#define BINARY(name)                                                                               \
  DEVICE_FUNCTION float __ocml_##name##_f32(float x, float y) { return name(x, y); }               \
  DEVICE_FUNCTION double __ocml_##name##_f64(double x, double y) { return name(x, y); }

extern "C" {

UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(cbrt)
UNARY(cos)
UNARY(cosh)
UNARY(erf)
UNARY(erfc)
UNARY(exp)
UNARY(exp10)
UNARY(exp2)
UNARY(expm1)
UNARY(fabs)
UNARY(floor)
UNARY(ceil)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(rint)
UNARY(round)
UNARY(rsqrt)
UNARY(sin)
UNARY(sinh)
UNARY(sqrt)
UNARY(tan)
UNARY(tanh)
UNARY(trunc)
BINARY(atan2)
BINARY(copysign)
BINARY(fdim)
BINARY(fmax)
BINARY(fmin)
BINARY(fmod)
BINARY(hypot)
BINARY(pow)

DEVICE_FUNCTION float __ocml_sinpi_f32(float x) { return sinpif(x); }
DEVICE_FUNCTION float __ocml_cospi_f32(float x) { return cospif(x); }
DEVICE_FUNCTION float __ocml_pown_f32(float x, int n) { return pow(x, float(n)); }
DEVICE_FUNCTION double __ocml_pown_f64(double x, int n) { return pow(x, double(n)); }
DEVICE_FUNCTION float __ocml_fma_f32(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
DEVICE_FUNCTION double __ocml_fma_f64(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
DEVICE_FUNCTION float __ocml_native_sin_f32(float x) { return __sinf(x); }
DEVICE_FUNCTION float __ocml_native_cos_f32(float x) { return __cosf(x); }
DEVICE_FUNCTION float __ocml_native_exp_f32(float x) { return __expf(x); }
DEVICE_FUNCTION float __ocml_native_exp2_f32(float x) { return __exp2f(x); }
DEVICE_FUNCTION float __ocml_native_log_f32(float x) { return __logf(x); }
DEVICE_FUNCTION float __ocml_native_log2_f32(float x) { return __log2f(x); }
DEVICE_FUNCTION float __ocml_native_log10_f32(float x) { return __log10f(x); }
DEVICE_FUNCTION float __ocml_native_sqrt_f32(float x) { return __builtin_sqrtf(x); }

DEVICE_FUNCTION float __ocml_sincos_f32(float x, __attribute__((address_space(5))) float *c) {
  *c = cos(x);
  return sin(x);
}
DEVICE_FUNCTION double __ocml_sincos_f64(double x, __attribute__((address_space(5))) double *c) {
  *c = cos(x);
  return sin(x);
}

} // extern "C"
