#include "Transform/PairMatching.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

void PairMatching::join(size_t a, size_t b) {
  partner_[a] = b;
  partner_[b] = a;
}

void PairMatching::augmentFrom(llvm::ArrayRef<size_t> even, const Edges &edges) {
  for (const size_t a : even)
    if (isAlone(a)) {
      std::vector<uint8_t> seen(partner_.size(), 0);
      augment(a, edges, seen);
    }
}

void PairMatching::replace(llvm::ArrayRef<size_t> even, const Edges &edges,
                           llvm::function_ref<bool(size_t, size_t)> isBad) {
  for (const size_t a : even) {
    const size_t b = partner_[a];
    if (b == kNone || !isBad(a, b))
      continue;
    partner_[a] = partner_[b] = kNone;
    const bool isReplaced = llvm::any_of(even, [&](size_t other) {
      std::vector<uint8_t> seen(partner_.size(), 0);
      return isAlone(other) && augment(other, edges, seen);
    });
    if (!isReplaced)
      join(a, b);
  }
}

bool PairMatching::augment(size_t even, const Edges &edges, std::vector<uint8_t> &seen) {
  for (const size_t b : edges[even])
    if (isAlone(b)) {
      join(even, b);
      return true;
    }
  for (const size_t b : edges[even]) {
    if (seen[b])
      continue;
    seen[b] = 1;
    if (augment(partner_[b], edges, seen)) {
      join(even, b);
      return true;
    }
  }
  return false;
}

} // namespace rdna
