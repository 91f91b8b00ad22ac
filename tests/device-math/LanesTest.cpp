// What is no floating-point function: bits, shuffles, votes, vectors, atomics, places.

#include "device-math/Lanes.h"

#include <array>
#include <bit>

namespace rdna::devicemath {

namespace {

uint64_t reversed(uint64_t value, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}
int32_t low24(uint32_t x) { return static_cast<int32_t>(x << 8) >> 8; }
uint32_t highHalf(int64_t x) { return static_cast<uint32_t>(x >> 32); }
uint32_t selectedBytes(uint32_t x, uint32_t y, uint32_t selector) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned byte = selector >> (4 * i) & 7;
    result |= ((byte < 4 ? x : y) >> (byte % 4 * 8) & 0xff) << (8 * i);
  }
  return result;
}

/// Where lane i of its wave reads, in pieces of `width` lanes.
uint32_t widthAt(uint32_t i) { return 32U >> (i / block & 3); }
uint32_t inPiece(uint32_t i, uint32_t place) { return i / widthAt(i) * widthAt(i) + place; }
uint32_t placeOf(uint32_t i) { return i % widthAt(i); }

uint32_t ballot(uint32_t i, const std::function<bool(uint32_t)> &holds) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    mask |= static_cast<uint32_t>(holds(i / lanes * lanes + lane)) << lane;
  return mask;
}

uint32_t vectors(const Sample &s, uint32_t i) {
  const uint32_t x = s.x[i], y = s.y[i];
  const std::array<uint32_t, 4> a{x, y, x ^ y, x + y};
  uint32_t sum = 0;
  for (uint32_t k = 0; k < 4; ++k)
    sum += ((a[k] * 3 + k + 1) ^ (k + 1) << 4) - (k + 5);
  const int cx = -static_cast<int>(x & 255) / 3, cy = -static_cast<int>(y & 255) / 3;
  const int dx = 2 * static_cast<int>(x & 7), dy = 2 * static_cast<int>(y & 7);
  sum += static_cast<uint32_t>(cx * cy + (1 - dx * dx) + (1 - dy * dy) + (1 - 16));
  return sum + ((x + 1) & 255) + ((y + 1) & 255) + 1;
}

uint32_t conversions(const Sample &s, uint32_t i) {
  const float f = static_cast<float>(s.y[i]) * 0x1p-8F;
  return static_cast<uint32_t>(std::nearbyint(f)) + 3 * static_cast<uint32_t>(f) +
         5 * static_cast<uint32_t>(std::ceil(f)) + 7 * (s.x[i] / 4);
}

std::vector<Kernel> numberKernels() {
  return {
      {"popc", [](const Sample &s, uint32_t i) { return std::popcount(s.x[i]); }},
      {"clz",
       [](const Sample &s, uint32_t i) { return std::countl_zero(s.x[i] >> (s.y[i] & 31)); }},
      {"ffs",
       [](const Sample &s, uint32_t i) {
         const uint32_t v = s.x[i] << (s.y[i] & 31);
         return v == 0 ? 0 : std::countr_zero(v) + 1;
       }},
      {"__brev", [](const Sample &s, uint32_t i) { return reversed(s.x[i], 32); }},
      {"popcll", [](const Sample &s, uint32_t i) { return std::popcount(s.wide(i)); }},
      {"clzll",
       [](const Sample &s, uint32_t i) { return std::countl_zero(s.wide(i) >> (s.y[i] & 63)); }},
      {"ffsll",
       [](const Sample &s, uint32_t i) {
         const uint64_t v = s.wide(i) << (s.y[i] & 63);
         return v == 0 ? 0 : std::countr_zero(v) + 1;
       }},
      {"brevll", [](const Sample &s, uint32_t i) { return reversed(s.wide(i), 64) >> 7; }},
      {"mulhi",
       [](const Sample &s, uint32_t i) { return highHalf(int64_t{s.signedX(i)} * s.signedY(i)); }},
      {"umulhi", [](const Sample &s, uint32_t i) { return uint64_t{s.x[i]} * s.y[i] >> 32; }},
      {"mul24", [](const Sample &s, uint32_t i) { return int64_t{low24(s.x[i])} * low24(s.y[i]); }},
      {"umul24",
       [](const Sample &s, uint32_t i) { return (s.x[i] & 0xffffff) * (s.y[i] & 0xffffff); }},
      {"byte_perm", [](const Sample &s,
                       uint32_t i) { return selectedBytes(s.x[i], s.y[i], s.x[i] ^ s.y[i] >> 3); }},
      {"funnel_left",
       [](const Sample &s, uint32_t i) {
         return (uint64_t{s.y[i]} << 32 | s.x[i]) << (s.x[i] >> 8 & 31) >> 32;
       }},
      {"funnel_right",
       [](const Sample &s, uint32_t i) {
         return (uint64_t{s.y[i]} << 32 | s.x[i]) >> (s.x[i] >> 8 & 31);
       }},
      {"extrema",
       [](const Sample &s, uint32_t i) {
         return std::min(s.x[i], s.y[i]) + 3 * std::max(s.signedX(i), s.signedY(i)) +
                5 * static_cast<uint32_t>(std::abs(int64_t{s.signedX(i)}));
       }},
      {"casts", [](const Sample &s, uint32_t i) { return 2 * s.x[i] + s.y[i]; }},
      {"conversions", conversions},
      {"vectors", vectors},
  };
}

