#include "Run/Elements.h"

#include "Support/Random.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace rdna::run {

namespace {

struct TypeFacts {
  std::string_view name;
  unsigned bytes;
  bool isFloat;
  unsigned precision; ///< Bits of exactly representable non-negative integers.
};

constexpr TypeFacts facts[] = {
    {"f16", 2, true, 11},  {"bf16", 2, true, 8},  {"f32", 4, true, 24},  {"f64", 8, true, 53},
    {"i8", 1, false, 7},   {"u8", 1, false, 8},   {"i16", 2, false, 15}, {"u16", 2, false, 16},
    {"i32", 4, false, 31}, {"u32", 4, false, 32}, {"i64", 8, false, 53}, {"u64", 8, false, 53},
};

const TypeFacts &factsOf(ElementType type) { return facts[static_cast<size_t>(type)]; }

constexpr std::string_view initNames[] = {"random", "identity", "one-hot",  "ramp",
                                          "zero",   "nan",      "undefined"};

template <typename T> T loadAs(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T> void storeAs(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof value);
}

const llvm::fltSemantics &halfSemantics(ElementType type) {
  return type == ElementType::F16 ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
}

} // namespace

std::optional<ElementType> elementTypeByName(std::string_view name) {
  for (size_t i = 0; i < std::size(facts); ++i)
    if (facts[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

std::string_view toString(ElementType type) { return factsOf(type).name; }
unsigned bytesOf(ElementType type) { return factsOf(type).bytes; }
bool isFloat(ElementType type) { return factsOf(type).isFloat; }

std::optional<Init> initByName(std::string_view name) {
  for (size_t i = 0; i < std::size(initNames); ++i)
    if (initNames[i] == name)
      return static_cast<Init>(i);
  return std::nullopt;
}

std::string_view toString(Init init) { return initNames[static_cast<size_t>(init)]; }

double loadElement(const std::byte *at, ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16: {
    llvm::APFloat value(halfSemantics(type), llvm::APInt(16, loadAs<uint16_t>(at)));
    bool lossy = false;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lossy);
    return value.convertToDouble();
  }
  case ElementType::F32:
    return loadAs<float>(at);
  case ElementType::F64:
    return loadAs<double>(at);
  case ElementType::I8:
    return loadAs<int8_t>(at);
  case ElementType::U8:
    return loadAs<uint8_t>(at);
  case ElementType::I16:
    return loadAs<int16_t>(at);
  case ElementType::U16:
    return loadAs<uint16_t>(at);
  case ElementType::I32:
    return loadAs<int32_t>(at);
  case ElementType::U32:
    return loadAs<uint32_t>(at);
  case ElementType::I64:
    return static_cast<double>(loadAs<int64_t>(at));
  case ElementType::U64:
    return static_cast<double>(loadAs<uint64_t>(at));
  }
  return 0;
}

void storeElement(std::byte *at, ElementType type, double value) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16: {
    llvm::APFloat half(value);
    bool lossy = false;
    half.convert(halfSemantics(type), llvm::APFloat::rmNearestTiesToEven, &lossy);
    return storeAs(at, static_cast<uint16_t>(half.bitcastToAPInt().getZExtValue()));
  }
  case ElementType::F32:
    return storeAs(at, static_cast<float>(value));
  case ElementType::F64:
    return storeAs(at, value);
  default: {
    // Integers: the low bytes of the value; little-endian host and target.
    const auto bits = static_cast<int64_t>(value);
    std::memcpy(at, &bits, bytesOf(type));
  }
  }
}

static double randomFloat(ElementType type, Random &random) {
  // As many fraction bits as the type's precision allows for every value in [-1, 1).
  const unsigned bits = factsOf(type).precision;
  const auto integer = static_cast<int64_t>(random.next() >> (64 - bits));
  const int64_t half = int64_t{1} << (bits - 1);
  return static_cast<double>(integer - half) / static_cast<double>(half); // Exact: powers of two.
}

static double specialFloat(ElementType type, uint32_t choice) {
  switch (choice % 6) {
  case 0:
    return std::numeric_limits<double>::quiet_NaN();
  case 1:
    return std::numeric_limits<double>::infinity();
  case 2:
    return -std::numeric_limits<double>::infinity();
  case 3:
    return -0.0;
  case 4: // The smallest denormal of the type; bf16 has the exponents of f32 with 16 bits less.
    return type == ElementType::F16    ? std::ldexp(1.0, -24)
           : type == ElementType::BF16 ? std::ldexp(1.0, -133)
           : type == ElementType::F32  ? std::ldexp(1.0, -149)
                                       : std::numeric_limits<double>::denorm_min();
  default:
    return type == ElementType::F16    ? 65504.0
           : type == ElementType::BF16 ? std::ldexp(255.0, 120)
           : type == ElementType::F32  ? std::numeric_limits<float>::max()
                                       : std::numeric_limits<double>::max();
  }
}

