//===- Reference.h - what an SGEMM kernel must compute --------------------===//
#pragma once

#include "Run/Elements.h"
#include "Run/LaunchDescription.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rdna::run {

/// A rectangle of C.
struct Tile {
  uint64_t firstRow = 0, rows = 0;
  uint64_t firstColumn = 0, columns = 0;
};

struct SgemmOperands {
  const float *a = nullptr, *b = nullptr;
  const float *before = nullptr; ///< C as the kernel found it.
  const float *after = nullptr;  ///< C as the kernel left it.
  GemmShape shape;
};

struct ReferenceResult {
  bool exact = false;       ///< Bit for bit one of the sequential FMA orders.
  bool withinBound = false; ///< True also if exact.
  std::string method;       ///< What it was compared with, in words.
  Difference difference;    ///< Against that.
};

/// Compares the tiles of C with acc = fma(a, b, acc) over k = 0..n-1 followed by the forms of
/// alpha * acc + beta * c that compilers produce; if none fits everywhere, with OpenBLAS in double
/// precision under the bound that holds for every order of summation.
ReferenceResult checkSgemm(const SgemmOperands &operands, const std::vector<Tile> &tiles,
                           unsigned threads);

/// Rows and columns of the accumulator alone (alpha and beta left out), row-major; for tests.
std::vector<float> sequentialFma(const float *a, const float *b, uint64_t n, const Tile &tile);

} // namespace rdna::run
