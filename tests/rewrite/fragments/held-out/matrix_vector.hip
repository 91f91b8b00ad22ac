//===- matrix_vector.hip - rows of a matrix times a vector -----------------===//
//
// The vector is loaded once for a step, the rows by themselves.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(matrix_vector) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[6] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float4 *m = reinterpret_cast<const float4 *>(lds) + t;
    const float4 *v = reinterpret_cast<const float4 *>(lds) + 512 + round;
#pragma unroll 1
    for (unsigned k = 0; k < 6; ++k) {
      float4 x = v[k * 16];
      for (unsigned i = 0; i < 6; ++i) {
        float4 row = m[k * 64 + i * 16];
        for (unsigned j = 0; j < 4; ++j)
          sum[i] += row[j] * x[j];
      }
    }
  }
  drain(out, sum);
}
