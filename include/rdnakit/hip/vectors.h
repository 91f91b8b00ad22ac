//===- vectors.h - float4, int2, uchar4 and their kin ----------------------===//
//
// Sizes and alignments are those of HIP: vectors of 2 and 4 are aligned to their size, so that they
// are loaded and stored by one instruction; vectors of 3 are three scalars. Operators work
// component by component, and a scalar stands for a vector of equal components.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "coordinates.h"

#define RDNAKIT_INLINE constexpr __host__ __device__ __attribute__((always_inline))

// Members, constructors and make_* of one type each. The default constructor does nothing: arrays
// in LDS have to be trivial.
#define RDNAKIT_VECTOR_1(V, T, alignment)                                                          \
  struct alignas(alignment) V {                                                                    \
    T x;                                                                                           \
    V() = default;                                                                                 \
    RDNAKIT_INLINE V(T x_) : x(x_) {}                                                              \
  };                                                                                               \
  RDNAKIT_BOTH V make_##V(T x) { return V(x); }
#define RDNAKIT_VECTOR_2(V, T, alignment)                                                          \
  struct alignas(alignment) V {                                                                    \
    T x, y;                                                                                        \
    V() = default;                                                                                 \
    RDNAKIT_INLINE V(T s) : x(s), y(s) {}                                                          \
    RDNAKIT_INLINE V(T x_, T y_) : x(x_), y(y_) {}                                                 \
  };                                                                                               \
  RDNAKIT_BOTH V make_##V(T x, T y) { return V(x, y); }
#define RDNAKIT_VECTOR_3(V, T, alignment)                                                          \
  struct alignas(alignment) V {                                                                    \
    T x, y, z;                                                                                     \
    V() = default;                                                                                 \
    RDNAKIT_INLINE V(T s) : x(s), y(s), z(s) {}                                                    \
    RDNAKIT_INLINE V(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}                                    \
  };                                                                                               \
  RDNAKIT_BOTH V make_##V(T x, T y, T z) { return V(x, y, z); }
#define RDNAKIT_VECTOR_4(V, T, alignment)                                                          \
  struct alignas(alignment) V {                                                                    \
    T x, y, z, w;                                                                                  \
    V() = default;                                                                                 \
    RDNAKIT_INLINE V(T s) : x(s), y(s), z(s), w(s) {}                                              \
    RDNAKIT_INLINE V(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}                       \
  };                                                                                               \
  RDNAKIT_BOTH V make_##V(T x, T y, T z, T w) { return V(x, y, z, w); }

#define RDNAKIT_EACH_1(op) static_cast<T>(a.x op b.x)
#define RDNAKIT_EACH_2(op) static_cast<T>(a.x op b.x), static_cast<T>(a.y op b.y)
#define RDNAKIT_EACH_3(op) RDNAKIT_EACH_2(op), static_cast<T>(a.z op b.z)
#define RDNAKIT_EACH_4(op) RDNAKIT_EACH_3(op), static_cast<T>(a.w op b.w)
#define RDNAKIT_SAME_1 a.x == b.x
#define RDNAKIT_SAME_2 RDNAKIT_SAME_1 &&a.y == b.y
#define RDNAKIT_SAME_3 RDNAKIT_SAME_2 &&a.z == b.z
#define RDNAKIT_SAME_4 RDNAKIT_SAME_3 &&a.w == b.w

#define RDNAKIT_OPERATOR(V, Component, rank, op)                                                   \
  RDNAKIT_BOTH V operator op(const V &a, const V &b) {                                             \
    using T = Component;                                                                           \
    return V(RDNAKIT_EACH_##rank(op));                                                             \
  }                                                                                                \
  RDNAKIT_BOTH V operator op(const V &a, Component s) { return a op V(s); }                        \
  RDNAKIT_BOTH V operator op(Component s, const V &b) { return V(s) op b; }                        \
  RDNAKIT_BOTH V &operator op## = (V & a, const V &b) { return a = a op b; }                       \
  RDNAKIT_BOTH V &operator op## = (V & a, Component s) { return a = a op V(s); }
#define RDNAKIT_ARITHMETIC(V, T, rank)                                                             \
  RDNAKIT_OPERATOR(V, T, rank, +)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, -)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, *)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, /)                                                                  \
  RDNAKIT_BOTH V operator+(const V &a) { return a; }                                               \
  RDNAKIT_BOTH bool operator==(const V &a, const V &b) { return RDNAKIT_SAME_##rank; }             \
  RDNAKIT_BOTH bool operator!=(const V &a, const V &b) { return !(a == b); }
#define RDNAKIT_BITWISE(V, T, rank)                                                                \
  RDNAKIT_OPERATOR(V, T, rank, %)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, &)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, |)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, ^)                                                                  \
  RDNAKIT_OPERATOR(V, T, rank, <<)                                                                 \
  RDNAKIT_OPERATOR(V, T, rank, >>)                                                                 \
  RDNAKIT_BOTH V operator-(const V &a) { return V(static_cast<T>(0)) - a; }                        \
  RDNAKIT_BOTH V operator~(const V &a) { return a ^ V(static_cast<T>(-1)); }

