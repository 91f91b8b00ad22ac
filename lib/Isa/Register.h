//===- Register.h - registers as dword units ------------------------------===//
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace rdna {

/// A vector register, v0..v255.
struct Vgpr {
  uint8_t number = 0;
  auto operator<=>(const Vgpr &) const = default;
};

/// The register-file bank of a VGPR: number mod 4 (ISA guide 7.6).
enum class Bank : uint8_t { B0, B1, B2, B3 };
inline Bank bankOf(Vgpr v) { return static_cast<Bank>(v.number & 3); }

/// One 32-bit register of any file: v0..v255 are 0..255; the scalar operand encoding e (0..105
/// SGPRs, 106/107 VCC, 108..123 ttmp, 124 null, 125 M0, 126/127 EXEC) is 256 + e; then SCC and the
/// state that only whole-machine instructions touch.
struct RegUnit {
  uint16_t index = 0;
  auto operator<=>(const RegUnit &) const = default;

  static constexpr uint16_t kScalarBase = 256;
  static constexpr RegUnit vgpr(unsigned n) { return {static_cast<uint16_t>(n)}; }
  static constexpr RegUnit scalar(unsigned encoding) {
    return {static_cast<uint16_t>(kScalarBase + encoding)};
  }
  constexpr bool isVgpr() const { return index < kScalarBase; }
  constexpr bool isSgpr() const { return index >= kScalarBase && index < kScalarBase + 106; }
  constexpr bool isNull() const { return index == kScalarBase + 124; }
  Vgpr asVgpr() const { return {static_cast<uint8_t>(index)}; }
  unsigned number() const { return isVgpr() ? index : index - kScalarBase; }
};

inline constexpr RegUnit kVccLo = RegUnit::scalar(106);
inline constexpr RegUnit kVccHi = RegUnit::scalar(107);
inline constexpr RegUnit kM0 = RegUnit::scalar(125);
inline constexpr RegUnit kExecLo = RegUnit::scalar(126);
inline constexpr RegUnit kExecHi = RegUnit::scalar(127);
inline constexpr RegUnit kScc = {RegUnit::kScalarBase + 128};
inline constexpr RegUnit kMode = {RegUnit::kScalarBase + 129};
inline constexpr RegUnit kFlatScratch = {RegUnit::kScalarBase + 130};
/// Read-only values of the machine (operand encodings 235 to 239), never written.
inline constexpr RegUnit kSharedBase = {RegUnit::kScalarBase + 131};
inline constexpr RegUnit kSharedLimit = {RegUnit::kScalarBase + 132};
inline constexpr RegUnit kPrivateBase = {RegUnit::kScalarBase + 133};
inline constexpr RegUnit kPrivateLimit = {RegUnit::kScalarBase + 134};
inline constexpr RegUnit kPopsExitingWave = {RegUnit::kScalarBase + 135};
inline constexpr unsigned kRegUnits = RegUnit::kScalarBase + 136;

/// Which part of a 32-bit register an operand touches.
enum class Half : uint8_t { Whole, Low, High };

/// `dwords` consecutive registers, or one half of one.
struct RegRange {
  RegUnit first;
  uint8_t dwords = 1;
  Half half = Half::Whole;
  auto operator<=>(const RegRange &) const = default;

  bool contains(RegUnit unit) const {
    return unit.index >= first.index && unit.index < first.index + dwords;
  }
  bool overlaps(const RegRange &other) const {
    return first.index < other.first.index + other.dwords &&
           other.first.index < first.index + dwords;
  }
};

/// "v5", "v[4:7]", "s[2:3]", "vcc_lo", "v3.h".
std::string toString(const RegRange &range);
std::string toString(RegUnit unit);

} // namespace rdna
