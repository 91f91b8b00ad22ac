//===- Wmma.cpp - matrix multiply-accumulate of a wave --------------------===//
//
// D = A x B + C of 16 x 16 matrices. In wave32 (ISA 7.9 "WMMA" and its figures), lane i holds row i
// of A and column i of B in consecutive bits, and lanes 16 to 31 repeat lanes 0 to 15; element
// (m, n) of C and D is in register m / 2 of lane n + 16 * (m % 2). EXEC is ignored.
//
// Precision is not documented. Here the sixteen products are added to C one after the other by
// fused multiply-adds in f32, k = 0 first, and a 16-bit result is rounded once at the end; integer
// sums are exact and wrap, or saturate at the end with CLAMP. MODE does not matter: nearest even,
// denormals kept.
//
//===----------------------------------------------------------------------===//
#include "Emu/FloatOps.h"

#include <algorithm>
#include <limits>

namespace rdna::emu {
namespace {

constexpr unsigned side = 16;
template <class T> using Matrix = std::array<std::array<T, side>, side>;

/// Calls f(m, n, register, lane) for the elements of C or D.
template <class F> void eachElement(F f) {
  for (unsigned m = 0; m < side; ++m)
    for (unsigned n = 0; n < side; ++n)
      f(m, n, m / 2, n + side * (m % 2));
}

struct HalfElement {
  static uint16_t constant(uint32_t bits) { return uint16_t(bits); }
  static float toFloat(uint16_t bits) { return halfToFloat(Half{bits}); }
  static uint16_t fromFloat(float x) { return floatToHalf(x).bits; }
};
struct BfloatElement {
  /// Float constants are those of f32, integers are what they are.
  static uint16_t constant(uint32_t bits) { return uint16_t(bits >> 16 ? bits >> 16 : bits); }
  static float toFloat(uint16_t bits) { return bfloatToFloat(bits); }
  static uint16_t fromFloat(float x) { return floatToBfloat(x); }
};

/// Row `i` of the result is what lane i holds. NEG_LO negates even elements, NEG_HI odd ones.
template <class E> Matrix<float> floatOperand(Wave &w, const Source &s) {
  uint32_t flip = (s.modifiers & modNeg ? 0x8000u : 0) | (s.modifiers & modNegHigh ? 1u << 31 : 0);
  Matrix<float> x;
  for (unsigned k = 0; k < side / 2; ++k)
    for (unsigned i = 0; i < side; ++i) {
      uint32_t pair = w.vgpr(s.index + k).lane[i] ^ flip;
      x[i][2 * k] = E::toFloat(uint16_t(pair));
      x[i][2 * k + 1] = E::toFloat(uint16_t(pair >> 16));
    }
  return x;
}

/// The bits of C: of a VGPR, or of a scalar for all elements.
uint32_t addendBits(Wave &w, const Source &s, unsigned reg, unsigned lane) {
  if (s.kind == SourceKind::Vgpr)
    return w.vgpr(s.index + reg).lane[lane];
  return s.kind == SourceKind::Scalar ? w.s[s.index] : uint32_t(s.constant);
}

float modified(float x, uint8_t modifiers) {
  x = modifiers & modAbs ? std::fabs(x) : x;
  return modifiers & modNeg ? -x : x;
}

void multiplyAdd(const Matrix<float> &a, const Matrix<float> &b, Matrix<float> &sum) {
  Matrix<float> columns; // columns[k][n]: the inner loop then runs over neighbours.
  for (unsigned k = 0; k < side; ++k)
    for (unsigned n = 0; n < side; ++n)
      columns[k][n] = b[n][k];
  for (unsigned m = 0; m < side; ++m)
    for (unsigned k = 0; k < side; ++k)
      for (unsigned n = 0; n < side; ++n)
        sum[m][n] = __builtin_fmaf(a[m][k], columns[k][n], sum[m][n]);
}

template <class E> void wmmaF32(Wave &w, const Inst &i) {
  const Source &c = i.src[2];
  Matrix<float> sum;
  eachElement([&](unsigned m, unsigned n, unsigned reg, unsigned lane) {
    sum[m][n] = modified(std::bit_cast<float>(addendBits(w, c, reg, lane)), c.modifiers);
  });
  multiplyAdd(floatOperand<E>(w, i.src[0]), floatOperand<E>(w, i.src[1]), sum);
  eachElement([&](unsigned m, unsigned n, unsigned reg, unsigned lane) {
    w.vgpr(i.dst + reg).lane[lane] = bits(quiet(sum[m][n]));
  });
}

/// 16-bit C and D take one half of each register, OP_SEL[2] says which; D keeps the other half.
template <class E> void wmmaHalf(Wave &w, const Inst &i) {
  const Source &c = i.src[2];
  unsigned shift = c.modifiers & modHigh ? 16 : 0;
  Matrix<float> sum;
  eachElement([&](unsigned m, unsigned n, unsigned reg, unsigned lane) {
    uint32_t bits = addendBits(w, c, reg, lane);
    uint16_t half = c.kind == SourceKind::Vgpr ? uint16_t(bits >> shift) : E::constant(bits);
    sum[m][n] = modified(E::toFloat(half), c.modifiers);
  });
  multiplyAdd(floatOperand<E>(w, i.src[0]), floatOperand<E>(w, i.src[1]), sum);
  eachElement([&](unsigned m, unsigned n, unsigned reg, unsigned lane) {
    uint32_t &r = w.vgpr(i.dst + reg).lane[lane];
    r = (r & ~(0xffffu << shift)) | uint32_t(E::fromFloat(quiet(sum[m][n]))) << shift;
  });
}

/// Integers of `width` bits; NEG_LO says whether the operand is signed.
template <unsigned width> Matrix<int32_t> integerOperand(Wave &w, const Source &s) {
  constexpr unsigned perDword = 32 / width;
  bool isSigned = s.modifiers & modSigned;
  Matrix<int32_t> x;
  for (unsigned k = 0; k < side; ++k)
    for (unsigned i = 0; i < side; ++i) {
      uint32_t dword = w.vgpr(s.index + k / perDword).lane[i];
      uint32_t top = dword << (32 - width - k % perDword * width);
      x[i][k] = isSigned ? int32_t(top) >> (32 - width) : int32_t(top >> (32 - width));
    }
  return x;
}

template <unsigned width> void wmmaInteger(Wave &w, const Inst &i) {
  const Matrix<int32_t> a = integerOperand<width>(w, i.src[0]);
  const Matrix<int32_t> b = integerOperand<width>(w, i.src[1]);
  Matrix<int64_t> sum;
  eachElement([&](unsigned m, unsigned n, unsigned reg, unsigned lane) {
    int32_t products = 0; // At most 16 * 255 * 255.
    for (unsigned k = 0; k < side; ++k)
      products += a[m][k] * b[n][k];
    sum[m][n] = int64_t(int32_t(addendBits(w, i.src[2], reg, lane))) + products;
  });
  eachElement([&](unsigned m, unsigned n, unsigned reg, unsigned lane) {
    constexpr int64_t low = std::numeric_limits<int32_t>::min();
    constexpr int64_t high = std::numeric_limits<int32_t>::max();
    int64_t x = i.clamp ? std::clamp(sum[m][n], low, high) : sum[m][n];
    w.vgpr(i.dst + reg).lane[lane] = uint32_t(x);
  });
}

} // namespace

std::span<const OpInfo> wmmaTable() {
  static constexpr OpInfo rows[] = {
#define ROW(mnemonic, handler, factors, sum)                                                       \
  OpInfo{.name = #mnemonic,                                                                        \
         .run = &handler,                                                                          \
         .shape = Shape::Matrix,                                                                   \
         .src = {LaneType::factors, LaneType::factors, LaneType::sum}},
#include "Emu/Wmma.def"
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
