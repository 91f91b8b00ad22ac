//===- Gemm.h - which matrix product a launch computes --------------------===//
//
// D = alpha * op(A) * op(B) + beta * C, for each of a number of batches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Run/Expression.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace rdna::run {

struct ResolvedLaunch;

/// One matrix of a product as the launch description has it. What is not said is contiguous.
struct MatrixDescription {
  std::string buffer;
  enum class Transposed { No, Yes } transposed = Transposed::No;
  std::optional<Formula> leading; ///< Elements between two rows (row-major) or columns.
  std::optional<Formula> stride;  ///< Elements between two batches.
  Formula offset;                 ///< Of the first element, in elements.
  Place place;
};

struct GemmDescription {
  Formula m, n, k, batches = "1";
  enum class Order { RowMajor, ColumnMajor } order = Order::RowMajor;
  /// A constant, or the name of an f32 argument.
  std::variant<double, std::string> alpha = 1.0, beta = 0.0;
  MatrixDescription a, b, c, d;
  std::string file; ///< For errors.
  Place place;
};

/// Where the elements of a matrix lie in its buffer: (row, column) of a batch is element
/// `first + row * rowStride + column * columnStride + batch * batchStride`.
struct MatrixPlace {
  size_t buffer = 0; ///< In ResolvedLaunch::buffers.
  uint64_t first = 0;
  uint64_t rowStride = 0, columnStride = 1, batchStride = 0;
  uint64_t at(uint64_t row, uint64_t column, uint64_t batch) const {
    return first + row * rowStride + column * columnStride + batch * batchStride;
  }
};

/// A is m x k and B is k x n after transposition, C and D are m x n. All are f32.
struct GemmShape {
  uint64_t m = 0, n = 0, k = 0, batches = 1;
  float alpha = 0, beta = 0;
  MatrixPlace a, b, c, d;
  /// Described: which workgroup computes what is not known. Square: rows and columns of C go with
  /// the grid's y and x.
  enum class Kind { Square, Described } kind = Kind::Described;
  double operations() const {
    return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
           static_cast<double>(batches);
  }
};

/// C = alpha * A * B + beta * C on square row-major matrices.
GemmShape squareGemm(uint64_t n, float alpha, float beta);

/// The ladder's SGEMM, if the arguments look like that: three matrices, the third an output, then
/// N, alpha, beta.
std::optional<GemmShape> recognizedGemm(const ResolvedLaunch &launch);

/// Evaluates a description for `launch`, whose arguments and parameters are known. Matrices that
/// do not fit their buffers are errors.
llvm::Expected<GemmShape> resolveGemm(const GemmDescription &description,
                                      const ResolvedLaunch &launch);

} // namespace rdna::run
