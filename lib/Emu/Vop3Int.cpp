//===- Vop3Int.cpp - integer instructions that exist only as VOP3 ---------===//
#include "Emu/Defined.h"
#include "Emu/Lane.h"

namespace rdna::emu {
namespace lane {
namespace {

using namespace undefined;

int32_t signed24(int32_t x) { return int32_t(uint32_t(x) << 8) >> 8; }

int32_t v_mad_i32_i24(int32_t a, int32_t b, int32_t c, Saturate s) {
  return narrowed<int32_t>(int64_t(signed24(a)) * signed24(b) + c, s);
}
uint32_t v_mad_u32_u24(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return narrowed<uint32_t>(int64_t(uint64_t(a & 0xffffff) * (b & 0xffffff) + c), s);
}
uint32_t v_mad_u32_u16(uint16_t a, uint16_t b, uint32_t c, Saturate s) {
  return narrowed<uint32_t>(int64_t(uint64_t(a) * b + c), s);
}
int32_t v_mad_i32_i16(int16_t a, int16_t b, int32_t c, Saturate s) {
  return narrowed<int32_t>(int64_t(a) * b + c, s);
}
uint16_t v_mad_u16(uint16_t a, uint16_t b, uint16_t c, Saturate s) {
  return narrowed<uint16_t>(int64_t(a) * b + c, s);
}
int16_t v_mad_i16(int16_t a, int16_t b, int16_t c, Saturate s) {
  return narrowed<int16_t>(int64_t(a) * b + c, s);
}
WithMask<uint64_t> v_mad_u64_u32(uint32_t a, uint32_t b, uint64_t c, Saturate s) {
  uint64_t r = uint64_t(a) * b + c;
  bool carry = r < c;
  return {s == Saturate::Yes && carry ? ~uint64_t(0) : r, carry};
}
WithMask<int64_t> v_mad_i64_i32(int32_t a, int32_t b, int64_t c, Saturate s) {
  int64_t product = int64_t(a) * b, r;
  bool overflow = __builtin_add_overflow(product, c, &r);
  int64_t limit = c < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  // The mask gets bit 64 of the 65-bit sum, its sign, and no overflow (AMD's pseudo-code).
  return {s == Saturate::Yes && overflow ? limit : r, (r < 0) != overflow};
}
uint32_t v_mul_lo_u32(uint32_t a, uint32_t b) { return a * b; }
uint32_t v_mul_hi_u32(uint32_t a, uint32_t b) { return uint32_t(uint64_t(a) * b >> 32); }
int32_t v_mul_hi_i32(int32_t a, int32_t b) { return int32_t(int64_t(a) * b >> 32); }

uint32_t v_bfe_u32(uint32_t a, uint32_t b, uint32_t c) {
  return a >> (b & 31) & ((1u << (c & 31)) - 1);
}
int32_t v_bfe_i32(int32_t a, uint32_t b, uint32_t c) {
  uint32_t width = c & 31, field = uint32_t(a >> (b & 31)) & ((1u << width) - 1);
  uint32_t sign = width ? 1u << ((width - 1) & 31) : 0;
  return int32_t((field ^ sign) - sign);
}
uint32_t v_bfi_b32(uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (~a & c); }
uint32_t v_bfm_b32(uint32_t a, uint32_t b) { return ((1u << (a & 31)) - 1) << (b & 31); }
uint32_t v_bcnt_u32_b32(uint32_t a, uint32_t b) { return uint32_t(__builtin_popcount(a)) + b; }
uint32_t v_mbcnt_lo_u32_b32(uint32_t a, uint32_t b, LaneId lane) {
  return uint32_t(__builtin_popcount(a & ((1u << uint32_t(lane)) - 1))) + b;
}
/// Lanes 32..63 do not exist in wave32, so no bit of the high half lies below any lane.
uint32_t v_mbcnt_hi_u32_b32(uint32_t, uint32_t b) { return b; }

uint32_t v_alignbit_b32(uint32_t a, uint32_t b, uint16_t c) {
  return uint32_t((uint64_t(a) << 32 | b) >> (c & 31));
}
uint32_t v_alignbyte_b32(uint32_t a, uint32_t b, uint16_t c) {
  return uint32_t((uint64_t(a) << 32 | b) >> (c & 3) * 8);
}
uint32_t permutedByte(uint64_t data, uint32_t select) {
  if (select >= 13)
    return 0xff;
  if (select == 12)
    return 0;
  if (select >= 8)
    return data >> (16 * (select - 8) + 15) & 1 ? 0xff : 0;
  return uint32_t(data >> 8 * select) & 0xff;
}
uint32_t v_perm_b32(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t data = uint64_t(a) << 32 | b;
  uint32_t r = 0;
  for (unsigned k = 0; k < 32; k += 8)
    r |= permutedByte(data, c >> k & 0xff) << k;
  return r;
}

// Two operations in one.
uint32_t v_add3_u32(uint32_t a, uint32_t b, uint32_t c) { return a + b + c; }
uint32_t v_xad_u32(uint32_t a, uint32_t b, uint32_t c) { return (a ^ b) + c; }
uint32_t v_lshl_add_u32(uint32_t a, uint32_t b, uint32_t c) { return (a << (b & 31)) + c; }
uint32_t v_add_lshl_u32(uint32_t a, uint32_t b, uint32_t c) { return (a + b) << (c & 31); }
uint32_t v_lshl_or_b32(uint32_t a, uint32_t b, uint32_t c) { return a << (b & 31) | c; }
uint32_t v_and_or_b32(uint32_t a, uint32_t b, uint32_t c) { return (a & b) | c; }
uint32_t v_or3_b32(uint32_t a, uint32_t b, uint32_t c) { return a | b | c; }
uint32_t v_xor3_b32(uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; }

template <class T> RDNA_INLINE T smaller(T a, T b) { return a < b ? a : b; }
template <class T> RDNA_INLINE T larger(T a, T b) { return a > b ? a : b; }
template <class T> RDNA_INLINE T middle(T a, T b, T c) {
  return larger(smaller(a, b), smaller(larger(a, b), c));
}
int32_t v_min3_i32(int32_t a, int32_t b, int32_t c) { return smaller(smaller(a, b), c); }
int32_t v_max3_i32(int32_t a, int32_t b, int32_t c) { return larger(larger(a, b), c); }
int32_t v_med3_i32(int32_t a, int32_t b, int32_t c) { return middle(a, b, c); }
int32_t v_minmax_i32(int32_t a, int32_t b, int32_t c) { return larger(smaller(a, b), c); }
int32_t v_maxmin_i32(int32_t a, int32_t b, int32_t c) { return smaller(larger(a, b), c); }
uint32_t v_min3_u32(uint32_t a, uint32_t b, uint32_t c) { return smaller(smaller(a, b), c); }
uint32_t v_max3_u32(uint32_t a, uint32_t b, uint32_t c) { return larger(larger(a, b), c); }
uint32_t v_med3_u32(uint32_t a, uint32_t b, uint32_t c) { return middle(a, b, c); }
uint32_t v_minmax_u32(uint32_t a, uint32_t b, uint32_t c) { return larger(smaller(a, b), c); }
uint32_t v_maxmin_u32(uint32_t a, uint32_t b, uint32_t c) { return smaller(larger(a, b), c); }
int16_t v_min3_i16(int16_t a, int16_t b, int16_t c) { return smaller(smaller(a, b), c); }
int16_t v_max3_i16(int16_t a, int16_t b, int16_t c) { return larger(larger(a, b), c); }
int16_t v_med3_i16(int16_t a, int16_t b, int16_t c) { return middle(a, b, c); }
uint16_t v_min3_u16(uint16_t a, uint16_t b, uint16_t c) { return smaller(smaller(a, b), c); }
uint16_t v_max3_u16(uint16_t a, uint16_t b, uint16_t c) { return larger(larger(a, b), c); }
uint16_t v_med3_u16(uint16_t a, uint16_t b, uint16_t c) { return middle(a, b, c); }

// 16 bits.
uint16_t v_add_nc_u16(uint16_t a, uint16_t b, Saturate s) {
  return narrowed<uint16_t>(int64_t(a) + b, s);
}
uint16_t v_sub_nc_u16(uint16_t a, uint16_t b, Saturate s) {
  return narrowed<uint16_t>(int64_t(a) - b, s);
}
int16_t v_add_nc_i16(int16_t a, int16_t b, Saturate s) {
  return narrowed<int16_t>(int64_t(a) + b, s);
}
int16_t v_sub_nc_i16(int16_t a, int16_t b, Saturate s) {
  return narrowed<int16_t>(int64_t(a) - b, s);
}
int32_t v_add_nc_i32(int32_t a, int32_t b, Saturate s) {
  return narrowed<int32_t>(int64_t(a) + b, s);
}
int32_t v_sub_nc_i32(int32_t a, int32_t b, Saturate s) {
  return narrowed<int32_t>(int64_t(a) - b, s);
}
uint16_t v_mul_lo_u16(uint16_t a, uint16_t b) { return uint16_t(uint32_t(a) * b); }
uint16_t v_min_u16(uint16_t a, uint16_t b) { return smaller(a, b); }
uint16_t v_max_u16(uint16_t a, uint16_t b) { return larger(a, b); }
int16_t v_min_i16(int16_t a, int16_t b) { return smaller(a, b); }
int16_t v_max_i16(int16_t a, int16_t b) { return larger(a, b); }
uint16_t v_lshlrev_b16(uint16_t a, uint16_t b) { return uint16_t(uint32_t(b) << (a & 15)); }
uint16_t v_lshrrev_b16(uint16_t a, uint16_t b) { return uint16_t(b >> (a & 15)); }
int16_t v_ashrrev_i16(uint16_t a, int16_t b) { return int16_t(b >> (a & 15)); }
uint16_t v_and_b16(uint16_t a, uint16_t b) { return a & b; }
uint16_t v_or_b16(uint16_t a, uint16_t b) { return a | b; }
uint16_t v_xor_b16(uint16_t a, uint16_t b) { return a ^ b; }
uint16_t v_cndmask_b16(uint16_t a, uint16_t b, bool second) { return second ? b : a; }

uint32_t v_cvt_pk_i16_i32(int32_t a, int32_t b) {
  return uint16_t(narrowed<int16_t>(a, Saturate::Yes)) |
         uint32_t(uint16_t(narrowed<int16_t>(b, Saturate::Yes))) << 16;
}
uint32_t v_cvt_pk_u16_u32(uint32_t a, uint32_t b) {
  return smaller(a, 0xffffu) | smaller(b, 0xffffu) << 16;
}

// 64 bits.
uint64_t v_lshlrev_b64(uint32_t a, uint64_t b) {
  // By words: vectors of 64 bits would be twice as long, and addresses are shifted all the time.
  uint32_t n = a & 31, low = uint32_t(b) << n;
  uint32_t high = uint32_t(b >> 32) << n | uint32_t(b) >> 1 >> (n ^ 31);
  return a & 32 ? uint64_t(low) << 32 : uint64_t(high) << 32 | low;
}
uint64_t v_lshrrev_b64(uint32_t a, uint64_t b) { return b >> (a & 63); }
int64_t v_ashrrev_i64(uint32_t a, int64_t b) { return b >> (a & 63); }

// Sums of absolute differences.
uint32_t difference(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }
uint64_t differences8(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < 32; k += 8)
    sum += difference(a >> k & 0xff, b >> k & 0xff);
  return sum;
}
uint64_t maskedDifferences8(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < 32; k += 8)
    sum += b >> k & 0xff ? difference(a >> k & 0xff, b >> k & 0xff) : 0;
  return sum;
}
uint32_t v_sad_u8(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return narrowed<uint32_t>(int64_t(differences8(a, b) + c), s);
}
uint32_t v_msad_u8(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return narrowed<uint32_t>(int64_t(maskedDifferences8(a, b) + c), s);
}
uint32_t v_sad_hi_u8(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return narrowed<uint32_t>(int64_t((differences8(a, b) << 16) + c), s);
}
uint32_t v_sad_u16(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  uint64_t sum = difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16);
  return narrowed<uint32_t>(int64_t(sum + c), s);
}
uint32_t v_sad_u32(uint32_t a, uint32_t b, uint32_t c, Saturate s) {
  return narrowed<uint32_t>(int64_t(uint64_t(difference(a, b)) + c), s);
}
uint32_t v_lerp_u8(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 32; k += 8)
    r |= ((a >> k & 0xff) + (b >> k & 0xff) + (c >> k & 1)) >> 1 << k;
  return r;
}
template <class F>
RDNA_INLINE uint64_t fourSums(uint64_t a, uint32_t b, uint64_t c, Saturate s, F sum) {
  uint64_t r = 0;
  for (unsigned k = 0; k < 4; ++k) {
    uint64_t exact = sum(uint32_t(a >> 8 * k), b) + (c >> 16 * k & 0xffff);
    r |= uint64_t(narrowed<uint16_t>(int64_t(exact), s)) << 16 * k;
  }
  return r;
}
uint64_t v_qsad_pk_u16_u8(uint64_t a, uint32_t b, uint64_t c, Saturate s) {
  return fourSums(a, b, c, s, differences8);
}
uint64_t v_mqsad_pk_u16_u8(uint64_t a, uint32_t b, uint64_t c, Saturate s) {
  return fourSums(a, b, c, s, maskedDifferences8);
}
Quad v_mqsad_u32_u8(uint64_t a, uint32_t b, Quad c, Saturate s) {
  Quad r;
  for (unsigned k = 0; k < 4; ++k)
    r.word[k] = v_msad_u8(uint32_t(a >> 8 * k), b, c.word[k], s);
  return r;
}

} // namespace
} // namespace lane

std::span<const OpInfo> vop3IntTable() {
  static constexpr OpInfo all[] = {
#define RDNA_OP(name, ...) definedRow<lane::name>(#name),
#include "Isa/Ops.def"
#undef RDNA_OP
  };
  static constexpr auto rows = rowsWithHandler<all>();
  return rows;
}

} // namespace rdna::emu
