//===- PairMatching.h - partners for operations of even and odd results ----===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rdna {

/// A matching in the bipartite graph of operations with even results and with odd ones. Paths that
/// augment it never leave anybody alone who has a partner.
class PairMatching {
public:
  static constexpr size_t kNone = ~size_t{0};
  /// By even operation: odd ones that it may have for a partner, the best first.
  using Edges = std::vector<std::vector<size_t>>;

  void reset(size_t count) { partner_.assign(count, kNone); }
  size_t partner(size_t n) const { return partner_[n]; }
  bool isAlone(size_t n) const { return partner_[n] == kNone; }
  void join(size_t a, size_t b);

  /// Augments it from each of `even` that is alone.
  void augmentFrom(llvm::ArrayRef<size_t> even, const Edges &edges);
  /// Takes pairs that `isBad` names apart where others along `edges` are as many.
  void replace(llvm::ArrayRef<size_t> even, const Edges &edges,
               llvm::function_ref<bool(size_t, size_t)> isBad);

private:
  bool augment(size_t even, const Edges &edges, std::vector<uint8_t> &seen);

  std::vector<size_t> partner_;
};

} // namespace rdna
