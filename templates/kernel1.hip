//===- kernel1.hip - SGEMM, one thread per element ------------------------===//
//
// C = alpha * A * B + beta * C, N x N, row-major. A workgroup of 16 x 16 threads computes a 16 x 16
// tile; every operand comes from global memory.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(256)
    sgemm_kernel1(const float *A, const float *B, float *C, int N, float alpha, float beta) {
  unsigned row = groupY() * 16 + threadY();
  unsigned column = groupX() * 16 + threadX();
  unsigned n = N;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k)
    sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = alpha * sum + beta * C[row * n + column];
}
