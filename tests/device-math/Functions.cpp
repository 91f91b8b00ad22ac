#include "Functions.h"

#include <cmath>

namespace rdna::devicemath {

namespace {

#define REFERENCE(expression)                                                                      \
  [](long double x, long double y) -> long double {                                                \
    (void)y;                                                                                       \
    return expression;                                                                             \
  }

/// sin(pi x) and cos(pi x) with exact zeros; C23 gives sin(pi n) the sign of n.
long double sineOfTurns(long double x) {
  const long double within = std::fmod(x, 2.0L);
  if (std::isfinite(x) && within == std::trunc(within))
    return std::copysign(0.0L, x);
  return std::sin(within * 3.14159265358979323846L);
}
long double cosineOfTurns(long double x) {
  const long double within = std::fmod(std::fabs(x), 2.0L);
  if (within == 0.5L || within == 1.5L)
    return 0;
  return std::cos(within * 3.14159265358979323846L);
}
long double mantissa(long double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
long double exponent(long double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::isfinite(x) ? exponent : 0;
}
long double fraction(long double x) {
  long double whole = 0;
  return std::modf(x, &whole);
}

/// C leaves open which zero is the smaller; the instructions take the negative one.
long double smaller(long double x, long double y) {
  return x == 0 && y == 0 ? (std::signbit(x) ? x : y) : std::fmin(x, y);
}
long double larger(long double x, long double y) {
  return x == 0 && y == 0 ? (std::signbit(x) ? y : x) : std::fmax(x, y);
}

/// Rounded once: to the nearest number, which is at most half a unit away.
constexpr double rounded = 0.5;
constexpr auto both = Function::Has::Both;
constexpr auto single = Function::Has::SingleOnly;
constexpr auto doubles = Function::Fast::DoublesOnly;
constexpr auto nothing = Function::Fast::Nothing;

} // namespace

const std::vector<Function> &functions() {
  static const std::vector<Function> list = {
      {"exp", 1, REFERENCE(std::exp(x)), Kind::Exponents, both, doubles},
      {"exp2", 1, REFERENCE(std::exp2(x)), Kind::Exponents},
      {"exp10", 1, REFERENCE(std::pow(10.0L, x)), Kind::Exponents, both, doubles},
      {"expm1", 2, REFERENCE(std::expm1(x)), Kind::Exponents},
      {"log", 1, REFERENCE(std::log(x)), Kind::NearOne, both, doubles},
      {"log2", 1, REFERENCE(std::log2(x)), Kind::NearOne, both, doubles},
      {"log10", 1, REFERENCE(std::log10(x)), Kind::NearOne, both, doubles},
      {"log1p", 1, REFERENCE(std::log1p(x))},
      {"sin", 1, REFERENCE(std::sin(x)), Kind::Angles, both, doubles},
      {"cos", 1, REFERENCE(std::cos(x)), Kind::Angles, both, doubles},
      {"tan", 2, REFERENCE(std::tan(x)), Kind::Angles},
      {"sinpi", 1, REFERENCE(sineOfTurns(x)), Kind::Anywhere, single},
      {"cospi", 1, REFERENCE(cosineOfTurns(x)), Kind::Anywhere, single},
      {"sincos_sine", 1, REFERENCE(std::sin(x)), Kind::Angles, both, doubles},
      {"sincos_cosine", 1, REFERENCE(std::cos(x)), Kind::Angles, both, doubles},
      {"asin", 2, REFERENCE(std::asin(x)), Kind::NearOne},
      {"acos", 2, REFERENCE(std::acos(x)), Kind::NearOne},
      {"atan", 2, REFERENCE(std::atan(x)), Kind::NearOne},
      {"sinh", 2, REFERENCE(std::sinh(x)), Kind::Exponents},
      {"cosh", 2, REFERENCE(std::cosh(x)), Kind::Exponents},
      {"tanh", 2, REFERENCE(std::tanh(x))},
      {"asinh", 3, REFERENCE(std::asinh(x))},
      {"acosh", 3, REFERENCE(std::acosh(x)), Kind::NearOne},
      {"atanh", 3, REFERENCE(std::atanh(x)), Kind::NearOne},
      {"erf", 2, REFERENCE(std::erf(x))},
      {"erfc", 4, REFERENCE(std::erfc(x))},
      {"sqrt", rounded, REFERENCE(std::sqrt(x)), Kind::Anywhere, both, nothing},
      {"sqrt_rn", rounded, REFERENCE(std::sqrt(x)), Kind::Anywhere, both, doubles},
      {"rsqrt", 1, REFERENCE(1 / std::sqrt(x))},
      {"cbrt", 1, REFERENCE(std::cbrt(x))},
      {"pow", 2, REFERENCE(std::pow(x, y)), Kind::Powers, both, doubles},
      {"atan2", 3, REFERENCE(std::atan2(x, y)), Kind::Similar},
      {"hypot", 1, REFERENCE(std::hypot(x, y)), Kind::Similar},
      {"fmod", 0, REFERENCE(std::fmod(x, y)), Kind::Similar},
      {"floor", 0, REFERENCE(std::floor(x))},
      {"ceil", 0, REFERENCE(std::ceil(x))},
      {"trunc", 0, REFERENCE(std::trunc(x))},
      {"round", 0, REFERENCE(std::round(x))},
      {"rint", 0, REFERENCE(std::nearbyint(x))},
      {"fabs", 0, REFERENCE(std::fabs(x))},
      {"fmin", 0, REFERENCE(smaller(x, y)), Kind::Similar},
      {"fmax", 0, REFERENCE(larger(x, y)), Kind::Similar},
      {"fdim", rounded, REFERENCE(std::fdim(x, y)), Kind::Similar},
      {"copysign", 0, REFERENCE(std::copysign(x, y))},
      {"add_rn", rounded, REFERENCE(x + y), Kind::Similar},
      {"sub_rn", rounded, REFERENCE(x - y), Kind::Similar},
      {"mul_rn", rounded, REFERENCE(x * y), Kind::Similar},
      {"div_rn", rounded, REFERENCE(x / y), Kind::Similar},
      {"rcp_rn", rounded, REFERENCE(1 / x)},
      {"divide", rounded, REFERENCE(x / y), Kind::Similar, both, nothing},
      {"fma", rounded, REFERENCE(x * y + x), Kind::NearOne, single},
      {"frexp_mantissa", 0, REFERENCE(mantissa(x))},
      {"frexp_exponent", 0, REFERENCE(exponent(x))},
      {"modf_fraction", 0, REFERENCE(fraction(x))},
      {"modf_whole", 0, REFERENCE(std::trunc(x))},
      {"ldexp", rounded, REFERENCE(std::ldexp(x, static_cast<int>(y))), Kind::Whole},
  };
  return list;
}

const std::vector<Approximation> &approximations() {
  // An instruction's last bit, and a little more, relative to its result.
  static constexpr double bit = 0x1p-22;
  static const std::vector<Approximation> list = {
      // The exponent's rounding counts as often as the exponent is large.
      {"__expf", REFERENCE(std::exp(x)),
       [](double x, double, double wanted) {
         return std::fabs(x) < 87 ? wanted * (2 + 1.3 * std::fabs(x)) * 0x1p-23 : -1;
       },
       Kind::Exponents},
      {"__exp2f", REFERENCE(std::exp2(x)),
       [](double x, double, double wanted) { return std::fabs(x) < 126 ? wanted * bit : -1; },
       Kind::Exponents},
      {"__exp10f", REFERENCE(std::pow(10.0L, x)),
       [](double x, double, double wanted) {
         return std::fabs(x) < 37 ? wanted * (2 + 3 * std::fabs(x)) * 0x1p-23 : -1;
       },
       Kind::Exponents},
      // Near 1 the logarithm itself has no last bit to count in.
      {"__logf", REFERENCE(std::log(x)),
       [](double x, double, double wanted) {
         return x >= 0x1p-126 ? std::fabs(wanted) * 2 * bit + 0x1p-24 : -1;
       },
       Kind::NearOne},
      {"__log2f", REFERENCE(std::log2(x)),
       [](double x, double, double wanted) {
         return x >= 0x1p-126 ? std::fabs(wanted) * bit + 0x1p-24 : -1;
       },
       Kind::NearOne},
      {"__log10f", REFERENCE(std::log10(x)),
       [](double x, double, double wanted) {
         return x >= 0x1p-126 ? std::fabs(wanted) * 2 * bit + 0x1p-24 : -1;
       },
       Kind::NearOne},
      {"__sinf", REFERENCE(std::sin(x)),
       [](double x, double, double) { return (std::fabs(x) + 4) * 0x1p-23; }, Kind::Angles},
      {"__cosf", REFERENCE(std::cos(x)),
       [](double x, double, double) { return (std::fabs(x) + 4) * 0x1p-23; }, Kind::Angles},
      {"__tanf", REFERENCE(std::tan(x)),
       [](double x, double, double wanted) {
         return std::fabs(x) < 1.5 ? (1 + wanted * wanted) * 0x1p-20 : -1;
       },
       Kind::Angles},
      {"__powf", REFERENCE(std::pow(x, y)),
       [](double x, double y, double wanted) {
         const double exponent = std::fabs(y * std::log2(x));
         return x >= 0x1p-126 && exponent < 126
                    ? wanted * (2 + 2 * exponent + std::fabs(y)) * 0x1p-23
                    : -1;
       },
       Kind::Powers},
      {"__fdividef", REFERENCE(x / y),
       [](double, double y, double wanted) {
         return std::fabs(y) >= 0x1p-126 && std::fabs(y) <= 0x1p+126 &&
                        std::fabs(wanted) >= 0x1p-126 && std::fabs(wanted) < 0x1p+128
                    ? std::fabs(wanted) * bit
                    : -1;
       },
       Kind::Similar},
  };
  return list;
}

} // namespace rdna::devicemath
