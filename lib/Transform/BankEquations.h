//===- BankEquations.h - can these operations be partners as well? ---------===//
//
// What a pair asks of banks are equations between single bits: the parities of its destinations
// differ, and those of its sources in each slot; of the two sources that have one parity the other
// bits of the banks differ. So whether one more pair can be had together with all that were chosen
// before is known at once (union-find with a bit on each edge), before any value has a register.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Banks.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rdna {

/// Bits of which some are known to be equal to, or different from, others. What is added can be
/// taken back in reverse order.
class BitEquations {
public:
  explicit BitEquations(size_t count);
  /// \return false if the opposite is known.
  bool add(uint32_t a, uint32_t b, unsigned difference);
  std::optional<unsigned> difference(uint32_t a, uint32_t b) const;
  size_t mark() const { return merged_.size(); }
  void backTo(size_t mark);
  struct Root {
    uint32_t bit;
    unsigned difference;
  };
  Root find(uint32_t a) const;
  /// Of a root: how many are known in terms of it.
  uint32_t sizeOf(uint32_t root) const { return size_[root]; }

private:
  std::vector<uint32_t> parent_, size_;
  std::vector<uint8_t> difference_; ///< To the parent.
  std::vector<uint32_t> merged_;    ///< Roots that have a parent now, in the order of time.
};

class BankEquations {
public:
  BankEquations(const RegionModel &region, const Groups &groups);

  struct Way {
    Slot::Sources xSources = Slot::Sources::AsIs, ySources = Slot::Sources::AsIs;
    unsigned merges = 0; ///< How much it adds to what is known.
  };
  /// How X and Y can be a pair without conflict and hazard, in the way that adds least.
  std::optional<Way> wayOf(uint32_t x, uint32_t y);
  /// They are one.
  void addPair(uint32_t x, uint32_t y);
  /// They are to be in consecutive registers.
  /// \return false, and nothing is added, if what is known says otherwise.
  bool addRun(llvm::ArrayRef<WebId> webs);
  /// It stays single, and should not read two registers of one bank.
  void addSingle(uint32_t node);
  /// A bank for every value that something is known about, else BankPlan::kAny.
  std::vector<int8_t> banks() const;

private:
  enum class Keep : uint8_t { No, Yes };
  std::optional<Way> search(uint32_t x, uint32_t y, Keep keep);
  bool addEquations(const HalfPorts &x, const HalfPorts &y, unsigned isCrossed);
  bool differ(BitEquations &bits, WebId a, WebId b);

  const RegionModel &region_;
  const Groups &groups_;
  BitEquations parity_, upper_; ///< Bits 0 and 1 of the bank by web; the last one is zero.
};

} // namespace rdna
