//===- IndexRules.h - how operations carry exact integers on ----------===//
#pragma once

#include "Emu/Check/IndexCell.h"
#include "Isa/Op.h"

#include <array>
#include <string_view>

namespace rdna::emu {

/// Whatever is not listed makes a value of its own, to be taken as it is: `& 0x7ff` of a wrapped
/// hash is a good index.
enum class IndexRule : uint8_t {
  None,
  Move,
  Move64,
  Select, ///< V_CNDMASK and S_CSELECT: a move of what is chosen.
  Select64,
  FirstLane,
  ReadLane,
  WriteLane,
  Add, ///< With or without a carry out.
  Sub,
  SubRev,
  AddCarry, ///< The high half of a 64-bit addition.
  SubCarry,
  SubRevCarry,
  Add3,
  XorAdd,
  Shift,    ///< S0 << S1.
  ShiftRev, ///< S1 << S0.
  ShiftAdd,
  Shift1Add, ///< S_LSHL<n>_ADD.
  Shift2Add,
  Shift3Add,
  Shift4Add,
  AddShift,
  Mul, ///< All multiplications that keep the low half, as a MAD without addend.
  MulUnsigned24,
  MulSigned24,
  Mad64,
  MadSigned64,
  MulHigh, ///< The upper product: a high half, or a value of its own.
  Or,      ///< As a part of 64 bits; else it makes a value of its own.
  Shift64,
  Shift64Rev,
  ShiftRight,    ///< S0 >> S1. By 24 and more it may be the high half of a shift to the left.
  ShiftRightRev, ///< S1 >> S0.
  Sign,          ///< S0 >> S1, arithmetic: by 31 it is the high half of a sign extension.
  SignRev,
};

IndexRule indexRule(Op op);
/// Whether the result is a pair of registers; one source is then a pair as well.
bool makesPair(IndexRule rule);

/// The operands of one lane. Of the source that is a pair, `term` has the low half.
struct IndexOperands {
  std::array<IndexTerm, 3> term;
  IndexTerm high;     ///< The high half of the wide source.
  uint32_t carry = 0; ///< Carry in, or which source is selected.
};

struct IndexResult {
  IndexCell low, high;
};

/// Whether operands without cells make a result without one; false where that takes evaluate() to
/// find out. Constants are passed signed, everything else unsigned.
bool staysClean(IndexRule rule, const std::array<int64_t, 3> &in, uint32_t carry);

IndexResult evaluate(IndexRule rule, const IndexOperands &in);

} // namespace rdna::emu
