#include "Verify/Terms.h"

#include <algorithm>
#include <tuple>

namespace rdna::verify {

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

size_t Terms::Hash::operator()(const Term &term) const {
  return llvm::hash_combine(static_cast<uint8_t>(term.kind), term.number,
                            llvm::hash_combine_range(term.args.begin(), term.args.end()));
}

TermId Terms::intern(Term term) {
  ++work_;
  const auto [it, isNew] = ids_.emplace(std::move(term), static_cast<TermId>(all_.size()));
  if (isNew)
    all_.push_back(&it->first);
  return it->second;
}

TermId Terms::equal(TermId a, TermId b) {
  const bool isNumber = (*this)[a].kind == Term::Kind::Known;
  const bool isOther = (*this)[b].kind == Term::Kind::Known;
  if (isNumber != isOther ? isNumber : b < a)
    std::swap(a, b);
  return intern({Term::Kind::IsEqual, 0, {a, b}});
}

TermId Terms::make(Term term) { return intern(std::move(term)); }

TermId Terms::known(std::vector<uint32_t> bits) {
  if (std::adjacent_find(bits.begin(), bits.end(), std::not_equal_to<>()) == bits.end())
    bits.resize(1);
  const auto [it, isNew] =
      knownIds_.emplace(std::move(bits), static_cast<uint32_t>(knowns_.size()));
  if (isNew)
    knowns_.push_back(it->first);
  return intern({Term::Kind::Known, it->second, {}});
}

std::optional<uint32_t> Terms::asNumber(TermId id) const {
  const Term &term = (*this)[id];
  if (term.kind != Term::Kind::Known || knowns_[term.number].size() != 1)
    return std::nullopt;
  return knowns_[term.number].front();
}

std::vector<uint32_t> Terms::asLanes(TermId id) const {
  const Term &term = (*this)[id];
  return term.kind == Term::Kind::Known ? knowns_[term.number] : std::vector<uint32_t>();
}

std::vector<uint32_t> Terms::mostLanes(TermId mask) const {
  const Term &term = (*this)[mask];
  if (term.kind == Term::Kind::Without)
    return mostLanes(term.args[0]);
  if (term.kind != Term::Kind::And)
    return asLanes(mask);
  std::vector<uint32_t> lanes = mostLanes(term.args[0]);
  const std::vector<uint32_t> others = mostLanes(term.args[1]);
  if (lanes.empty() || others.empty())
    return lanes.empty() ? others : lanes;
  lanes.resize(std::max(lanes.size(), others.size()), lanes.front()); // One stands for all waves.
  for (size_t w = 0; w < lanes.size(); ++w)
    lanes[w] &= others[others.size() == 1 ? 0 : w];
  return lanes;
}

Terms::Sum Terms::sumOf(TermId term) {
  if (const auto number = asNumber(term))
    return {constant(0), *number};
  const Term &known = (*this)[term];
  if (known.kind == Term::Kind::Plus)
    return {known.args[0], known.number};
  return {term, 0};
}

TermId Terms::plus(TermId term, uint32_t number) {
  const Sum sum = sumOf(term);
  const uint32_t total = sum.number + number;
  if (asNumber(sum.base))
    return constant(total);
  return total == 0 ? sum.base : intern({Term::Kind::Plus, total, {sum.base}});
}

TermId Terms::masked(TermId term, uint32_t mask) {
  const Term whole = (*this)[term];
  if (whole.kind == Term::Kind::Masked)
    return masked(whole.args[0], whole.number & mask);
  if (const auto number = asNumber(term))
    return constant(*number & mask);
  if (mask == 0)
    return constant(0);
  return mask == ~0u ? term : intern({Term::Kind::Masked, mask, {term}});
}

/// Of a selection between a number that is not zero and zero it is the condition.
TermId Terms::isZero(TermId term) {
  if (const auto number = asNumber(term))
    return constant(*number == 0 ? 1 : 0);
  const Term whole = (*this)[term];
  if (whole.kind == Term::Kind::Select) {
    const auto a = asNumber(whole.args[1]), b = asNumber(whole.args[2]);
    if (a && b && (*a == 0) != (*b == 0))
      return *b == 0 ? negated(whole.args[0]) : whole.args[0];
  }
  return intern({Term::Kind::IsZero, 0, {term}});
}

TermId Terms::negated(TermId condition) {
  const Term whole = (*this)[condition];
  if (whole.kind == Term::Kind::Not)
    return whole.args[0];
  if (const auto number = asNumber(condition))
    return constant(*number == 0 ? 1 : 0);
  return intern({Term::Kind::Not, 0, {condition}});
}

TermId Terms::select(TermId condition, TermId a, TermId b) {
  if (const auto number = asNumber(condition))
    return *number != 0 ? a : b;
  if (a == b)
    return a;
  const Term whole = (*this)[condition];
  if (whole.kind == Term::Kind::Not)
    return intern({Term::Kind::Select, 0, {whole.args[0], b, a}});
  return intern({Term::Kind::Select, 0, {condition, a, b}});
}

TermId Terms::both(TermId a, TermId b) {
  for (const auto &[one, other] : {std::pair(a, b), std::pair(b, a)})
    if (asNumber(other) == ~0u || asNumber(one) == 0u || isWithin(one, other))
      return one;
  return intern({Term::Kind::And, 0, {std::min(a, b), std::max(a, b)}});
}

/// Wave by wave; one number stands for all of them.
static bool isSubset(const std::vector<uint32_t> &lanes, const std::vector<uint32_t> &of) {
  if (lanes.size() != of.size() && lanes.size() != 1 && of.size() != 1)
    return false; // What work-items have is no mask.
  for (size_t w = 0; w < std::max(lanes.size(), of.size()); ++w)
    if ((lanes[lanes.size() == 1 ? 0 : w] & ~of[of.size() == 1 ? 0 : w]) != 0)
      return false;
  return true;
}

bool Terms::isWithin(TermId mask, TermId outer) const {
  const Term &term = (*this)[mask], &whole = (*this)[outer];
  if (term.kind == Term::Kind::Known && whole.kind == Term::Kind::Known)
    return isSubset(knowns_[term.number], knowns_[whole.number]);
  if (mask == outer || asNumber(outer) == ~0u)
    return true;
  if (term.kind == Term::Kind::Without)
    return isWithin(term.args[0], outer);
  return term.kind == Term::Kind::And &&
         std::any_of(term.args.begin(), term.args.end(),
                     [&](TermId arg) { return isWithin(arg, outer); });
}

bool Terms::areApart(TermId a, TermId b) const {
  const auto leavesOut = [&](TermId mask, TermId other) {
    const Term &term = (*this)[mask];
    return term.kind == Term::Kind::Without && isWithin(other, term.args[1]);
  };
  const auto hasPartOf = [&](TermId mask, TermId other) { // What is cut is still apart.
    const Term &term = (*this)[mask];
    return term.kind == Term::Kind::And &&
           std::any_of(term.args.begin(), term.args.end(),
                       [&](TermId arg) { return areApart(arg, other); });
  };
  return leavesOut(a, b) || leavesOut(b, a) || hasPartOf(a, b) || hasPartOf(b, a);
}

TermId Terms::without(TermId mask, TermId part) {
  if (isWithin(mask, part))
    return constant(0);
  if (asNumber(part) == 0u || areApart(mask, part))
    return mask;
  const auto numberA = asNumber(mask), numberB = asNumber(part);
  if (numberA && numberB)
    return constant(*numberA & ~*numberB);
  const Term other = (*this)[part];
  if (other.kind == Term::Kind::Without && other.args[0] == mask)
    return both(mask, other.args[1]);
  if (other.kind == Term::Kind::And) // Written in one way, whether or not the part was cut first.
    for (size_t n = 0; n < 2; ++n)
      if (other.args[n] == mask)
        return without(mask, other.args[1 - n]);
  return intern({Term::Kind::Without, 0, {mask, part}});
}

std::optional<TermId> Terms::united(TermId a, TermId b) {
  for (const auto &[one, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (isWithin(one, other))
      return other;
    const Term rest = (*this)[one];
    if (rest.kind == Term::Kind::Without && both(rest.args[0], rest.args[1]) == other)
      return rest.args[0];
  }
  const Term one = (*this)[a], other = (*this)[b];
  if (one.kind == Term::Kind::And && other.kind == Term::Kind::And)
    for (size_t i = 0; i < 2; ++i)
      for (size_t j = 0; j < 2; ++j)
        if (one.args[i] == other.args[j]) // Both cut by the same mask.
          if (const auto all = united(one.args[1 - i], other.args[1 - j]))
            return both(*all, one.args[i]);
  return std::nullopt;
}

TermId Terms::seenBy(TermId mask, TermId term) {
  const Term whole = (*this)[term];
  if (whole.kind != Term::Kind::Lanes)
    return term;
  if (isWithin(mask, whole.args[0]))
    return seenBy(mask, whole.args[1]);
  return lanes(whole.args[0], whole.args[1], seenBy(mask, whole.args[2]));
}

TermId Terms::lanes(TermId mask, TermId now, TermId was) {
  for (const Term *old = &(*this)[was];
       old->kind == Term::Kind::Lanes && isWithin(old->args[0], mask); old = &(*this)[was])
    was = old->args[2]; // All of its lanes are written.
  if (asNumber(mask) == ~0u || now == was)
    return now;
  if (const Term inner = (*this)[now]; // An `if` in one that leaves to the others what they have.
      inner.kind == Term::Kind::Lanes && inner.args[2] == was && isWithin(inner.args[0], mask))
    return now;
  const Term before = (*this)[was];
  if (before.kind == Term::Kind::Lanes && areApart(mask, before.args[0]))
    if (const auto all = united(mask, before.args[0])) // Both ways of an if.
      return lanes(*all, lanes(mask, now, before.args[1]), before.args[2]);
  return intern({Term::Kind::Lanes, 0, {mask, now, was}});
}

static uint32_t pieceNumber(unsigned offset, unsigned bytes) { return offset * 4 + bytes; }

TermId Terms::piece(TermId term, unsigned offset, unsigned bytes) {
  const Term whole = (*this)[term];
  switch (whole.kind) {
  case Term::Kind::Known: {
    std::vector<uint32_t> bits = knowns_[whole.number];
    for (uint32_t &number : bits)
      number = number >> (8 * offset) & ((1u << (8 * bytes)) - 1);
    return known(std::move(bits));
  }
  case Term::Kind::Lanes:
    return lanes(whole.args[0], piece(whole.args[1], offset, bytes),
                 piece(whole.args[2], offset, bytes));
  case Term::Kind::Pair:
    return bytes == 2 ? whole.args[offset / 2] : piece(whole.args[offset / 2], offset % 2, bytes);
  case Term::Kind::Piece:
    if (offset + bytes <= whole.number % 4)
      return piece(whole.args[0], whole.number / 4 + offset, bytes);
    [[fallthrough]];
  default:
    return intern({Term::Kind::Piece, pieceNumber(offset, bytes), {term}});
  }
}

TermId Terms::pair(TermId low, TermId high) {
  const Term &a = (*this)[low], &b = (*this)[high];
  if (a.kind == Term::Kind::Piece && b.kind == Term::Kind::Piece && a.args == b.args &&
      a.number == pieceNumber(0, 2) && b.number == pieceNumber(2, 2))
    return a.args[0];
  return intern({Term::Kind::Pair, 0, {low, high}});
}

std::optional<TermId> Terms::maskedOf(TermId condition) const {
  const Term &term = (*this)[condition];
  if (term.kind == Term::Kind::Masked)
    return condition;
  std::optional<TermId> found;
  for (const TermId arg : term.args) {
    if (asNumber(arg))
      continue;
    const auto masked = maskedOf(arg);
    if (!masked || (found && found != masked))
      return std::nullopt;
    found = masked;
  }
  return found;
}

std::optional<uint32_t> Terms::valueWhere(TermId term, TermId masked, uint32_t value) const {
  if (term == masked)
    return value;
  if (const auto number = asNumber(term))
    return number;
  const Term &whole = (*this)[term];
  std::vector<uint32_t> args;
  for (const TermId arg : whole.args) {
    const auto number = valueWhere(arg, masked, value);
    if (!number)
      return std::nullopt;
    args.push_back(*number);
  }
  switch (whole.kind) {
  case Term::Kind::Plus:
    return args[0] + whole.number;
  case Term::Kind::Masked:
    return args[0] & whole.number;
  case Term::Kind::IsEqual:
    return args[0] == args[1] ? 1 : 0;
  case Term::Kind::IsBelow:
    return args[0] < args[1] ? 1 : 0;
  case Term::Kind::IsBelowSigned:
    return static_cast<int32_t>(args[0]) < static_cast<int32_t>(args[1]) ? 1 : 0;
  case Term::Kind::IsZero:
  case Term::Kind::Not:
    return args[0] == 0 ? 1 : 0;
  case Term::Kind::Select:
    return args[0] != 0 ? args[1] : args[2];
  case Term::Kind::And:
    return args[0] & args[1];
  case Term::Kind::Without:
    return args[0] & ~args[1];
  default:
    return std::nullopt;
  }
}

TermId Terms::rewritten(Term term) {
  switch (term.kind) {
  case Term::Kind::Plus:
    return plus(term.args[0], term.number);
  case Term::Kind::Masked:
    return masked(term.args[0], term.number);
  case Term::Kind::IsEqual:
    return equal(term.args[0], term.args[1]);
  case Term::Kind::IsZero:
    return isZero(term.args[0]);
  case Term::Kind::Not:
    return negated(term.args[0]);
  case Term::Kind::Select:
    return select(term.args[0], term.args[1], term.args[2]);
  case Term::Kind::And:
    return both(term.args[0], term.args[1]);
  case Term::Kind::Without:
    return without(term.args[0], term.args[1]);
  case Term::Kind::Piece:
    return piece(term.args[0], term.number / 4, term.number % 4);
  case Term::Kind::Pair:
    return pair(term.args[0], term.args[1]);
  case Term::Kind::Lanes:
    return lanes(term.args[0], term.args[1], term.args[2]);
  default:
    return intern(std::move(term));
  }
}

uint32_t Terms::operation(std::vector<int64_t> signature) {
  return operations_.emplace(std::move(signature), static_cast<uint32_t>(operations_.size()))
      .first->second;
}

//===----------------------------------------------------------------------===//
// Instance
//===----------------------------------------------------------------------===//

bool Instance::match(TermId pattern, TermId term) {
  if (const auto it = matched_.find(pattern); it != matched_.end())
    return it->second == term;
  terms_.count();
  const Term &own = terms_[pattern];
  bool isMatch = false;
  if (own.kind == Term::Kind::Unknown) {
    isMatch = bound_.try_emplace(pattern, term).first->second == term;
  } else if (own.kind == Term::Kind::Plus && terms_[own.args[0]].kind == Term::Kind::Unknown) {
    isMatch = match(own.args[0], terms_.plus(term, 0 - own.number));
  } else {
    const Term &other = terms_[term];
    isMatch = other.kind == own.kind && other.number == own.number &&
              other.args.size() == own.args.size();
    for (size_t i = 0; isMatch && i < own.args.size(); ++i)
      isMatch = match(own.args[i], other.args[i]);
  }
  if (isMatch)
    matched_.try_emplace(pattern, term);
  return isMatch;
}

std::optional<TermId> Instance::replaced(TermId pattern) {
  if (const auto it = replaced_.find(pattern); it != replaced_.end())
    return it->second;
  std::optional<TermId> result;
  Term whole = terms_[pattern];
  if (whole.kind == Term::Kind::Unknown) {
    if (const auto it = bound_.find(pattern); it != bound_.end())
      result = it->second;
    return result; // It may be bound later.
  }
  for (TermId &arg : whole.args) {
    const auto other = replaced(arg);
    if (!other)
      return std::nullopt;
    arg = *other;
  }
  result = terms_.rewritten(std::move(whole));
  replaced_.try_emplace(pattern, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

std::optional<TermId> Common::common(TermId a, TermId b, Fresh fresh) {
  if (a == b)
    return a;
  if (const auto it = found_.find({a, b}); it != found_.end())
    return it->second;
  terms_.count();
  const Terms::Sum sumA = terms_.sumOf(a), sumB = terms_.sumOf(b);
  if (fresh == Fresh::Refused && refused_.contains({a, b}))
    return std::nullopt;
  const Term &baseA = terms_[sumA.base], &baseB = terms_[sumB.base];
  std::optional<TermId> result;
  const bool isAlike = sumA.number == sumB.number && baseA.kind == baseB.kind &&
                       baseA.number == baseB.number && !baseA.args.empty() &&
                       baseA.args.size() == baseB.args.size();
  if (isAlike) {
    Term both{baseA.kind, baseA.number, {}};
    for (size_t i = 0; i < baseA.args.size(); ++i) {
      const auto arg = common(baseA.args[i], baseB.args[i], fresh);
      if (!arg) {
        refused_.insert({a, b});
        return std::nullopt;
      }
      both.args.push_back(*arg);
    }
    const TermId base = both.kind == Term::Kind::IsEqual ? terms_.equal(both.args[0], both.args[1])
                                                         : terms_.make(std::move(both));
    result = terms_.plus(base, sumA.number);
  } else {
    const std::tuple key{sumA.base, sumB.base, sumB.number - sumA.number};
    auto it = unknowns_.find(key);
    if (it == unknowns_.end()) {
      if (fresh == Fresh::Refused)
        return std::nullopt;
      refused_.clear(); // It can express more now.
      it = unknowns_.emplace(key, terms_.unknown()).first;
    }
    result = terms_.plus(it->second, sumA.number);
  }
  found_.try_emplace({a, b}, *result);
  return result;
}

TermId Common::of(TermId a, TermId b) { return *common(a, b, Fresh::Allowed); }

std::optional<TermId> Common::ifExpressed(TermId a, TermId b) {
  return common(a, b, Fresh::Refused);
}

} // namespace rdna::verify
