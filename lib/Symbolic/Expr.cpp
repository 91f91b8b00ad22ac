#include "Symbolic/Expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace rdna::verify {

ExprPool::ExprPool()
    : and_(signature("and")), or_(signature("or")), xor_(signature("xor")),
      andNot_(signature("and-not")), sum_(signature("sum")), term_(signature("product")),
      wideSum_(signature("sum64")), wideTerm_(signature("product64")),
      wideConstant_(signature("constant64")), zext_(signature("zext")), sext_(signature("sext")),
      pair_(signature("pair")), high_(signature("high")), sign_(signature("sign")),
      carry_(signature("carry")), scalarCarry_(signature("scalar-carry")),
      andBits_(signature("v_and_b32")), orBits_(signature("v_or_b32")),
      shiftRight_(signature("v_lshrrev_b32")), product24_(signature("v_mul_u32_u24")),
      nonzero_(signature("nonzero")) {
  clear();
}

void ExprPool::clear() {
  nodes_.clear();
  args_.clear();
  noLanes_.clear();
  subsets_.clear();
  table_.assign(4096, 0);
}

Signature ExprPool::signature(std::string_view text) {
  const auto [it, isNew] = signatures_.try_emplace(llvm::StringRef(text.data(), text.size()),
                                                   static_cast<Signature>(signatureTexts_.size()));
  if (isNew)
    signatureTexts_.emplace_back(text);
  return it->second;
}

/// Asked so often that a plain product a word is worth it: nothing depends on its quality but time.
static uint64_t hashOf(unsigned kind, uint32_t head, uint32_t scope, llvm::ArrayRef<Value> args) {
  uint64_t hash = 0;
  const auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  add(uint64_t{head} << 32 | kind);
  add(scope);
  for (const Value value : args)
    add(value);
  return hash;
}

void ExprPool::grow() {
  std::vector<uint32_t> bigger(table_.size() * 2, 0);
  const size_t mask = bigger.size() - 1;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node &node = nodes_[i];
    size_t slot =
        hashOf(static_cast<unsigned>(node.kind), node.head, node.scope, args(node)) & mask;
    while (bigger[slot])
      slot = (slot + 1) & mask;
    bigger[slot] = i + 1;
  }
  table_ = std::move(bigger);
}

Value ExprPool::intern(Kind kind, uint32_t head, uint32_t scope, llvm::ArrayRef<Value> values) {
  if (nodes_.size() * 2 >= table_.size())
    grow();
  const size_t mask = table_.size() - 1;
  size_t slot = hashOf(static_cast<unsigned>(kind), head, scope, values) & mask;
  for (; table_[slot]; slot = (slot + 1) & mask) {
    const Node &node = nodes_[table_[slot] - 1];
    if (node.kind == kind && node.head == head && node.scope == scope && args(node) == values)
      return table_[slot] - 1;
  }
  const auto number = static_cast<Value>(nodes_.size());
  table_[slot] = number + 1;
  nodes_.push_back({kind, head, scope, static_cast<uint32_t>(args_.size()),
                    static_cast<uint32_t>(values.size())});
  args_.insert(args_.end(), values.begin(), values.end());
  return number;
}

Value ExprPool::unknown(Unknown kind, unsigned index, unsigned scope) {
  return intern(Kind::Unknown, static_cast<uint32_t>(kind) << 16 | index, scope, {});
}

Value ExprPool::constant(uint32_t bits) { return intern(Kind::Constant, bits, 0, {}); }

std::optional<uint32_t> ExprPool::asConstant(Value value) const {
  if (nodes_[value].kind != Kind::Constant)
    return std::nullopt;
  return nodes_[value].head;
}

/// A symbol may be called like one of the operations.
Value ExprPool::symbol(std::string_view expression) {
  return apply(fmt::format("<{}>", expression), {});
}

Value ExprPool::apply(Signature signature, llvm::ArrayRef<Value> values) {
  return intern(Kind::Apply, signature, 0, values);
}

Value ExprPool::applyCommutative(Signature signature, Value a, Value b,
                                 llvm::ArrayRef<Value> rest) {
  llvm::SmallVector<Value, 6> values{std::min(a, b), std::max(a, b)};
  values.append(rest.begin(), rest.end());
  return apply(signature, values);
}

Value ExprPool::compare(std::string_view text, llvm::ArrayRef<Value> values) {
  return intern(Kind::Compare, signature(text), 0, values);
}

Value ExprPool::maskOr(Value a, Value b) {
  if (isSubset(a, b))
    return b;
  if (isSubset(b, a))
    return a;
  return applyCommutative(or_, a, b, {});
}

bool ExprPool::isSubset(Value a, Value b) const {
  constexpr unsigned kDeepest = 12;
  if (a == b)
    return true;
  if (const auto known = subsets_.find({a, b}); known != subsets_.end())
    return known->second;
  const bool is = isSubset(a, b, kDeepest);
  subsets_.try_emplace({a, b}, is);
  return is;
}

