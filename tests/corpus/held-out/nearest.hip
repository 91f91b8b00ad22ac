//===- nearest.hip - nearest of a set of points ---------------------------===//
//
// Squared distances in 8 dimensions from four queries per lane to every point; the smallest and
// its index are kept with selects.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Dimensions = 8, Queries = 4;

KERNEL void WORKGROUP(32)
    nearest(const float *__restrict__ queries, const float *__restrict__ points,
            float *__restrict__ distance, int *__restrict__ index, int count, int lanes) {
  unsigned id = groupX() * 32 + threadX();
  float q[Queries][Dimensions], best[Queries];
  int at[Queries] = {};
  for (unsigned i = 0; i < Queries; ++i) {
    best[i] = 3.0e38f;
    for (unsigned d = 0; d < Dimensions; ++d)
      q[i][d] = queries[(i * Dimensions + d) * lanes + id];
  }
#pragma unroll 1
  for (int p = 0; p < count; ++p)
    for (unsigned i = 0; i < Queries; ++i) {
      float sum = 0;
      for (unsigned d = 0; d < Dimensions; ++d) {
        float difference = q[i][d] - points[p * Dimensions + d];
        sum += difference * difference;
      }
      at[i] = sum < best[i] ? p : at[i];
      best[i] = __builtin_fminf(best[i], sum);
    }
  for (unsigned i = 0; i < Queries; ++i) {
    distance[i * lanes + id] = best[i];
    index[i * lanes + id] = at[i];
  }
}
