//===- Meaning.h - what symbolic values are, lane by lane -----------------===//
//
// The proof's values say how a register was made. Here each of its operations has a meaning of its
// own, written from the ISA and not from lib/Verify. Operations that only stand for "the
// instruction applied to its arguments" mean what the emulator showed when it executed one of them
// first: from then on every register with that value must hold the same bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Expr.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace rdna::test {

inline constexpr unsigned kLanes = 32;
inline constexpr uint32_t kAllLanes = ~0u;

/// A value in all lanes, as far as it is known. Scalars are the same in each lane; values of 64
/// bits are whole.
struct Bits {
  std::array<uint64_t, kLanes> lane{};
  uint32_t known = 0;
};

class Meaning {
public:
  explicit Meaning(const verify::ExprPool &pool) : pool_(pool) {}

  /// A register held this value in `lanes`. The first lane that contradicts what the value is known
  /// to be, if any does.
  struct Contradiction {
    verify::Value value;
    unsigned lane;
    uint32_t expected, found;
  };
  std::optional<Contradiction> observe(verify::Value value,
                                       const std::array<uint32_t, kLanes> &found, uint32_t lanes);
  const Bits &of(verify::Value value);
  /// How often a lane of each operation with a meaning of its own was compared.
  static std::map<std::string, uint64_t, std::less<>> &compared();
  static std::vector<std::string> operations();
  void clear();

private:
  struct Cached {
    Bits bits;
    uint64_t generation = 0;
  };
  void evaluate(verify::Value value, Bits &result);
  bool hasMeaning(verify::Value value);

  const verify::ExprPool &pool_;
  std::unordered_map<verify::Value, Bits> shown_;
  std::unordered_map<verify::Value, Cached> cache_;
  uint64_t generation_ = 1;
};

} // namespace rdna::test
