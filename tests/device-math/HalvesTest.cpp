// half and half2, against doubles that are rounded once.

#include "device-math/Lanes.h"

#include "Run/Elements.h"

#include <array>
#include <cmath>

namespace rdna::devicemath {

namespace {

/// Halves are computed as doubles, which hold x * y + z exactly enough to be rounded once.
double half(uint32_t bits) {
  const auto low = static_cast<uint16_t>(bits);
  std::array<std::byte, 2> bytes{};
  std::memcpy(bytes.data(), &low, 2);
  return run::loadElement(bytes.data(), run::ElementType::F16);
}
uint32_t halfBits(double value) {
  std::array<std::byte, 2> bytes{};
  run::storeElement(bytes.data(), run::ElementType::F16, value);
  uint16_t bits = 0;
  std::memcpy(&bits, bytes.data(), 2);
  return bits;
}
/// Which NaN a half becomes is nobody's business.
uint32_t withOneNan(uint32_t halves) {
  for (const unsigned at : {0U, 16U})
    if ((halves >> at & 0x7fff) > 0x7c00)
      halves |= 0xffffU << at;
  return halves;
}
uint32_t halfFma(uint32_t x, uint32_t y, uint32_t z) {
  return halfBits(half(x) * half(y) + half(z));
}

/// Of pairs of halves.
std::vector<Kernel> halfKernels() {
  return {
      {"half_sums",
       [](const Sample &s, uint32_t i) {
         return halfBits(half(s.x[i]) + half(s.y[i])) |
                halfBits(half(s.x[i] >> 16) * half(s.y[i] >> 16)) << 16;
       }},
      {"half_fma",
       [](const Sample &s, uint32_t i) { return halfFma(s.x[i], s.y[i], s.y[i] >> 16); }},
      {"half_root",
       [](const Sample &s, uint32_t i) { return halfBits(std::sqrt(half(s.x[i] & 0x7fff))); }},
      {"half_pairs",
       [](const Sample &s, uint32_t i) {
         const uint32_t x = s.x[i], y = s.y[i];
         return halfFma(x, y, y >> 16) | halfFma(x >> 16, y >> 16, y) << 16;
       }},
  };
}

class Halves : public testing::TestWithParam<Kernel> {};

} // namespace

TEST_P(Halves, AsOnTheHost) { expectAsOnTheHost(GetParam(), withOneNan); }

INSTANTIATE_TEST_SUITE_P(Kernels, Halves, testing::ValuesIn(halfKernels()),
                         [](const auto &test) { return std::string(test.param.name); });

} // namespace rdna::devicemath
