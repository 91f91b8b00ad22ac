//===- Vopc.cpp - vector compares -----------------------------------------===//
#include "Emu/FloatOps.h"

namespace rdna::emu {
namespace lane {
namespace {

// Element types by AMD's suffix.
using type_f16 = Half;
using type_f32 = float;
using type_f64 = double;
using type_i16 = int16_t;
using type_u16 = uint16_t;
using type_i32 = int32_t;
using type_u32 = uint32_t;
using type_i64 = int64_t;
using type_u64 = uint64_t;

template <class T> RDNA_INLINE auto comparable(T x) { return x; }
RDNA_INLINE float comparable(Half x) { return halfToFloat(x); }

#define CONDITION(name, expression)                                                                \
  template <class T> bool name(T first, T second) {                                                \
    [[maybe_unused]] auto a = comparable(first);                                                   \
    [[maybe_unused]] auto b = comparable(second);                                                  \
    return expression;                                                                             \
  }
CONDITION(cmp_f, false)
CONDITION(cmp_t, true)
CONDITION(cmp_lt, a < b)
CONDITION(cmp_eq, a == b)
CONDITION(cmp_le, a <= b)
CONDITION(cmp_gt, a > b)
CONDITION(cmp_ge, a >= b)
CONDITION(cmp_ne, a != b)
CONDITION(cmp_lg, a<b || a> b)
CONDITION(cmp_o, a == a && b == b)
CONDITION(cmp_u, a != a || b != b)
CONDITION(cmp_nge, !(a >= b))
CONDITION(cmp_nlg, !(a < b || a > b))
CONDITION(cmp_ngt, !(a > b))
CONDITION(cmp_nle, !(a <= b))
CONDITION(cmp_neq, !(a == b))
CONDITION(cmp_nlt, !(a < b))
#undef CONDITION

/// The mask of V_CMP_CLASS_F16 is a 16-bit operand: it has a high half too.
template <class T>
using ClassMask = std::conditional_t<std::is_same_v<T, Half>, uint16_t, uint32_t>;
template <class T> bool cmp_class(T a, ClassMask<T> mask) { return mask >> classOf(a) & 1; }
/// Widening keeps everything but "denormal", which is an exponent test, so halves test their bits.
template <> bool cmp_class<Half>(Half a, uint16_t mask) {
  bool negative = a.bits >> 15;
  unsigned exponent = a.bits >> 10 & 31, fraction = a.bits & 0x3ff;
  unsigned number = exponent == 31  ? (negative ? 2 : 9)
                    : exponent > 0  ? (negative ? 3 : 8)
                    : fraction != 0 ? (negative ? 4 : 7)
                                    : (negative ? 5 : 6);
  unsigned c = exponent == 31 && fraction ? (fraction & 0x200 ? 1 : 0) : number;
  return mask >> c & 1;
}

} // namespace
} // namespace lane

/// V_CMP_CLASS, alone in comparing different types, tells denormals from zeros in every mode (ISA,
/// V_CMP_CLASS).
constexpr OpInfo compareRow(OpInfo op) {
  if (op.src[0] != op.src[1])
    op.care = 0;
  return op;
}

std::span<const OpInfo> vopcTable() {
  using namespace lane;
  static constexpr OpInfo rows[] = {
#define COMPARE(cond, type)                                                                        \
  compareRow(valuRow("v_cmp_" #cond "_" #type, &valu<&cmp_##cond<type_##type>>, Shape::ValuCmp,    \
                     &cmp_##cond<type_##type>)),                                                   \
      compareRow(valuRow("v_cmpx_" #cond "_" #type, &valu<&cmp_##cond<type_##type>>,               \
                         Shape::ValuCmpx, &cmp_##cond<type_##type>)),
#include "Emu/Vopc.def"
#undef COMPARE
  };
  return rows;
}

} // namespace rdna::emu
