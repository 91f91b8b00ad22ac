#include "check.h"

/// Inclusive sums of a block, with two buffers in dynamic LDS.
__global__ void scanBlock(const int *in, int *out, int n) {
  extern __shared__ int shared[];
  int *from = shared, *to = shared + n;
  const int i = threadIdx.x;
  from[i] = in[i];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    to[i] = from[i] + (i >= step ? from[i - step] : 0);
    __syncthreads();
    int *other = from;
    from = to;
    to = other;
  }
  out[i] = from[i];
}

int main() {
  const int n = 512;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 31 % 17;
  Buffer<int> din(in), dout(n);
  scanBlock<<<1, n, 2 * n * sizeof(int)>>>(din.data, dout.data, n);
  HIP(hipGetLastError());
  const std::vector<int> out = dout.read();
  int sum = 0;
  for (int i = 0; i < n; ++i)
    EXPECT(out[i] == (sum += in[i]));
}