std::vector<Kernel> laneKernels() {
  return {
      {"shfl", [](const Sample &s, uint32_t i) { return s.x[inPiece(i, s.y[i] % widthAt(i))]; }},
      {"shfl_up",
       [](const Sample &s, uint32_t i) {
         const uint32_t delta = s.y[i] % 7;
         return s.x[delta > placeOf(i) ? i : i - delta];
       }},
      {"shfl_down",
       [](const Sample &s, uint32_t i) {
         const uint32_t delta = s.y[i] % 7;
         return s.x[placeOf(i) + delta >= widthAt(i) ? i : i + delta];
       }},
      // Reads from pieces below, but not from those above.
      {"shfl_xor",
       [](const Sample &s, uint32_t i) {
         const uint32_t source = i ^ s.y[i] % 32;
         return s.x[source >= inPiece(i, widthAt(i)) ? i : source];
       }},
      {"shfl_double", [](const Sample &s, uint32_t i) { return s.y[i ^ 5]; }},
      {"shfl_sync", [](const Sample &s, uint32_t i) { return s.x[i % 32 + 3 >= 32 ? i : i + 3]; }},
      {"ballot",
       [](const Sample &s, uint32_t i) {
         return ballot(i, [&](uint32_t k) { return (s.x[k] & 1) != 0; });
       }},
      {"divergent_ballot",
       [](const Sample &s, uint32_t i) {
         if (s.y[i] & 1)
           return ballot(i, [&](uint32_t k) { return (s.y[k] & s.x[k] & 1) != 0; });
         return ballot(i, [&](uint32_t k) { return (s.y[k] & 1) == 0; });
       }},
      {"votes",
       [](const Sample &s, uint32_t i) {
         const bool any = ballot(i, [&](uint32_t k) { return (s.x[k] & 15) == 0; }) != 0;
         const bool all = ballot(i, [&](uint32_t k) { return (s.x[k] & 31) != 0; }) == ~0U;
         return any + 2 * all;
       }},
      {"lane", [](const Sample &, uint32_t i) { return i % 32 + 3200; }},
  };
}

std::vector<Kernel> kernels() {
  std::vector<Kernel> all = numberKernels();
  for (const Kernel &kernel : laneKernels())
    all.push_back(kernel);
  return all;
}

class Lanes : public testing::TestWithParam<Kernel> {};

} // namespace

TEST_P(Lanes, AsOnTheHost) { expectAsOnTheHost(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Kernels, Lanes, testing::ValuesIn(kernels()),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(Atomics, GiveWhatAnyOrderGives) {
  const Sample sample;
  std::array<uint32_t, 28> wanted{};
  uint64_t wide = 0;
  double sum = 0, sumWide = 0, largest = 0;
  for (uint32_t i = 0; i < count; i += block) {
    uint32_t common = ~0U;
    for (uint32_t k = i; k < i + block; ++k)
      common &= sample.x[k] | 0xffff0000U >> (sample.x[k] & 15);
    wanted[0] ^= common;
  }
  for (const uint32_t x : sample.x) {
    wanted[1] += x;
    wanted[2] -= x;
    wanted[3] = std::max(wanted[3], x);
    wanted[4] =
        static_cast<uint32_t>(std::min(static_cast<int32_t>(wanted[4]), static_cast<int32_t>(x)));
    wanted[5] |= 1U << (x & 31);
    wanted[6] ^= x;
    wanted[9] += x & 3;
    wide += uint64_t{x} << 8;
    sum += x & 15;
    sumWide += x & 63;
    largest = std::max<double>(largest, x & 1023);
  }
  wanted[7] = count % 100;
  wanted[8] = (7 - count % 7) % 7;
  wanted[10] = count - 1;
  wanted[11] = 1;
  wanted[12] = std::bit_cast<uint32_t>(static_cast<float>(sum));
  wanted[13] = std::bit_cast<uint32_t>(static_cast<float>(largest));
  wanted[14] = std::bit_cast<uint32_t>(static_cast<float>(-largest));
  std::memcpy(&wanted[16], &wide, 8);
  std::memcpy(&wanted[18], &sumWide, 8);
  wanted[20] = wanted[21] = wanted[24] = wanted[12];
  std::memcpy(&wanted[22], &sumWide, 8);
  std::memcpy(&wanted[26], &sumWide, 8);
  for (const test::CompiledKernel &file : compiledAs("lanes")) {
    const Words got = results<uint32_t>(file, "run_atomics", {sample.x, sample.y});
    for (uint32_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(got[i], wanted[i]) << file.assembly << ", result " << i;
  }
}

TEST(Places, AreCountedAsLaunched) {
  constexpr uint32_t threads = 64, blocks = 12;
  for (const test::CompiledKernel &file : compiledAs("places")) {
    const Words got = results<uint32_t>(file, "places", {});
    ASSERT_EQ(got.size(), threads * blocks * 4);
    for (uint32_t b = 0; b < blocks; ++b)
      for (uint32_t t = 0; t < threads; ++t) {
        const uint32_t *mine = &got[(b * threads + t) * 4];
        ASSERT_EQ(mine[0], b * threads + threads - 1 - t) << file.assembly;
        ASSERT_EQ(mine[1], threads / 8) << file.assembly;
        ASSERT_EQ(mine[2], 1 + 2 * (b % 2)) << file.assembly;
        ASSERT_EQ(mine[3], 2U + 10 * 3 + 100 * 2) << file.assembly;
      }
  }
}

} // namespace rdna::devicemath
