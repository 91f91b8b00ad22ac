// Whole tiles, and one for what is left of K.
#include "hip/hip_runtime.h"
extern "C" __global__ void tail(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[16][17], Bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.f;
  int whole = K / 16 * 16, k0 = 0;
  for (; k0 < whole; k0 += 16) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (k0 < K) {
    As[ty][tx] = k0 + tx < K ? A[row * K + k0 + tx] : 0.f;
    Bs[ty][tx] = k0 + ty < K ? B[(k0 + ty) * N + col] : 0.f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[ty][k] * Bs[k][tx];
  }
  C[row * N + col] = acc;
}
