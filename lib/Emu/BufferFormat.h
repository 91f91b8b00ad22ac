//===- BufferFormat.h - data formats of typed buffer accesses -------------===//
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rdna::emu {

enum class Numeric : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float };

struct BufferFormat {
  std::array<uint8_t, 4> bits{}; ///< Of X, Y, Z, W, from the lowest address and bit up.
  Numeric numeric = Numeric::Unorm;
  bool isValid() const { return bits[0] != 0; }
  bool isInteger() const { return numeric == Numeric::Uint || numeric == Numeric::Sint; }
  unsigned bytes() const { return (bits[0] + bits[1] + bits[2] + bits[3]) / 8u; }
};

/// An invalid format for a number that means nothing.
const BufferFormat &bufferFormat(unsigned number);

/// What a register holds of a component: 32 bits, or 16 with the D16 instructions.
enum class RegisterWidth : uint8_t { Bits32, Bits16 };

/// Memory to register, all four components. Missing ones are 0, 0, 0 and one (W).
void unpack(const BufferFormat &format, const std::byte *p, RegisterWidth width,
            std::array<uint32_t, 4> &value);
/// One, as this format's integers or floats have it.
uint32_t oneOf(const BufferFormat &format, RegisterWidth width);
/// Register to memory: only the components whose bit in `mask` is set.
void pack(const BufferFormat &format, const std::array<uint32_t, 4> &value, RegisterWidth width,
          unsigned mask, std::byte *p);

} // namespace rdna::emu
