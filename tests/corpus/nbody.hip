//===- nbody.hip - gravitation, all pairs ---------------------------------===//
//
// Accelerations of n bodies (x, y, z, mass). Tiles of 64 bodies pass through LDS; a lane keeps two
// bodies.
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Float4 __attribute__((ext_vector_type(4)));
constexpr unsigned Tile = 64;

KERNEL void WORKGROUP(Tile)
    nbody(const Float4 *__restrict__ bodies, Float4 *__restrict__ result, int n, float softening) {
  LDS Float4 tile[Tile];
  unsigned t = threadX();
  unsigned own[2] = {groupX() * 2 * Tile + t, groupX() * 2 * Tile + Tile + t};
  Float4 body[2] = {bodies[own[0]], bodies[own[1]]};
  float ax[2] = {}, ay[2] = {}, az[2] = {}, potential[2] = {};
#pragma unroll 1
  for (int first = 0; first < n; first += Tile) {
    tile[t] = bodies[first + t];
    barrier();
#pragma unroll 1
    for (unsigned i = 0; i < Tile; ++i) {
      Float4 other = tile[i];
      for (unsigned b = 0; b < 2; ++b) {
        float dx = other.x - body[b].x, dy = other.y - body[b].y, dz = other.z - body[b].z;
        float square = softening + dx * dx + dy * dy + dz * dz;
        float inverse = __builtin_amdgcn_rsqf(square);
        float pull = other.w * inverse;
        potential[b] += pull;
        pull *= inverse * inverse;
        ax[b] += dx * pull;
        ay[b] += dy * pull;
        az[b] += dz * pull;
      }
    }
    barrier();
  }
  for (unsigned b = 0; b < 2; ++b)
    result[own[b]] = Float4{ax[b], ay[b], az[b], potential[b]};
}
