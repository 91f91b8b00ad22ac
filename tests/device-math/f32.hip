//===- f32.hip - every f32 function of the header --------------------------===//
#include "functions.h"

RUN_1(expf, float)
RUN_1(exp2f, float)
RUN_1(exp10f, float)
RUN_1(expm1f, float)
RUN_1(logf, float)
RUN_1(log2f, float)
RUN_1(log10f, float)
RUN_1(log1pf, float)
RUN_1(sinf, float)
RUN_1(cosf, float)
RUN_1(tanf, float)
RUN_1(sinpif, float)
RUN_1(cospif, float)
RUN(sincos_sinef, float, (sincosf(x, &x, &y), x))
RUN(sincos_cosinef, float, (sincosf(x, &x, &y), y))
RUN_1(asinf, float)
RUN_1(acosf, float)
RUN_1(atanf, float)
RUN_1(sinhf, float)
RUN_1(coshf, float)
RUN_1(tanhf, float)
RUN_1(asinhf, float)
RUN_1(acoshf, float)
RUN_1(atanhf, float)
RUN_1(erff, float)
RUN_1(erfcf, float)
RUN_1(sqrtf, float)
RUN(sqrt_rnf, float, __fsqrt_rn(x))
RUN_1(rsqrtf, float)
RUN_1(cbrtf, float)
RUN_2(powf, float)
RUN_2(atan2f, float)
RUN_2(hypotf, float)
RUN_2(fmodf, float)
RUN_1(floorf, float)
RUN_1(ceilf, float)
RUN_1(truncf, float)
RUN_1(roundf, float)
RUN_1(rintf, float)
RUN_1(fabsf, float)
RUN_2(fminf, float)
RUN_2(fmaxf, float)
RUN_2(fdimf, float)
RUN_2(copysignf, float)
RUN(add_rnf, float, __fadd_rn(x, y))
RUN(sub_rnf, float, __fsub_rn(x, y))
RUN(mul_rnf, float, __fmul_rn(x, y))
RUN(div_rnf, float, __fdiv_rn(x, y))
RUN(rcp_rnf, float, __frcp_rn(x))
RUN(dividef, float, x / y)
RUN(fmaf, float, fmaf(x, y, x))
RUN(frexp_mantissaf, float, ([&] {
      int e;
      return frexpf(x, &e);
    }()))
RUN(frexp_exponentf, float, ([&] {
      int e;
      (void)frexpf(x, &e);
      return static_cast<float>(e);
    }()))
RUN(modf_fractionf, float, modff(x, &y))
RUN(modf_wholef, float, ([&] {
      (void)modff(x, &y);
      return y;
    }()))
RUN(ldexpf, float, ldexpf(x, static_cast<int>(y)))
RUN(classesf, float,
    float(isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * signbit(x)))
