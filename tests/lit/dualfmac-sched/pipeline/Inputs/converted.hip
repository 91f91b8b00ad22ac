// Tiles that are converted on their way to LDS, whole ones of 16 columns.
#include <hip/hip_runtime.h>

// max(A + bias, 0) times B; what is behind the end of K is 0.
extern "C" __global__ void __launch_bounds__(256)
    rectified(const float *A, const float *bias, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[16][17], Bs[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  const float b = bias[row];
  float sum = 0;
  for (int k = 0; k < K; k += 16) {
    const float a = A[row * K + min(k + tx, K - 1)] + b;
    As[ty][tx] = k + tx < K ? fmaxf(a, 0.0f) : 0.0f;
    Bs[ty][tx] = B[min(k + ty, K - 1) * N + col];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The same of bytes, with a factor for each row.
extern "C" __global__ void __launch_bounds__(256)
    bytes(const signed char *A, const float *scale, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[16][17], Bs[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  const float s = scale[row];
  float sum = 0;
  for (int k = 0; k < K; k += 16) {
    As[ty][tx] = s * (float)A[row * K + k + tx];
    Bs[ty][tx] = B[(k + ty) * N + col];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}
