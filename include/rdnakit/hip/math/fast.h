//===- fast.h - __expf and its kin: one or two instructions ----------------===//
//
// The instructions v_exp_f32, v_log_f32, v_sin_f32, v_cos_f32 and v_rcp_f32 take denormals for 0.
// Their own errors are about an ulp; what the forms add to it:
//
//   __expf(x), __exp10f(x)     (2 + 1.3 |x|) 2^-23 and (2 + 3 |x|) 2^-23, relative
//   __exp2f                    2^-22, relative
//   __logf, __log10f, __log2f  2^-21, 2^-21 and 2^-22 relative, or 2^-24 absolute next to 1
//   __sinf(x), __cosf(x)       (|x| + 4) 2^-23 absolute
//   __tanf(x), |x| < 1.5       (1 + tan^2 x) 2^-20 absolute
//   __powf(x, y), x > 0        (2 + 2 |y log2 x| + |y|) 2^-23, relative
//   __fdividef(x, y)           2^-22, relative, for |y| from 2^-126 to 2^126
//
//===----------------------------------------------------------------------===//
#pragma once

#include "basic.h"

namespace rdnakit {
#if __has_builtin(__builtin_amdgcn_exp2f)
RDNAKIT_DEVICE float hardwareExp2(float x) { return __builtin_amdgcn_exp2f(x); }
RDNAKIT_DEVICE float hardwareLog2(float x) { return __builtin_amdgcn_logf(x); }
#else
RDNAKIT_DEVICE float hardwareExp2(float x) { return __builtin_exp2f(x); }
RDNAKIT_DEVICE float hardwareLog2(float x) { return __builtin_log2f(x); }
#endif
} // namespace rdnakit

inline namespace rdnakit_device {

RDNAKIT_DEVICE float __exp2f(float x) { return rdnakit::hardwareExp2(x); }
RDNAKIT_DEVICE float __expf(float x) { return rdnakit::hardwareExp2(x * 0x1.715476p+0f); }
RDNAKIT_DEVICE float __exp10f(float x) { return rdnakit::hardwareExp2(x * 0x1.a934fp+1f); }
RDNAKIT_DEVICE float __log2f(float x) { return rdnakit::hardwareLog2(x); }
RDNAKIT_DEVICE float __logf(float x) { return rdnakit::hardwareLog2(x) * 0x1.62e43p-1f; }
RDNAKIT_DEVICE float __log10f(float x) { return rdnakit::hardwareLog2(x) * 0x1.344136p-2f; }
RDNAKIT_DEVICE float __sinf(float x) {
  return __builtin_amdgcn_sinf(__builtin_amdgcn_fractf(x * 0x1.45f306p-3f));
}
RDNAKIT_DEVICE float __cosf(float x) {
  return __builtin_amdgcn_cosf(__builtin_amdgcn_fractf(x * 0x1.45f306p-3f));
}
RDNAKIT_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
RDNAKIT_DEVICE float __tanf(float x) { return __sinf(x) * __builtin_amdgcn_rcpf(__cosf(x)); }
RDNAKIT_DEVICE float __powf(float x, float y) { return __exp2f(y * __log2f(x)); }
RDNAKIT_DEVICE float __fdividef(float x, float y) { return x * __builtin_amdgcn_rcpf(y); }

// Rounded to nearest, once each: never contracted and never approximated.
RDNAKIT_DEVICE float __fadd_rn(float x, float y) {
  RDNAKIT_AS_WRITTEN
  return rdnakit::rounded(x) + rdnakit::rounded(y);
}
RDNAKIT_DEVICE float __fsub_rn(float x, float y) {
  RDNAKIT_AS_WRITTEN
  return rdnakit::rounded(x) - rdnakit::rounded(y);
}
RDNAKIT_DEVICE float __fmul_rn(float x, float y) {
  RDNAKIT_AS_WRITTEN
  return rdnakit::rounded(x * y);
}
RDNAKIT_DEVICE float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
RDNAKIT_DEVICE float __fdiv_rn(float x, float y) { return rdnakit::divide(x, y); }
RDNAKIT_DEVICE float __frcp_rn(float x) { return rdnakit::divide(1.0f, x); }
RDNAKIT_DEVICE double __dadd_rn(double x, double y) {
  RDNAKIT_AS_WRITTEN
  return rdnakit::rounded(x) + rdnakit::rounded(y);
}
RDNAKIT_DEVICE double __dsub_rn(double x, double y) {
  RDNAKIT_AS_WRITTEN
  return rdnakit::rounded(x) - rdnakit::rounded(y);
}
RDNAKIT_DEVICE double __dmul_rn(double x, double y) {
  RDNAKIT_AS_WRITTEN
  return rdnakit::rounded(x * y);
}
RDNAKIT_DEVICE double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
RDNAKIT_DEVICE double __ddiv_rn(double x, double y) { return rdnakit::divide(x, y); }
RDNAKIT_DEVICE double __drcp_rn(double x) { return rdnakit::divide(1.0, x); }
RDNAKIT_DEVICE float __saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}

} // namespace rdnakit_device
