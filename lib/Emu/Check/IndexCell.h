//===- IndexCell.h - what a 32-bit register would hold over the integers ---===//
//
// Two numbers follow a register beside its value, both counted in units of 2^32:
//
//   wraps    what the computation of the value lost: value + wraps * 2^32 is the exact integer.
//   carries  what it received as a high half: the carries of ADD_CO_CI, the upper product of a
//            64-bit multiplication.
//
// A pair of registers is an exact 64-bit number if the high half has received just what the low
// half has lost. Otherwise a 32-bit value has wrapped before it was extended. Both numbers are
// linear in the operands, so 64-bit arithmetic in halves, in whatever order, needs no special case.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <limits>

namespace rdna::emu {

/// Beyond 64 bits: no longer known, and certainly not what the register holds.
inline constexpr int64_t beyond64 = std::numeric_limits<int64_t>::min();

inline int64_t exactAdd(int64_t a, int64_t b) {
  int64_t r;
  return a == beyond64 || b == beyond64 || __builtin_add_overflow(a, b, &r) ? beyond64 : r;
}
inline int64_t exactMul(int64_t a, int64_t b) {
  int64_t r;
  return a == beyond64 || b == beyond64 || __builtin_mul_overflow(a, b, &r) ? beyond64 : r;
}
inline int64_t exactSub(int64_t a, int64_t b) { return exactAdd(a, exactMul(b, -1)); }
inline int64_t exactShift(int64_t a, unsigned n) {
  return n < 62 ? exactMul(a, int64_t(1) << n) : a ? beyond64 : 0;
}

struct IndexCell {
  int64_t wraps = 0, carries = 0;
  /// A move of a negative constant leaves open how it is meant: signed where something is computed
  /// with it, unsigned where it is an index itself.
  enum class Origin : uint8_t { Computed, Constant } origin = Origin::Computed;
  /// For the report: an index that had wrapped when something of 64 bits was made of it, and what
  /// it should have been. Wrapped: this is the high half, and stays wrong whatever bit operations
  /// do to the low half. Low: the low half of an exact number of 64 bits, of which bit operations
  /// leave the upper bits alone.
  enum class Note : uint8_t { None, Low, Index, Wrapped } note = Note::None;
  uint32_t index = 0;
  int64_t meant = 0;

  bool namesIndex() const { return note == Note::Index || note == Note::Wrapped; }
  bool clean() const {
    return wraps == 0 && carries == 0 && origin == Origin::Computed && note != Note::Wrapped;
  }
};

/// A register or constant as an operand.
struct IndexTerm {
  uint32_t value = 0;
  IndexCell cell;

  bool isConstant() const { return cell.origin == IndexCell::Origin::Constant; }
  /// As operand of an arithmetic operation.
  int64_t exact() const {
    return isConstant() ? int32_t(value) : exactAdd(exactShift(cell.wraps, 32), value);
  }
  /// What hardware computes with, but constants signed.
  int64_t actual() const { return isConstant() ? int64_t(int32_t(value)) : int64_t(value); }
  int64_t carries() const { return isConstant() && value == ~0u ? -1 : cell.carries; }
  /// Whether it holds what its computation gives over the integers.
  bool holds() const { return isConstant() || cell.wraps == 0; }
};

inline IndexTerm constantTerm(uint32_t value) {
  IndexTerm term{value, {}};
  if (int32_t(value) < 0)
    term.cell.origin = IndexCell::Origin::Constant;
  return term;
}

/// By how many 2^32 a 64-bit number differs from what its computation gives; 0 if it is exact.
int64_t deviation(const IndexTerm &low, const IndexTerm &high);

} // namespace rdna::emu
