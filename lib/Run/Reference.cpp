#include "Run/Reference.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <thread>

namespace rdna::run {

namespace {

/// What a tile needs of A and B, one row after the other: `rows` x `depth`, `depth` x `columns`.
struct Operands {
  uint64_t rows = 0, columns = 0, depth = 0;
  const float *a = nullptr, *b = nullptr;
};

/// The accumulators of `Rows` x W elements of C; one vectorised loop over the columns for each k.
/// Always inlined, so that it takes the vector ISA of its caller; without one that has FMA,
/// __builtin_fmaf is a slow but equally exact library call.
template <uint64_t W, uint64_t Rows>
__attribute__((always_inline)) inline void accumulate(const Operands &op, uint64_t row,
                                                      uint64_t column, float *out) {
  float acc[Rows][W] = {};
  for (uint64_t k = 0; k < op.depth; ++k)
    for (uint64_t i = 0; i < Rows; ++i)
      for (uint64_t j = 0; j < W; ++j)
        acc[i][j] = __builtin_fmaf(op.a[(row + i) * op.depth + k],
                                   op.b[k * op.columns + column + j], acc[i][j]);
  for (uint64_t i = 0; i < Rows; ++i)
    std::memcpy(out + (row + i) * op.columns + column, acc[i], sizeof acc[i]);
}

__attribute__((always_inline)) inline void tileBody(const Operands &op, float *out) {
  uint64_t i = 0;
  const auto strip = [&]<uint64_t Rows>(std::integral_constant<uint64_t, Rows>)
                         __attribute__((always_inline)) {
                           uint64_t j = 0;
                           for (; j + 32 <= op.columns; j += 32)
                             accumulate<32, Rows>(op, i, j, out);
                           for (; j < op.columns; ++j)
                             accumulate<1, Rows>(op, i, j, out);
                           i += Rows;
                         };
  while (i + 4 <= op.rows)
    strip(std::integral_constant<uint64_t, 4>{});
  while (i < op.rows)
    strip(std::integral_constant<uint64_t, 1>{});
}

#if defined(__x86_64__)
__attribute__((target("avx512f,fma,prefer-vector-width=512"))) void tileAvx512(const Operands &op,
                                                                               float *out) {
  tileBody(op, out);
}
__attribute__((target("avx2,fma"))) void tileAvx2(const Operands &op, float *out) {
  tileBody(op, out);
}
#endif

void tileAny(const Operands &op, float *out) { tileBody(op, out); }

void computeTile(const Operands &op, float *out) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
    return tileAvx512(op, out);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return tileAvx2(op, out);
#endif
  tileAny(op, out);
}

/// A rectangle of a matrix, one row after the other.
template <typename T>
std::vector<T> pack(const float *matrix, const MatrixPlace &place, const Tile &tile) {
  std::vector<T> out;
  out.reserve(tile.rows * tile.columns);
  for (uint64_t r = 0; r < tile.rows; ++r)
    for (uint64_t c = 0; c < tile.columns; ++c)
      out.push_back(matrix[place.at(tile.firstRow + r, tile.firstColumn + c, tile.batch)]);
  return out;
}

std::vector<float> accumulators(const GemmOperands &op, const Tile &tile) {
  const uint64_t k = op.shape.k;
  const auto a = pack<float>(op.a, op.shape.a, {tile.firstRow, tile.rows, 0, k, tile.batch});
  const auto b = pack<float>(op.b, op.shape.b, {0, k, tile.firstColumn, tile.columns, tile.batch});
  std::vector<float> out(tile.rows * tile.columns);
  computeTile({tile.rows, tile.columns, k, a.data(), b.data()}, out.data());
  return out;
}

constexpr size_t variantCount = 5;
constexpr std::array<const char *, variantCount> variantNames = {
    "fma(alpha, acc, beta * c)", "alpha * acc + beta * c", "fma(beta, c, alpha * acc)",
    "alpha * acc, C not read", "beta * c, A and B not read"};

bool applies(size_t variant, const GemmShape &shape) {
  return variant < 3 || (variant == 3 ? shape.beta == 0 : shape.alpha == 0 || shape.k == 0);
}

float epilogue(size_t variant, float alpha, float acc, float beta, float c) {
  switch (variant) {
  case 0:
    return std::fma(alpha, acc, beta * c);
  case 1:
    return alpha * acc + beta * c; // This file is compiled with -ffp-contract=off.
  case 2:
    return std::fma(beta, c, alpha * acc);
  case 3:
    return alpha * acc;
  default:
    return beta == 0 ? 0 : beta * c;
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
                          std::min(side, tile.columns - c), tile.batch});
  return pieces;
}

using Variants = std::array<Difference, variantCount>;

void compareExact(const GemmOperands &op, const Tile &tile, Variants &variants) {
  const std::vector<float> acc = accumulators(op, tile);
  for (uint64_t r = 0; r < tile.rows; ++r)
    for (uint64_t c = 0; c < tile.columns; ++c) {
      const uint64_t row = tile.firstRow + r, column = tile.firstColumn + c;
      const uint64_t index = op.shape.d.at(row, column, tile.batch);
      const float got = op.after[index];
      const float before = op.before[op.shape.c.at(row, column, tile.batch)];
      for (size_t v = 0; v < variantCount; ++v) {
        const float wanted =
            epilogue(v, op.shape.alpha, acc[r * tile.columns + c], op.shape.beta, before);
        variants[v].add(index, got, wanted, sameFloat(got, wanted));
      }
    }
}

