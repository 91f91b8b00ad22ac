#include "HostPeak.h"

#include <algorithm>
#include <chrono>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rdna::bench {
namespace {

constexpr long rounds = 2000000;
constexpr int chains = 12; // Latency times throughput of an FMA is 8 to 10 on every host.

#if defined(__x86_64__)
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
[[gnu::target("avx512f")]] void wide() {
#define INIT(n) __m512 a##n = _mm512_set1_ps(float(n));
  CHAINS(INIT)
#undef INIT
  for (long r = 0; r < rounds; ++r) {
#define STEP(n) asm volatile("vfmadd231ps %0, %0, %0" : "+v"(a##n));
    CHAINS(STEP)
#undef STEP
  }
}
[[gnu::target("avx2,fma")]] void narrow() {
#define INIT(n) __m256 a##n = _mm256_set1_ps(float(n));
  CHAINS(INIT)
#undef INIT
  for (long r = 0; r < rounds; ++r) {
#define STEP(n) asm volatile("vfmadd231ps %0, %0, %0" : "+x"(a##n));
    CHAINS(STEP)
#undef STEP
  }
}
#undef CHAINS
#endif

double measure(void run(), unsigned lanes) {
  double best = 1e30;
  for (int n = 0; n < 5; ++n) {
    auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * lanes * chains * rounds / best / 1e9;
}

} // namespace

double hostPeakGflops() {
#if defined(__x86_64__)
  static const double peak =
      __builtin_cpu_supports("avx512f") ? measure(wide, 16) : measure(narrow, 8);
  return peak;
#else
  return 1;
#endif
}

} // namespace rdna::bench