bool ExprPool::isSubset(Value a, Value b, unsigned depth) const {
  if (a == b || asConstant(a) == 0u || asConstant(b) == ~0u)
    return true;
  if (depth == 0)
    return false;
  const Node &node = nodes_[a];
  const auto values = args(node);
  if (node.kind == Kind::Compare)
    return isSubset(values.back(), b, depth - 1);
  if (node.kind == Kind::Apply) {
    if (node.head == and_ &&
        (isSubset(values[0], b, depth - 1) || isSubset(values[1], b, depth - 1)))
      return true;
    if (node.head == andNot_ && isSubset(values[0], b, depth - 1))
      return true;
    if ((node.head == or_ || node.head == xor_) && isSubset(values[0], b, depth - 1) &&
        isSubset(values[1], b, depth - 1))
      return true;
  }
  const Node &right = nodes_[b];
  return right.kind == Kind::Apply && right.head == or_ &&
         (isSubset(a, args(right)[0], depth - 1) || isSubset(a, args(right)[1], depth - 1));
}

Value ExprPool::within(Value value, Value exec) {
  while (nodes_[value].kind == Kind::Select && isSubset(exec, args(nodes_[value])[0]))
    value = args(nodes_[value])[1];
  return nodes_[value].kind == Kind::Select ? in(value, {{exec, Bit::Set}}) : value;
}

Value ExprPool::outside(Value value, Value exec) const {
  while (nodes_[value].kind == Kind::Select && isSubset(args(nodes_[value])[0], exec))
    value = args(nodes_[value])[2];
  return value;
}

Value ExprPool::select(Value exec, Value active, Value inactive) {
  active = within(active, exec);
  if (within(inactive, exec) == active) // A write of what is there.
    return inactive;
  inactive = outside(inactive, exec);
  if (active == inactive)
    return active;
  return intern(Kind::Select, 0, 0, {exec, active, inactive});
}

ExprPool::Made ExprPool::made(Value value) const {
  const Node &node = nodes_[value];
  const bool isNamed = node.kind == Kind::Apply || node.kind == Kind::Compare;
  return {node.kind, isNamed ? std::string_view(signatureTexts_[node.head]) : std::string_view(),
          args(node)};
}

std::pair<Value, Value> ExprPool::narrowed(Value a, Value b) const {
  while (true) {
    const Node &left = nodes_[a], &right = nodes_[b];
    if (left.kind != right.kind || left.head != right.head || left.count != right.count ||
        left.kind == Kind::Unknown || left.kind == Kind::Constant)
      return {a, b};
    std::optional<uint32_t> different;
    for (uint32_t i = 0; i < left.count; ++i) {
      if (args(left)[i] == args(right)[i])
        continue;
      if (different)
        return {a, b};
      different = i;
    }
    if (!different)
      return {a, b};
    a = args(left)[*different];
    b = args(right)[*different];
  }
}

void ExprPool::renderInto(Value value, unsigned depth, std::string &out) const {
  const Node &node = nodes_[value];
  if (out.size() > 160) {
    out += "..";
    return;
  }
  switch (node.kind) {
  case Kind::Constant:
    out += node.head <= 64 ? fmt::format("{}", node.head) : fmt::format("{:#x}", node.head);
    return;
  case Kind::Unknown: {
    const RegUnit unit{static_cast<uint16_t>(node.head & 0xffff)};
    switch (static_cast<Unknown>(node.head >> 16)) {
    case Unknown::Register:
      out += toString(unit);
      return;
    case Unknown::Undef:
      out += "undefined(" + toString(unit) + ")";
      return;
    case Unknown::Memory:
      out += "memory";
      return;
    }
    return;
  }
  case Kind::Select:
    renderInto(args(node)[1], depth, out);
    out += " in active lanes, else ";
    renderInto(args(node)[2], depth, out);
    return;
  case Kind::Apply:
  case Kind::Compare:
    break;
  }
  // Operand shapes in brackets are for telling functions apart, not for reading.
  const std::string &name = signatureTexts_[node.head];
  out += name.substr(0, name.find('['));
  if (node.count == 0)
    return;
  if (depth == 0) {
    out += "(..)";
    return;
  }
  out += '(';
  bool first = true;
  for (const Value arg : args(node)) {
    const Node &child = nodes_[arg];
    // MODE and memory states are arguments of nearly everything; naming them helps nobody.
    if (child.kind == Kind::Unknown && (child.head == kMode.index || child.head >> 16 == 2))
      continue;
    if (!first)
      out += ", ";
    first = false;
    renderInto(arg, depth - 1, out);
  }
  out += ')';
}

std::string ExprPool::render(Value value) const {
  std::string text;
  renderInto(value, 3, text);
  if (text.size() > 200)
    text.replace(197, std::string::npos, "...");
  return text;
}

} // namespace rdna::verify