/// Doubles of a rectangle, and of its absolute values.
struct Panel {
  std::vector<double> value, magnitude;
  Panel(const float *matrix, const MatrixPlace &place, const Tile &tile)
      : value(pack<double>(matrix, place, tile)) {
    magnitude.reserve(value.size());
    for (const double v : value)
      magnitude.push_back(std::fabs(v));
  }
};

/// What an element must be, and how far from it any order of operations may end.
struct Bounded {
  double wanted = 0, bound = 0;
  bool holds(double got) const {
    // Where NaN or infinity goes in, the order of summation decides which of them comes out.
    return std::isfinite(bound) ? std::fabs(got - wanted) <= bound
                                : !std::isfinite(got) || std::isfinite(wanted);
  }
};

using Dgemm = decltype(&cblas_dgemm);

/// OpenBLAS, loaded when it is first needed: it starts a thread for each core as it is loaded, and
/// they spin for a tenth of a second, in every command that does not multiply anything. Null if it
/// is not there.
Dgemm openBlas() {
  static const auto dgemm = [] {
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    return library == nullptr ? nullptr : reinterpret_cast<Dgemm>(dlsym(library, "cblas_dgemm"));
  }();
  return dgemm;
}

/// Counts as mismatches the elements outside the bound.
Difference compareBounded(const GemmOperands &op, const Tile &tile, Dgemm dgemm, double gamma) {
  const GemmShape &shape = op.shape;
  const uint64_t depth = shape.k;
  const Panel a(op.a, shape.a, {tile.firstRow, tile.rows, 0, depth, tile.batch});
  const Panel b(op.b, shape.b, {0, depth, tile.firstColumn, tile.columns, tile.batch});
  std::vector<double> product(tile.rows * tile.columns), magnitude(product.size());
  const auto multiply = [&](const std::vector<double> &x, const std::vector<double> &y,
                            std::vector<double> &out) {
    if (depth != 0)
      dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(tile.rows),
            static_cast<int>(tile.columns), static_cast<int>(depth), 1.0, x.data(),
            static_cast<int>(depth), y.data(), static_cast<int>(tile.columns), 0.0, out.data(),
            static_cast<int>(tile.columns));
  };
  multiply(a.value, b.value, product);
  multiply(a.magnitude, b.magnitude, magnitude);
  const double alpha = shape.alpha, beta = shape.beta;
  const bool isUnread = alpha == 0 || depth == 0;
  const double denormals = static_cast<double>(depth + 3) * 0x1p-149; // Lose bits in each step.
  Difference difference;
  for (uint64_t r = 0; r < tile.rows; ++r)
    for (uint64_t c = 0; c < tile.columns; ++c) {
      const uint64_t row = tile.firstRow + r, column = tile.firstColumn + c;
      const uint64_t index = shape.d.at(row, column, tile.batch);
      const size_t at = r * tile.columns + c;
      const double before = op.before[shape.c.at(row, column, tile.batch)], got = op.after[index];
      const Bounded full{alpha * product[at] + beta * before,
                         gamma * (std::fabs(alpha) * magnitude[at] + std::fabs(beta * before)) +
                             denormals};
      // What is multiplied by 0 need not be read, which only NaN and infinity can show.
      const Bounded unread{(isUnread ? 0 : alpha * product[at]) + (beta == 0 ? 0 : beta * before),
                           gamma * ((isUnread ? 0 : std::fabs(alpha) * magnitude[at]) +
                                    (beta == 0 ? 0 : std::fabs(beta * before))) +
                               denormals};
      const bool within = full.holds(got) || unread.holds(got);
      const double wanted = unread.holds(got) ? unread.wanted : full.wanted;
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
  return accumulators({a, b, nullptr, nullptr, squareGemm(n, 1, 0)}, tile);
}

ReferenceResult checkGemm(const GemmOperands &operands, const std::vector<Tile> &tiles,
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
    if (applies(v, operands.shape) && variants[v].mismatches == 0) {
      result.exact = result.withinBound = true;
      result.method = fmt::format("sequential FMA order, {}", variantNames[v]);
      result.difference = variants[v];
      return result;
    }
  return checkGemmBound(operands, tiles);
}

ReferenceResult checkGemmBound(const GemmOperands &operands, const std::vector<Tile> &tiles) {
  ReferenceResult result;
  const Dgemm dgemm = openBlas();
  if (dgemm == nullptr) {
    result.missing =
        "libopenblas.so.0 is not installed (package libopenblas0), and the result is no "
        "sum in the order of k";
    return result;
  }
  // gamma_m = m u / (1 - m u) bounds the relative growth of rounding errors over m operations in
  // any order (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1): k for the sum
  // of products, fused or not, and 3 for alpha, beta and the last addition.
  const double operations = static_cast<double>(operands.shape.k + 3);
  const double gamma = operations * 0x1p-24 / (1 - operations * 0x1p-24);
  for (const Tile &piece : split(tiles, 512))
    merge(result.difference, compareBounded(operands, piece, dgemm, gamma));
  result.withinBound = result.difference.mismatches == 0;
  result.method = fmt::format(
      "OpenBLAS in double precision, error at most {:.3g} * (|alpha| |A||B| + |beta| |C|)", gamma);
  return result;
}

} // namespace rdna::run
