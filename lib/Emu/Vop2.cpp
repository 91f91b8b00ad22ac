//===- Vop2.cpp - two-operand vector instructions -------------------------===//
#include "Emu/FloatOps.h"

namespace rdna::emu {
namespace lane {
namespace {

// f32. Also the components of VOPD.
float v_add_f32(float a, float b) { return quiet(a + b); }
float v_sub_f32(float a, float b) { return quiet(a - b); }
float v_subrev_f32(float a, float b) { return quiet(b - a); }
float v_mul_f32(float a, float b) { return quiet(a * b); }
float v_mul_dx9_zero_f32(float a, float b) {
  float r = quiet(a * b);
  return a == 0 || b == 0 ? 0.0f : r;
}
float v_fmac_f32(float a, float b, float d) { return fused(a, b, d); }
float v_fmamk_f32(float a, float k, float b) { return fused(a, k, b); }
float v_fmaak_f32(float a, float b, float k) { return fused(a, b, k); }
float v_fmac_dx9_zero_f32(float a, float b, float d) {
  float r = fused(a, b, d);
  return a == 0 || b == 0 ? quiet(d) : r;
}
float v_min_f32(float a, float b, Mode mode) { return minimum(a, b, mode); }
float v_max_f32(float a, float b, Mode mode) { return maximum(a, b, mode); }

float v_dot2acc_f32_f16(PackedHalf a, PackedHalf b, float d) { return dotHalves(a, b, d); }
/// Only exists as a VOPD component; VOP2 has no encoding for it.
float v_dot2acc_f32_bf16(PackedBfloat a, PackedBfloat b, float d) { return dotBfloats(a, b, d); }

// Integer.
int32_t v_mul_i32_i24(int32_t a, int32_t b, Saturate saturate) {
  int64_t x = int32_t(uint32_t(a) << 8) >> 8, y = int32_t(uint32_t(b) << 8) >> 8;
  return narrowed<int32_t>(x * y, saturate);
}
int32_t v_mul_hi_i32_i24(int32_t a, int32_t b) {
  int64_t x = int32_t(uint32_t(a) << 8) >> 8, y = int32_t(uint32_t(b) << 8) >> 8;
  return int32_t(x * y >> 32);
}
uint32_t v_mul_u32_u24(uint32_t a, uint32_t b, Saturate saturate) {
  return narrowed<uint32_t>(int64_t(a & 0xffffff) * (b & 0xffffff), saturate);
}
uint32_t v_mul_hi_u32_u24(uint32_t a, uint32_t b) {
  return uint32_t(uint64_t(a & 0xffffff) * (b & 0xffffff) >> 32);
}
int32_t v_min_i32(int32_t a, int32_t b) { return a < b ? a : b; }
int32_t v_max_i32(int32_t a, int32_t b) { return a > b ? a : b; }
uint32_t v_min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
uint32_t v_max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }
uint32_t v_lshlrev_b32(uint32_t a, uint32_t b) { return b << (a & 31); }
uint32_t v_lshrrev_b32(uint32_t a, uint32_t b) { return b >> (a & 31); }
int32_t v_ashrrev_i32(uint32_t a, int32_t b) { return b >> (a & 31); }
uint32_t v_and_b32(uint32_t a, uint32_t b) { return a & b; }
uint32_t v_or_b32(uint32_t a, uint32_t b) { return a | b; }
uint32_t v_xor_b32(uint32_t a, uint32_t b) { return a ^ b; }
uint32_t v_xnor_b32(uint32_t a, uint32_t b) { return ~(a ^ b); }

uint32_t v_add_nc_u32(uint32_t a, uint32_t b, Saturate saturate) {
  uint32_t r = a + b;
  return saturate == Saturate::Yes && r < a ? ~0u : r;
}
uint32_t v_sub_nc_u32(uint32_t a, uint32_t b, Saturate saturate) {
  return saturate == Saturate::Yes && a < b ? 0 : a - b;
}
uint32_t v_subrev_nc_u32(uint32_t a, uint32_t b, Saturate saturate) {
  return v_sub_nc_u32(b, a, saturate);
}

WithMask<uint32_t> v_add_co_u32(uint32_t a, uint32_t b, Saturate saturate) {
  uint32_t r = a + b;
  bool carry = r < a;
  return {saturate == Saturate::Yes && carry ? ~0u : r, carry};
}
WithMask<uint32_t> v_sub_co_u32(uint32_t a, uint32_t b, Saturate saturate) {
  bool borrow = a < b;
  return {saturate == Saturate::Yes && borrow ? 0 : a - b, borrow};
}
WithMask<uint32_t> v_subrev_co_u32(uint32_t a, uint32_t b, Saturate saturate) {
  return v_sub_co_u32(b, a, saturate);
}
WithMask<uint32_t> v_add_co_ci_u32(uint32_t a, uint32_t b, bool carryIn, Saturate saturate) {
  // In 32 bits: vectors of 64 would be twice as long.
  uint32_t sum = a + b, r = sum + (carryIn ? 1 : 0);
  bool carry = sum < a || (carryIn && r == 0);
  return {saturate == Saturate::Yes && carry ? ~0u : r, carry};
}
WithMask<uint32_t> v_sub_co_ci_u32(uint32_t a, uint32_t b, bool carryIn, Saturate saturate) {
  bool borrow = a < b || (carryIn && a == b);
  return {saturate == Saturate::Yes && borrow ? 0 : a - b - (carryIn ? 1 : 0), borrow};
}
WithMask<uint32_t> v_subrev_co_ci_u32(uint32_t a, uint32_t b, bool carryIn, Saturate saturate) {
  return v_sub_co_ci_u32(b, a, carryIn, saturate);
}

uint32_t v_cndmask_b32(uint32_t a, uint32_t b, bool second) { return second ? b : a; }

// f16.
PackedHalf v_cvt_pk_rtz_f16_f32(float a, float b) {
  return pack(floatToHalfTowardZero(a), floatToHalfTowardZero(b));
}
Half v_add_f16(Half a, Half b) { return addHalf(a, b); }
Half v_sub_f16(Half a, Half b) {
  return viaFloat(a, b, [](float x, float y) { return x - y; });
}
Half v_subrev_f16(Half a, Half b) { return v_sub_f16(b, a); }
Half v_mul_f16(Half a, Half b) { return mulHalf(a, b); }
Half v_fmac_f16(Half a, Half b, Half d) { return fmaHalf(a, b, d); }
Half v_fmamk_f16(Half a, Half k, Half b) { return fmaHalf(a, k, b); }
Half v_fmaak_f16(Half a, Half b, Half k) { return fmaHalf(a, b, k); }
Half v_min_f16(Half a, Half b, Mode mode) { return minimum(a, b, mode); }
Half v_max_f16(Half a, Half b, Mode mode) { return maximum(a, b, mode); }
Half v_ldexp_f16(Half a, int16_t e) { return floatToHalf(scaled(halfToFloat(a), e)); }
PackedHalf v_pk_fmac_f16(PackedHalf a, PackedHalf b, PackedHalf d) {
  return pack(fmaHalf(low(a), low(b), low(d)), fmaHalf(high(a), high(b), high(d)));
}

} // namespace
} // namespace lane

std::span<const OpInfo> vop2Table() {
  static constexpr OpInfo rows[] = {
#define ROW(name) VALU_ROW(name)
#define SHAPED_ROW(name, shape) VALU_SHAPED_ROW(name, shape)
#include "Emu/Vop2.def"
#undef SHAPED_ROW
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
