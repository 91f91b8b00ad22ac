#include "Run/Reference.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>

namespace rdna::run {

namespace {

/// The accumulators of `rows` x W elements of C; one vectorised loop over the columns for each k.
/// Always inlined, so that it takes the vector ISA of its caller; without one that has FMA,
/// __builtin_fmaf is a slow but equally exact library call.
template <uint64_t W, uint64_t Rows>
__attribute__((always_inline)) inline void accumulate(const float *a, const float *b, uint64_t n,
                                                      float *out, uint64_t outStride) {
  float acc[Rows][W] = {};
  for (uint64_t k = 0; k < n; ++k)
    for (uint64_t i = 0; i < Rows; ++i)
      for (uint64_t j = 0; j < W; ++j)
        acc[i][j] = __builtin_fmaf(a[i * n + k], b[k * n + j], acc[i][j]);
  for (uint64_t i = 0; i < Rows; ++i)
    std::memcpy(out + i * outStride, acc[i], sizeof acc[i]);
}

__attribute__((always_inline)) inline void tileBody(const float *a, const float *b, uint64_t n,
                                                    const Tile &tile, float *out) {
  uint64_t i = 0;
  const auto strip = [&]<uint64_t Rows>(std::integral_constant<uint64_t, Rows>)
                         __attribute__((always_inline)) {
                           const float *aRow = a + (tile.firstRow + i) * n;
                           uint64_t j = 0;
                           for (; j + 32 <= tile.columns; j += 32)
                             accumulate<32, Rows>(aRow, b + tile.firstColumn + j, n,
                                                  out + i * tile.columns + j, tile.columns);
                           for (; j < tile.columns; ++j)
                             accumulate<1, Rows>(aRow, b + tile.firstColumn + j, n,
                                                 out + i * tile.columns + j, tile.columns);
                           i += Rows;
                         };
  while (i + 4 <= tile.rows)
    strip(std::integral_constant<uint64_t, 4>{});
  while (i < tile.rows)
    strip(std::integral_constant<uint64_t, 1>{});
}

#if defined(__x86_64__)
__attribute__((target("avx512f,fma,prefer-vector-width=512"))) void
tileAvx512(const float *a, const float *b, uint64_t n, const Tile &tile, float *out) {
  tileBody(a, b, n, tile, out);
}
__attribute__((target("avx2,fma"))) void tileAvx2(const float *a, const float *b, uint64_t n,
                                                  const Tile &tile, float *out) {
  tileBody(a, b, n, tile, out);
}
#endif

void tileAny(const float *a, const float *b, uint64_t n, const Tile &tile, float *out) {
  tileBody(a, b, n, tile, out);
}

void computeTile(const float *a, const float *b, uint64_t n, const Tile &tile, float *out) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
    return tileAvx512(a, b, n, tile, out);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return tileAvx2(a, b, n, tile, out);
#endif
  tileAny(a, b, n, tile, out);
}

constexpr size_t variantCount = 3;
constexpr std::array<const char *, variantCount> variantNames = {
    "fma(alpha, acc, beta * c)", "alpha * acc + beta * c", "fma(beta, c, alpha * acc)"};

float epilogue(size_t variant, float alpha, float acc, float beta, float c) {
  switch (variant) {
  case 0:
    return std::fma(alpha, acc, beta * c);
  case 1:
    return alpha * acc + beta * c; // This file is compiled with -ffp-contract=off.
  default:
    return std::fma(beta, c, alpha * acc);
  }
}

bool sameFloat(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

void merge(Difference &into, const Difference &from) {
  if (from.mismatches != 0 && (into.mismatches == 0 || from.firstIndex < into.firstIndex)) {
    into.firstIndex = from.firstIndex;
    into.firstGot = from.firstGot;
    into.firstWanted = from.firstWanted;
  }
  into.elements += from.elements;
  into.mismatches += from.mismatches;
  into.maxAbsError = std::max(into.maxAbsError, from.maxAbsError);
  into.maxRelError = std::max(into.maxRelError, from.maxRelError);
}

/// Pieces of at most `side` x `side`: the unit of work of a thread, and of memory.
std::vector<Tile> split(const std::vector<Tile> &tiles, uint64_t side) {
  std::vector<Tile> pieces;
  for (const Tile &tile : tiles)
    for (uint64_t r = 0; r < tile.rows; r += side)
      for (uint64_t c = 0; c < tile.columns; c += side)
        pieces.push_back({tile.firstRow + r, std::min(side, tile.rows - r), tile.firstColumn + c,
                          std::min(side, tile.columns - c)});
  return pieces;
}

using Variants = std::array<Difference, variantCount>;

void compareExact(const SgemmOperands &op, const Tile &tile, Variants &variants) {
  const uint64_t n = op.shape.n;
  std::vector<float> acc(tile.rows * tile.columns);
  computeTile(op.a, op.b, n, tile, acc.data());
  for (uint64_t r = 0; r < tile.rows; ++r)
    for (uint64_t c = 0; c < tile.columns; ++c) {
      const uint64_t index = (tile.firstRow + r) * n + tile.firstColumn + c;
      const float got = op.after[index];
      for (size_t v = 0; v < variantCount; ++v) {
        const float wanted =
            epilogue(v, op.shape.alpha, acc[r * tile.columns + c], op.shape.beta, op.before[index]);
        variants[v].add(index, got, wanted, sameFloat(got, wanted));
      }
    }
}

/// Doubles of a rectangle, and of its absolute values.
struct Panel {
  std::vector<double> value, magnitude;
  Panel(const float *matrix, uint64_t n, const Tile &tile) {
    value.reserve(tile.rows * tile.columns);
    for (uint64_t r = 0; r < tile.rows; ++r)
      for (uint64_t c = 0; c < tile.columns; ++c)
        value.push_back(matrix[(tile.firstRow + r) * n + tile.firstColumn + c]);
    magnitude.reserve(value.size());
    for (const double v : value)
      magnitude.push_back(std::fabs(v));
  }
};

/// Counts as mismatches the elements outside the bound.
Difference compareBounded(const SgemmOperands &op, const Tile &tile, double gamma) {
  const uint64_t n = op.shape.n;
  const Panel a(op.a, n, {tile.firstRow, tile.rows, 0, n});
  const Panel b(op.b, n, {0, n, tile.firstColumn, tile.columns});
  std::vector<double> product(tile.rows * tile.columns), magnitude(product.size());
  const auto multiply = [&](const std::vector<double> &x, const std::vector<double> &y,
                            std::vector<double> &out) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(tile.rows),
                static_cast<int>(tile.columns), static_cast<int>(n), 1.0, x.data(),
                static_cast<int>(n), y.data(), static_cast<int>(tile.columns), 0.0, out.data(),
                static_cast<int>(tile.columns));
  };
  multiply(a.value, b.value, product);
  multiply(a.magnitude, b.magnitude, magnitude);
  Difference difference;
  for (uint64_t r = 0; r < tile.rows; ++r)
    for (uint64_t c = 0; c < tile.columns; ++c) {
      const uint64_t index = (tile.firstRow + r) * n + tile.firstColumn + c;
      const size_t at = r * tile.columns + c;
      const double alpha = op.shape.alpha, beta = op.shape.beta, before = op.before[index];
      const double wanted = alpha * product[at] + beta * before;
      const double got = op.after[index];
      const double bound =
          gamma * (std::fabs(alpha) * magnitude[at] + std::fabs(beta * before)) +
          static_cast<double>(n + 3) * 0x1p-149; // Denormal results lose bits in each step.
      // Where NaN or infinity goes in, the order of summation decides which of them comes out.
      const bool within = std::isfinite(bound) ? std::fabs(got - wanted) <= bound
                                               : !std::isfinite(got) || std::isfinite(wanted);
      const double absolute = std::fabs(got - wanted);
      difference.add(index, got, wanted, within);
      if (within && std::isfinite(absolute)) {
        difference.maxAbsError = std::max(difference.maxAbsError, absolute);
        if (wanted != 0)
          difference.maxRelError = std::max(difference.maxRelError, absolute / std::fabs(wanted));
      }
    }
  return difference;
}

} // namespace

