// What integer operations give, for numbers. Source: ISA guide 16 (pseudo-code of SOP1, SOP2, SOPK,
// VOP1, VOP2, VOP3).

#include "Verify/KnownValues.h"

#include "Isa/OpTraits.h"

#include <algorithm>
#include <bit>

namespace rdna::verify {

static uint32_t signedShift(uint32_t value, uint32_t amount) {
  return static_cast<uint32_t>(static_cast<int32_t>(value) >> (amount & 31));
}

/// `width` bits of `value` from `offset` on.
static uint32_t field(uint32_t value, uint32_t offset, uint32_t width) {
  return width == 0 ? 0 : (value >> offset) & (width >= 32 ? ~0u : (1u << width) - 1);
}

static uint32_t low24(uint32_t value) { return value & 0xffffff; }

static int32_t signed24(uint32_t value) { return static_cast<int32_t>(value << 8) >> 8; }

/// Of three numbers the one of that rank.
static uint32_t ranked(std::vector<uint32_t> s, size_t rank, bool (*isLess)(uint32_t, uint32_t)) {
  std::sort(s.begin(), s.end(), isLess);
  return s[rank];
}
static bool isLessSigned(uint32_t a, uint32_t b) {
  return static_cast<int32_t>(a) < static_cast<int32_t>(b);
}
static bool isLessUnsigned(uint32_t a, uint32_t b) { return a < b; }

/// What divisions by constants and signed indices are made of.
static std::optional<uint32_t> laterLaneResult(Op op, const std::vector<uint32_t> &s) {
  const auto asSigned = [&](size_t n) { return static_cast<int32_t>(s[n]); };
  switch (op) {
  case Op::v_mul_hi_u32:
    return static_cast<uint32_t>(uint64_t(s[0]) * s[1] >> 32);
  case Op::v_mul_hi_i32:
    return static_cast<uint32_t>(int64_t(asSigned(0)) * asSigned(1) >> 32);
  case Op::v_mul_hi_u32_u24:
    return static_cast<uint32_t>(uint64_t(low24(s[0])) * low24(s[1]) >> 32);
  case Op::v_mul_i32_i24:
    return static_cast<uint32_t>(int64_t(signed24(s[0])) * signed24(s[1]));
  case Op::v_mad_i32_i24:
    return static_cast<uint32_t>(int64_t(signed24(s[0])) * signed24(s[1])) + s[2];
  case Op::v_min_i32:
    return asSigned(0) < asSigned(1) ? s[0] : s[1];
  case Op::v_max_i32:
    return asSigned(0) < asSigned(1) ? s[1] : s[0];
  case Op::v_min3_i32:
    return ranked(s, 0, isLessSigned);
  case Op::v_med3_i32:
    return ranked(s, 1, isLessSigned);
  case Op::v_max3_i32:
    return ranked(s, 2, isLessSigned);
  case Op::v_min3_u32:
    return ranked(s, 0, isLessUnsigned);
  case Op::v_med3_u32:
    return ranked(s, 1, isLessUnsigned);
  case Op::v_max3_u32:
    return ranked(s, 2, isLessUnsigned);
  case Op::v_alignbit_b32:
    return static_cast<uint32_t>(((uint64_t(s[0]) << 32) | s[1]) >> (s[2] & 31));
  default:
    return std::nullopt;
  }
}

std::optional<uint32_t> laneResult(Op op, const std::vector<uint32_t> &s) {
  switch (op) {
  case Op::v_mov_b32:
    return s[0];
  case Op::v_not_b32:
    return ~s[0];
  case Op::v_add_nc_u32:
    return s[0] + s[1];
  case Op::v_sub_nc_u32:
    return s[0] - s[1];
  case Op::v_subrev_nc_u32:
    return s[1] - s[0];
  case Op::v_mul_lo_u32:
    return s[0] * s[1];
  case Op::v_mul_u32_u24:
    return low24(s[0]) * low24(s[1]);
  case Op::v_mad_u32_u24:
    return low24(s[0]) * low24(s[1]) + s[2];
  case Op::v_lshlrev_b32:
    return s[1] << (s[0] & 31);
  case Op::v_lshrrev_b32:
    return s[1] >> (s[0] & 31);
  case Op::v_ashrrev_i32:
    return signedShift(s[1], s[0]);
  case Op::v_and_b32:
    return s[0] & s[1];
  case Op::v_or_b32:
    return s[0] | s[1];
  case Op::v_xor_b32:
    return s[0] ^ s[1];
  case Op::v_min_u32:
    return std::min(s[0], s[1]);
  case Op::v_max_u32:
    return std::max(s[0], s[1]);
  case Op::v_add3_u32:
    return s[0] + s[1] + s[2];
  case Op::v_lshl_add_u32:
    return (s[0] << (s[1] & 31)) + s[2];
  case Op::v_add_lshl_u32:
    return (s[0] + s[1]) << (s[2] & 31);
  case Op::v_lshl_or_b32:
    return (s[0] << (s[1] & 31)) | s[2];
  case Op::v_and_or_b32:
    return (s[0] & s[1]) | s[2];
  case Op::v_or3_b32:
    return s[0] | s[1] | s[2];
  case Op::v_xor3_b32:
    return s[0] ^ s[1] ^ s[2];
  case Op::v_xad_u32:
    return (s[0] ^ s[1]) + s[2];
  case Op::v_bfe_u32:
    return field(s[0], s[1] & 31, s[2] & 31);
  case Op::v_bfi_b32:
    return (s[0] & s[1]) | (~s[0] & s[2]);
  default:
    return laterLaneResult(op, s);
  }
}

static unsigned laneOperands(Op op) {
  switch (op) {
  case Op::v_mov_b32:
  case Op::v_not_b32:
    return 1;
  case Op::v_add_nc_u32:
  case Op::v_sub_nc_u32:
  case Op::v_subrev_nc_u32:
  case Op::v_mul_lo_u32:
  case Op::v_mul_u32_u24:
  case Op::v_lshlrev_b32:
  case Op::v_lshrrev_b32:
  case Op::v_ashrrev_i32:
  case Op::v_and_b32:
  case Op::v_or_b32:
  case Op::v_xor_b32:
  case Op::v_min_u32:
  case Op::v_max_u32:
  case Op::v_mul_hi_u32:
  case Op::v_mul_hi_i32:
  case Op::v_mul_hi_u32_u24:
  case Op::v_mul_i32_i24:
  case Op::v_min_i32:
  case Op::v_max_i32:
    return 2;
  default:
    return 3;
  }
}

std::optional<uint16_t> halfResult(Op op, const std::vector<uint32_t> &s) {
  const auto half = [](uint32_t bits) { return static_cast<uint16_t>(bits); };
  switch (op) {
  case Op::v_mov_b16:
    return half(s[0]);
  case Op::v_not_b16:
    return half(~s[0]);
  default:
    break;
  }
  if (s.size() != 2)
    return op == Op::v_mad_u16 && s.size() == 3 ? std::optional(half(s[0] * s[1] + s[2]))
                                                : std::nullopt;
  switch (op) {
  case Op::v_add_nc_u16:
    return half(s[0] + s[1]);
  case Op::v_sub_nc_u16:
    return half(s[0] - s[1]);
  case Op::v_mul_lo_u16:
    return half(s[0] * s[1]);
  case Op::v_lshlrev_b16:
    return half(s[1] << (s[0] & 15));
  case Op::v_lshrrev_b16:
    return half(s[1] >> (s[0] & 15));
  case Op::v_and_b16:
    return half(s[0] & s[1]);
  case Op::v_or_b16:
    return half(s[0] | s[1]);
  case Op::v_xor_b16:
    return half(s[0] ^ s[1]);
  default:
    return std::nullopt;
  }
}

bool isLaneOperation(Op op, size_t sources) {
  return sources == laneOperands(op) && laneResult(op, {0, 0, 0}).has_value();
}

static std::optional<uint32_t> scalarSum(Op op, const std::vector<uint32_t> &s, uint32_t scc,
                                         std::optional<bool> &carry) {
  const uint64_t a = s[0], b = s.size() > 1 ? s[1] : 0;
  const auto overflows = [&](uint32_t result, bool isSum) {
    const uint32_t differs = isSum ? ~(s[0] ^ s[1]) : s[0] ^ s[1];
    return ((differs & (s[0] ^ result)) >> 31) != 0;
  };
  switch (op) {
  case Op::s_add_u32:
    carry = (a + b) >> 32 != 0;
    return static_cast<uint32_t>(a + b);
  case Op::s_addc_u32:
    carry = (a + b + (scc != 0 ? 1 : 0)) >> 32 != 0;
    return static_cast<uint32_t>(a + b + (scc != 0 ? 1 : 0));
  case Op::s_add_i32:
  case Op::s_addk_i32:
    carry = overflows(s[0] + s[1], true);
    return s[0] + s[1];
  case Op::s_sub_u32:
    carry = b > a;
    return s[0] - s[1];
  case Op::s_sub_i32:
    carry = overflows(s[0] - s[1], false);
    return s[0] - s[1];
  default:
    return std::nullopt;
  }
}

std::optional<ScalarResult> scalarResult(Op op, const std::vector<uint32_t> &s, uint32_t scc) {
  std::optional<bool> carry;
  if (const auto sum = scalarSum(op, s, scc, carry))
    return ScalarResult{*sum, carry};
  const auto bits = [](uint32_t value) { return ScalarResult{value, value != 0}; };
  switch (op) {
  case Op::s_mov_b32:
  case Op::s_movk_i32:
    return ScalarResult{s[0], std::nullopt};
  case Op::s_cselect_b32:
    return ScalarResult{scc != 0 ? s[0] : s[1], std::nullopt};
  case Op::s_mul_i32:
  case Op::s_mulk_i32:
    return ScalarResult{s[0] * s[1], std::nullopt};
  case Op::s_not_b32:
    return bits(~s[0]);
  case Op::s_and_b32:
    return bits(s[0] & s[1]);
  case Op::s_or_b32:
    return bits(s[0] | s[1]);
  case Op::s_xor_b32:
    return bits(s[0] ^ s[1]);
  case Op::s_and_not1_b32:
    return bits(s[0] & ~s[1]);
  case Op::s_or_not1_b32:
    return bits(s[0] | ~s[1]);
  case Op::s_lshl_b32:
    return bits(s[0] << (s[1] & 31));
  case Op::s_lshl1_add_u32:
  case Op::s_lshl2_add_u32:
  case Op::s_lshl3_add_u32:
  case Op::s_lshl4_add_u32: {
    const unsigned shift = op == Op::s_lshl1_add_u32   ? 1
                           : op == Op::s_lshl2_add_u32 ? 2
                           : op == Op::s_lshl3_add_u32 ? 3
                                                       : 4;
    const uint64_t sum = (uint64_t(s[0]) << shift) + s[1];
    return ScalarResult{static_cast<uint32_t>(sum), sum >> 32 != 0};
  }
  case Op::s_lshr_b32:
    return bits(s[0] >> (s[1] & 31));
  case Op::s_ashr_i32:
    return bits(signedShift(s[0], s[1]));
  case Op::s_bfe_u32:
    return bits(field(s[0], s[1] & 31, (s[1] >> 16) & 0x7f));
  default:
    return std::nullopt;
  }
}

bool isScalarOperation(Op op, size_t sources) {
  const bool isSingle = op == Op::s_mov_b32 || op == Op::s_movk_i32 || op == Op::s_not_b32;
  return sources == (isSingle ? 1u : 2u) && scalarResult(op, {0, 0}, 0).has_value();
}

std::optional<bool> compareResult(Op op, uint32_t a, uint32_t b) {
  const OpTraits &traits = opTraits(op);
  const auto kind = traits.source.kind;
  if (traits.source.bits != 32 ||
      (kind != ElementType::Kind::Unsigned && kind != ElementType::Kind::Signed))
    return std::nullopt;
  const int64_t x = kind == ElementType::Kind::Signed ? int64_t(static_cast<int32_t>(a)) : a;
  const int64_t y = kind == ElementType::Kind::Signed ? int64_t(static_cast<int32_t>(b)) : b;
  switch (traits.comparison.relation) {
  case Relation::Less:
    return x < y;
  case Relation::Equal:
    return x == y;
  case Relation::LessEqual:
    return x <= y;
  case Relation::Greater:
    return x > y;
  case Relation::Unequal:
    return x != y;
  case Relation::GreaterEqual:
    return x >= y;
  default:
    return std::nullopt;
  }
}

} // namespace rdna::verify
