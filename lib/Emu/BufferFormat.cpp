//===- BufferFormat.cpp - conversions of typed buffer accesses ------------===//
//
// The rules are those of the graphics APIs (D3D11 functional specification 3.2.3, Vulkan "Fixed-
// Point Data Conversions"), because the ISA guide names the formats only. Guesses: integers
// saturate on the way to a narrower component, floats round to nearest even and overflow to
// infinity.
//
//===----------------------------------------------------------------------===//
#include "Emu/BufferFormat.h"
#include "Emu/FloatOps.h"

#include <algorithm>
#include <cstring>

namespace rdna::emu {
namespace {

struct Table {
  std::array<BufferFormat, 64> format{};
  constexpr Table() {
#define BUFFER_FORMAT(number, x, y, z, w, kind) format[number] = {{x, y, z, w}, Numeric::kind};
#include "Emu/BufferFormats.def"
#undef BUFFER_FORMAT
  }
};
constexpr Table table;
constexpr BufferFormat invalid;

uint32_t maskOf(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
int32_t extended(uint32_t raw, unsigned bits) { return int32_t(raw << (32 - bits)) >> (32 - bits); }

/// 16-bit components are halves; 11 and 10 bits have no sign and lose low mantissa bits of one.
unsigned halfShift(unsigned bits) { return bits == 16 ? 0 : 15 - bits; }

double toDouble(const BufferFormat &f, uint32_t raw, unsigned bits) {
  double s = extended(raw, bits);
  switch (f.numeric) {
  case Numeric::Unorm:
    return raw / double(maskOf(bits));
  case Numeric::Snorm: // Both lowest values are -1.
    return std::max(s / double(maskOf(bits - 1)), -1.0);
  case Numeric::Uscaled:
    return raw;
  default:
    return s;
  }
}

uint32_t component(const BufferFormat &f, uint32_t raw, unsigned bits, RegisterWidth width) {
  bool wide = width == RegisterWidth::Bits32;
  if (f.isInteger()) {
    uint32_t x = f.numeric == Numeric::Uint ? raw : uint32_t(extended(raw, bits));
    return wide ? x : x & 0xffff; // Of a longer integer the low half: AMD's text says 16'B(...).
  }
  if (f.numeric == Numeric::Float) {
    if (bits == 32)
      return wide ? raw : floatToHalf(std::bit_cast<float>(raw)).bits;
    Half h{uint16_t(raw << halfShift(bits))};
    return wide ? std::bit_cast<uint32_t>(quiet(halfToFloat(h))) : h.bits;
  }
  double x = toDouble(f, raw, bits);
  return wide ? std::bit_cast<uint32_t>(float(x)) : floatToHalf(toFloatOdd(x)).bits;
}

/// An unsigned float of five exponent bits, as in 10_11_11: negative numbers become 0.
uint32_t toSmallFloat(float x, unsigned bits) {
  unsigned mantissa = bits - 5;
  uint32_t infinity = 31u << mantissa;
  if (x != x)
    return infinity | 1u << (mantissa - 1);
  if (!(x > 0))
    return 0;
  if (x >= 65536)
    return infinity;
  int exponent = std::max(std::ilogb(x), -14);
  auto significand = uint32_t(std::nearbyint(std::ldexp(double(x), int(mantissa) - exponent)));
  // The significand's implicit bit carries into the exponent, and so does rounding up.
  return std::min((uint32_t(exponent + 14) << mantissa) + significand, infinity);
}

uint32_t fromFloat(const BufferFormat &f, float x, unsigned bits) {
  double high = f.numeric == Numeric::Uscaled ? maskOf(bits) : maskOf(bits - 1), low = 0;
  double scale = 1;
  switch (f.numeric) {
  case Numeric::Unorm:
    high = scale = maskOf(bits);
    break;
  case Numeric::Snorm:
    scale = high;
    low = -high;
    break;
  case Numeric::Sscaled:
    low = -high - 1;
    break;
  default:
    break;
  }
  double v = x == x ? std::clamp(double(x) * scale, low, high) : 0;
  return uint32_t(int32_t(std::nearbyint(v))) & maskOf(bits);
}

uint32_t fromInteger(const BufferFormat &f, uint32_t x, unsigned bits) {
  if (bits == 32)
    return x;
  if (f.numeric == Numeric::Uint)
    return std::min(x, maskOf(bits));
  auto high = int32_t(maskOf(bits - 1));
  return uint32_t(std::clamp(int32_t(x), -high - 1, high)) & maskOf(bits);
}

uint32_t rawOf(const BufferFormat &f, uint32_t value, unsigned bits, RegisterWidth width) {
  bool wide = width == RegisterWidth::Bits32;
  if (f.isInteger()) {
    bool isSigned = f.numeric == Numeric::Sint;
    uint32_t x = wide ? value : isSigned ? uint32_t(extended(value, 16)) : value & 0xffff;
    return fromInteger(f, x, bits);
  }
  if (f.numeric == Numeric::Float && bits == (wide ? 32 : 16))
    return value & maskOf(bits);
  float x = wide ? std::bit_cast<float>(value) : halfToFloat(Half{uint16_t(value)});
  if (f.numeric != Numeric::Float)
    return fromFloat(f, x, bits);
  return bits == 32   ? std::bit_cast<uint32_t>(quiet(x))
         : bits == 16 ? floatToHalf(x).bits
                      : toSmallFloat(x, bits);
}

/// Calls f(k, first bit) for each component the format has.
template <class F> void eachComponent(const BufferFormat &format, F f) {
  unsigned at = 0;
  for (unsigned k = 0; k < 4 && format.bits[k]; ++k) {
    f(k, at);
    at += format.bits[k];
  }
}

/// A texel's bits. Copies of a fixed size: one of a size that is only known at run time is a call.
struct Texel {
  std::array<uint64_t, 2> word{};
  Texel(const std::byte *p, unsigned bytes) {
    switch (bytes) {
    case 1:
      std::memcpy(word.data(), p, 1);
      break;
    case 2:
      std::memcpy(word.data(), p, 2);
      break;
    case 4:
      std::memcpy(word.data(), p, 4);
      break;
    case 8:
      std::memcpy(word.data(), p, 8);
      break;
    case 16:
      std::memcpy(word.data(), p, 16);
      break;
    default:
      std::memcpy(word.data(), p, bytes);
    }
  }
  /// No component crosses from one word into the other.
  uint32_t bits(unsigned at, unsigned count) const {
    return uint32_t(word[at / 64] >> at % 64) & maskOf(count);
  }
};
/// Components of less than 8 bits, or across bytes, lie in one dword; the others are whole bytes.
void writeBits(std::byte *p, unsigned at, unsigned bits, unsigned bytes, uint32_t value) {
  uint64_t x = 0;
  unsigned first = at / 8, count = std::min((at % 8 + bits + 7) / 8, bytes - first);
  std::memcpy(&x, p + first, count);
  x = (x & ~(uint64_t(maskOf(bits)) << at % 8)) | uint64_t(value) << at % 8;
  std::memcpy(p + first, &x, count);
}

} // namespace

const BufferFormat &bufferFormat(unsigned number) {
  return number < table.format.size() ? table.format[number] : invalid;
}

uint32_t oneOf(const BufferFormat &f, RegisterWidth width) {
  if (f.isInteger())
    return 1;
  return width == RegisterWidth::Bits32 ? 0x3f800000u : 0x3c00u;
}

void unpack(const BufferFormat &f, const std::byte *p, RegisterWidth width,
            std::array<uint32_t, 4> &value) {
  value = {0, 0, 0, oneOf(f, width)};
  const Texel texel(p, f.bytes());
  eachComponent(f, [&](unsigned k, unsigned at) {
    value[k] = component(f, texel.bits(at, f.bits[k]), f.bits[k], width);
  });
}

void pack(const BufferFormat &f, const std::array<uint32_t, 4> &value, RegisterWidth width,
          unsigned mask, std::byte *p) {
  eachComponent(f, [&](unsigned k, unsigned at) {
    if (mask >> k & 1)
      writeBits(p, at, f.bits[k], f.bytes(), rawOf(f, value[k], f.bits[k], width));
  });
}

} // namespace rdna::emu
