//===- Generator.h - random kernels that terminate and are deterministic ----===//
//
// Values have types: floats, integers and halves live in registers of their own and are stored in
// buffers of their own, because a rewrite may change a NaN's payload and nothing else. Between
// barriers each lane owns its bytes of LDS and of the outputs, atomics that share an address
// commute and return nothing, loop counters are scalars with known ends: whatever is computed has
// one result.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace rdna::fuzz {

enum class Shape : uint8_t { Kernel, DeviceFunctions };

struct Generated {
  std::string text;   ///< A whole .s with one kernel, "k".
  std::string launch; ///< Its launch description.
};

/// The same for the same seed wherever one compiler has built it: operands are chosen in the order
/// in which it evaluates arguments.
Generated generate(uint64_t seed, Shape shape);

} // namespace rdna::fuzz
