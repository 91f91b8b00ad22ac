//===- Vop3.cpp - floating-point instructions that exist only as VOP3 -----===//
#include "Emu/Defined.h"
#include "Emu/FloatOps.h"

namespace rdna::emu {
namespace lane {
namespace {

using namespace undefined;

float v_fma_f32(float a, float b, float c) { return fused(a, b, c); }
double v_fma_f64(double a, double b, double c) { return fused(a, b, c); }
Half v_fma_f16(Half a, Half b, Half c) { return fmaHalf(a, b, c); }
float v_fma_dx9_zero_f32(float a, float b, float c) {
  float r = fused(a, b, c);
  return a == 0 || b == 0 ? quiet(c) : r;
}
double v_add_f64(double a, double b) { return quiet(a + b); }
double v_mul_f64(double a, double b) { return quiet(a * b); }
double v_min_f64(double a, double b, Mode mode) { return minimum(a, b, mode); }
double v_max_f64(double a, double b, Mode mode) { return maximum(a, b, mode); }

float v_min3_f32(float a, float b, float c, Mode m) { return minimum(minimum(a, b, m), c, m); }
float v_max3_f32(float a, float b, float c, Mode m) { return maximum(maximum(a, b, m), c, m); }
float v_med3_f32(float a, float b, float c, Mode m) { return median(a, b, c, m); }
float v_minmax_f32(float a, float b, float c, Mode m) { return maximum(minimum(a, b, m), c, m); }
float v_maxmin_f32(float a, float b, float c, Mode m) { return minimum(maximum(a, b, m), c, m); }
Half v_min3_f16(Half a, Half b, Half c, Mode m) { return minimum(minimum(a, b, m), c, m); }
Half v_max3_f16(Half a, Half b, Half c, Mode m) { return maximum(maximum(a, b, m), c, m); }
Half v_med3_f16(Half a, Half b, Half c, Mode m) { return median(a, b, c, m); }
Half v_minmax_f16(Half a, Half b, Half c, Mode m) { return maximum(minimum(a, b, m), c, m); }
Half v_maxmin_f16(Half a, Half b, Half c, Mode m) { return minimum(maximum(a, b, m), c, m); }

float v_ldexp_f32(float a, int32_t e) { return scaled(a, e); }
double v_ldexp_f64(double a, int32_t e) { return scaled(a, e); }

// Division. v_div_scale/v_div_fmas/v_div_fixup surround a Newton iteration; AMD's text of DIV_SCALE
// and DIV_FMAS has errors (data/isa README). What is written here is what makes the sequence that
// LLVM emits divide correctly for all inputs, which a test checks against the host's division:
// a quotient near overflow is computed 2^64 too small, a denormal one 2^64 too large, and DIV_FMAS
// undoes that, rounding once.
template <class F> struct DivLimits;
template <> struct DivLimits<float> {
  static constexpr int nearOverflow = 96, tiny = 23, scale = 64, bias = 127, minQuotient = -126;
};
template <> struct DivLimits<double> {
  static constexpr int nearOverflow = 768, tiny = 53, scale = 128, bias = 1023, minQuotient = -1022;
};

template <class F> RDNA_INLINE F powerOfTwo(int e) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<float>(uint32_t(127 + e) << 23);
  else
    return std::bit_cast<double>(uint64_t(1023 + e) << 52);
}

template <class F> RDNA_INLINE WithMask<F> divScale(F s0, F den, F num) {
  using L = DivLimits<F>;
  F up = powerOfTwo<F>(L::scale), down = powerOfTwo<F>(-L::scale);
  F smallest = powerOfTwo<F>(L::minQuotient);
  bool isDen = bits(s0) == bits(den), isNum = bits(s0) == bits(num);
  F quotient = std::fabs(num / den);
  bool quotientDenormal = quotient < smallest;
  bool reciprocalDenormal = std::fabs(den) > powerOfTwo<F>(-L::minQuotient);
  bool denDenormal = exponentField(den) == 0;
  if (num == 0 || den == 0)
    return {quiet(std::numeric_limits<F>::quiet_NaN()), true};
  if (exponentField(num) - exponentField(den) >= L::nearOverflow)
    return {isDen ? s0 * up : s0, true};
  if (denDenormal)
    return {s0 * up, false};
  if (reciprocalDenormal && quotientDenormal)
    return {isDen ? s0 * down : s0, true};
  if (reciprocalDenormal)
    return {s0 * down, false};
  if (quotientDenormal)
    return {isNum ? s0 * up : s0, true};
  if (exponentField(num) <= L::tiny)
    return {s0 * up, false};
  return {s0, false};
}
WithMask<float> v_div_scale_f32(float a, float b, float c) { return divScale(a, b, c); }
WithMask<double> v_div_scale_f64(double a, double b, double c) { return divScale(a, b, c); }

float v_div_fmas_f32(float a, float b, float c, bool rescale) {
  float plain = fused(a, b, c);
  // f64 holds the product exactly; the sum is rounded to odd, so that rounding after the scaling
  // is the only one that counts.
  double product = double(a) * b, sum = product + c, t = sum - product;
  double error = (product - (sum - t)) + (double(c) - t);
  auto wide = std::bit_cast<int64_t>(sum);
  bool inexact = error != 0 && error == error && !(wide & 1);
  wide += inexact ? ((error < 0) != (sum < 0) ? -1 : 1) : 0;
  double factor = exponentField(c) > 127 ? 0x1p64 : 0x1p-64;
  float result = float(std::bit_cast<double>(wide) * factor);
  return quiet(rescale ? result : plain);
}

/// The sign of what fma(a, b, c) lost by rounding to nearest (Boldo and Muller, "Exact and
/// approximated error of the FMA").
RDNA_INLINE double fmaError(double a, double b, double c, double rounded) {
  double u1 = a * b, u2 = __builtin_fma(a, b, -u1);
  double al1 = c + u2, z = al1 - c, al2 = (c - (al1 - z)) + (u2 - z);
  double be1 = u1 + al1, y = be1 - u1, be2 = (u1 - (be1 - y)) + (al1 - y);
  return ((be1 - rounded) + be2) + al2;
}
double v_div_fmas_f64(double a, double b, double c, bool rescale, Mode mode) {
  double sum = fused(a, b, c);
  double factor = exponentField(c) > 1023 ? 0x1p128 : 0x1p-128;
  double r = sum * factor;
  // Scaling down to a denormal rounds again. Only if the sum then looks like a tie that it was not
  // (to nearest; in the other modes two roundings are one) is the result wrong.
  double lost = sum - r * 0x1p128;
  double error = fmaError(a, b, c, sum);
  bool tie = mode.round64() == Mode::Nearest && factor < 1 && std::fabs(lost) == 0x1p-947;
  double next = r + std::copysign(0x1p-1074, lost);
  r = tie && error != 0 && signBit(error) == signBit(lost) ? next : r;
  return rescale ? quiet(r) : sum;
}

template <class F> RDNA_INLINE F divFixup(F s0, F den, F num, int underflow) {
  constexpr F inf = std::numeric_limits<F>::infinity();
  // AMD's text names this NaN for 0 / 0 and inf / inf.
  constexpr F invalid = -std::numeric_limits<F>::quiet_NaN();
  F sign = signBit(den) != signBit(num) ? F(-1) : F(1);
  F r = std::copysign(isNan(s0) ? inf : s0, sign);
  // Underflow rounds as MODE says. The factor, an eighth to a quarter, comes from an operand, lest
  // a compiler computes the product itself, to nearest.
  F factor = std::bit_cast<F>(bits(powerOfTwo<F>(-3)) | (bits(den) & fractionMask(den)));
  F tiny = std::copysign(std::numeric_limits<F>::denorm_min(), sign) * factor;
  r = exponentField(num) - exponentField(den) < underflow ? tiny : r;
  r = std::fabs(den) == inf || num == 0 ? std::copysign(F(0), sign) : r;
  r = den == 0 || std::fabs(num) == inf ? std::copysign(inf, sign) : r;
  bool none = (den == 0 && num == 0) || (std::fabs(den) == inf && std::fabs(num) == inf);
  r = none ? invalid : r;
  r = isNan(den) ? quieted(den) : r;
  return isNan(num) ? quieted(num) : r;
}
float v_div_fixup_f32(float a, float b, float c) { return divFixup(a, b, c, -150); }
double v_div_fixup_f64(double a, double b, double c) { return divFixup(a, b, c, -1075); }
Half v_div_fixup_f16(Half a, Half b, Half c) {
  float r = divFixup(halfToFloat(a), halfToFloat(b), halfToFloat(c), -1000);
  Half h = floatToHalf(r);
  h = isNan(r) ? Half{0xfe00} : h;
  h = isNan(b) ? quieted(b) : h;
  return isNan(c) ? quieted(c) : h;
}

// Conversions and packing.
uint32_t saturated16(float x) {
  int32_t i = saturatingCast<int32_t>(x);
  return uint16_t(i < -0x8000 ? -0x8000 : i > 0x7fff ? 0x7fff : i);
}
uint32_t saturatedU16(float x) {
  int32_t i = saturatingCast<int32_t>(x);
  return uint32_t(i < 0 ? 0 : i > 0xffff ? 0xffff : i);
}
uint32_t v_cvt_pk_i16_f32(float a, float b) { return saturated16(a) | saturated16(b) << 16; }
uint32_t v_cvt_pk_u16_f32(float a, float b) { return saturatedU16(a) | saturatedU16(b) << 16; }
uint32_t packed16(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }
uint32_t v_cvt_pk_norm_i16_f32(float a, float b) {
  return packed16(uint16_t(snorm16(a)), uint16_t(snorm16(b)));
}
uint32_t v_cvt_pk_norm_u16_f32(float a, float b) { return packed16(unorm16(a), unorm16(b)); }
uint32_t v_cvt_pk_norm_i16_f16(Half a, Half b) {
  return v_cvt_pk_norm_i16_f32(halfToFloat(a), halfToFloat(b));
}
uint32_t v_cvt_pk_norm_u16_f16(Half a, Half b) {
  return v_cvt_pk_norm_u16_f32(halfToFloat(a), halfToFloat(b));
}
uint32_t v_pack_b32_f16(Half a, Half b) { return pack(a, b).bits; }
uint32_t v_cvt_pk_u8_f32(float a, uint32_t b, uint32_t c) {
  int32_t x = saturatingCast<int32_t>(a);
  uint32_t byte = uint32_t(x < 0 ? 0 : x > 255 ? 255 : x), shift = (b & 3) * 8;
  return (c & ~(0xffu << shift)) | byte << shift;
}

// Cube maps and lighting.
float v_cubeid_f32(float x, float y, float z) {
  float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay)
    return z < 0 ? 5 : 4;
  if (ay >= ax)
    return y < 0 ? 3 : 2;
  return x < 0 ? 1 : 0;
}
float v_cubesc_f32(float x, float y, float z) {
  float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay)
    return z < 0 ? -x : x;
  if (ay >= ax)
    return x;
  return x < 0 ? z : -z;
}
float v_cubetc_f32(float x, float y, float z) {
  float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay)
    return -y;
  if (ay >= ax)
    return y < 0 ? -z : z;
  return -y;
}
float v_cubema_f32(float x, float y, float z) {
  float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay)
    return z * 2;
  return ay >= ax ? y * 2 : x * 2;
}
float v_mullit_f32(float a, float b, float c) {
  constexpr float lowest = -std::numeric_limits<float>::max();
  bool bounded = b == lowest || b == -std::numeric_limits<float>::infinity();
  return bounded || isNan(b) || isNan(c) || c <= 0 ? lowest : quiet(a * b);
}

