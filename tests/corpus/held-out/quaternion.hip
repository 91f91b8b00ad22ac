//===- quaternion.hip - chains of quaternion products ---------------------===//
//
// Two chains per lane; every product needs all four components of the one before.
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

KERNEL void WORKGROUP(64)
    quaternion(const Float4 *__restrict__ q, Float4 *__restrict__ products, int length, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  Float4 p[2] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
#pragma unroll 1
  for (int n = 0; n < length; ++n)
    for (unsigned i = 0; i < 2; ++i) {
      Float4 a = p[i], b = q[(n * 2 + i) * lanes + id];
      p[i].x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
      p[i].y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
      p[i].z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
      p[i].w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    }
  for (unsigned i = 0; i < 2; ++i)
    products[i * lanes + id] = p[i];
}
