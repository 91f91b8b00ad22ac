//===- FreeSgprs.h - scalar registers that a function never names ----------===//
#pragma once

#include "Analysis/Cfg.h"

#include <optional>
#include <vector>

namespace rdna {

/// What the machine puts there before the first instruction is of no use to code that never names
/// it. A value: what was taken can be given back by putting an older one in place.
class FreeSgprs {
public:
  explicit FreeSgprs(const Module &module, const Function &function);
  std::optional<unsigned> takePair(); ///< First register of an aligned pair.
  std::optional<unsigned> take();
  /// Those that are in use now, as a count of the kernel's; 0 if none was taken.
  unsigned count() const { return count_; }

private:
  std::vector<unsigned> free_; ///< Ascending.
  unsigned count_ = 0;
};

} // namespace rdna