// Dot products of halves; intermediate rounding is not documented (see v_dot2acc_f32_f16).
Half v_dot2_f16_f16(PackedHalf a, PackedHalf b, Half c) {
  Half t = fmaHalf(low(a), low(b), c);
  return fmaHalf(high(a), high(b), t);
}
Bfloat v_dot2_bf16_bf16(PackedBfloat a, PackedBfloat b, Bfloat c) {
  float t = bfloatToFloat(c.bits);
  t += bfloatToFloat(uint16_t(a.bits)) * bfloatToFloat(uint16_t(b.bits));
  t = bfloatToFloat(floatToBfloat(t));
  t += bfloatToFloat(uint16_t(a.bits >> 16)) * bfloatToFloat(uint16_t(b.bits >> 16));
  return {floatToBfloat(t)};
}

/// Bits [1200 - shift : 1148 - shift] of the 1201-bit fraction of 2/pi, as a scaled double.
double v_trig_preop_f64(double a, uint32_t b) {
  // 2/pi after the binary point, most significant word first (Payne and Hanek's constant), cut at
  // 1201 bits; the zero stands for all that follows.
  static constexpr uint64_t digits[] = {
      0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
      0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
      0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
      0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000, 0};
  int e = exponentField(a);
  unsigned shift = (b & 31) * 53 + unsigned(e > 1077 ? e - 1077 : 0);
  unsigned word = shift / 64, bit = shift % 64;
  constexpr unsigned words = sizeof digits / sizeof *digits - 1;
  uint64_t high = word < words ? digits[word] : 0, low = word < words ? digits[word + 1] : 0;
  uint64_t window = (high << bit | (bit ? low >> (64 - bit) : 0)) >> 11;
  return scaled(double(window), -53 - int(shift) + (e >= 1968 ? 128 : 0));
}

} // namespace
} // namespace lane

std::span<const OpInfo> vop3Table() {
  static constexpr OpInfo all[] = {
#define RDNA_OP(name, ...) definedRow<lane::name>(#name),
#include "Isa/Ops.def"
#undef RDNA_OP
  };
  static constexpr auto rows = rowsWithHandler<all>();
  return rows;
}

} // namespace rdna::emu
