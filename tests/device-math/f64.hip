//===- f64.hip - every f64 function of the header --------------------------===//
#include "functions.h"

RUN_1(exp, double)
RUN_1(exp2, double)
RUN_1(exp10, double)
RUN_1(expm1, double)
RUN_1(log, double)
RUN_1(log2, double)
RUN_1(log10, double)
RUN_1(log1p, double)
RUN_1(sin, double)
RUN_1(cos, double)
RUN_1(tan, double)
RUN(sincos_sine, double, (sincos(x, &x, &y), x))
RUN(sincos_cosine, double, (sincos(x, &x, &y), y))
RUN_1(asin, double)
RUN_1(acos, double)
RUN_1(atan, double)
RUN_1(sinh, double)
RUN_1(cosh, double)
RUN_1(tanh, double)
RUN_1(asinh, double)
RUN_1(acosh, double)
RUN_1(atanh, double)
RUN_1(erf, double)
RUN_1(erfc, double)
RUN_1(sqrt, double)
RUN(sqrt_rn, double, __dsqrt_rn(x))
RUN_1(rsqrt, double)
RUN_1(cbrt, double)
RUN_2(pow, double)
RUN_2(atan2, double)
RUN_2(hypot, double)
RUN_2(fmod, double)
RUN_1(floor, double)
RUN_1(ceil, double)
RUN_1(trunc, double)
RUN_1(round, double)
RUN_1(rint, double)
RUN_1(fabs, double)
RUN_2(fmin, double)
RUN_2(fmax, double)
RUN_2(fdim, double)
RUN_2(copysign, double)
RUN(add_rn, double, __dadd_rn(x, y))
RUN(sub_rn, double, __dsub_rn(x, y))
RUN(mul_rn, double, __dmul_rn(x, y))
RUN(div_rn, double, __ddiv_rn(x, y))
RUN(rcp_rn, double, __drcp_rn(x))
RUN(divide, double, x / y)
RUN(fma, double, fma(x, y, x))
RUN(frexp_mantissa, double, ([&] {
      int e;
      return frexp(x, &e);
    }()))
RUN(frexp_exponent, double, ([&] {
      int e;
      (void)frexp(x, &e);
      return static_cast<double>(e);
    }()))
RUN(modf_fraction, double, modf(x, &y))
RUN(modf_whole, double, ([&] {
      (void)modf(x, &y);
      return y;
    }()))
RUN(ldexp, double, ldexp(x, static_cast<int>(y)))
RUN(classes, double,
    double(isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * signbit(x)))