static void fillRandom(std::span<std::byte> buffer, ElementType type, uint64_t seed) {
  Random random(seed);
  const unsigned bytes = bytesOf(type);
  if (type == ElementType::F32) { // The usual case, at matrices of 64 MiB: 1 ns an element, not 5.
    for (size_t at = 0; at + 4 <= buffer.size(); at += 4)
      storeAs(&buffer[at], random.symmetricFloat());
    return;
  }
  for (size_t at = 0; at + bytes <= buffer.size(); at += bytes) {
    if (isFloat(type)) {
      storeElement(&buffer[at], type, randomFloat(type, random));
    } else {
      const uint64_t bits = random.next();
      std::memcpy(&buffer[at], &bits, bytes);
    }
  }
}

void fill(std::span<std::byte> buffer, ElementType type, Init init, uint64_t seed) {
  std::fill(buffer.begin(), buffer.end(), std::byte{0});
  const unsigned bytes = bytesOf(type);
  const uint64_t count = buffer.size() / bytes;
  const auto set = [&](uint64_t index, double value) {
    storeElement(&buffer[index * bytes], type, value);
  };
  if (count == 0)
    return;
  switch (init) {
  case Init::Random:
    return fillRandom(buffer, type, seed);
  case Init::Identity: {
    auto side = static_cast<uint64_t>(std::sqrt(static_cast<double>(count)));
    for (uint64_t i = 0; i < side; ++i)
      set(i * side + i, 1);
    return;
  }
  case Init::OneHot:
    return set(Random(seed).next() % count, 1);
  case Init::Ramp: {
    const uint64_t period = uint64_t{1} << factsOf(type).precision;
    for (uint64_t i = 0; i < count; ++i)
      set(i, static_cast<double>(i % period));
    return;
  }
  case Init::Zero:
    return;
  case Init::Undefined: // Recognisable garbage, the emulator's own.
    return std::fill(buffer.begin(), buffer.end(), std::byte{0xa5});
  case Init::Nan: {
    fillRandom(buffer, type, seed);
    // Rare, because one NaN in a row of A or a column of B makes a whole row or column of C NaN.
    Random random(~seed);
    for (uint64_t i = 0; i < count / 1024 + 1; ++i) {
      const uint64_t index = random.next() % count;
      const uint32_t choice = random.below(6);
      if (isFloat(type))
        set(index, specialFloat(type, choice));
      else // The extremes: all ones, and only the top bit.
        std::memset(&buffer[index * bytes], choice % 2 == 0 ? 0xff : 0x00, bytes),
            buffer[index * bytes + bytes - 1] |= std::byte{0x80};
    }
    return;
  }
  }
}

void Difference::add(uint64_t index, double got, double wanted, bool equal) {
  ++elements;
  if (equal)
    return;
  if (mismatches++ == 0) {
    firstIndex = index;
    firstGot = got;
    firstWanted = wanted;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  double error = std::fabs(got - wanted);
  if (std::isnan(error))
    error = infinity;
  maxAbsError = std::max(maxAbsError, error);
  // +0 against -0 is a mismatch of bits but no error.
  const double relative = error == 0 ? 0 : wanted == 0 ? infinity : error / std::fabs(wanted);
  maxRelError = std::max(maxRelError, std::isnan(relative) ? infinity : relative);
}

Difference compare(std::span<const std::byte> got, std::span<const std::byte> wanted,
                   ElementType type) {
  Difference difference;
  const unsigned bytes = bytesOf(type);
  const size_t size = std::min(got.size(), wanted.size());
  if (std::ranges::equal(got, wanted)) {
    difference.elements = size / bytes;
    return difference;
  }
  for (size_t at = 0; at + bytes <= size; at += bytes) {
    if (std::memcmp(&got[at], &wanted[at], bytes) == 0) {
      ++difference.elements;
      continue;
    }
    const double a = loadElement(&got[at], type), b = loadElement(&wanted[at], type);
    const bool equal = isFloat(type) && std::isnan(a) && std::isnan(b);
    difference.add(at / bytes, a, b, equal);
  }
  return difference;
}

Difference compareWithin(std::span<const std::byte> got, std::span<const std::byte> wanted,
                         ElementType type, double absolute, double relative) {
  if (absolute == 0 && relative == 0)
    return compare(got, wanted, type);
  Difference difference;
  const unsigned bytes = bytesOf(type);
  for (size_t at = 0; at + bytes <= std::min(got.size(), wanted.size()); at += bytes) {
    const double a = loadElement(&got[at], type), b = loadElement(&wanted[at], type);
    const double error = std::fabs(a - b);
    const bool same = std::memcmp(&got[at], &wanted[at], bytes) == 0 || a == b ||
                      (std::isnan(a) && std::isnan(b));
    difference.add(at / bytes, a, b, same || error <= absolute + relative * std::fabs(b));
    if (!same && std::isfinite(error)) { // Also of what is within.
      difference.maxAbsError = std::max(difference.maxAbsError, error);
      if (b != 0)
        difference.maxRelError = std::max(difference.maxRelError, error / std::fabs(b));
    }
  }
  return difference;
}

} // namespace rdna::run
