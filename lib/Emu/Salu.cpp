//===- Salu.cpp - scalar arithmetic and logic: SOP1, SOP2, SOPC, SOPK -----===//
#include "Emu/Salu.h"
#include "Emu/Defined.h"

#include <bit>

namespace rdna::emu {
namespace scalar {
namespace {

using namespace undefined;

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

template <class T> T nonzero(T r, Scc &scc) {
  scc.value = r != 0;
  return r;
}

// Moves and selects.
u32 s_mov_b32(u32 a) { return a; }
u64 s_mov_b64(u64 a) { return a; }
u32 s_movk_i32(u32 k) { return k; }
u32 s_cselect_b32(u32 a, u32 b, Scc &scc) { return scc.value ? a : b; }
u64 s_cselect_b64(u64 a, u64 b, Scc &scc) { return scc.value ? a : b; }

// Arithmetic.
u32 s_add_u32(u32 a, u32 b, Scc &scc) {
  u32 r = a + b;
  scc.value = r < a;
  return r;
}
u32 s_sub_u32(u32 a, u32 b, Scc &scc) {
  scc.value = b > a;
  return a - b;
}
i32 s_add_i32(i32 a, i32 b, Scc &scc) {
  i32 r;
  scc.value = __builtin_add_overflow(a, b, &r);
  return r;
}
i32 s_sub_i32(i32 a, i32 b, Scc &scc) {
  i32 r;
  scc.value = __builtin_sub_overflow(a, b, &r);
  return r;
}
u32 s_addc_u32(u32 a, u32 b, Scc &scc) {
  u64 r = u64(a) + b + scc.value;
  scc.value = r >> 32;
  return u32(r);
}
u32 s_subb_u32(u32 a, u32 b, Scc &scc) {
  u64 subtrahend = u64(b) + scc.value;
  scc.value = subtrahend > a;
  return u32(a - subtrahend);
}
u32 s_absdiff_i32(i32 a, i32 b, Scc &scc) {
  i32 r = i32(u32(a) - u32(b));
  return nonzero(r < 0 ? -u32(r) : u32(r), scc);
}
u32 s_abs_i32(i32 a, Scc &scc) { return nonzero(a < 0 ? -u32(a) : u32(a), scc); }
u32 s_mul_i32(u32 a, u32 b) { return a * b; }
u32 s_mul_hi_u32(u32 a, u32 b) { return u32(u64(a) * b >> 32); }
i32 s_mul_hi_i32(i32 a, i32 b) { return i32(i64(a) * b >> 32); }
template <unsigned n> u32 shiftAdd(u32 a, u32 b, Scc &scc) {
  u64 r = (u64(a) << n) + b;
  scc.value = r >> 32;
  return u32(r);
}
constexpr auto s_lshl1_add_u32 = &shiftAdd<1>;
constexpr auto s_lshl2_add_u32 = &shiftAdd<2>;
constexpr auto s_lshl3_add_u32 = &shiftAdd<3>;
constexpr auto s_lshl4_add_u32 = &shiftAdd<4>;
// SCC: whether S0 was selected, so 0 for equal operands of MIN and 1 for MAX.
template <class T> T minimum(T a, T b, Scc &scc) {
  scc.value = a < b;
  return scc.value ? a : b;
}
template <class T> T maximum(T a, T b, Scc &scc) {
  scc.value = a >= b;
  return scc.value ? a : b;
}
constexpr auto s_min_i32 = &minimum<i32>;
constexpr auto s_min_u32 = &minimum<u32>;
constexpr auto s_max_i32 = &maximum<i32>;
constexpr auto s_max_u32 = &maximum<u32>;

// Logic.
#define LOGIC(name, expression)                                                                    \
  u32 name##_b32(u32 a, u32 b, Scc &scc) { return nonzero<u32>(expression, scc); }                 \
  u64 name##_b64(u64 a, u64 b, Scc &scc) { return nonzero<u64>(expression, scc); }
LOGIC(s_and, a &b)
LOGIC(s_or, a | b)
LOGIC(s_xor, a ^ b)
LOGIC(s_nand, ~(a &b))
LOGIC(s_nor, ~(a | b))
LOGIC(s_xnor, ~(a ^ b))
LOGIC(s_and_not1, a & ~b)
LOGIC(s_or_not1, a | ~b)
#undef LOGIC
u32 s_not_b32(u32 a, Scc &scc) { return nonzero(~a, scc); }
u64 s_not_b64(u64 a, Scc &scc) { return nonzero(~a, scc); }

// Shifts and fields.
u32 s_lshl_b32(u32 a, u32 b, Scc &scc) { return nonzero(a << (b & 31), scc); }
u64 s_lshl_b64(u64 a, u32 b, Scc &scc) { return nonzero(a << (b & 63), scc); }
u32 s_lshr_b32(u32 a, u32 b, Scc &scc) { return nonzero(a >> (b & 31), scc); }
u64 s_lshr_b64(u64 a, u32 b, Scc &scc) { return nonzero(a >> (b & 63), scc); }
i32 s_ashr_i32(i32 a, u32 b, Scc &scc) { return nonzero(a >> (b & 31), scc); }
i64 s_ashr_i64(i64 a, u32 b, Scc &scc) { return nonzero(a >> (b & 63), scc); }
template <class T> T lowBits(unsigned width) {
  return width >= sizeof(T) * 8 ? ~T(0) : T((T(1) << width) - 1);
}
/// The field's top bit is its sign; a width of 0 or more than the operand leaves nothing to extend.
template <class T> T signExtended(T field, unsigned width) {
  T sign = width == 0 || width >= sizeof(T) * 8 ? 0 : T(1) << (width - 1);
  return T((field ^ sign) - sign);
}
u32 s_bfe_u32(u32 a, u32 b, Scc &scc) {
  return nonzero(a >> (b & 31) & lowBits<u32>(b >> 16 & 127), scc);
}
u64 s_bfe_u64(u64 a, u32 b, Scc &scc) {
  return nonzero(a >> (b & 63) & lowBits<u64>(b >> 16 & 127), scc);
}
u32 s_bfe_i32(i32 a, u32 b, Scc &scc) {
  unsigned width = b >> 16 & 127;
  return nonzero(signExtended<u32>(u32(a >> (b & 31)) & lowBits<u32>(width), width), scc);
}
u64 s_bfe_i64(i64 a, u32 b, Scc &scc) {
  unsigned width = b >> 16 & 127;
  return nonzero(signExtended<u64>(u64(a >> (b & 63)) & lowBits<u64>(width), width), scc);
}
u32 s_bfm_b32(u32 a, u32 b) { return lowBits<u32>(a & 31) << (b & 31); }
u64 s_bfm_b64(u32 a, u32 b) { return lowBits<u64>(a & 63) << (b & 63); }
i32 s_sext_i32_i8(u32 a) { return i32(int8_t(a)); }
i32 s_sext_i32_i16(u32 a) { return i32(int16_t(a)); }
u32 s_pack_ll_b32_b16(u32 a, u32 b) { return (a & 0xffff) | b << 16; }
u32 s_pack_lh_b32_b16(u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff0000); }
u32 s_pack_hh_b32_b16(u32 a, u32 b) { return a >> 16 | (b & 0xffff0000); }
u32 s_pack_hl_b32_b16(u32 a, u32 b) { return a >> 16 | b << 16; }

// Bit counts and patterns.
u32 reversed(u32 a) {
  u32 r = 0;
  for (unsigned k = 0; k < 32; ++k)
    r |= (a >> k & 1) << (31 - k);
  return r;
}
u32 s_brev_b32(u32 a) { return reversed(a); }
u64 s_brev_b64(u64 a) { return u64(reversed(u32(a))) << 32 | reversed(u32(a >> 32)); }
u32 s_ctz_i32_b32(u32 a) { return a ? u32(std::countr_zero(a)) : ~0u; }
u32 s_ctz_i32_b64(u64 a) { return a ? u32(std::countr_zero(a)) : ~0u; }
u32 s_clz_i32_u32(u32 a) { return a ? u32(std::countl_zero(a)) : ~0u; }
u32 s_clz_i32_u64(u64 a) { return a ? u32(std::countl_zero(a)) : ~0u; }
u32 s_cls_i32(i32 a) { return s_clz_i32_u32(u32(a < 0 ? ~a : a)); }
u32 s_cls_i32_i64(i64 a) { return s_clz_i32_u64(u64(a < 0 ? ~a : a)); }
u32 s_bcnt0_i32_b32(u32 a, Scc &scc) { return nonzero(u32(std::popcount(~a)), scc); }
u32 s_bcnt0_i32_b64(u64 a, Scc &scc) { return nonzero(u32(std::popcount(~a)), scc); }
u32 s_bcnt1_i32_b32(u32 a, Scc &scc) { return nonzero(u32(std::popcount(a)), scc); }
u32 s_bcnt1_i32_b64(u64 a, Scc &scc) { return nonzero(u32(std::popcount(a)), scc); }
u64 s_bitreplicate_b64_b32(u32 a) {
  u64 r = 0;
  for (unsigned k = 0; k < 32; ++k)
    r |= u64(a >> k & 1 ? 3 : 0) << 2 * k;
  return r;
}
template <class T> T quads(T a) {
  T r = 0;
  for (unsigned k = 0; k < sizeof(T) * 2; ++k)
    r |= T((a >> 4 * k & 15) != 0) << k;
  return r;
}
template <class T> T wholeQuads(T a) {
  T r = 0;
  for (unsigned k = 0; k < sizeof(T) * 2; ++k)
    r |= T(a >> 4 * k & 15 ? 15 : 0) << 4 * k;
  return r;
}
u32 s_quadmask_b32(u32 a, Scc &scc) { return nonzero(quads(a), scc); }
u64 s_quadmask_b64(u64 a, Scc &scc) { return nonzero(quads(a), scc); }
u32 s_wqm_b32(u32 a, Scc &scc) { return nonzero(wholeQuads(a), scc); }
u64 s_wqm_b64(u64 a, Scc &scc) { return nonzero(wholeQuads(a), scc); }

// Compares.
#define COMPARE(name, type, op)                                                                    \
  void name(type a, type b, Scc &scc) { scc.value = a op b; }
COMPARE(s_cmp_eq_i32, i32, ==)
COMPARE(s_cmp_lg_i32, i32, !=)
COMPARE(s_cmp_gt_i32, i32, >)
COMPARE(s_cmp_ge_i32, i32, >=)
COMPARE(s_cmp_lt_i32, i32, <)
COMPARE(s_cmp_le_i32, i32, <=)
COMPARE(s_cmp_eq_u32, u32, ==)
COMPARE(s_cmp_lg_u32, u32, !=)
COMPARE(s_cmp_gt_u32, u32, >)
COMPARE(s_cmp_ge_u32, u32, >=)
COMPARE(s_cmp_lt_u32, u32, <)
COMPARE(s_cmp_le_u32, u32, <=)
COMPARE(s_cmp_eq_u64, u64, ==)
COMPARE(s_cmp_lg_u64, u64, !=)
// The constant of the unsigned forms is zero-extended; the decoder does that.
COMPARE(s_cmpk_eq_i32, i32, ==)
COMPARE(s_cmpk_lg_i32, i32, !=)
COMPARE(s_cmpk_gt_i32, i32, >)
COMPARE(s_cmpk_ge_i32, i32, >=)
COMPARE(s_cmpk_lt_i32, i32, <)
COMPARE(s_cmpk_le_i32, i32, <=)
COMPARE(s_cmpk_eq_u32, u32, ==)
COMPARE(s_cmpk_lg_u32, u32, !=)
COMPARE(s_cmpk_gt_u32, u32, >)
COMPARE(s_cmpk_ge_u32, u32, >=)
COMPARE(s_cmpk_lt_u32, u32, <)
COMPARE(s_cmpk_le_u32, u32, <=)
#undef COMPARE
void s_bitcmp0_b32(u32 a, u32 b, Scc &scc) { scc.value = !(a >> (b & 31) & 1); }
void s_bitcmp1_b32(u32 a, u32 b, Scc &scc) { scc.value = a >> (b & 31) & 1; }
void s_bitcmp0_b64(u64 a, u32 b, Scc &scc) { scc.value = !(a >> (b & 63) & 1); }
void s_bitcmp1_b64(u64 a, u32 b, Scc &scc) { scc.value = a >> (b & 63) & 1; }

// SOPK arithmetic: the first operand is the destination itself.
i32 s_addk_i32(i32 d, i32 k, Scc &scc) { return s_add_i32(d, k, scc); }
u32 s_mulk_i32(u32 d, u32 k) { return d * k; }

} // namespace
} // namespace scalar

template <auto fn> constexpr OpInfo definedRow(std::string_view name) {
  if constexpr (isDefined<fn>)
    return saluRow(name, &salu<fn>, fn);
  else
    return {};
}

std::span<const OpInfo> salu32Table() {
  static constexpr OpInfo all[] = {
#define RDNA_OP(name, ...) definedRow<scalar::name>(#name),
#include "Isa/Ops.def"
#undef RDNA_OP
  };
  static constexpr auto rows = rowsWithHandler<all>();
  return rows;
}

} // namespace rdna::emu