#define RDNAKIT_INTEGER_VECTOR(V, T, rank, alignment)                                              \
  RDNAKIT_VECTOR_##rank(V, T, alignment) RDNAKIT_ARITHMETIC(V, T, rank) RDNAKIT_BITWISE(V, T, rank)
#define RDNAKIT_INTEGER_VECTORS(Name, T)                                                           \
  RDNAKIT_INTEGER_VECTOR(Name##1, T, 1, sizeof(T))                                                 \
  RDNAKIT_INTEGER_VECTOR(Name##2, T, 2, 2 * sizeof(T))                                             \
  RDNAKIT_INTEGER_VECTOR(Name##3, T, 3, sizeof(T))                                                 \
  RDNAKIT_INTEGER_VECTOR(Name##4, T, 4, 4 * sizeof(T))
// Not 0 - a: that would be +0 for +0.
#define RDNAKIT_FLOAT_VECTOR(V, T, rank, alignment, ...)                                           \
  RDNAKIT_VECTOR_##rank(V, T, alignment) RDNAKIT_ARITHMETIC(V, T, rank) RDNAKIT_BOTH V operator-(  \
      const V &a) {                                                                                \
    return V(__VA_ARGS__);                                                                         \
  }
#define RDNAKIT_FLOAT_VECTORS(Name, T)                                                             \
  RDNAKIT_FLOAT_VECTOR(Name##1, T, 1, sizeof(T), -a.x)                                             \
  RDNAKIT_FLOAT_VECTOR(Name##2, T, 2, 2 * sizeof(T), -a.x, -a.y)                                   \
  RDNAKIT_FLOAT_VECTOR(Name##3, T, 3, sizeof(T), -a.x, -a.y, -a.z)                                 \
  RDNAKIT_FLOAT_VECTOR(Name##4, T, 4, 4 * sizeof(T), -a.x, -a.y, -a.z, -a.w)

RDNAKIT_INTEGER_VECTORS(char, signed char)
RDNAKIT_INTEGER_VECTORS(uchar, unsigned char)
RDNAKIT_INTEGER_VECTORS(short, short)
RDNAKIT_INTEGER_VECTORS(ushort, unsigned short)
RDNAKIT_INTEGER_VECTORS(int, int)
RDNAKIT_INTEGER_VECTORS(uint, unsigned)
RDNAKIT_INTEGER_VECTORS(long, long)
RDNAKIT_INTEGER_VECTORS(ulong, unsigned long)
RDNAKIT_INTEGER_VECTORS(longlong, long long)
RDNAKIT_INTEGER_VECTORS(ulonglong, unsigned long long)
RDNAKIT_FLOAT_VECTORS(float, float)
RDNAKIT_FLOAT_VECTORS(double, double)

#undef RDNAKIT_FLOAT_VECTORS
#undef RDNAKIT_FLOAT_VECTOR
#undef RDNAKIT_INTEGER_VECTORS
#undef RDNAKIT_INTEGER_VECTOR
#undef RDNAKIT_BITWISE
#undef RDNAKIT_ARITHMETIC
#undef RDNAKIT_OPERATOR
#undef RDNAKIT_SAME_4
#undef RDNAKIT_SAME_3
#undef RDNAKIT_SAME_2
#undef RDNAKIT_SAME_1
#undef RDNAKIT_EACH_4
#undef RDNAKIT_EACH_3
#undef RDNAKIT_EACH_2
#undef RDNAKIT_EACH_1
#undef RDNAKIT_VECTOR_4
#undef RDNAKIT_VECTOR_3
#undef RDNAKIT_VECTOR_2
#undef RDNAKIT_VECTOR_1
#undef RDNAKIT_INLINE

constexpr __host__ __device__ inline dim3::dim3(const uint3 &v) : x(v.x), y(v.y), z(v.z) {}

namespace rdnakit {
__device__ inline __attribute__((always_inline)) ThreadIndex::operator uint3() const {
  return make_uint3(getX(), getY(), getZ());
}
__device__ inline __attribute__((always_inline)) BlockIndex::operator uint3() const {
  return make_uint3(getX(), getY(), getZ());
}
__device__ inline __attribute__((always_inline)) BlockSize::operator uint3() const {
  return make_uint3(getX(), getY(), getZ());
}
__device__ inline __attribute__((always_inline)) GridSize::operator uint3() const {
  return make_uint3(getX(), getY(), getZ());
}
} // namespace rdnakit
