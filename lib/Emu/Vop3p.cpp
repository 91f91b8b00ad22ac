//===- Vop3p.cpp - packed 16-bit instructions, dot products, mixed FMA ----===//
#include "Emu/FloatOps.h"

namespace rdna::emu {
namespace lane {
namespace {

template <class F> RDNA_INLINE PackedHalf eachHalf(PackedHalf a, PackedHalf b, F f) {
  return pack(f(low(a), low(b)), f(high(a), high(b)));
}
template <class T, class F>
RDNA_INLINE PackedInt eachInt(PackedInt a, PackedInt b, PackedInt c, F f) {
  auto one = [&](unsigned shift) {
    T r = T(f(T(a.bits >> shift), T(b.bits >> shift), T(c.bits >> shift)));
    return uint32_t(uint16_t(r)) << shift;
  };
  return {one(0) | one(16)};
}
template <class T> RDNA_INLINE int32_t bounded(int32_t exact, Saturate saturate) {
  constexpr int32_t lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
  return saturate == Saturate::Yes ? (exact < lo ? lo : exact > hi ? hi : exact) : exact;
}

PackedHalf v_pk_fma_f16(PackedHalf a, PackedHalf b, PackedHalf c) {
  return pack(fmaHalf(low(a), low(b), low(c)), fmaHalf(high(a), high(b), high(c)));
}
PackedHalf v_pk_add_f16(PackedHalf a, PackedHalf b) { return eachHalf(a, b, addHalf); }
PackedHalf v_pk_mul_f16(PackedHalf a, PackedHalf b) { return eachHalf(a, b, mulHalf); }
PackedHalf v_pk_min_f16(PackedHalf a, PackedHalf b, Mode m) {
  return eachHalf(a, b, [m](Half x, Half y) { return minimum(x, y, m); });
}
PackedHalf v_pk_max_f16(PackedHalf a, PackedHalf b, Mode m) {
  return eachHalf(a, b, [m](Half x, Half y) { return maximum(x, y, m); });
}

PackedInt v_pk_mad_i16(PackedInt a, PackedInt b, PackedInt c, Saturate s) {
  return eachInt<int16_t>(
      a, b, c, [s](int32_t x, int32_t y, int32_t z) { return bounded<int16_t>(x * y + z, s); });
}
PackedInt v_pk_mad_u16(PackedInt a, PackedInt b, PackedInt c, Saturate s) {
  return eachInt<uint16_t>(a, b, c, [s](uint32_t x, uint32_t y, uint32_t z) {
    uint32_t exact = x * y + z; // At most 0xffff0000: no wrap.
    return s == Saturate::Yes && exact > 0xffff ? 0xffff : exact;
  });
}
PackedInt v_pk_add_i16(PackedInt a, PackedInt b, Saturate s) {
  return eachInt<int16_t>(
      a, b, a, [s](int32_t x, int32_t y, int32_t) { return bounded<int16_t>(x + y, s); });
}
PackedInt v_pk_sub_i16(PackedInt a, PackedInt b, Saturate s) {
  return eachInt<int16_t>(
      a, b, a, [s](int32_t x, int32_t y, int32_t) { return bounded<int16_t>(x - y, s); });
}
PackedInt v_pk_add_u16(PackedInt a, PackedInt b, Saturate s) {
  return eachInt<uint16_t>(
      a, b, a, [s](int32_t x, int32_t y, int32_t) { return bounded<uint16_t>(x + y, s); });
}
PackedInt v_pk_sub_u16(PackedInt a, PackedInt b, Saturate s) {
  return eachInt<uint16_t>(
      a, b, a, [s](int32_t x, int32_t y, int32_t) { return bounded<uint16_t>(x - y, s); });
}
PackedInt v_pk_mul_lo_u16(PackedInt a, PackedInt b) {
  return eachInt<uint16_t>(a, b, a, [](uint32_t x, uint32_t y, uint32_t) { return x * y; });
}
PackedInt v_pk_min_i16(PackedInt a, PackedInt b) {
  return eachInt<int16_t>(a, b, a, [](int x, int y, int) { return x < y ? x : y; });
}
PackedInt v_pk_max_i16(PackedInt a, PackedInt b) {
  return eachInt<int16_t>(a, b, a, [](int x, int y, int) { return x > y ? x : y; });
}
PackedInt v_pk_min_u16(PackedInt a, PackedInt b) {
  return eachInt<uint16_t>(a, b, a, [](int x, int y, int) { return x < y ? x : y; });
}
PackedInt v_pk_max_u16(PackedInt a, PackedInt b) {
  return eachInt<uint16_t>(a, b, a, [](int x, int y, int) { return x > y ? x : y; });
}
PackedInt v_pk_lshlrev_b16(PackedInt a, PackedInt b) {
  return eachInt<uint16_t>(a, b, a, [](uint32_t x, uint32_t y, uint32_t) { return y << (x & 15); });
}
PackedInt v_pk_lshrrev_b16(PackedInt a, PackedInt b) {
  return eachInt<uint16_t>(a, b, a, [](uint32_t x, uint32_t y, uint32_t) { return y >> (x & 15); });
}
PackedInt v_pk_ashrrev_i16(PackedInt a, PackedInt b) {
  return eachInt<int16_t>(a, b, a, [](int32_t x, int32_t y, int32_t) { return y >> (x & 15); });
}

// Dot products. NEG[0] and NEG[1] of the IU forms say whether S0 and S1 are signed.
template <unsigned width>
RDNA_INLINE int64_t dotInts(uint32_t a, uint32_t b, bool signedA, bool signedB) {
  int64_t sum = 0;
  for (unsigned k = 0; k < 32; k += width) {
    uint32_t top = 32 - width - k;
    int32_t x = signedA ? int32_t(a << top) >> (32 - width) : int32_t(a << top >> (32 - width));
    int32_t y = signedB ? int32_t(b << top) >> (32 - width) : int32_t(b << top >> (32 - width));
    sum += int64_t(x) * y;
  }
  return sum;
}
int32_t saturated32(int64_t x, Saturate s) {
  constexpr int64_t lo = std::numeric_limits<int32_t>::min(),
                    hi = std::numeric_limits<int32_t>::max();
  return int32_t(s == Saturate::Yes ? (x < lo ? lo : x > hi ? hi : x) : x);
}
uint32_t saturatedU32(uint64_t x, Saturate s) {
  return uint32_t(s == Saturate::Yes && x >> 32 ? 0xffffffffu : x);
}
int32_t v_dot4_i32_iu8(uint32_t a, uint32_t b, int32_t c, NegBits neg, Saturate s) {
  return saturated32(c + dotInts<8>(a, b, unsigned(neg) & 1, unsigned(neg) & 2), s);
}
int32_t v_dot8_i32_iu4(uint32_t a, uint32_t b, int32_t c, NegBits neg, Saturate s) {
  return saturated32(c + dotInts<4>(a, b, unsigned(neg) & 1, unsigned(neg) & 2), s);
}
uint32_t v_dot4_u32_u8(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return saturatedU32(c + uint64_t(dotInts<8>(a, b, false, false)), s);
}
uint32_t v_dot8_u32_u4(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return saturatedU32(c + uint64_t(dotInts<4>(a, b, false, false)), s);
}
float v_dot2_f32_f16(PackedHalf a, PackedHalf b, float c) { return dotHalves(a, b, c); }
float v_dot2_f32_bf16(PackedBfloat a, PackedBfloat b, float c) { return dotBfloats(a, b, c); }

// Two roundings for an f16 result: to f32 by FP_ROUND's single field, then by the other one (AMD's
// text; LLVM selects these instructions for fptrunc(fma) without licence to contract).
float v_fma_mix_f32(MixedFloat a, MixedFloat b, MixedFloat c) {
  return fused(a.value, b.value, c.value);
}
Half v_fma_mixlo_f16(MixedFloat a, MixedFloat b, MixedFloat c, Mode mode) {
  float sum = fused(a.value, b.value, c.value);
  return mode.round32() == mode.round64() ? floatToHalf(sum) : floatToHalf(sum, mode.round64());
}
Half v_fma_mixhi_f16(MixedFloat a, MixedFloat b, MixedFloat c, Mode mode) {
  return v_fma_mixlo_f16(a, b, c, mode);
}

} // namespace
} // namespace lane

/// The host rounds the FMA; the step to f16 is the lane function's.
constexpr OpInfo firstSingle(OpInfo op) {
  op.rounds = OpInfo::Single;
  return op;
}

std::span<const OpInfo> vop3pTable() {
  static constexpr OpInfo rows[] = {
#define ROW(name) VALU_SHAPED_ROW(name, Packed)
#define SINGLE_ROW(name)                                                                           \
  firstSingle(valuRow(#name, &valu<&lane::name>, Shape::Packed, &lane::name)),
#include "Emu/Vop3p.def"
#undef SINGLE_ROW
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
