#include "Verify/StoresInFlight.h"

#include <algorithm>

namespace rdna::verify {

void StoresInFlight::issue() {
  most_ = std::min(most_ + 1, kMany);
  limit_ += limit_ == kNone ? 0 : 1;
  settle();
}

void StoresInFlight::wait(TextSide side, unsigned atMost) {
  unsigned &number = side == TextSide::Old ? limit_ : most_;
  number = std::min(number, atMost);
  settle();
}

void StoresInFlight::join(const StoresInFlight &other) {
  if (most_ != other.most_) // A loop of stores would be as many states.
    most_ = kMany;
  limit_ = std::min(limit_, other.limit_);
  settle();
}

bool StoresInFlight::covers(const StoresInFlight &other) const {
  return most_ >= other.most_ && limit_ <= other.limit_;
}

void StoresInFlight::settle() {
  if (most_ <= limit_)
    limit_ = kNone;
}

} // namespace rdna::verify
