// Integer arithmetic in one form: polynomials over the values that are no sums or products
// themselves. 32-bit values form the ring of integers modulo 2^32, pairs of registers that of
// integers modulo 2^64, and lowOf() is the homomorphism from the second to the first.

#include "Symbolic/Expr.h"

#include <algorithm>

namespace rdna::verify {

/// Longer ones become opaque: a reduction that was written out has thousands of terms, and every
/// step would copy them all.
static constexpr size_t kMostTerms = 48;
static constexpr size_t kMostAtoms = 6;

void ExprPool::normalise(Polynomial &terms, Width width) {
  std::sort(terms.begin(), terms.end(),
            [](const Term &a, const Term &b) { return a.atoms < b.atoms; });
  Polynomial merged;
  for (Term &term : terms) {
    if (!merged.empty() && merged.back().atoms == term.atoms)
      merged.back().factor += term.factor;
    else
      merged.push_back(std::move(term));
    if (width == Width::Dword)
      merged.back().factor &= 0xffffffff;
  }
  llvm::erase_if(merged, [](const Term &term) { return term.factor == 0; });
  terms = std::move(merged);
}

ExprPool::Polynomial ExprPool::multiply(const Polynomial &a, const Polynomial &b, Width width) {
  Polynomial result;
  for (const Term &x : a)
    for (const Term &y : b) {
      Term term = x;
      term.factor *= y.factor;
      term.atoms.append(y.atoms.begin(), y.atoms.end());
      std::sort(term.atoms.begin(), term.atoms.end());
      result.push_back(std::move(term));
    }
  normalise(result, width);
  return result;
}

/// A constant is kept in one node (two dwords for 64 bits), a term as its factor and its atoms, a
/// plain atom as itself.
ExprPool::Polynomial ExprPool::termsOf(Value value, Width width) const {
  const bool isWide = width == Width::Qword;
  const auto one = [&](Value v) -> Term {
    if (!isWide && asConstant(v))
      return {{}, *asConstant(v)};
    const auto parts = args(nodes_[v]);
    const auto number = [&] {
      return isWide ? uint64_t(*asConstant(parts[1])) << 32 | *asConstant(parts[0])
                    : uint64_t(*asConstant(parts[0]));
    };
    if (isWide && isApply(v, wideConstant_))
      return {{}, number()};
    if (isApply(v, isWide ? wideTerm_ : term_)) {
      const auto atoms = parts.drop_front(isWide ? 2 : 1);
      return {{atoms.begin(), atoms.end()}, number()};
    }
    return {{v}, 1};
  };
  Polynomial terms;
  if (isApply(value, isWide ? wideSum_ : sum_))
    for (const Value v : args(nodes_[value]))
      terms.push_back(one(v));
  else
    terms.push_back(one(value));
  return terms;
}

Value ExprPool::toValue(Polynomial terms, Width width) {
  const bool isWide = width == Width::Qword;
  llvm::SmallVector<Value, 8> values;
  for (const Term &term : terms) {
    const Value low = constant(static_cast<uint32_t>(term.factor));
    if (term.atoms.empty()) {
      values.push_back(isWide ? wideConstant(term.factor) : low);
    } else if (term.atoms.size() == 1 && term.factor == 1) {
      values.push_back(term.atoms[0]);
    } else {
      llvm::SmallVector<Value, 6> parts{low};
      if (isWide)
        parts.push_back(constant(static_cast<uint32_t>(term.factor >> 32)));
      parts.append(term.atoms.begin(), term.atoms.end());
      values.push_back(apply(isWide ? wideTerm_ : term_, parts));
    }
  }
  if (values.empty())
    return isWide ? wideConstant(0) : constant(0);
  return values.size() == 1 ? values[0] : apply(isWide ? wideSum_ : sum_, values);
}

Value ExprPool::sum(Value a, Value b) {
  Polynomial terms = termsOf(a, Width::Dword);
  const Polynomial more = termsOf(b, Width::Dword);
  if (terms.size() + more.size() > kMostTerms)
    return apply("long sum", {std::min(a, b), std::max(a, b)});
  terms.append(more.begin(), more.end());
  normalise(terms, Width::Dword);
  return toValue(std::move(terms), Width::Dword);
}

static bool isTooLong(size_t terms, size_t otherTerms) { return terms * otherTerms > kMostTerms; }

Value ExprPool::product(Value a, Value b) {
  const Polynomial x = termsOf(a, Width::Dword), y = termsOf(b, Width::Dword);
  const auto isDeep = [](const Polynomial &p) {
    return std::any_of(p.begin(), p.end(),
                       [](const Term &term) { return term.atoms.size() > kMostAtoms / 2; });
  };
  const bool isScaling = asConstant(a) || asConstant(b);
  if (!isScaling && (isTooLong(x.size(), y.size()) || isDeep(x) || isDeep(y)))
    return apply("long product", {std::min(a, b), std::max(a, b)});
  return toValue(multiply(x, y, Width::Dword), Width::Dword);
}

Value ExprPool::signOf(Value a) {
  if (const auto bits = asConstant(a))
    return constant(static_cast<uint32_t>(static_cast<int32_t>(*bits) >> 31));
  return apply(sign_, {a});
}

Value ExprPool::wideConstant(uint64_t bits) {
  return apply(wideConstant_, {constant(static_cast<uint32_t>(bits)),
                               constant(static_cast<uint32_t>(bits >> 32))});
}

Value ExprPool::zeroExtended(Value a) {
  const auto bits = asConstant(a);
  return bits ? wideConstant(*bits) : apply(zext_, {a});
}

Value ExprPool::signExtended(Value a) {
  const auto bits = asConstant(a);
  return bits ? wideConstant(static_cast<uint64_t>(int64_t(static_cast<int32_t>(*bits))))
              : apply(sext_, {a});
}

Value ExprPool::wideOf(Value low, Value high) {
  if (isApply(high, high_))
    if (const Value whole = args(nodes_[high])[0]; lowOf(whole) == low)
      return whole;
  if (const auto bits = asConstant(high)) {
    if (const auto lowBits = asConstant(low))
      return wideConstant(uint64_t(*bits) << 32 | *lowBits);
    if (*bits == 0)
      return zeroExtended(low);
  }
  if (high == signOf(low))
    return signExtended(low);
  return apply(pair_, {low, high});
}

Value ExprPool::wideSum(Value a, Value b) {
  Polynomial terms = termsOf(a, Width::Qword);
  const Polynomial more = termsOf(b, Width::Qword);
  if (terms.size() + more.size() > kMostTerms)
    return apply(pair_,
                 {sum(lowOf(a), lowOf(b)), apply("long sum64", {std::min(a, b), std::max(a, b)})});
  terms.append(more.begin(), more.end());
  normalise(terms, Width::Qword);
  return toValue(std::move(terms), Width::Qword);
}

Value ExprPool::wideProduct(Value a, Value b) {
  const Polynomial x = termsOf(a, Width::Qword), y = termsOf(b, Width::Qword);
  const bool isScaling = isApply(a, wideConstant_) || isApply(b, wideConstant_);
  const auto isDeep = [](const Polynomial &p) {
    return std::any_of(p.begin(), p.end(),
                       [](const Term &term) { return term.atoms.size() > kMostAtoms / 2; });
  };
  if (!isScaling && (isTooLong(x.size(), y.size()) || isDeep(x) || isDeep(y)))
    return apply(pair_, {product(lowOf(a), lowOf(b)),
                         apply("long product64", {std::min(a, b), std::max(a, b)})});
  return toValue(multiply(x, y, Width::Qword), Width::Qword);
}

Value ExprPool::lowOf(Value wide) {
  Value result = constant(0);
  for (const Term &term : termsOf(wide, Width::Qword)) {
    Value part = constant(static_cast<uint32_t>(term.factor));
    for (const Value atom : term.atoms) // zext(x), sext(x), pair(x, ...)
      part = product(part, args(nodes_[atom])[0]);
    result = sum(result, part);
  }
  return result;
}

Value ExprPool::highOf(Value wide) {
  if (isApply(wide, wideConstant_) || isApply(wide, pair_))
    return args(nodes_[wide])[1];
  if (isApply(wide, zext_))
    return constant(0);
  if (isApply(wide, sext_))
    return signOf(args(nodes_[wide])[0]);
  return apply(high_, {wide});
}

Value ExprPool::carry(Value a, Value b, Value exec) {
  return apply(carry_, {std::min(a, b), std::max(a, b), exec});
}

Value ExprPool::scalarCarry(Value a, Value b) {
  return apply(scalarCarry_, {std::min(a, b), std::max(a, b)});
}

std::optional<Value> ExprPool::highOfSum(Value aHigh, Value bHigh, Value carry, Value exec) {
  if (!isApply(carry, carry_) || !isSubset(exec, args(nodes_[carry])[2]))
    return std::nullopt;
  const Node &node = nodes_[carry];
  return highOfParts(args(node)[0], aHigh, args(node)[1], bHigh);
}

std::optional<Value> ExprPool::highOfScalarSum(Value aHigh, Value bHigh, Value scc) {
  if (!isApply(scc, scalarCarry_))
    return std::nullopt;
  const Node &node = nodes_[scc];
  return highOfParts(args(node)[0], aHigh, args(node)[1], bHigh);
}

Value ExprPool::highOfParts(Value aLow, Value aHigh, Value bLow, Value bHigh) {
  // Which half belongs to which does not matter for the sum; the pairing that makes known values
  // is the one that was meant, and a constant's halves are known best.
  Value first[] = {wideOf(aLow, aHigh), wideOf(bLow, bHigh)};
  Value second[] = {wideOf(aLow, bHigh), wideOf(bLow, aHigh)};
  // Two unknown registers that stand next to each other are one value, too.
  const auto isOne = [&](Value value) {
    if (!isApply(value, pair_))
      return true;
    const Node &low = nodes_[args(nodes_[value])[0]], &high = nodes_[args(nodes_[value])[1]];
    return low.kind == Kind::Unknown && high.kind == Kind::Unknown && low.scope == high.scope &&
           low.head + 1 == high.head;
  };
  const auto cost = [&](const Value(&values)[2]) {
    int sum = 0;
    for (const Value value : values)
      sum += !isOne(value) ? 3 : isApply(value, wideConstant_) ? -1 : 0;
    return sum;
  };
  const auto &best = cost(second) < cost(first) ? second : first;
  return highOf(wideSum(best[0], best[1]));
}

std::optional<Value> ExprPool::extendedIn(Value wideAtom) const {
  if (isApply(wideAtom, zext_) || isApply(wideAtom, sext_))
    return args(nodes_[wideAtom])[0];
  return std::nullopt;
}

/// Deeper values count as unknown: a shared one would be looked at again and again.
static constexpr unsigned kDeepest = 6;

uint64_t ExprPool::greatest(Value value, unsigned depth) const {
  constexpr uint64_t any = ~0u;
  if (const auto bits = asConstant(value))
    return *bits;
  if (nodes_[value].kind != Kind::Apply || depth == 0)
    return any;
  const uint32_t head = nodes_[value].head;
  const auto values = args(nodes_[value]);
  const auto of = [&](unsigned n) { return greatest(values[n], depth - 1); };
  if (head == and_ || head == andBits_)
    return std::min(of(0), of(1));
  if (head == shiftRight_)
    if (const auto amount = asConstant(values[0]))
      return of(1) >> (*amount & 31);
  if (head == product24_)
    return std::min(any, std::min<uint64_t>(of(0), 0xffffff) * std::min<uint64_t>(of(1), 0xffffff));
  return head == sum_ || head == term_
             ? std::min(any, greatestSum(termsOf(value, Width::Dword), depth - 1))
             : any;
}

/// Over the integers; all ones if it may be negative or large.
uint64_t ExprPool::greatestSum(const Polynomial &terms, unsigned depth) const {
  uint64_t most = 0;
  for (const Term &term : terms) {
    uint64_t part = term.factor;
    if (part >= 1ull << 31)
      return ~0ull;
    for (const Value atom : term.atoms)
      if (part *= greatest(atom, depth); part >> 32)
        return ~0ull;
    most += part;
  }
  return most;
}

/// A lower bound, where it is easy to see.
uint64_t ExprPool::least(Value value, unsigned depth) const {
  if (const auto bits = asConstant(value))
    return *bits;
  if (!isApply(value, orBits_) || depth == 0)
    return 0;
  const auto values = args(nodes_[value]);
  return std::max(least(values[0], depth - 1), least(values[1], depth - 1));
}

/// A 32-bit polynomial over the integers: its factors signed, its atoms unsigned.
ExprPool::Polynomial ExprPool::integerOf(const Polynomial &terms) {
  Polynomial result;
  for (const Term &term : terms) {
    Term whole{{}, static_cast<uint64_t>(int64_t(static_cast<int32_t>(term.factor)))};
    for (const Value part : term.atoms)
      whole.atoms.push_back(zeroExtended(part));
    std::sort(whole.atoms.begin(), whole.atoms.end());
    result.push_back(std::move(whole));
  }
  normalise(result, Width::Qword);
  return result;
}

namespace {
bool isNegative(const ExprPool::Term &term) { return static_cast<int64_t>(term.factor) < 0; }
} // namespace

/// a - b, if no term of it is negative: then a >= b whatever the atoms are.
static bool coversTermwise(ExprPool::Polynomial a, const ExprPool::Polynomial &b) {
  for (const ExprPool::Term &term : b) {
    const auto same = std::find_if(
        a.begin(), a.end(), [&](const ExprPool::Term &other) { return other.atoms == term.atoms; });
    if (same == a.end())
      a.push_back({term.atoms, 0 - term.factor});
    else
      same->factor -= term.factor;
  }
  return llvm::none_of(a, isNegative);
}

/// `whole` as so many times `part`; 0 if it is no such multiple.
static uint64_t multipleOf(const ExprPool::Polynomial &whole, const ExprPool::Polynomial &part) {
  if (part.empty() || whole.size() != part.size() || part[0].factor == 0)
    return 0;
  const auto first = static_cast<int64_t>(whole[0].factor);
  const auto unit = static_cast<int64_t>(part[0].factor);
  if (first % unit != 0 || first / unit <= 0 || first / unit > (int64_t(1) << 31))
    return 0;
  const auto times = static_cast<uint64_t>(first / unit);
  for (size_t i = 0; i < whole.size(); ++i)
    if (whole[i].atoms != part[i].atoms || whole[i].factor != times * part[i].factor)
      return 0;
  return times;
}

/// Is an extended polynomial of a rewrite what it is over the integers, because an access of the
/// original says so of more?
bool ExprPool::follows(const Polynomial &integer, IndexFact::Index::Extension extension, Value exec,
                       const IndexFacts &facts) const {
  using Extension = IndexFact::Index::Extension;
  for (const IndexFact &fact : facts) {
    if (!isSubset(exec, fact.exec))
      continue;
    // Without negative terms it is between 0 and the offset.
    if (extension == Extension::Zero && llvm::none_of(integer, isNegative) &&
        coversTermwise(fact.offset, integer))
      return true;
    // Some times an index, which is not negative, and not more than the offset.
    for (const IndexFact::Index &index : fact.indices) {
      const uint64_t times = multipleOf(integer, index.integer);
      if (extension == Extension::Sign ? times == 1 && index.extension == Extension::Sign
                                       : times > 0 && coversTermwise(fact.offset, integer))
        return true;
    }
  }
  return false;
}

/// The integer that an extended polynomial stands for if it does not wrap.
ExprPool::Polynomial ExprPool::unwrappedAtom(Value atom, Indices indices, Value exec,
                                             const IndexFacts &facts) {
  const auto extended = extendedIn(atom);
  if (!extended)
    return {{{atom}, 1}};
  const Polynomial terms = termsOf(*extended, Width::Dword);
  const bool isUnsigned = isApply(atom, zext_);
  const uint64_t limit = isUnsigned ? 1ull << 32 : 1ull << 31;
  const bool isPlain = terms.size() == 1 && terms[0].factor == 1 && terms[0].atoms.size() == 1;
  const bool isKnown = greatestSum(terms, kDeepest) < limit || (isPlain && isUnsigned);
  // Neither of its signs is meant.
  const bool isUnclear =
      llvm::any_of(terms, [](const Term &term) { return term.factor == 0x80000000; });
  if (isUnclear) {
    hasObscureIndex_ = true;
    return {{{atom}, 1}};
  }
  Polynomial integer = integerOf(terms);
  const auto extension =
      isUnsigned ? IndexFact::Index::Extension::Zero : IndexFact::Index::Extension::Sign;
  const bool isInteger =
      isKnown || indices == Indices::AssumeUnwrapped ||
      (indices == Indices::AssumeOriginals && follows(integer, extension, exec, facts));
  return isInteger ? integer : Polynomial{{{atom}, 1}};
}

Value ExprPool::unwrapped(Value wide, Indices indices, Value exec, IndexFacts &facts) {
  Polynomial result;
  IndexFact fact;
  fact.exec = exec;
  for (const Term &term : termsOf(wide, Width::Qword)) {
    Polynomial part{{{}, term.factor}};
    bool isIndex = !term.atoms.empty();
    for (const Value atom : term.atoms) {
      const Polynomial whole = unwrappedAtom(atom, indices, exec, facts);
      if (isTooLong(part.size(), whole.size())) {
        hasObscureIndex_ = true;
        return wide;
      }
      part = multiply(part, whole, Width::Qword);
      isIndex &= extendedIn(atom).has_value();
      if (extendedIn(atom))
        fact.indices.push_back({whole, isApply(atom, zext_) ? IndexFact::Index::Extension::Zero
                                                            : IndexFact::Index::Extension::Sign});
    }
    if (isIndex)
      fact.offset.append(part.begin(), part.end());
    result.append(part.begin(), part.end());
  }
  if (indices == Indices::AssumeUnwrapped && !fact.indices.empty()) {
    normalise(fact.offset, Width::Qword);
    // What is assumed must be possible.
    uint64_t most = 0;
    for (const Term &term : fact.offset) {
      uint64_t product = isNegative(term) ? 0 : std::min<uint64_t>(term.factor, 1ull << 32);
      for (const Value atom : term.atoms)
        product = std::min<uint64_t>(product * least(*extendedIn(atom), kDeepest), 1ull << 32);
      most += product;
    }
    if ((most >> 32 && llvm::none_of(fact.offset, isNegative)) ||
        (indexJudge_ && !indexJudge_(fact)))
      return unwrapped(wide, Indices::MayWrap, exec, facts);
    facts.push_back(std::move(fact));
  }
  return fromTerms(std::move(result), Width::Qword);
}

} // namespace rdna::verify
