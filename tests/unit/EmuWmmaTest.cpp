//===- EmuWmmaTest.cpp - matrix instructions ------------------------------===//
//
// Small integers: every product and sum is exact in any precision and order, so the expectation is
// a plain matrix product. A in v[1:8], B in v[9:16], C in v[17:24], D in v[100:107].
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

namespace emuWmmaTest {

using namespace rdna::test;

namespace {

using Matrix = std::array<std::array<int, 16>, 16>;

Matrix matrix(const std::function<int(int, int)> &f) {
  Matrix x{};
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c)
      x[r][c] = f(r, c);
  return x;
}
const Matrix a = matrix([](int m, int k) { return (m * 5 + k * 3) % 11 - 5; });
const Matrix b = matrix([](int k, int n) { return (k * 7 + n * 2) % 9 - 4; });
const Matrix c = matrix([](int m, int n) { return 16 * m + n - 100; });

Matrix product(const Matrix &x, const Matrix &y, const Matrix &z) {
  return matrix([&](int m, int n) {
    int sum = z[m][n];
    for (int k = 0; k < 16; ++k)
      sum += x[m][k] * y[k][n];
    return sum;
  });
}
Matrix transposed(const Matrix &x) {
  return matrix([&](int r, int c) { return x[c][r]; });
}

uint32_t halfOf(int x) {
  uint32_t f = f32(float(x)), magnitude = f & 0x7fffffff;
  return (x < 0 ? 0x8000 : 0) | (x == 0 ? 0 : ((magnitude >> 13) - ((127 - 15) << 10)));
}
uint32_t bfloatOf(int x) { return f32(float(x)) >> 16; }

/// Row `i` of `x` into lane i and lane i + 16, `width` bits an element.
void addFactor(std::vector<Row> &rows, const Matrix &x, unsigned width, uint32_t (*encode)(int)) {
  unsigned perDword = 32 / width, mask = width == 32 ? ~0u : (1u << width) - 1;
  for (unsigned reg = 0; reg < 8; ++reg)
    rows.push_back(byLane([&](uint32_t lane) {
      uint32_t dword = 0;
      for (unsigned e = 0; e < perDword && reg * perDword + e < 16; ++e)
        dword |= (encode(x[lane % 16][reg * perDword + e]) & mask) << e * width;
      return dword;
    }));
}
/// Element (m, n) is in register m / 2 of lane n + 16 * (m % 2).
void addSum(std::vector<Row> &rows, const Matrix &x, uint32_t (*encode)(int), unsigned shift = 0) {
  for (unsigned reg = 0; reg < 8; ++reg)
    rows.push_back(
        byLane([&](uint32_t lane) { return encode(x[2 * reg + lane / 16][lane % 16]) << shift; }));
}
std::vector<Row> sumRows(const Matrix &x, uint32_t (*encode)(int), unsigned shift = 0) {
  std::vector<Row> rows;
  addSum(rows, x, encode, shift);
  return rows;
}
uint32_t singleOf(int x) { return f32(float(x)); }
uint32_t same(int x) { return uint32_t(x); }

struct Case {
  std::string instruction;
  unsigned width;
  uint32_t (*factor)(int);
  uint32_t (*sum)(int);
  unsigned shift = 0;
};
std::vector<Row> multiply(const Case &t, const Matrix &x, const Matrix &y, const Matrix &z,
                          const std::string &before = "") {
  Snippet s;
  addFactor(s.inputs, x, t.width, t.factor);
  addFactor(s.inputs, transposed(y), t.width, t.factor);
  addSum(s.inputs, z, t.sum, t.shift);
  s.outputs = 8;
  for (int k = 0; k < 8; ++k)
    s.body += "v_mov_b32 v" + std::to_string(100 + k) + ", 0\n";
  s.body += before + t.instruction;
  return run(s).rows;
}

const std::string f32f16 = "v_wmma_f32_16x16x16_f16 v[100:107], v[1:8], v[9:16], v[17:24]";

TEST(EmuWmma, SinglePrecisionSums) {
  EXPECT_EQ(multiply({f32f16, 16, halfOf, singleOf}, a, b, c), sumRows(product(a, b, c), singleOf));
  EXPECT_EQ(multiply({"v_wmma_f32_16x16x16_bf16 v[100:107], v[1:8], v[9:16], v[17:24]", 16,
                      bfloatOf, singleOf},
                     a, b, c),
            sumRows(product(a, b, c), singleOf));
}

TEST(EmuWmma, IgnoresExecAndTakesConstants) {
  EXPECT_EQ(multiply({f32f16, 16, halfOf, singleOf}, a, b, c, "s_mov_b32 exec_lo, 0x00f0\n"),
            sumRows(product(a, b, c), singleOf));
  EXPECT_EQ(
      multiply({"v_wmma_f32_16x16x16_f16 v[100:107], v[1:8], v[9:16], 2.0", 16, halfOf, singleOf},
               a, b, c),
      sumRows(product(a, b, matrix([](int, int) { return 2; })), singleOf));
}

TEST(EmuWmma, DestinationMayBeASource) {
  Case t{"v_wmma_f32_16x16x16_f16 v[9:16], v[1:8], v[9:16], v[17:24]\n", 16, halfOf, singleOf};
  for (int k = 0; k < 8; ++k)
    t.instruction += "v_mov_b32 v" + std::to_string(100 + k) + ", v" + std::to_string(9 + k) + "\n";
  EXPECT_EQ(multiply(t, a, b, c), sumRows(product(a, b, c), singleOf));
}

TEST(EmuWmma, SixteenBitSumsUseOneHalf) {
  EXPECT_EQ(multiply({"v_wmma_f16_16x16x16_f16 v[100:107], v[1:8], v[9:16], v[17:24]", 16, halfOf,
                      halfOf},
                     a, b, c),
            sumRows(product(a, b, c), halfOf));
  EXPECT_EQ(multiply({"v_wmma_f16_16x16x16_f16 v[100:107], v[1:8], v[9:16], v[17:24] "
                      "op_sel:[0,0,1]",
                      16, halfOf, halfOf, 16},
                     a, b, c),
            sumRows(product(a, b, c), halfOf, 16));
  // Sums of at most 8 bits are exact in bf16.
  const Matrix small = matrix([](int m, int n) { return (m + n) % 3 - 1; });
  const Matrix diagonal = matrix([](int r, int col) { return r == col ? 3 : 0; });
  EXPECT_EQ(multiply({"v_wmma_bf16_16x16x16_bf16 v[100:107], v[1:8], v[9:16], v[17:24]", 16,
                      bfloatOf, bfloatOf},
                     small, diagonal, small),
            sumRows(product(small, diagonal, small), bfloatOf));
}

TEST(EmuWmma, Integers) {
  const std::string iu8 = "v_wmma_i32_16x16x16_iu8 v[100:107], v[1:4], v[9:12], v[17:24]";
  const std::string iu4 = "v_wmma_i32_16x16x16_iu4 v[100:107], v[1:2], v[9:10], v[17:24]";
  EXPECT_EQ(multiply({iu8 + " neg_lo:[1,1,0]", 8, same, same}, a, b, c),
            sumRows(product(a, b, c), same));
  EXPECT_EQ(multiply({iu4 + " neg_lo:[1,1,0]", 4, same, same}, a, b, c),
            sumRows(product(matrix([](int m, int k) { return a[m][k] << 28 >> 28; }), b, c), same));
  // Without NEG the operand is unsigned.
  auto unsignedOf = [](const Matrix &x, int mask) {
    return matrix([&](int r, int col) { return x[r][col] & mask; });
  };
  EXPECT_EQ(multiply({iu8 + " neg_lo:[0,1,0]", 8, same, same}, a, b, c),
            sumRows(product(unsignedOf(a, 255), b, c), same));
  EXPECT_EQ(multiply({iu4, 4, same, same}, a, b, c),
            sumRows(product(unsignedOf(a, 15), unsignedOf(b, 15), c), same));
}

TEST(EmuWmma, IntegersSaturateWithClamp) {
  const Matrix ones = matrix([](int, int) { return 1; });
  const Matrix edge = matrix([](int, int) { return 0x7ffffff8; });
  const std::string iu8 = "v_wmma_i32_16x16x16_iu8 v[100:107], v[1:4], v[9:12], v[17:24]";
  EXPECT_EQ(multiply({iu8 + " clamp", 8, same, same}, ones, ones, edge)[3], broadcast(0x7fffffff));
  EXPECT_EQ(multiply({iu8, 8, same, same}, ones, ones, edge)[3], broadcast(0x80000008));
}

TEST(EmuWmma, NegatedOperands) {
  // Both halves of A negated; the absolute value of C.
  const Matrix minusA = matrix([](int m, int k) { return -a[m][k]; });
  const Matrix absC = matrix([](int m, int n) { return std::abs(c[m][n]); });
  EXPECT_EQ(multiply({f32f16 + " neg_lo:[1,0,0] neg_hi:[1,0,1]", 16, halfOf, singleOf}, a, b, c),
            sumRows(product(minusA, b, absC), singleOf));
}

} // namespace

} // namespace emuWmmaTest
