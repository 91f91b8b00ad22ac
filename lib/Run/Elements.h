//===- Elements.h - element types of buffers, their contents, comparison --===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rdna::run {

enum class ElementType { F16, BF16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };

std::optional<ElementType> elementTypeByName(std::string_view name); ///< "f32", "u8", ...
std::string_view toString(ElementType type);
unsigned bytesOf(ElementType type);
bool isFloat(ElementType type);

/// One element as a double (64-bit integers lose bits; only for display and error measures).
double loadElement(const std::byte *at, ElementType type);
/// Rounds `value` to the type.
void storeElement(std::byte *at, ElementType type, double value);

/// How a buffer is filled before a run.
enum class Init {
  Random,   ///< Floats in [-1, 1), more bits than a product keeps; integers any bits.
  Identity, ///< 1 on the diagonal of the largest square matrix that the buffer holds, else 0.
  OneHot,   ///< One 1, where the seed says; else 0.
  Ramp,     ///< 0, 1, 2, ... (starting over before a value would be rounded).
  Zero,
  Nan, ///< Random, and one element in a thousand NaN, infinite, denormal, -0 or the largest value.
  Undefined, ///< The kernel must write it before it reads it; --check=uninit reports if it does
             ///< not.
};

std::optional<Init> initByName(std::string_view name); ///< "random", "one-hot", ...
std::string_view toString(Init init);

void fill(std::span<std::byte> buffer, ElementType type, Init init, uint64_t seed);

/// How two buffers of one type and size differ. Floats agree if their bits do or both are NaN: the
/// payload of a NaN depends on the order of operands, which a correct rewrite may change.
struct Difference {
  uint64_t elements = 0;
  uint64_t mismatches = 0;
  uint64_t firstIndex = 0; ///< Of the first mismatch.
  double firstGot = 0, firstWanted = 0;
  double maxAbsError = 0; ///< Infinite if a number stands against a NaN.
  double maxRelError = 0;
  /// Takes one more element into account.
  void add(uint64_t index, double got, double wanted, bool equal);
};

Difference compare(std::span<const std::byte> got, std::span<const std::byte> wanted,
                   ElementType type);

/// The same with elements that agree up to `absolute + relative * |wanted|`.
Difference compareWithin(std::span<const std::byte> got, std::span<const std::byte> wanted,
                         ElementType type, double absolute, double relative);

} // namespace rdna::run
