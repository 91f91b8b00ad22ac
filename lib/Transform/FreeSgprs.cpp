#include "Transform/FreeSgprs.h"

#include <algorithm>
#include <bitset>

namespace rdna {

FreeSgprs::FreeSgprs(const Module &module, const Function &function) {
  std::bitset<kRegUnits> mentioned;
  for (uint32_t i = function.first; i < function.last; ++i)
    for (const RegAccess &access : module.instructions()[i].accesses)
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        mentioned.set(access.reg.first.index + d);
  for (unsigned s = 0; s < 106; ++s)
    if (!mentioned.test(RegUnit::scalar(s).index))
      free_.push_back(s);
}

std::optional<unsigned> FreeSgprs::takePair() {
  for (size_t k = 0; k + 1 < free_.size(); ++k)
    if (free_[k] % 2 == 0 && free_[k + 1] == free_[k] + 1) {
      const unsigned first = free_[k];
      free_.erase(free_.begin() + std::ptrdiff_t(k), free_.begin() + std::ptrdiff_t(k) + 2);
      count_ = std::max(count_, first + 2);
      return first;
    }
  return std::nullopt;
}

std::optional<unsigned> FreeSgprs::take() {
  if (free_.empty())
    return std::nullopt;
  const unsigned first = free_.front();
  free_.erase(free_.begin());
  count_ = std::max(count_, first + 1);
  return first;
}

} // namespace rdna
