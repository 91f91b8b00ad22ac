#include "Isa/OpTraits.h"

#include <algorithm>
#include <initializer_list>

namespace rdna {
namespace {

/// The parts of a name between its underscores.
struct Parts {
  std::string_view part[12];
  size_t count = 0;

  constexpr explicit Parts(std::string_view name) {
    while (!name.empty()) {
      const size_t end = std::min(name.find('_'), name.size());
      part[count++] = name.substr(0, end);
      name.remove_prefix(std::min(end + 1, name.size()));
    }
  }
  constexpr std::string_view operator[](size_t n) const {
    return n < count ? part[n] : std::string_view();
  }
  constexpr bool has(std::string_view word) const {
    return std::find(part, part + count, word) != part + count;
  }
};

constexpr std::pair<std::string_view, ElementType::Kind> kKinds[] = {
    {"bf", ElementType::Kind::Bfloat}, {"iu", ElementType::Kind::Either},
    {"b", ElementType::Kind::Bits},    {"u", ElementType::Kind::Unsigned},
    {"i", ElementType::Kind::Signed},  {"f", ElementType::Kind::Float}};

constexpr ElementType typeOf(std::string_view part) {
  for (const auto &[prefix, kind] : kKinds) {
    if (!part.starts_with(prefix) || part.size() == prefix.size())
      continue;
    uint16_t bits = 0;
    for (const char c : part.substr(prefix.size())) {
      if (c < '0' || c > '9')
        return {};
      bits = static_cast<uint16_t>(10 * bits + (c - '0'));
    }
    return {kind, bits};
  }
  return {};
}

constexpr std::pair<std::string_view, Relation> kRelations[] = {
    {"f", Relation::False},
    {"lt", Relation::Less},
    {"eq", Relation::Equal},
    {"le", Relation::LessEqual},
    {"gt", Relation::Greater},
    {"ne", Relation::Unequal},
    {"ge", Relation::GreaterEqual},
    {"o", Relation::Ordered},
    {"u", Relation::Unordered},
    {"nge", Relation::NotGreaterEqual},
    {"nlg", Relation::NotLessGreater},
    {"ngt", Relation::NotGreater},
    {"nle", Relation::NotLessEqual},
    {"neq", Relation::NotEqual},
    {"nlt", Relation::NotLess},
    {"t", Relation::True},
    {"class", Relation::Class},
};

constexpr Relation relationOf(std::string_view word, ElementType type) {
  if (word == "lg")
    return type.isFloat() ? Relation::LessGreater : Relation::Unequal;
  for (const auto &[name, relation] : kRelations)
    if (word == name)
      return relation;
  return Relation::None;
}

constexpr Comparison comparisonOf(const Parts &name, ElementType type) {
  using Result = Comparison::Result;
  const bool scalar = name[0] == "s" && (name[1] == "cmp" || name[1] == "cmpk");
  const bool vector = name[0] == "v" && (name[1] == "cmp" || name[1] == "cmpx");
  if (!scalar && !vector)
    return {};
  return {relationOf(name[2], type), scalar              ? Result::Scc
                                     : name[1] == "cmpx" ? Result::Exec
                                                         : Result::Mask};
}

constexpr std::string_view kSignedShorts[] = {"movk", "cmovk", "addk", "mulk"};

constexpr ShortImmediate shortImmediateOf(const Parts &name, ElementType type) {
  if (name[0] != "s")
    return ShortImmediate::None;
  if (std::find(std::begin(kSignedShorts), std::end(kSignedShorts), name[1]) !=
      std::end(kSignedShorts))
    return ShortImmediate::Signed;
  if (name[1] != "cmpk")
    return ShortImmediate::None;
  return type.kind == ElementType::Kind::Unsigned ? ShortImmediate::Unsigned
                                                  : ShortImmediate::Signed;
}

constexpr MemoryKind memoryKindOf(const Parts &name, Unit unit, const OpTraits &traits) {
  if (traits.is(OpFlag::NoMemory))
    return MemoryKind::None;
  if (traits.is(OpFlag::Invalidates))
    return MemoryKind::Invalidate;
  if (traits.is(OpFlag::Sampler))
    return MemoryKind::Sample;
  if (name.has("load"))
    return name.has("lds") ? MemoryKind::LoadToLds : MemoryKind::Load;
  if (name.has("store"))
    return MemoryKind::Store;
  if (name.has("atomic"))
    return MemoryKind::Atomic;
  const bool isOther = unit != Unit::Lds || name.has("gws") || name.has("gs") ||
                       name.has("ordered") || name.has("bvh");
  return isOther ? MemoryKind::Other : MemoryKind::Atomic;
}

constexpr bool isMemory(Unit unit) {
  return isVmem(unit) || unit == Unit::Lds || unit == Unit::Smem;
}

constexpr MemoryTraits memoryOf(const Parts &name, Unit unit, const OpTraits &traits) {
  MemoryTraits memory;
  if (!isMemory(unit))
    return memory;
  memory.kind = memoryKindOf(name, unit, traits);
  if (memory.kind == MemoryKind::None || memory.kind == MemoryKind::Invalidate)
    return memory;
  memory.address = name.has("addtid")     ? AddressForm::AddThreadId
                   : name.has("stride64") ? AddressForm::PairStride64
                   : name.has("2addr")    ? AddressForm::Pair
                   : unit == Unit::Buffer || unit == Unit::Image || name.has("buffer")
                       ? AddressForm::Resource
                       : AddressForm::Plain;
  if (name.has("d16"))
    memory.d16 = name.has("hi") ? D16::High : D16::Low;
  memory.isFormatted = name.has("format");
  memory.bytes = static_cast<uint8_t>(traits.source.bits / 8);
  return memory;
}

/// VALU results of 16 bits leave the upper half of the register as it was (from GFX10 on), those of
/// matrices the half that OP_SEL does not name. Packed ones and sums of differences are results of
/// 32. V_SAT_PK_U8_I16 makes two of 8 bits.
constexpr bool keepsUpperHalf(const Parts &name, Unit unit, const OpTraits &traits) {
  if (unit != Unit::Valu || traits.comparison.result != Comparison::Result::None)
    return false;
  for (const std::string_view wide : {"pk", "pkrtz", "sad"})
    if (name.has(wide) && !name.has("sat"))
      return false;
  return traits.result.bits == 16 || name.has("sat");
}

constexpr OpTraits traitsOf(std::string_view text, Unit unit, std::initializer_list<OpFlag> flags) {
  OpTraits traits;
  for (const OpFlag flag : flags)
    traits.flags = static_cast<uint16_t>(traits.flags | static_cast<uint16_t>(flag));
  const Parts name(text);
  for (size_t n = 1; n < name.count; ++n) // The first one is the unit.
    if (const ElementType type = typeOf(name[n]); type.bits != 0) {
      if (traits.result.bits == 0)
        traits.result = type;
      traits.source = type;
    }
  traits.comparison = comparisonOf(name, traits.source);
  traits.shortImmediate = shortImmediateOf(name, traits.source);
  traits.memory = memoryOf(name, unit, traits);
  if (keepsUpperHalf(name, unit, traits))
    traits.flags = static_cast<uint16_t>(traits.flags | static_cast<uint16_t>(OpFlag::KeepsHalf));
  traits.lanes = traits.is(OpFlag::AllLanes)    ? LanesRead::All
                 : traits.is(OpFlag::RowLanes)  ? LanesRead::Row
                 : traits.is(OpFlag::QuadLanes) ? LanesRead::Quad
                                                : LanesRead::Own;
  return traits;
}

// Each by itself, because compilers bound the steps of one constant.
namespace rows {
using enum OpFlag;
#define RDNA_OP(name, unit, x, y, ...)                                                             \
  constexpr OpTraits name = traitsOf(#name, Unit::unit, {__VA_ARGS__});
#include "Isa/Ops.def"
#undef RDNA_OP
} // namespace rows

} // namespace

constexpr OpTraits kOpTraits[] = {
    {}, // Op::unknown
#define RDNA_OP(name, unit, x, y, ...) rows::name,
#include "Isa/Ops.def"
#undef RDNA_OP
};

} // namespace rdna
