#include "check.h"

#include <cmath>

constexpr int tile = 16;

__global__ void sgemm(const float *a, const float *b, float *c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum = fmaf(as[threadIdx.y][i], bs[i][threadIdx.x], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 64;
  const std::vector<float> a = someFloats(n * n, 3), b = someFloats(n * n, 4);
  Buffer<float> da(a), db(b), dc(n * n);
  hipEvent_t begin, end;
  HIP(hipEventCreate(&begin));
  HIP(hipEventCreate(&end));
  HIP(hipEventRecord(begin, nullptr));
  sgemm<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(da.data, db.data, dc.data, n);
  HIP(hipEventRecord(end, nullptr));
  HIP(hipEventSynchronize(end));
  float milliseconds = -1;
  HIP(hipEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds > 0);
  const std::vector<float> c = dc.read();
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum = std::fmaf(a[row * n + k], b[k * n + column], sum);
      EXPECT(c[row * n + column] == sum); // The same order of sums, so the same bits.
    }
  HIP(hipEventDestroy(begin));
  HIP(hipEventDestroy(end));
}
