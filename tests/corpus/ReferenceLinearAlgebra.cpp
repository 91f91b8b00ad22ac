#include "corpus/Reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

namespace rdna::corpus {

using Complex = std::complex<double>;

static Complex complexAt(const std::vector<double> &buffer, size_t index) {
  return {buffer[2 * index], buffer[2 * index + 1]};
}

/// C = alpha * A * B + beta * C for the ladder's square matrices and for the corpus's tiles.
static void multiply(Arguments &a, size_t m, size_t n, size_t depth) {
  std::vector<double> &c = a.buffers[2];
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (size_t k = 0; k < depth; ++k)
        sum += a.buffers[0][i * depth + k] * a.buffers[1][k * n + j];
      c[i * n + j] = a.floats[0] * sum + a.floats[1] * c[i * n + j];
    }
}

static void square(Arguments &a) { multiply(a, a["N"], a["N"], a["N"]); }
static void tile(Arguments &a) { multiply(a, a["M"], a["N"], a["K"]); }

/// The same with A as K x M.
static void transposed(Arguments &a) {
  const size_t m = a["M"], depth = a["K"];
  const std::vector<double> given = a.buffers[0];
  for (size_t i = 0; i < m; ++i)
    for (size_t k = 0; k < depth; ++k)
      a.buffers[0][i * depth + k] = given[k * m + i];
  tile(a);
  a.buffers[0] = given;
}

static void gemv(Arguments &a) {
  const size_t columns = a["columns"];
  for (size_t row = 0; row < a["rows"]; ++row) {
    double sum = 0;
    for (size_t k = 0; k < columns; ++k)
      sum += a.buffers[0][row * columns + k] * a.buffers[1][k];
    a.buffers[2][row] = sum;
  }
}

static void gemvColumnMajor(Arguments &a) {
  const size_t rows = a["rows"];
  for (size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (size_t k = 0; k < a["columns"]; ++k)
      sum += a.buffers[0][k * rows + row] * a.buffers[1][k];
    a.buffers[2][row] = sum;
  }
}

static void cgemm(Arguments &a) {
  const size_t n = a["n"];
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      Complex sum = 0;
      for (size_t k = 0; k < n; ++k)
        sum += complexAt(a.buffers[0], i * n + k) * complexAt(a.buffers[1], k * n + j);
      a.buffers[2][2 * (i * n + j)] = sum.real();
      a.buffers[2][2 * (i * n + j) + 1] = sum.imag();
    }
}

static void dot(Arguments &a) {
  const size_t perGroup = a["perGroup"];
  for (size_t group = 0; group < a["groups"]; ++group) {
    double sum = 0;
    for (size_t k = group * perGroup; k < (group + 1) * perGroup; ++k)
      sum += a.buffers[0][k] * a.buffers[1][k];
    a.buffers[2][group] = sum;
  }
}

static void scalarAlpha(Arguments &a) {
  for (size_t column = 0; column < a["columns"]; ++column)
    for (size_t row = 0; row < a["rows"]; ++row)
      a.buffers[1][column] = a.floats[0] * a.buffers[0][row * a["columns"] + column] +
                             a.floats[1] * a.buffers[1][column];
}

static void batched3x3(Arguments &a) {
  using Matrix = std::array<double, 9>;
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id) {
    Matrix p{1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (size_t m = 0; m < a["length"]; ++m) {
      Matrix r{};
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
          for (size_t k = 0; k < 3; ++k)
            r[3 * i + j] += p[3 * i + k] * a.buffers[0][(m * 9 + 3 * k + j) * lanes + id];
      p = r;
    }
    for (size_t i = 0; i < 9; ++i)
      a.buffers[1][i * lanes + id] = p[i];
  }
}

static void softmax(Arguments &a) {
  const size_t columns = a["columns"];
  for (size_t row = 0; row < a["rows"]; ++row) {
    const double *x = a.buffers[0].data() + row * columns;
    double *y = a.buffers[1].data() + row * columns;
    const double high = *std::max_element(x, x + columns);
    double sum = 0;
    for (size_t k = 0; k < columns; ++k)
      sum += y[k] = std::exp(a.floats[0] * (x[k] - high));
    for (size_t k = 0; k < columns; ++k)
      y[k] /= sum;
  }
}

static void nearest(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t query = 0; query < 4; ++query) {
      double best = HUGE_VAL;
      size_t at = 0;
      for (size_t p = 0; p < a["count"]; ++p) {
        double sum = 0;
        for (size_t d = 0; d < 8; ++d)
          sum += std::pow(a.buffers[0][(query * 8 + d) * lanes + id] - a.buffers[1][p * 8 + d], 2);
        if (sum < best) {
          best = sum;
          at = p;
        }
      }
      a.buffers[2][query * lanes + id] = best;
      a.buffers[3][query * lanes + id] = static_cast<double>(at);
    }
}

std::map<std::string, Reference> linearAlgebraReferences() {
  std::map<std::string, Reference> result{
      {"gemv", {gemv, 1e-5}},
      {"gemv_sgpr", {gemvColumnMajor, 1e-5}},
      {"cgemm", {cgemm, 1e-5}},
      {"dot", {dot, 1e-5}},
      {"nearest", {nearest, 1e-5}},
      {"scalar_alpha", {scalarAlpha, 1e-5}},
      {"softmax", {softmax, 1e-5}},
      {"batched_3x3", {batched3x3, 1e-5}},
      {"spill", {tile, 1e-5}},
      {"sgemm_guarded", {transposed, 1e-5}},
      {"sgemm_double_buffered", {tile, 1e-5}},
  };
  for (const char *shape : {"2x2", "4x4", "8x8", "16x8", "8x16", "3x5", "5x7", "1x8", "7x6"})
    result[std::string("sgemm_") + shape] = {tile, 1e-5};
  for (const char *kernel : {"1", "2", "3", "4", "5", "5_spill", "5_debug"})
    result[std::string("kernel") + kernel] = {square, 1e-5};
  return result;
}

} // namespace rdna::corpus
