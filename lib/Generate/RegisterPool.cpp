#include "Generate/RegisterPool.h"

#include <algorithm>

namespace rdna::generate {

RegisterPool::RegisterPool(unsigned first, unsigned last) {
  for (unsigned v = first; v <= last; ++v)
    free_.set(v);
}

std::optional<Vgpr> RegisterPool::take(unsigned count, unsigned modulus, unsigned remainder) {
  for (unsigned first = remainder; first + count <= free_.size(); first += modulus) {
    bool all = true;
    for (unsigned v = first; v < first + count; ++v)
      all &= free_.test(v);
    if (!all)
      continue;
    for (unsigned v = first; v < first + count; ++v)
      free_.reset(v);
    used_ = std::max(used_, first + count);
    return Vgpr{static_cast<uint8_t>(first)};
  }
  return std::nullopt;
}

void RegisterPool::release(Vgpr first, unsigned count) {
  for (unsigned v = first.number; v < first.number + count; ++v)
    free_.set(v);
}

} // namespace rdna::generate
