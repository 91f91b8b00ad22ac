#include "Support/Random.h"

namespace rdna {

uint64_t Random::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

float Random::symmetricFloat() {
  return static_cast<float>(static_cast<int32_t>(next() >> 40) - (1 << 23)) / (1 << 23);
}

} // namespace rdna
