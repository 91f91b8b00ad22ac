#include "check.h"

__global__ void histogram(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const int n = 10007;
  std::vector<unsigned char> in(n);
  std::vector<unsigned> expected(256);
  for (int i = 0; i < n; ++i)
    ++expected[in[i] = (unsigned char)(i * i / 13)];
  Buffer<unsigned char> din(in);
  Buffer<unsigned> bins(256);
  HIP(hipMemset(bins.data, 0, 256 * sizeof(unsigned)));
  histogram<<<5, 256>>>(din.data, bins.data, n);
  EXPECT(bins.read() == expected);
}
