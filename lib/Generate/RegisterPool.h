//===- RegisterPool.h - which VGPRs are still free -------------------------===//
#pragma once

#include "Isa/Register.h"

#include <bitset>
#include <optional>

namespace rdna::generate {

/// VGPRs first to last; whoever asks gets the lowest that fit.
class RegisterPool {
public:
  RegisterPool(unsigned first, unsigned last);

  /// `count` neighbours, of which the first is `remainder` modulo `modulus`.
  std::optional<Vgpr> take(unsigned count = 1, unsigned modulus = 1, unsigned remainder = 0);
  void release(Vgpr first, unsigned count = 1);
  /// One above the highest register that was ever taken.
  unsigned used() const { return used_; }
  unsigned free() const { return static_cast<unsigned>(free_.count()); }

private:
  std::bitset<256> free_;
  unsigned used_ = 0;
};

} // namespace rdna::generate
