// C = alpha A B^T + beta C: edges of matrices are guarded where tiles are loaded and where C is.
#include "hip/hip_runtime.h"
extern "C" __global__ void epilogue(const float *A, const float *B, float *C, int M, int N, int K,
                                    float alpha, float beta) {
  __shared__ float As[16][65], Bs[16][65];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  int lr = threadIdx.x / 16, lk = threadIdx.x % 16;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int s = 0; s < 4; ++s) {
      int r = lr + s * 16;
      int ga = blockIdx.y * 64 + r, gb = blockIdx.x * 64 + r;
      As[lk][r] = ga < M && k0 + lk < K ? A[ga * K + k0 + lk] : 0.f;
      Bs[lk][r] = gb < N && k0 + lk < K ? B[gb * K + k0 + lk] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
      for (int i = 0; i < 4; ++i)
        x[i] = As[k][ty * 4 + i];
      for (int j = 0; j < 4; ++j)
        y[j] = Bs[k][tx * 4 + j];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      int r = blockIdx.y * 64 + ty * 4 + i, c = blockIdx.x * 64 + tx * 4 + j;
      if (r < M && c < N)
        C[r * N + c] = alpha * acc[i][j] + beta * C[r * N + c];
    }
}
