#include "Emu/Check/IndexRules.h"

#include <unordered_map>

namespace rdna::emu {
namespace {

using Note = IndexCell::Note;

/// The cell of a 32-bit result whose exact value is known.
IndexCell made(int64_t exact, int64_t carries) {
  IndexCell cell;
  cell.wraps = exact == beyond64 ? beyond64 : exact >> 32;
  cell.carries = carries;
  return cell;
}

void note(IndexCell &cell, const IndexTerm &index) {
  cell.note = Note::Index;
  cell.index = index.value;
  cell.meant = index.exact();
}

void inherit(IndexCell &cell, const IndexCell &from) {
  cell.note = from.note;
  cell.index = from.index;
  cell.meant = from.meant;
}

IndexCell add(const IndexTerm &a, const IndexTerm &b, int64_t carry) {
  return made(exactAdd(exactAdd(a.exact(), b.exact()), carry),
              exactAdd(exactAdd(a.carries(), b.carries()), carry));
}
IndexCell sub(const IndexTerm &a, const IndexTerm &b, int64_t borrow) {
  return made(exactSub(exactSub(a.exact(), b.exact()), borrow),
              exactSub(exactSub(a.carries(), b.carries()), borrow));
}
IndexCell shift(const IndexTerm &a, uint32_t n) {
  return made(exactShift(a.exact(), n & 31), exactShift(a.carries(), n & 31));
}
/// The low half of a * b + c.
IndexCell multiply(const IndexTerm &a, const IndexTerm &b, const IndexTerm &c) {
  const int64_t carries =
      exactAdd(exactMul(a.actual(), b.carries()), exactMul(b.actual(), a.carries()));
  return made(exactAdd(exactMul(a.exact(), b.exact()), c.exact()), exactAdd(carries, c.carries()));
}
/// What the low half of a * b + c hands to the high half.
int64_t upperProduct(int64_t a, int64_t b, uint32_t c) {
  if (a >= 0 && b >= 0) // The largest sum is below 2^64.
    return int64_t((uint64_t(a) * uint64_t(b) + c) >> 32);
  return (a * b + c) >> 32;
}

IndexTerm term(uint32_t value, IndexCell cell) { return {value, cell}; }

/// A factor of a 24-bit multiplication: what does not fit takes part with its low bits only.
IndexTerm low24(const IndexTerm &a) { return a.value >> 24 ? term(a.value & 0xffffff, {}) : a; }
IndexTerm signed24(const IndexTerm &a) {
  const int32_t value = int32_t(a.value << 8) >> 8;
  if (uint32_t(value) == a.value && (value >= 0 || !a.cell.clean()))
    return a;
  return constantTerm(uint32_t(value));
}

IndexResult mad64(const IndexOperands &in) {
  const auto &[a, b, c] = in.term;
  IndexResult r;
  r.low = multiply(a, b, c);
  r.high.carries = exactAdd(upperProduct(a.actual(), b.actual(), c.value), in.high.carries());
  for (const IndexTerm *factor : {&b, &a})
    if (!factor->holds())
      note(r.low, *factor);
  return r;
}

/// As mad64, but the factors are sign-extended: a negative one that is no constant was no index.
IndexResult madSigned64(const IndexOperands &in) {
  const auto &[a, b, c] = in.term;
  IndexResult r;
  r.low = multiply(a, b, c);
  r.high.carries =
      exactAdd(upperProduct(int32_t(a.value), int32_t(b.value), c.value), in.high.carries());
  for (const IndexTerm *factor : {&b, &a})
    if (!factor->holds() || (!factor->isConstant() && int32_t(factor->value) < 0)) {
      r.high.carries = beyond64;
      note(r.low, *factor);
    }
  return r;
}

IndexResult shift64(const IndexTerm &low, const IndexTerm &high, uint32_t n) {
  const int64_t off = deviation(low, high);
  IndexResult r;
  r.low = made(exactShift(low.exact(), n & 63), 0);
  r.high.carries = exactAdd(r.low.wraps, exactShift(off, n & 63));
  if (off == 0) {
    r.low.note = Note::Low;
    return r;
  }
  if (low.cell.namesIndex() || high.cell.namesIndex())
    inherit(r.high, low.cell.namesIndex() ? low.cell : high.cell);
  else
    note(r.high, low);
  r.high.note = Note::Wrapped;
  return r;
}

IndexCell orBits(const IndexTerm &a, const IndexTerm &b) {
  IndexCell cell;
  for (const IndexTerm *half : {&a, &b})
    if (half->cell.note == Note::Low) {
      cell.wraps = half->cell.wraps;
      cell.note = Note::Low;
    }
  return cell;
}

IndexCell shiftRight(const IndexTerm &a, uint32_t n) {
  IndexCell cell;
  if ((n & 31) >= 24)
    cell.carries = a.value >> (n & 31);
  return cell;
}

/// Sign-extended indices lie below 2^31: a negative one is off even where it is exact.
IndexCell sign(const IndexTerm &a, uint32_t n) {
  IndexCell cell;
  if ((n & 31) != 31 || a.isConstant())
    return cell;
  if (int32_t(a.value) < 0)
    cell.carries = a.exact() < 0 ? beyond64 : -1;
  if (int32_t(a.value) < 0 || !a.holds())
    note(cell, a);
  return cell;
}

IndexResult compute(IndexRule rule, const IndexOperands &in) {
  const auto &[a, b, c] = in.term;
  const IndexTerm zero;
  switch (rule) {
  case IndexRule::None:
  case IndexRule::FirstLane: // These three are moves with a lane to be found first.
  case IndexRule::ReadLane:
  case IndexRule::WriteLane:
    return {};
  case IndexRule::Move:
    return {a.cell, {}};
  case IndexRule::Move64:
    return {a.cell, in.high.cell};
  case IndexRule::Select:
    return {in.carry ? b.cell : a.cell, {}};
  case IndexRule::Select64:
    return {a.cell, in.high.cell};
  case IndexRule::Add:
    return {add(a, b, 0), {}};
  case IndexRule::Sub:
    return {sub(a, b, 0), {}};
  case IndexRule::SubRev:
    return {sub(b, a, 0), {}};
  case IndexRule::AddCarry:
    return {add(a, b, in.carry), {}};
  case IndexRule::SubCarry:
    return {sub(a, b, in.carry), {}};
  case IndexRule::SubRevCarry:
    return {sub(b, a, in.carry), {}};
  case IndexRule::Add3: {
    const IndexTerm sum = term(a.value + b.value, add(a, b, 0));
    return {add(sum, c, 0), {}};
  }
  case IndexRule::XorAdd:
    return {add(term(a.value ^ b.value, {}), c, 0), {}};
  case IndexRule::Shift:
    return {shift(a, b.value), {}};
  case IndexRule::ShiftRev:
    return {shift(b, a.value), {}};
  case IndexRule::ShiftAdd:
    return {add(term(a.value << (b.value & 31), shift(a, b.value)), c, 0), {}};
  case IndexRule::Shift1Add:
  case IndexRule::Shift2Add:
  case IndexRule::Shift3Add:
  case IndexRule::Shift4Add: {
    const unsigned n = unsigned(rule) - unsigned(IndexRule::Shift1Add) + 1;
    return {add(term(a.value << n, shift(a, n)), b, 0), {}};
  }
  case IndexRule::AddShift:
    return {shift(term(a.value + b.value, add(a, b, 0)), c.value), {}};
  case IndexRule::Mul:
    return {multiply(a, b, c), {}};
  case IndexRule::MulUnsigned24:
    return {multiply(low24(a), low24(b), c), {}};
  case IndexRule::MulSigned24:
    return {multiply(signed24(a), signed24(b), c), {}};
  case IndexRule::Mad64:
    return mad64(in);
  case IndexRule::MadSigned64:
    return madSigned64(in);
  case IndexRule::MulHigh:
    return {made(0, upperProduct(a.actual(), b.actual(), 0)), {}};
  case IndexRule::Or:
    return {orBits(a, b), {}};
  case IndexRule::Shift64:
    return shift64(a, in.high, b.value);
  case IndexRule::Shift64Rev:
    return shift64(b, in.high, a.value);
  case IndexRule::ShiftRight:
    return {shiftRight(a, b.value), {}};
  case IndexRule::ShiftRightRev:
    return {shiftRight(b, a.value), {}};
  case IndexRule::Sign:
    return {sign(a, b.value), {}};
  case IndexRule::SignRev:
    return {sign(b, a.value), {}};
  }
  return {};
}

/// The first note among the operands stays with what is computed from them; Wrapped goes first.
void inherit(IndexCell &cell, const IndexOperands &in) {
  using enum Note;
  for (const Note kind : {Wrapped, Index})
    for (const IndexTerm *from : {&in.term[0], &in.term[1], &in.term[2], &in.high})
      if (from->cell.note == kind && cell.note == None && (kind == Wrapped || !cell.clean()))
        inherit(cell, from->cell);
}

} // namespace

int64_t deviation(const IndexTerm &low, const IndexTerm &high) {
  if (high.cell.note == Note::Wrapped) {
    const int64_t off = exactSub(high.cell.carries, low.isConstant() ? 0 : low.cell.wraps);
    return off ? off : beyond64;
  }
  // A constant is what it must be to fit.
  if (low.isConstant() && high.isConstant())
    return 0;
  if (low.isConstant() && (high.cell.carries == 0 || high.cell.carries == -1))
    return 0;
  if (high.isConstant() && (low.cell.wraps == 0 || low.cell.wraps == -1))
    return 0;
  return exactSub(high.isConstant() ? 0 : high.cell.carries, low.isConstant() ? 0 : low.cell.wraps);
}

IndexRule indexRule(Op op) {
  using enum IndexRule;
  static const std::unordered_map<Op, IndexRule> table = {
      {Op::v_mov_b32, Move},
      {Op::s_mov_b32, Move},
      {Op::s_movk_i32, Move},
      {Op::s_mov_b64, Move64},
      {Op::v_cndmask_b32, Select},
      {Op::s_cselect_b32, Select},
      {Op::s_cselect_b64, Select64},
      {Op::v_readfirstlane_b32, FirstLane},
      {Op::v_readlane_b32, ReadLane},
      {Op::v_writelane_b32, WriteLane},
      {Op::v_add_nc_u32, Add},
      {Op::v_add_nc_i32, Add},
      {Op::v_add_co_u32, Add},
      {Op::s_add_u32, Add},
      {Op::s_add_i32, Add},
      {Op::s_addk_i32, Add},
      {Op::v_sub_nc_u32, Sub},
      {Op::v_sub_nc_i32, Sub},
      {Op::v_sub_co_u32, Sub},
      {Op::s_sub_u32, Sub},
      {Op::s_sub_i32, Sub},
      {Op::v_subrev_nc_u32, SubRev},
      {Op::v_subrev_co_u32, SubRev},
      {Op::v_add_co_ci_u32, AddCarry},
      {Op::s_addc_u32, AddCarry},
      {Op::v_sub_co_ci_u32, SubCarry},
      {Op::s_subb_u32, SubCarry},
      {Op::v_subrev_co_ci_u32, SubRevCarry},
      {Op::v_add3_u32, Add3},
      {Op::v_xad_u32, XorAdd},
      {Op::s_lshl_b32, Shift},
      {Op::v_lshlrev_b32, ShiftRev},
      {Op::v_lshl_add_u32, ShiftAdd},
      {Op::s_lshl1_add_u32, Shift1Add},
      {Op::s_lshl2_add_u32, Shift2Add},
      {Op::s_lshl3_add_u32, Shift3Add},
      {Op::s_lshl4_add_u32, Shift4Add},
      {Op::v_add_lshl_u32, AddShift},
      {Op::v_mul_lo_u32, Mul},
      {Op::s_mul_i32, Mul},
      {Op::s_mulk_i32, Mul},
      {Op::v_mul_u32_u24, MulUnsigned24},
      {Op::v_mad_u32_u24, MulUnsigned24},
      {Op::v_mul_i32_i24, MulSigned24},
      {Op::v_mad_i32_i24, MulSigned24},
      {Op::v_mad_u64_u32, Mad64},
      {Op::v_mad_i64_i32, MadSigned64},
      {Op::v_mul_hi_u32, MulHigh},
      {Op::s_mul_hi_u32, MulHigh},
      {Op::v_or_b32, Or},
      {Op::s_or_b32, Or},
      {Op::s_lshl_b64, Shift64},
      {Op::v_lshlrev_b64, Shift64Rev},
      {Op::s_lshr_b32, ShiftRight},
      {Op::v_lshrrev_b32, ShiftRightRev},
      {Op::s_ashr_i32, Sign},
      {Op::v_ashrrev_i32, SignRev},
  };
  const auto it = table.find(op);
  return it == table.end() ? None : it->second;
}

bool makesPair(IndexRule rule) {
  switch (rule) {
  case IndexRule::Move64:
  case IndexRule::Select64:
  case IndexRule::Mad64:
  case IndexRule::MadSigned64:
  case IndexRule::Shift64:
  case IndexRule::Shift64Rev:
    return true;
  default:
    return false;
  }
}

bool staysClean(IndexRule rule, const std::array<int64_t, 3> &in, uint32_t carry) {
  const auto [a, b, c] = in;
  const auto fits = [](int64_t exact) { return exact >> 32 == 0; };
  switch (rule) {
  case IndexRule::Move:
    return a >= 0;
  case IndexRule::Select:
    return a >= 0 && b >= 0;
  case IndexRule::Or:
    return true;
  case IndexRule::Add:
    return fits(a + b);
  case IndexRule::Sub:
    return fits(a - b);
  case IndexRule::SubRev:
    return fits(b - a);
  case IndexRule::AddCarry:
    return carry == 0 && b >= 0 && a >= 0 && fits(a + b);
  case IndexRule::Add3:
    return fits(a + b) && fits(a + b + c);
  case IndexRule::Shift:
    return fits(a << (b & 31));
  case IndexRule::ShiftRev:
    return fits(b << (a & 31));
  case IndexRule::ShiftAdd:
    return fits(a << (b & 31)) && fits((a << (b & 31)) + c);
  case IndexRule::AddShift:
    return fits(a + b) && fits((a + b) << (c & 31));
  case IndexRule::Mul:
  case IndexRule::Mad64:
    return a >> 16 == 0 && b >> 16 == 0 && c >= 0 && fits(a * b + c);
  case IndexRule::MulUnsigned24:
    return a >> 24 == 0 && b >> 24 == 0 && c >= 0 && fits(a * b + c);
  case IndexRule::Shift64Rev: // The high half is clean as well: no part of it is lost.
    return a >> 5 == 0 && fits(b << a);
  case IndexRule::ShiftRightRev:
    return a >= 0 && a < 24;
  case IndexRule::SignRev:
    return b >> 31 == 0;
  default:
    return false;
  }
}

IndexResult evaluate(IndexRule rule, const IndexOperands &in) {
  IndexResult r = compute(rule, in);
  if (rule == IndexRule::Select) // What is chosen brings its own.
    return r;
  if (!makesPair(rule))
    inherit(r.low, in);
  else if (rule != IndexRule::Move64 && rule != IndexRule::Select64)
    inherit(r.high, in);
  return r;
}

} // namespace rdna::emu
