//===- Vop1.cpp - one-operand vector instructions -------------------------===//
#include "Emu/Transcendental.h"

namespace rdna::emu {
namespace lane {
namespace {

using namespace undefined;

uint32_t v_mov_b32(uint32_t a) { return a; }
uint16_t v_mov_b16(uint16_t a) { return a; }
uint32_t v_not_b32(uint32_t a) { return ~a; }
uint16_t v_not_b16(uint16_t a) { return uint16_t(~a); }

uint32_t v_bfrev_b32(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(a);
}
uint32_t v_clz_i32_u32(uint32_t a) { return a ? uint32_t(__builtin_clz(a)) : ~0u; }
uint32_t v_ctz_i32_b32(uint32_t a) { return a ? uint32_t(__builtin_ctz(a)) : ~0u; }
uint32_t v_cls_i32(int32_t a) {
  uint32_t x = uint32_t(a < 0 ? ~a : a);
  return x ? uint32_t(__builtin_clz(x)) : ~0u;
}

// Conversions.
float v_cvt_f32_i32(int32_t a) { return float(a); }
float v_cvt_f32_u32(uint32_t a) { return float(a); }
int32_t v_cvt_i32_f32(float a) { return saturatingCast<int32_t>(a); }
uint32_t v_cvt_u32_f32(float a) { return saturatingCast<uint32_t>(a); }
int32_t v_cvt_nearest_i32_f32(float a) {
  return saturatingCast<int32_t>(std::floor(double(a) + 0.5));
}
int32_t v_cvt_floor_i32_f32(float a) { return saturatingCast<int32_t>(std::floor(a)); }
float v_cvt_off_f32_i4(uint32_t a) { return float(int32_t(a << 28) >> 28) / 16; }
float v_cvt_f32_f64(double a) { return quiet(float(a)); }
double v_cvt_f64_f32(float a) { return quiet(double(a)); }
int32_t v_cvt_i32_f64(double a) { return saturatingCast<int32_t>(a); }
uint32_t v_cvt_u32_f64(double a) { return saturatingCast<uint32_t>(a); }
double v_cvt_f64_i32(int32_t a) { return a; }
double v_cvt_f64_u32(uint32_t a) { return a; }
float v_cvt_f32_ubyte0(uint32_t a) { return float(a & 0xff); }
float v_cvt_f32_ubyte1(uint32_t a) { return float(a >> 8 & 0xff); }
float v_cvt_f32_ubyte2(uint32_t a) { return float(a >> 16 & 0xff); }
float v_cvt_f32_ubyte3(uint32_t a) { return float(a >> 24); }
Half v_cvt_f16_f32(float a) { return floatToHalf(a); }
float v_cvt_f32_f16(Half a) { return quiet(halfToFloat(a)); }
Half v_cvt_f16_u16(uint16_t a) { return floatToHalf(float(a)); }
Half v_cvt_f16_i16(int16_t a) { return floatToHalf(float(a)); }
uint16_t v_cvt_u16_f16(Half a) {
  int32_t x = saturatingCast<int32_t>(halfToFloat(a));
  return uint16_t(x < 0 ? 0 : x > 0xffff ? 0xffff : x);
}
int16_t v_cvt_i16_f16(Half a) {
  int32_t x = saturatingCast<int32_t>(halfToFloat(a));
  return int16_t(x < -0x8000 ? -0x8000 : x > 0x7fff ? 0x7fff : x);
}
int32_t v_cvt_i32_i16(int16_t a) { return a; }
uint32_t v_cvt_u32_u16(uint16_t a) { return a; }
int16_t v_cvt_norm_i16_f16(Half a) { return snorm16(halfToFloat(a)); }
uint16_t v_cvt_norm_u16_f16(Half a) { return unorm16(halfToFloat(a)); }
uint16_t v_sat_pk_u8_i16(PackedInt a) {
  auto sat = [](int16_t x) { return uint32_t(x < 0 ? 0 : x > 255 ? 255 : x); };
  return uint16_t(sat(int16_t(a.bits)) | sat(int16_t(a.bits >> 16)) << 8);
}

// Rounding to integral values.
float v_trunc_f32(float a) { return quiet(__builtin_truncf(a)); }
float v_ceil_f32(float a) { return quiet(__builtin_ceilf(a)); }
float v_floor_f32(float a) { return quiet(__builtin_floorf(a)); }
float v_rndne_f32(float a) { return quiet(__builtin_roundevenf(a)); }
float v_fract_f32(float a) {
  float f = a - __builtin_floorf(a);
  return quiet(f >= 1 ? 0x1.fffffep-1f : f);
}
double v_trunc_f64(double a) { return quiet(__builtin_trunc(a)); }
double v_ceil_f64(double a) { return quiet(__builtin_ceil(a)); }
double v_floor_f64(double a) { return quiet(__builtin_floor(a)); }
double v_rndne_f64(double a) { return quiet(__builtin_roundeven(a)); }
double v_fract_f64(double a) {
  double f = a - __builtin_floor(a);
  return quiet(f >= 1 ? 0x1.fffffffffffffp-1 : f);
}
Half v_trunc_f16(Half a) { return viaFloat(a, v_trunc_f32); }
Half v_ceil_f16(Half a) { return viaFloat(a, v_ceil_f32); }
Half v_floor_f16(Half a) { return viaFloat(a, v_floor_f32); }
Half v_rndne_f16(Half a) { return viaFloat(a, v_rndne_f32); }
Half v_fract_f16(Half a) {
  Half r = viaFloat(a, v_fract_f32);
  return r.bits == 0x3c00 ? Half{0x3bff} : r;
}

// Approximations in hardware, here the nearest value whatever MODE's rounding (docs/hardware.md).
// The f32 ones flush denormals in every mode.
constexpr double infinity = std::numeric_limits<double>::infinity();

double exp2Of(double x) {
  double bounded = x < -1000 ? -1000 : x > 1000 ? 1000 : x;
  double r = exp2Wide(isNan(x) ? 0 : bounded);
  return isNan(x) || x == infinity ? x : r;
}
double log2Of(double x) {
  double r = log2Wide(x > 0 && x < infinity ? x : 1);
  r = x == infinity ? x : r;
  r = x == 0 ? -infinity : r;
  return x >= 0 ? r : std::numeric_limits<double>::quiet_NaN();
}

float v_rcp_f32(float a) { return quiet(flush(1.0f / flush(a))); }
float v_rcp_iflag_f32(float a) { return v_rcp_f32(a); }
float v_rsq_f32(float a) { return quiet(float(1.0 / __builtin_sqrt(double(flush(a))))); }
float v_sqrt_f32(float a) { return quiet(__builtin_sqrtf(flush(a))); }
float v_exp_f32(float a) { return quiet(flush(float(exp2Of(flush(a))))); }
float v_log_f32(float a) { return quiet(float(log2Of(flush(a)))); }
float v_sin_f32(float a) { return quiet(float(turned<Circular::Sine>(flush(a)))); }
float v_cos_f32(float a) { return quiet(float(turned<Circular::Cosine>(flush(a)))); }
double v_rcp_f64(double a) { return quiet(1.0 / a); }
double v_rsq_f64(double a) { return quiet(1.0 / __builtin_sqrt(a)); }
double v_sqrt_f64(double a) { return quiet(__builtin_sqrt(a)); }
Half v_rcp_f16(Half a) {
  return viaFloat(a, [](float x) { return 1.0f / x; });
}
Half v_sqrt_f16(Half a) {
  return viaFloat(a, [](float x) { return __builtin_sqrtf(x); });
}
Half v_rsq_f16(Half a) {
  return viaFloat(a, [](float x) { return float(1.0 / __builtin_sqrt(double(x))); });
}
Half v_log_f16(Half a) {
  return viaFloat(a, [](float x) { return float(log2Of(x)); });
}
Half v_exp_f16(Half a) {
  return viaFloat(a, [](float x) { return float(exp2Of(x)); });
}
Half v_sin_f16(Half a) {
  return viaFloat(a, [](float x) { return float(turned<Circular::Sine>(x)); });
}
Half v_cos_f16(Half a) {
  return viaFloat(a, [](float x) { return float(turned<Circular::Cosine>(x)); });
}

// Significand and exponent.
float v_frexp_mant_f32(float a) {
  float n = exponentField(a) ? a : a * 0x1p32f;
  float m = std::bit_cast<float>((bits(n) & 0x807fffffu) | 126u << 23);
  bool keep = exponentField(a) == 0xff || a == 0;
  return isNan(a) ? quieted(a) : keep ? a : m;
}
int32_t v_frexp_exp_i32_f32(float a) {
  float n = exponentField(a) ? a : a * 0x1p32f;
  int32_t e = exponentField(n) - 126 - (exponentField(a) ? 0 : 32);
  return exponentField(a) == 0xff || a == 0 ? 0 : e;
}
double v_frexp_mant_f64(double a) {
  double n = exponentField(a) ? a : a * 0x1p64;
  double m = std::bit_cast<double>((bits(n) & 0x800fffffffffffffu) | uint64_t(1022) << 52);
  bool keep = exponentField(a) == 0x7ff || a == 0;
  return isNan(a) ? quieted(a) : keep ? a : m;
}
int32_t v_frexp_exp_i32_f64(double a) {
  double n = exponentField(a) ? a : a * 0x1p64;
  int32_t e = exponentField(n) - 1022 - (exponentField(a) ? 0 : 64);
  return exponentField(a) == 0x7ff || a == 0 ? 0 : e;
}
Half v_frexp_mant_f16(Half a) {
  Half m = viaFloat(a, v_frexp_mant_f32);
  return isNan(a) ? quieted(a) : m;
}
int16_t v_frexp_exp_i16_f16(Half a) { return int16_t(v_frexp_exp_i32_f32(halfToFloat(a))); }

} // namespace
} // namespace lane

std::span<const OpInfo> vop1Table() {
  // What the transcendental unit approximates is not rounded by MODE.
  static constexpr OpInfo all[] = {
#define RDNA_OP(name, unit, ...)                                                                   \
  Unit::unit == Unit::Trans ? approximation(definedRow<lane::name>(#name))                         \
                            : definedRow<lane::name>(#name),
#include "Isa/Ops.def"
#undef RDNA_OP
  };
  static constexpr auto rows = rowsWithHandler<all>();
  return rows;
}

} // namespace rdna::emu