std::vector<float> sequentialFma(const float *a, const float *b, uint64_t n, const Tile &tile) {
  std::vector<float> out(tile.rows * tile.columns);
  computeTile(a, b, n, tile, out.data());
  return out;
}

ReferenceResult checkSgemm(const SgemmOperands &operands, const std::vector<Tile> &tiles,
                           unsigned threads) {
  const std::vector<Tile> pieces = split(tiles, 128);
  Variants variants{};
  std::mutex mutex;
  std::atomic<size_t> next{0};
  const auto work = [&] {
    Variants mine{};
    for (size_t i; (i = next++) < pieces.size();)
      compareExact(operands, pieces[i], mine);
    const std::lock_guard lock(mutex);
    for (size_t v = 0; v < variantCount; ++v)
      merge(variants[v], mine[v]);
  };
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < std::min<size_t>(threads, pieces.size()); ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &thread : pool)
    thread.join();

  ReferenceResult result;
  for (size_t v = 0; v < variantCount; ++v)
    if (variants[v].mismatches == 0) {
      result.exact = result.withinBound = true;
      result.method = fmt::format("sequential FMA order, {}", variantNames[v]);
      result.difference = variants[v];
      return result;
    }
  // gamma_m = m u / (1 - m u) bounds the relative growth of rounding errors over m operations in
  // any order (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1): n for the sum
  // of products, fused or not, and 3 for alpha, beta and the last addition.
  const double operations = static_cast<double>(operands.shape.n + 3);
  const double gamma = operations * 0x1p-24 / (1 - operations * 0x1p-24);
  for (const Tile &piece : split(tiles, 512))
    merge(result.difference, compareBounded(operands, piece, gamma));
  result.withinBound = result.difference.mismatches == 0;
  result.method = fmt::format(
      "OpenBLAS in double precision, error at most {:.3g} * (|alpha| |A||B| + |beta| |C|)", gamma);
  return result;
}

} // namespace rdna::run
