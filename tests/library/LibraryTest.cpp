// Generated headers, through the compiler and with the emulator in HIP's place: what sgemm() makes
// of BLAS's arguments, which kernel it picks, and what the headers of single kernels launch.

#include "HipShim.h"

#include "batched.h"
#include "gemm.h"
#include "parts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

using namespace rdna::test;
using gemm::Operation;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::string fileOf(const std::string &name) {
  std::ifstream file(std::string(RDNA_LIBRARY_DIR) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Memory of the shim's, with values of a small generator in it.
class Floats {
public:
  explicit Floats(size_t count, uint32_t seed = 0) : count_(count) {
    void *pointer = nullptr;
    EXPECT_EQ(hipMalloc(&pointer, 4 * std::max<size_t>(count, 1)), hipSuccess);
    data_ = static_cast<float *>(pointer);
    for (size_t i = 0; i < count && seed != 0; ++i) {
      seed = seed * 1664525 + 1013904223;
      data_[i] = static_cast<float>(static_cast<int32_t>(seed)) * 0x1p-31f;
    }
  }
  ~Floats() { static_cast<void>(hipFree(data_)); }
  Floats(const Floats &) = delete;
  Floats &operator=(const Floats &) = delete;
  float *data() { return data_; }
  float &operator[](size_t i) { return data_[i]; }
  std::vector<float> copy() const { return {data_, data_ + count_}; }

private:
  float *data_ = nullptr;
  size_t count_;
};

/// Column-major, with NaN between the columns.
struct Matrix {
  size_t rows, columns, leading;
  Floats elements;
  Matrix(size_t rows, size_t columns, size_t pad, uint32_t seed)
      : rows(rows), columns(columns), leading(std::max<size_t>(rows, 1) + pad),
        elements(leading * std::max<size_t>(columns, 1), seed) {
    for (size_t column = 0; column < columns; ++column)
      for (size_t row = rows; row < leading; ++row)
        elements[column * leading + row] = kNan;
  }
  float &at(size_t row, size_t column) { return elements[column * leading + row]; }
};

gemm::Handle &handle() {
  static gemm::Handle loaded;
  if (!loaded.isLoaded()) {
    EXPECT_EQ(loaded.load(fileOf("gemm.hsaco").data()), hipSuccess);
  }
  return loaded;
}

struct Case {
  Operation transa, transb;
  int m, n, k;
  float alpha, beta;
  size_t pad;
};

/// The sum of k from `first` on, `length` of them, in their order.
float partOf(Matrix &a, Matrix &b, const Case &c, size_t row, size_t column, size_t first,
             size_t length) {
  float sum = 0;
  for (size_t k = first; k < std::min<size_t>(c.k, first + length); ++k)
    sum = std::fma(c.transa == Operation::None ? a.at(row, k) : a.at(k, row),
                   c.transb == Operation::None ? b.at(k, column) : b.at(column, k), sum);
  return sum;
}

/// Bit for bit; K in `parts` of whole steps of `bk`.
void check(const Case &c, unsigned parts, unsigned bk, hipStream_t stream = nullptr) {
  SCOPED_TRACE(testing::Message() << c.m << "x" << c.n << "x" << c.k << " " << int(c.transa)
                                  << int(c.transb) << " alpha " << c.alpha << " beta " << c.beta);
  Matrix a(c.transa == Operation::None ? c.m : c.k, c.transa == Operation::None ? c.k : c.m, c.pad,
           1);
  Matrix b(c.transb == Operation::None ? c.k : c.n, c.transb == Operation::None ? c.n : c.k, c.pad,
           2);
  Matrix result(c.m, c.n, c.pad, 3), before(c.m, c.n, c.pad, 3);
  if (c.beta == 0) // C is not read.
    for (int column = 0; column < c.n; ++column)
      for (int row = 0; row < c.m; ++row)
        result.at(row, column) = kNan;
  ASSERT_EQ(gemm::sgemm(handle(), c.transa, c.transb, c.m, c.n, c.k, c.alpha, a.elements.data(),
                        int(a.leading), b.elements.data(), int(b.leading), c.beta,
                        result.elements.data(), int(result.leading), stream),
            hipSuccess);
  const size_t length = (size_t(c.k) + bk * parts - 1) / (bk * parts) * bk;
  for (int column = 0; column < c.n; ++column) {
    for (int row = 0; row < c.m; ++row) {
      float total = partOf(a, b, c, row, column, 0, parts == 1 ? c.k : length);
      for (unsigned part = 1; part < parts; ++part)
        total += partOf(a, b, c, row, column, part * length, length);
      const float wanted =
          c.beta == 0 ? c.alpha * total : std::fma(c.alpha, total, c.beta * before.at(row, column));
      ASSERT_EQ(result.at(row, column), wanted) << row << ", " << column;
    }
    for (size_t row = c.m; row < result.leading; ++row)
      ASSERT_TRUE(std::isnan(result.at(row, column))) << "behind column " << column;
  }
}

TEST(Library, EveryLayoutAndEdges) {
  for (const Operation transa : {Operation::None, Operation::Transpose})
    for (const Operation transb : {Operation::None, Operation::Transpose})
      for (const auto &[m, n, k] :
           std::vector<std::array<int, 3>>{{1, 1, 1}, {64, 64, 64}, {65, 31, 41}, {7, 100, 16}})
        for (const size_t pad : {size_t{0}, size_t{3}, size_t{4}})
          check({transa, transb, m, n, k, 1.25f, pad == 0 ? 0.5f : 0.0f, pad}, 1, 1);
}

/// Sizes and leading dimensions would allow 128-bit accesses; where a pointer does not, there are
/// none.
TEST(Library, PointersThatAreAlignedToOneElement) {
  constexpr int m = 36, n = 40, k = 24;
  for (const auto &[ofA, ofB, ofC] : std::vector<std::array<size_t, 3>>{
           {0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {2, 2, 2}, {3, 1, 2}}) {
    Floats a(m * k + 4, 1), b(k * n + 4, 2), c(m * n + 8);
    ASSERT_EQ(gemm::sgemm(handle(), Operation::None, Operation::None, m, n, k, 1.25f,
                          a.data() + ofA, m, b.data() + ofB, k, 0, c.data() + ofC, m, nullptr),
              hipSuccess);
    for (size_t i = 0; i < m * n + 8; ++i) {
      float sum = 0;
      const size_t at = i - ofC, row = at % m, column = at / m;
      if (i < ofC || column >= n) {
        ASSERT_TRUE(std::isnan(c[i])) << i;
        continue;
      }
      for (size_t x = 0; x < k; ++x)
        sum = std::fma(a[ofA + x * m + row], b[ofB + column * k + x], sum);
      ASSERT_EQ(c[i], 1.25f * sum) << row << ", " << column;
    }
  }
}

const gemm::Kernel &picked(const Case &c) {
  gemm::Arguments p{};
  p.m = c.m;
  p.n = c.n;
  p.k = c.k;
  p.lda = std::max(c.m, c.k);
  p.ldb = std::max(c.n, c.k);
  p.ldc = c.m;
  p.c = reinterpret_cast<float *>(64); // Not looked at.
  const size_t number = gemm::pick(c.transa, c.transb, p);
  EXPECT_LT(number, gemm::kernelCount);
  return gemm::kernels[number];
}

/// The sizes file has one for a long K; calls with two streams share the workspace.
TEST(Library, LongSumsAreSplit) {
  const Case c{Operation::None, Operation::None, 30, 33, 1500, 1.25f, 0.5f, 1};
  const gemm::Kernel &kernel = picked(c);
  ASSERT_GT(kernel.parts, 1u);
  EXPECT_EQ(picked({Operation::None, Operation::None, 60, 60, 60, 1, 0, 0}).parts, 1u);
  check(c, kernel.parts, kernel.bk);
  EXPECT_EQ(lastKernel(), kernel.sumName);
  Case larger = c;
  larger.m = 50;
  check(larger, kernel.parts, kernel.bk, reinterpret_cast<hipStream_t>(64));
  check(c, kernel.parts, kernel.bk);
}

TEST(Library, NothingToSum) {
  check({Operation::None, Operation::None, 5, 7, 0, 1.25f, 0.5f, 1}, 1, 1);
  check({Operation::None, Operation::None, 5, 7, 0, 1.25f, 0.0f, 1}, 1, 1);
  // A and B are not read if alpha is 0.
  Matrix c(5, 7, 0, 3), before(5, 7, 0, 3);
  EXPECT_EQ(gemm::sgemm(handle(), Operation::None, Operation::None, 5, 7, 9, 0, nullptr, 5, nullptr,
                        9, 2, c.elements.data(), 5, nullptr),
            hipSuccess);
  for (size_t i = 0; i < 35; ++i)
    EXPECT_EQ(c.elements[i], 2 * before.elements[i]);
  const size_t launches = launchCount();
  for (const auto &[m, n, k, beta] : std::vector<std::tuple<int, int, int, float>>{
           {0, 7, 9, 0.5f}, {5, 0, 9, 0.5f}, {5, 7, 0, 1}})
    EXPECT_EQ(gemm::sgemm(handle(), Operation::None, Operation::None, m, n, k, 1.0f, nullptr, 5,
                          nullptr, 9, beta, nullptr, 5, nullptr),
              hipSuccess);
  EXPECT_EQ(launchCount(), launches);
}

TEST(Library, IllegalValues) {
  Floats a(100, 1), b(100, 2), c(100, 3);
  const std::vector<float> before = c.copy();
  const auto call = [&](gemm::Handle &h, int m, int n, int k, int lda, int ldb, int ldc) {
    return gemm::sgemm(h, Operation::None, Operation::Transpose, m, n, k, 1, a.data(), lda,
                       b.data(), ldb, 0, c.data(), ldc, nullptr);
  };
  gemm::Handle empty;
  EXPECT_EQ(call(empty, 4, 5, 6, 4, 5, 4), hipErrorInvalidValue);
  EXPECT_EQ(call(handle(), -1, 5, 6, 4, 5, 4), hipErrorInvalidValue);
  EXPECT_EQ(call(handle(), 4, 5, -6, 4, 5, 4), hipErrorInvalidValue);
  EXPECT_EQ(call(handle(), 4, 5, 6, 3, 5, 4), hipErrorInvalidValue);
  EXPECT_EQ(call(handle(), 4, 5, 6, 4, 4, 4), hipErrorInvalidValue);
  EXPECT_EQ(call(handle(), 4, 5, 6, 4, 5, 3), hipErrorInvalidValue);
  EXPECT_EQ(call(handle(), 4, 5, 0, 4, 0, 4), hipErrorInvalidValue);
  // Offsets of 31 bits do not reach 100 columns of 2^24 elements.
  EXPECT_EQ(gemm::sgemm(handle(), Operation::Transpose, Operation::None, 100, 1, 1, 1, a.data(),
                        1 << 28, b.data(), 1, 0, c.data(), 100, nullptr),
            hipErrorNotSupported);
  EXPECT_EQ(c.copy(), before);
}

/// Row-major and batched, with blocks in turns.
TEST(KernelHeader, Batched) {
  batched::Sgemm sgemm;
  batched::Arguments p{};
  EXPECT_EQ(sgemm(p, nullptr), hipErrorInvalidValue); // Not loaded.
  ASSERT_EQ(sgemm.load(fileOf("batched.hsaco").data()), hipSuccess);
  constexpr unsigned m = 70, n = 33, k = 9, batches = 3;
  Floats a(m * k * batches, 1), b(k * n * batches, 2), c(m * n * batches);
  p = {a.data(), b.data(), c.data(), m, n, k, k, n, n, 1.5f, 0, {{m * k, k * n, m * n}}};
  ASSERT_EQ(sgemm(p, nullptr, batches), hipSuccess);
  for (unsigned batch = 0; batch < batches; ++batch)
    for (unsigned row = 0; row < m; ++row)
      for (unsigned column = 0; column < n; ++column) {
        float sum = 0;
        for (unsigned i = 0; i < k; ++i)
          sum = std::fma(a[(batch * m + row) * k + i], b[(batch * k + i) * n + column], sum);
        ASSERT_EQ(c[(batch * m + row) * n + column], 1.5f * sum);
      }
  p.lda = k - 1;
  EXPECT_EQ(sgemm(p, nullptr, batches), hipErrorInvalidValue);
}

/// Leading dimensions of a problem for the kernel `batched`, of blocks of 32 x 32 and steps of 8.
struct Leading {
  uint32_t a, b, c;
};

/// Sizes with which all of A, B and C are larger than 4 GiB where they reach to the limit.
constexpr uint32_t kRows = 96, kColumns = 2, kDepth = 35;
constexpr Leading kDense{kDepth, kColumns, kColumns};
/// The largest leading dimensions: 32 lines of A and C, 8 of B, are just below 2 GiB.
constexpr uint32_t kMostA = (1u << 24) - 1, kMostB = (1u << 26) - 1, kMostC = kMostA;

batched::Arguments argumentsOf(const Leading &leading) {
  return {nullptr,   nullptr,   nullptr,   kRows, kColumns, kDepth,
          leading.a, leading.b, leading.c, 1.25f, 0,        {{0, 0, 0}}};
}

/// Runs it without the header's check, and compares what it gives.
hipError_t runUnchecked(const Leading &leading) {
  batched::Arguments p = argumentsOf(leading);
  Floats a(size_t{kRows - 1} * leading.a + kDepth), b(size_t{kDepth - 1} * leading.b + kColumns),
      c(size_t{kRows - 1} * leading.c + kColumns);
  const auto atA = [&](size_t row, size_t k) -> float & { return a[row * leading.a + k]; };
  const auto atB = [&](size_t k, size_t column) -> float & { return b[k * leading.b + column]; };
  const auto atC = [&](size_t row, size_t column) -> float & {
    return c[row * leading.c + column];
  };
  for (unsigned k = 0; k < kDepth; ++k) {
    for (unsigned row = 0; row < kRows; ++row)
      atA(row, k) = static_cast<float>(row * 37 + k * 11 % 64) / 64;
    for (unsigned column = 0; column < kColumns; ++column)
      atB(k, column) = static_cast<float>(k * 5 + column) / 128;
  }
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < kColumns; ++column)
      atC(row, column) = -1;
  p.a = a.data();
  p.b = b.data();
  p.c = c.data();
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  EXPECT_EQ(hipModuleLoadData(&module, fileOf("batched.hsaco").data()), hipSuccess);
  EXPECT_EQ(hipModuleGetFunction(&function, module, batched::kernel.name), hipSuccess);
  const hipError_t status = batched::launchOne(
      function, batched::gridOf(batched::kernel, kRows, kColumns, 1), batched::kernel.threads, p,
      batched::argumentBytes(batched::kernel), nullptr);
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < kColumns; ++column) {
      float sum = 0;
      for (unsigned k = 0; k < kDepth; ++k)
        sum = std::fma(atA(row, k), atB(k, column), sum);
      EXPECT_EQ(atC(row, column), status == hipSuccess ? 1.25f * sum : -1) << row << " " << column;
    }
  EXPECT_EQ(hipModuleUnload(module), hipSuccess);
  return status;
}

/// To the last leading dimension that offsets reach, with matrices above 4 GiB; from the next one
/// on the header refuses, and every block traps before it writes anything.
TEST(KernelHeader, ReachesTwoGib) {
  const std::pair<uint32_t Leading::*, uint32_t> sides[] = {
      {&Leading::a, kMostA}, {&Leading::b, kMostB}, {&Leading::c, kMostC}};
  for (const auto &[side, most] : sides) {
    Leading leading = kDense;
    leading.*side = most;
    EXPECT_EQ(batched::check(batched::kernel, argumentsOf(leading)), hipSuccess) << most;
    EXPECT_EQ(runUnchecked(leading), hipSuccess) << most;
    leading.*side = most + 1;
    EXPECT_EQ(batched::check(batched::kernel, argumentsOf(leading)), hipErrorInvalidValue) << most;
    EXPECT_EQ(runUnchecked(leading), hipErrorLaunchFailure) << most;
  }
}

/// Fewer lines than a block has reach further.
TEST(KernelHeader, FewLinesReachFurther) {
  const uint32_t most = (1u << 29) - 1;
  batched::Arguments p{};
  p.m = p.n = p.k = 1;
  p.lda = p.ldb = p.ldc = most;
  EXPECT_EQ(batched::check(batched::kernel, p), hipSuccess);
  for (uint32_t batched::Arguments::*side :
       {&batched::Arguments::lda, &batched::Arguments::ldb, &batched::Arguments::ldc}) {
    batched::Arguments further = p;
    further.*side = most + 1;
    EXPECT_EQ(batched::check(batched::kernel, further), hipErrorInvalidValue);
  }
}

TEST(KernelHeader, Parts) {
  parts::Sgemm sgemm;
  ASSERT_EQ(sgemm.load(fileOf("parts.hsaco").data()), hipSuccess);
  constexpr unsigned m = 3, n = 300, k = 64;
  Floats a(m * k, 1), b(k * n, 2), c(m * n);
  parts::Arguments p{};
  p.a = a.data();
  p.b = b.data();
  p.c = c.data();
  p.m = m;
  p.n = n;
  p.k = p.lda = k;
  p.ldb = p.ldc = n;
  p.alpha = 1;
  EXPECT_EQ(sgemm(p, nullptr), hipErrorInvalidValue); // No workspace.
  Floats workspace(parts::workspaceBytes(parts::kernel, m, n) / 4);
  p.workspace = workspace.data();
  ASSERT_EQ(sgemm(p, nullptr), hipSuccess);
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double sum = 0;
      for (unsigned i = 0; i < k; ++i)
        sum += double(a[row * k + i]) * b[i * n + column];
      ASSERT_NEAR(c[row * n + column], sum, 1e-5);
    }
}

} // namespace
