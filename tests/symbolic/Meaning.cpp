#include "Meaning.h"

#include <bit>
#include <cmath>
#include <functional>

namespace rdna::test {

using verify::ExprPool;
using verify::Value;

namespace {

using Args = llvm::ArrayRef<uint64_t>;
using LaneFunction = uint64_t (*)(Args);

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
int32_t asSigned(uint64_t x) { return static_cast<int32_t>(x); }
float asFloat(uint64_t x) { return std::bit_cast<float>(low(x)); }
/// Of results that are NaN the emulator makes the one NaN.
uint64_t fromFloat(float x) { return std::isnan(x) ? 0x7fc00000u : std::bit_cast<uint32_t>(x); }
uint64_t wide(uint64_t lowHalf, uint64_t highHalf) { return highHalf << 32 | low(lowHalf); }
bool overflows(int64_t exact) { return exact != static_cast<int32_t>(exact); }

uint64_t sumOf(Args a) {
  uint64_t sum = 0;
  for (const uint64_t x : a)
    sum += x;
  return sum;
}
uint64_t productOf(Args a) {
  uint64_t product = 1;
  for (const uint64_t x : a)
    product *= x;
  return product;
}

/// MODE as the emulator starts with it: nearest even, denormals kept. Float operations have no
/// meaning of their own under any other.
constexpr uint32_t kRoundAndDenorm = 0xff, kUsualMode = 0xf0;

/// Operations whose result is a dword.
const std::map<std::string, LaneFunction, std::less<>> &dwords() {
  static const std::map<std::string, LaneFunction, std::less<>> table{
      {"sum", [](Args a) -> uint64_t { return low(sumOf(a)); }},
      {"product", [](Args a) -> uint64_t { return low(productOf(a)); }},
      {"long sum", [](Args a) -> uint64_t { return low(sumOf(a)); }},
      {"long product", [](Args a) -> uint64_t { return low(productOf(a)); }},
      {"sign", [](Args a) -> uint64_t { return low(a[0]) >> 31 ? 0xffffffffu : 0; }},
      {"high", [](Args a) -> uint64_t { return a[0] >> 32; }},
      {"long sum64", [](Args a) -> uint64_t { return (a[0] + a[1]) >> 32; }},
      {"long product64", [](Args a) -> uint64_t { return a[0] * a[1] >> 32; }},
      {"scalar-carry", [](Args a) -> uint64_t { return (a[0] + a[1]) >> 32; }},
      {"scalar-carry-in", [](Args a) -> uint64_t { return (a[0] + a[1] + a[2]) >> 32; }},
      {"scalar-carry-shifted",
       [](Args a) -> uint64_t { return ((a[1] << a[0]) + a[2]) >> 32 != 0; }},
      {"overflow",
       [](Args a) -> uint64_t { return overflows(int64_t(asSigned(a[0])) + asSigned(a[1])); }},
      {"overflow of difference",
       [](Args a) -> uint64_t { return overflows(int64_t(asSigned(a[0])) - asSigned(a[1])); }},
      {"less-u32", [](Args a) -> uint64_t { return low(a[0]) < low(a[1]); }},
      {"less-i32", [](Args a) -> uint64_t { return asSigned(a[0]) < asSigned(a[1]); }},
      {"is-zero", [](Args a) -> uint64_t { return low(a[0]) == 0; }},
      {"nonzero", [](Args a) -> uint64_t { return low(a[0]) != 0; }},
      {"nonzero64", [](Args a) -> uint64_t { return a[0] != 0; }},
      {"not", [](Args a) -> uint64_t { return a[0] == 0; }},
      {"and", [](Args a) -> uint64_t { return a[0] & a[1]; }},
      {"or", [](Args a) -> uint64_t { return a[0] | a[1]; }},
      {"xor", [](Args a) -> uint64_t { return a[0] ^ a[1]; }},
      {"and-not", [](Args a) -> uint64_t { return a[0] & ~a[1]; }},
      {"s_nand_saveexec_b32", [](Args a) -> uint64_t { return low(~(a[0] & a[1])); }},
      {"s_nor_saveexec_b32", [](Args a) -> uint64_t { return low(~(a[0] | a[1])); }},
      {"s_xnor_saveexec_b32", [](Args a) -> uint64_t { return low(~(a[0] ^ a[1])); }},
      {"s_or_not0_saveexec_b32", [](Args a) -> uint64_t { return low(~a[0] | a[1]); }},
      {"s_or_not1_saveexec_b32", [](Args a) -> uint64_t { return low(a[0] | ~a[1]); }},
      {"v_and_b32", [](Args a) -> uint64_t { return a[0] & a[1]; }},
      {"v_lshrrev_b32", [](Args a) -> uint64_t { return low(a[1]) >> (a[0] & 31); }},
      {"v_lshlrev_b32", [](Args a) -> uint64_t { return low(a[1] << (a[0] & 31)); }},
      {"v_mul_u32_u24",
       [](Args a) -> uint64_t { return low((a[0] & 0xffffff) * (a[1] & 0xffffff)); }},
      {"modifier1", [](Args a) -> uint64_t { return a[0] ^ 0x80000000u; }},
      {"modifier2", [](Args a) -> uint64_t { return a[0] & 0x7fffffffu; }},
      {"modifier3", [](Args a) -> uint64_t { return a[0] | 0x80000000u; }}};
  return table;
}

/// Operations whose result is 64 bits wide; constants stand as two dwords in front.
const std::map<std::string, LaneFunction, std::less<>> &qwords() {
  static const std::map<std::string, LaneFunction, std::less<>> table{
      {"sum64", sumOf},
      {"product64",
       [](Args a) -> uint64_t { return wide(a[0], a[1]) * productOf(a.drop_front(2)); }},
      {"constant64", [](Args a) -> uint64_t { return wide(a[0], a[1]); }},
      {"pair", [](Args a) -> uint64_t { return wide(a[0], a[1]); }},
      {"zext", [](Args a) -> uint64_t { return low(a[0]); }},
      {"sext", [](Args a) -> uint64_t { return static_cast<uint64_t>(int64_t(asSigned(a[0]))); }}};
  return table;
}

/// Float operations under the usual MODE, which is the last argument.
const std::map<std::string, LaneFunction, std::less<>> &floats() {
  static const std::map<std::string, LaneFunction, std::less<>> table{
      {"fma",
       [](Args a) { return fromFloat(std::fma(asFloat(a[0]), asFloat(a[1]), asFloat(a[2]))); }},
      {"v_mul_f32", [](Args a) { return fromFloat(asFloat(a[0]) * asFloat(a[1])); }},
      {"v_add_f32", [](Args a) { return fromFloat(asFloat(a[0]) + asFloat(a[1])); }},
      {"v_sub_f32", [](Args a) { return fromFloat(asFloat(a[0]) - asFloat(a[1])); }}};
  return table;
}

/// Lane masks: a bit of each lane that the last argument, EXEC, has; none outside of it.
const std::map<std::string, LaneFunction, std::less<>> &masks() {
  static const std::map<std::string, LaneFunction, std::less<>> table{
      {"carry", [](Args a) -> uint64_t { return (a[0] + a[1]) >> 32; }},
      {"carry-u64", [](Args a) -> uint64_t { return a[0] + a[1] < a[1]; }},
      {"carry-i64",
       [](Args a) -> uint64_t { // Bit 64 of the sum in 65 bits is its sign.
         int64_t sum = 0;
         const bool wraps = __builtin_add_overflow(int64_t(a[0]), int64_t(a[1]), &sum);
         return (sum < 0) != wraps;
       }}};
  return table;
}

bool isNanBits(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000; }

} // namespace

std::map<std::string, uint64_t, std::less<>> &Meaning::compared() {
  static std::map<std::string, uint64_t, std::less<>> counts;
  return counts;
}

std::vector<std::string> Meaning::operations() {
  std::vector<std::string> names{"carry-in", "choose", "v_cndmask_b32", "select", "constant"};
  for (const auto *table : {&dwords(), &floats(), &masks()})
    for (const auto &[name, function] : *table)
      names.push_back(name);
  return names;
}

void Meaning::clear() {
  shown_.clear();
  cache_.clear();
}

bool Meaning::hasMeaning(Value value) {
  const auto made = pool_.made(value);
  switch (made.kind) {
  case ExprPool::Kind::Constant:
  case ExprPool::Kind::Select:
    return true;
  case ExprPool::Kind::Unknown:
  case ExprPool::Kind::Compare:
    return false;
  case ExprPool::Kind::Apply:
    break;
  }
  if (floats().contains(made.head)) {
    const Bits &mode = of(made.args.back());
    return (mode.lane[0] & kRoundAndDenorm) == kUsualMode;
  }
  return dwords().contains(made.head) || qwords().contains(made.head) ||
         masks().contains(made.head) || made.head == "carry-in" || made.head == "choose" ||
         made.head == "v_cndmask_b32";
}

const Bits &Meaning::of(Value value) {
  if (!hasMeaning(value))
    return shown_[value];
  Cached &cached = cache_[value];
  if (cached.bits.known == kAllLanes || cached.generation == generation_)
    return cached.bits;
  Bits result;
  evaluate(value, result);
  Cached &now = cache_[value];
  now.bits = result;
  now.generation = generation_;
  return now.bits;
}

void Meaning::evaluate(Value value, Bits &result) {
  const auto made = pool_.made(value);
  if (made.kind == ExprPool::Kind::Constant) {
    result.lane.fill(*pool_.asConstant(value));
    result.known = kAllLanes;
    return;
  }
  llvm::SmallVector<const Bits *, 6> args;
  // References stay valid: both maps keep their nodes in place.
  for (const Value arg : made.args)
    args.push_back(&of(arg));
  const bool isSelect = made.kind == ExprPool::Kind::Select;
  if (isSelect || made.head == "choose" || made.head == "v_cndmask_b32") {
    const bool isCndmask = !isSelect && made.head == "v_cndmask_b32";
    const Bits &condition = *args[isCndmask ? 2 : 0];
    for (unsigned l = 0; l < kLanes; ++l) {
      if (!(condition.known >> l & 1))
        continue;
      const bool truth = isSelect || isCndmask ? condition.lane[l] >> l & 1 : condition.lane[l];
      const Bits &chosen = *args[isCndmask ? truth : truth ? 1 : 2];
      result.lane[l] = chosen.lane[l];
      result.known |= chosen.known & 1u << l;
    }
    return;
  }
  uint32_t known = kAllLanes;
  for (const Bits *arg : args)
    known &= arg->known;
  const auto at = [&](unsigned l) {
    llvm::SmallVector<uint64_t, 6> values;
    for (const Bits *arg : args)
      values.push_back(arg->lane[l]);
    return values;
  };
  const auto mask = masks().find(made.head);
  if (mask != masks().end() || made.head == "carry-in") {
    const auto exec = static_cast<uint32_t>(args.back()->lane[0]);
    if (args.back()->known != kAllLanes || (exec & ~known) != 0)
      return;
    uint32_t bits = 0;
    for (unsigned l = 0; l < kLanes; ++l) {
      const auto a = at(l);
      const bool bit =
          mask != masks().end() ? mask->second(a) != 0 : (a[0] + a[1] + (a[2] >> l & 1)) >> 32 != 0;
      bits |= uint32_t(bit) << l;
    }
    result.lane.fill(bits & exec);
    result.known = kAllLanes;
    return;
  }
  LaneFunction function = nullptr;
  for (const auto *table : {&dwords(), &qwords(), &floats()})
    if (const auto it = table->find(made.head); it != table->end())
      function = it->second;
  result.known = known;
  for (unsigned l = 0; l < kLanes; ++l)
    if (known >> l & 1)
      result.lane[l] = function(at(l));
}

std::optional<Meaning::Contradiction>
Meaning::observe(Value value, const std::array<uint32_t, kLanes> &found, uint32_t lanes) {
  const auto made = pool_.made(value);
  if (made.kind == ExprPool::Kind::Select) {
    const Bits &exec = of(made.args[0]);
    if (exec.known != kAllLanes)
      return std::nullopt;
    const auto active = static_cast<uint32_t>(exec.lane[0]);
    ++compared()["select"];
    if (const auto fault = observe(made.args[1], found, lanes & active))
      return fault;
    return observe(made.args[2], found, lanes & ~active);
  }
  const bool isOwn = hasMeaning(value);
  const Bits known = of(value);
  const bool isFloat = isOwn && made.kind == ExprPool::Kind::Apply && floats().contains(made.head);
  uint64_t count = 0;
  for (unsigned l = 0; l < kLanes; ++l)
    if (lanes & known.known & 1u << l) {
      const auto expected = static_cast<uint32_t>(known.lane[l]);
      ++count;
      if (expected != found[l] && !(isFloat && isNanBits(expected) && isNanBits(found[l])))
        return Contradiction{value, l, expected, found[l]};
    }
  if (isOwn) {
    const auto name = made.kind == ExprPool::Kind::Constant ? "constant" : made.head;
    auto &counts = compared();
    const auto it = counts.find(name);
    if (it != counts.end())
      it->second += count;
    else
      counts.emplace(std::string(name), count);
    return std::nullopt;
  }
  if (lanes & ~known.known) {
    Bits &shown = shown_[value];
    for (unsigned l = 0; l < kLanes; ++l)
      if (lanes & ~shown.known & 1u << l)
        shown.lane[l] = found[l];
    shown.known |= lanes;
    ++generation_;
  }
  return std::nullopt;
}

} // namespace rdna::test
