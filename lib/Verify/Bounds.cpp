#include "Verify/Bounds.h"

#include "Symbolic/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <bit>

namespace rdna::verify {

using Order = ExprPool::Order;
using Kind = ExprPool::Kind;
using Width = ExprPool::Width;

std::optional<Quantity> quantityOf(ExprPool &pool, const Leaves &leaves,
                                   const LaunchRegisters &registers, Value value) {
  const auto isAtLaunch = [&](Value leaf, Unknown kind, unsigned index) {
    const auto origin = pool.asUnknown(leaf);
    return origin && origin->kind == kind && origin->index == index &&
           leaves.isEntry(origin->scope);
  };
  for (uint32_t d = 0; d < 3; ++d)
    if (registers.workgroup[d] &&
        isAtLaunch(value, Unknown::Register, RegUnit::scalar(*registers.workgroup[d]).index))
      return Quantity{Quantity::Kind::Workgroup, d};
  // A load from the segment before anything was stored anywhere.
  const auto load = pool.madeBy(pool.signature("scalar load[0]"), value);
  if (!load || !registers.kernarg ||
      !isAtLaunch((*load)[1], Unknown::Memory, static_cast<unsigned>(Space::Global)))
    return std::nullopt;
  uint64_t offset = 0;
  bool hasPointer = false;
  for (const ExprPool::Term &term : pool.termsOf((*load)[0], Width::Qword)) {
    if (term.atoms.empty()) {
      offset = term.factor;
      continue;
    }
    const auto halves = pool.madeBy(pool.signature("pair"), term.atoms[0]);
    hasPointer = !hasPointer && term.atoms.size() == 1 && term.factor == 1 && halves;
    for (unsigned half = 0; half < 2 && hasPointer; ++half)
      hasPointer = isAtLaunch((*halves)[half], Unknown::Register,
                              RegUnit::scalar(*registers.kernarg + half).index);
    if (!hasPointer)
      return std::nullopt;
  }
  if (!hasPointer || offset > UINT32_MAX || offset % 4 != 0)
    return std::nullopt;
  return Quantity{Quantity::Kind::Kernarg, static_cast<uint32_t>(offset)};
}

static bool isLaunchMask(const ExprPool &pool, const Leaves &leaves, Value mask, unsigned depth) {
  if (const auto bits = pool.asConstant(mask))
    return *bits == 0;
  if (const auto origin = pool.asUnknown(mask))
    return origin->kind == Unknown::Register &&
           (leaves.isEntry(origin->scope) ? origin->index == kExecLo.index
                                          : leaves.isLaunchMask(origin->index, origin->scope));
  if (depth == 0)
    return false;
  const auto is = [&](Value part) { return isLaunchMask(pool, leaves, part, depth - 1); };
  const ExprPool::Made made = pool.made(mask);
  if (made.kind == Kind::Compare) // Zero in the lanes outside its last argument.
    return is(made.args.back());
  if (made.kind != Kind::Apply)
    return false;
  if (made.head == "and")
    return is(made.args[0]) || is(made.args[1]);
  if (made.head == "and-not")
    return is(made.args[0]);
  if (made.head == "or" || made.head == "xor")
    return is(made.args[0]) && is(made.args[1]);
  return made.head == "choose" && is(made.args[1]) && is(made.args[2]);
}

bool isLaunchMask(const ExprPool &pool, const Leaves &leaves, Value mask) {
  return isLaunchMask(pool, leaves, mask, 12);
}

Interval Bounds::range(Value value, unsigned depth) {
  if (const auto bits = pool_.asConstant(value))
    return Interval::of(*bits);
  auto &known = isPlain_ ? plain_ : known_;
  if (const auto it = known.find(value); it != known.end())
    return it->second;
  if (depth == 0)
    return Interval::dword();
  Interval result = made(value, depth - 1);
  if (!isPlain_)
    result = refined(value, result, depth - 1);
  return (isPlain_ ? plain_ : known_)[value] = result;
}

Interval Bounds::made(Value value, unsigned depth) {
  if (const auto quantity = quantityOf(pool_, leaves_, launch_.registers, value)) {
    used_.insert(*quantity);
    const LaunchRanges &ranges = launch_.ranges;
    if (quantity->kind == Quantity::Kind::Workgroup)
      return ranges.workgroup[quantity->index];
    const auto it = ranges.kernarg.find(quantity->index);
    return it == ranges.kernarg.end() ? Interval::dword() : it->second;
  }
  const ExprPool::Made node = pool_.made(value);
  switch (node.kind) {
  case Kind::Unknown:
    return ofLeaf(value);
  case Kind::Select: {
    const Value active = node.args[1], inactive = node.args[2];
    return join(range(active, depth), range(inactive, depth));
  }
  case Kind::Apply: {
    if (node.head == "sum" || node.head == "product")
      return ofSum(value, depth);
    // Both may move while other values are made.
    const std::string head(node.head);
    const llvm::SmallVector<Value, 8> args(node.args);
    return ofOperation(head, args, depth);
  }
  case Kind::Constant:
  case Kind::Compare:
    break;
  }
  return Interval::dword();
}

Interval Bounds::ofLeaf(Value value) {
  const auto origin = *pool_.asUnknown(value);
  if (origin.kind != Unknown::Register)
    return Interval::dword();
  if (!leaves_.isEntry(origin.scope))
    return origin.index < 256 ? Interval::dword() : leaves_.rangeOf(origin.index, origin.scope);
  if (origin.index != 0 || lanes_ == Lanes::Any)
    return Interval::dword();
  Interval result = Interval::of(0);
  for (unsigned d = 0; d < launch_.registers.workitemDims; ++d) {
    const Interval item = workitemRange(launch_.function, launch_.ranges, d);
    const auto part = multiply(item, Interval::of(int64_t(1) << (10 * d)));
    result = add(result, *part).value();
  }
  return result;
}

/// A dimension's bits of v0.
std::optional<Interval> Bounds::workitemField(Value value, unsigned shift, unsigned bits) const {
  const auto origin = pool_.asUnknown(value);
  const unsigned dimension = shift / 10;
  if (!origin || origin->kind != Unknown::Register || origin->index != 0 ||
      !leaves_.isEntry(origin->scope) || lanes_ == Lanes::Any || shift % 10 != 0 ||
      dimension >= launch_.registers.workitemDims)
    return std::nullopt;
  // Behind the last one there are zeros.
  if (bits != 10 && !(bits > 10 && dimension + 1 == launch_.registers.workitemDims))
    return std::nullopt;
  return workitemRange(launch_.function, launch_.ranges, dimension);
}

static bool isLowMask(uint32_t bits) { return bits != 0 && (bits & (bits + 1)) == 0; }

Interval Bounds::masked(Value a, Value b, unsigned depth) {
  for (const auto &[mask, other] : {std::pair(a, b), std::pair(b, a)})
    if (const auto bits = pool_.asConstant(mask)) {
      const Interval whole = range(other, depth);
      if (isLowMask(*bits)) {
        if (const auto field = workitemField(other, 0, static_cast<unsigned>(std::popcount(*bits))))
          return *field;
        if (whole.most <= int64_t(*bits))
          return whole;
      }
      if (*bits == 0)
        return Interval::of(0);
      const int64_t most = std::min<int64_t>(*bits, whole.most);
      return whole.isNone() ? whole : Interval{0, most, *bits & (0 - *bits)}.normalised();
    }
  const Interval x = range(a, depth), y = range(b, depth);
  if (x.isNone() || y.isNone())
    return Interval::none();
  return Interval::upTo(std::min(x.most, y.most));
}

static Interval eitherBits(const Interval &a, const Interval &b, int64_t least) {
  if (a.isNone() || b.isNone())
    return Interval::none();
  const auto bits = static_cast<uint64_t>(a.most | b.most);
  const auto ones = static_cast<int64_t>((uint64_t(1) << std::bit_width(bits)) - 1);
  return Interval::between(least, std::min(a.most + b.most, ones));
}

static Interval shiftedRight(const Interval &a, uint32_t amount) {
  if (a.isNone())
    return a;
  const uint64_t unit = uint64_t(1) << amount;
  const bool isWhole = a.step % unit == 0 && static_cast<uint64_t>(a.least) % unit == 0;
  return Interval{a.least >> amount, a.most >> amount, isWhole ? a.step >> amount : 1}.normalised();
}

Interval Bounds::ofOperation(std::string_view head, llvm::ArrayRef<Value> args, unsigned depth) {
  const Op op = opByName(head); // Values that are no operation have names of their own.
  const auto of = [&](unsigned n) { return range(args[n], depth); };
  if (op == Op::v_and_b32 || head == "and")
    return masked(args[0], args[1], depth);
  if (head == "and-not")
    return of(0).isNone() ? Interval::none() : Interval::upTo(of(0).most);
  if (op == Op::v_or_b32 || head == "or") {
    const Interval a = of(0), b = of(1);
    return eitherBits(a, b, std::max(a.least, b.least));
  }
  if (op == Op::v_xor_b32 || head == "xor")
    return eitherBits(of(0), of(1), 0);
  if (op == Op::v_lshrrev_b32) {
    const auto amount = pool_.asConstant(args[0]);
    if (!amount)
      return Interval::dword();
    if (const auto field = workitemField(args[1], *amount & 31, 32 - (*amount & 31));
        field && (*amount & 31))
      return *field;
    return shiftedRight(of(1), *amount & 31);
  }
  if (op == Op::v_mul_u32_u24) {
    constexpr int64_t most24 = 0xffffff;
    const auto low24 = [&](Interval a) { return a.most <= most24 ? a : Interval::upTo(most24); };
    const Interval a = of(0), b = of(1);
    const auto product = multiply(low24(a), low24(b));
    return product && !a.isNone() && !b.isNone() ? moduloDword(*product) : Interval::none();
  }
  if (head == "choose")
    return join(of(1), of(2));
  if (op == Op::v_cndmask_b32)
    return join(of(0), of(1));
  if (head == "sign")
    return of(0).most <= INT32_MAX ? Interval::of(0) : Interval::dword();
  return ofShaped(head, args, depth);
}

/// The sources of an operation that has no form of its own, from its signature:
/// "v_lshl_or_b32[=v1 s1 7 v1 ].0" with its registers in order and MODE behind them. Nothing if it
/// has modifiers or anything else than single dwords.
static llvm::SmallVector<Value, 4> sourcesIn(ExprPool &pool, llvm::StringRef shape,
                                             llvm::ArrayRef<Value> args) {
  llvm::SmallVector<Value, 4> sources;
  unsigned next = 0;
  llvm::SmallVector<llvm::StringRef, 8> words;
  shape.split(words, ' ', -1, false);
  for (const llvm::StringRef word : words) {
    int64_t number = 0;
    if (word == "=v1" || word == "=s1")
      continue;
    if ((word == "v1" || word == "s1") && next < args.size())
      sources.push_back(args[next++]);
    else if (!word.getAsInteger(10, number))
      sources.push_back(pool.constant(static_cast<uint32_t>(number)));
    else
      return {};
  }
  return sources;
}

Interval Bounds::ofShaped(std::string_view whole, llvm::ArrayRef<Value> args, unsigned depth) {
  const llvm::StringRef text(whole.data(), whole.size());
  const auto [name, rest] = text.split('[');
  const auto [shape, behind] = rest.split(']');
  const Op op = opByName({name.data(), name.size()});
  static constexpr Op known[] = {Op::v_and_or_b32, Op::v_lshl_or_b32, Op::v_or3_b32,
                                 Op::v_bfe_u32,    Op::s_bfe_u32,     Op::s_lshr_b32,
                                 Op::v_min_u32,    Op::v_max_u32,     Op::s_min_u32};
  if (behind != ".0" || !llvm::is_contained(known, op))
    return Interval::dword();
  const auto sources = sourcesIn(pool_, shape, args);
  const auto of = [&](unsigned n) { return range(sources[n], depth); };
  if (sources.size() == 2 && op == Op::s_lshr_b32) {
    const auto amount = pool_.asConstant(sources[1]);
    return amount ? shiftedRight(of(0), *amount & 31) : Interval::dword();
  }
  if (sources.size() == 2 && op == Op::s_bfe_u32) {
    const auto field = pool_.asConstant(sources[1]);
    if (!field || (*field >> 16 & 127) == 0 || (*field >> 16 & 127) > 31)
      return Interval::dword();
    const Interval moved = shiftedRight(of(0), *field & 31);
    const int64_t mask = (int64_t(1) << (*field >> 16 & 127)) - 1;
    return moved.isNone() || moved.most <= mask ? moved : Interval::upTo(mask);
  }
  if (sources.size() == 2) {
    const Interval a = of(0), b = of(1);
    if (a.isNone() || b.isNone())
      return Interval::none();
    return op != Op::v_max_u32
               ? Interval::between(std::min(a.least, b.least), std::min(a.most, b.most))
               : Interval::between(std::max(a.least, b.least), std::max(a.most, b.most));
  }
  if (sources.size() != 3)
    return Interval::dword();
  if (op == Op::v_bfe_u32) {
    const auto shift = pool_.asConstant(sources[1]), bits = pool_.asConstant(sources[2]);
    if (!shift || !bits || (*bits & 31) == 0)
      return Interval::dword();
    if (const auto field = workitemField(sources[0], *shift & 31, *bits & 31))
      return *field;
    const Interval moved = shiftedRight(of(0), *shift & 31);
    const int64_t mask = (int64_t(1) << (*bits & 31)) - 1;
    return moved.isNone() || moved.most <= mask ? moved : Interval::upTo(mask);
  }
  if (op == Op::v_and_or_b32) {
    const Interval a = masked(sources[0], sources[1], depth), b = of(2);
    return eitherBits(a, b, std::max(a.least, b.least));
  }
  if (op == Op::v_lshl_or_b32) {
    const auto amount = pool_.asConstant(sources[1]);
    if (!amount)
      return Interval::dword();
    const Interval a = range(pool_.shifted(sources[0], *amount), depth), b = of(2);
    return eitherBits(a, b, std::max(a.least, b.least));
  }
  if (op != Op::v_or3_b32)
    return Interval::dword();
  const Interval a = eitherBits(of(0), of(1), std::max(of(0).least, of(1).least)), b = of(2);
  return eitherBits(a, b, std::max(a.least, b.least));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// A sum that is x + c: for which x does it wrap?
void Bounds::noteCut(const ExprPool::Polynomial &terms, const Interval &whole) {
  if (terms.size() != 2 || whole.least >> 32 == whole.most >> 32)
    return;
  std::optional<Quantity> quantity;
  int64_t constant = 0;
  for (const ExprPool::Term &term : terms)
    if (term.atoms.empty())
      constant = static_cast<int32_t>(term.factor);
    else if (term.atoms.size() == 1 && term.factor == 1)
      quantity = quantityOf(pool_, leaves_, launch_.registers, term.atoms[0]);
  if (quantity && constant < 0)
    cuts_.insert({*quantity, -constant});
}

Interval Bounds::ofSum(Value value, unsigned depth) {
  const ExprPool::Polynomial terms = pool_.termsOf(value, Width::Dword);
  Interval sum = Interval::of(0);
  for (const ExprPool::Term &term : terms) {
    std::optional<Interval> part = Interval::of(static_cast<int32_t>(term.factor));
    for (const Value atom : term.atoms) {
      const Interval one = range(atom, depth);
      part = part ? multiply(*part, one) : part;
    }
    const auto next = part ? add(sum, *part) : part;
    if (!next)
      return Interval::dword();
    sum = *next;
  }
  noteCut(terms, sum);
  return moduloDword(sum);
}

std::optional<Interval> Bounds::ofInteger(const ExprPool::Polynomial &terms) {
  Interval sum = Interval::of(0);
  for (const ExprPool::Term &term : terms) {
    std::optional<Interval> part = Interval::of(static_cast<int64_t>(term.factor));
    for (const Value atom : term.atoms) {
      const auto extended = pool_.extendedIn(atom);
      if (!extended)
        return std::nullopt;
      Interval one = of(*extended);
      // A sign that may be set makes it a negative number.
      if (one.most > INT32_MAX && pool_.madeBy(pool_.signature("sext"), atom))
        one = {INT32_MIN, INT32_MAX, 1};
      part = part ? multiply(*part, one) : part;
    }
    const auto next = part ? add(sum, *part) : part;
    if (!next)
      return std::nullopt;
    sum = *next;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// What the path says
//===----------------------------------------------------------------------===//

/// c of from = value + c, over the integers: for no number of `range`, in which `value` lies, it
/// wraps.
std::optional<int64_t> Bounds::apart(Value value, Value from, const Interval &range) {
  if (value == from)
    return 0;
  const auto bits = pool_.asConstant(pool_.sum(from, pool_.negated(value)));
  if (!bits)
    return std::nullopt;
  const int64_t by = static_cast<int32_t>(*bits);
  if (range.isNone() || range.least + by < 0 || range.most + by > 0xffffffff)
    return std::nullopt;
  return by;
}

/// `range` is of v = x - apart (isLeft) or v = y - apart, and x < y is so or is not.
Interval Bounds::compared(Interval range, Value x, Value y, bool isLeft, bool isLess, Order order,
                          int64_t apart, unsigned depth) {
  const Value other = isLeft ? y : x;
  isPlain_ = true;
  const Interval limit = this->range(other, depth);
  isPlain_ = false;
  if (limit.isNone())
    return Interval::none();
  // The one of the two that is smaller, or not greater.
  const bool isSmaller = isLeft == isLess;
  const int64_t strict = isLess ? 1 : 0;
  if (order == Order::Signed) {
    if (limit.most > INT32_MAX)
      return range;
    // What is not smaller than a number that is not negative is none itself.
    if (!isSmaller)
      range = range.atMost(INT32_MAX - apart);
    else if (range.most + apart > INT32_MAX)
      return range;
  }
  return isSmaller ? range.atMost(limit.most - strict - apart)
                   : range.atLeast(limit.least + strict - apart);
}

Interval Bounds::narrowed(Value value, Interval range, const PathConditions::Fact &fact,
                          unsigned depth) {
  if (fact.value == value)
    return fact.isNonzero ? range.without(0) : range.atMost(0);
  for (const Order order : {Order::Unsigned, Order::Signed})
    if (const auto sides = pool_.madeBy(
            pool_.signature(order == Order::Unsigned ? "less-u32" : "less-i32"), fact.value)) {
      const Value x = (*sides)[0], y = (*sides)[1];
      if (const auto by = apart(value, x, range))
        range = compared(range, x, y, true, fact.isNonzero, order, *by, depth);
      if (const auto by = apart(value, y, range))
        range = compared(range, x, y, false, fact.isNonzero, order, *by, depth);
      return range;
    }
  const auto zero = pool_.madeBy(pool_.signature("is-zero"), fact.value);
  if (!zero)
    return range;
  // value - other is zero, or other - value.
  for (const Value difference : {zero->front(), pool_.negated(zero->front())}) {
    const Value other = pool_.sum(value, pool_.negated(difference));
    if (pool_.termsOf(other, Width::Dword).size() > 2)
      continue;
    isPlain_ = true;
    const Interval limit = this->range(other, depth);
    isPlain_ = false;
    if (fact.isNonzero)
      range = limit.isNone() ? limit : range.atLeast(limit.least).atMost(limit.most);
    else if (limit.least == limit.most)
      range = range.without(limit.least);
  }
  return range;
}

Interval Bounds::refined(Value value, Interval range, unsigned depth) {
  for (const PathConditions::Fact &fact : path_.all())
    range = narrowed(value, range, fact, depth);
  return range;
}

} // namespace rdna::verify
