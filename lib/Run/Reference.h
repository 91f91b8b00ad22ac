//===- Reference.h - what a matrix product must be -------------------------===//
#pragma once

#include "Run/Elements.h"
#include "Run/LaunchDescription.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rdna::run {

/// A rectangle of C, in one batch.
struct Tile {
  uint64_t firstRow = 0, rows = 0;
  uint64_t firstColumn = 0, columns = 0;
  uint64_t batch = 0;
};

struct GemmOperands {
  const float *a = nullptr, *b = nullptr; ///< The buffers that the matrices lie in.
  const float *before = nullptr;          ///< That of C, as the kernel found it.
  const float *after = nullptr;           ///< That of D, as the kernel left it.
  GemmShape shape;
};

struct ReferenceResult {
  bool exact = false;       ///< Bit for bit one of the sequential FMA orders.
  bool withinBound = false; ///< True also if exact.
  std::string method;       ///< What it was compared with, in words.
  Difference difference;    ///< Against that.
  std::string missing;      ///< Why it could not be compared, if it could not.
};

/// Compares the tiles of D with acc = fma(a, b, acc) over k = 0, 1, ... followed by the forms of
/// alpha * acc + beta * c that compilers produce (a matrix that is multiplied by 0 may be left
/// unread); if none fits everywhere, with OpenBLAS in double precision under the bound that holds
/// for every order of summation. Indices in the result are those of D's buffer.
ReferenceResult checkGemm(const GemmOperands &operands, const std::vector<Tile> &tiles,
                          unsigned threads);

/// The same with OpenBLAS and its bound alone, which hold for any order of summation.
ReferenceResult checkGemmBound(const GemmOperands &operands, const std::vector<Tile> &tiles);

/// Rows and columns of the accumulator alone (alpha and beta left out) of a square row-major
/// product, row-major; for tests.
std::vector<float> sequentialFma(const float *a, const float *b, uint64_t n, const Tile &tile);

} // namespace rdna::run
