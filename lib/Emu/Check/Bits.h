//===- Bits.h - values of which some bits are undefined ---------------===//
#pragma once

#include <cstdint>

namespace rdna::emu {

/// A value and its undefined bits.
struct Bits {
  uint64_t value = 0, undefined = 0;
};

inline Bits operator&(Bits a, Bits b) {
  // A defined 0 decides.
  const uint64_t zero = (~a.value & ~a.undefined) | (~b.value & ~b.undefined);
  return {a.value & b.value, (a.undefined | b.undefined) & ~zero};
}
inline Bits operator|(Bits a, Bits b) {
  // A defined 1 decides.
  const uint64_t one = (a.value & ~a.undefined) | (b.value & ~b.undefined);
  return {a.value | b.value, (a.undefined | b.undefined) & ~one};
}
inline Bits operator^(Bits a, Bits b) { return {a.value ^ b.value, a.undefined | b.undefined}; }
inline Bits operator~(Bits a) { return {~a.value, a.undefined}; }

} // namespace rdna::emu
