#include "check.h"

/// A sum of doubles by compare and swap, and a maximum by an atomic.
__global__ void gather(const double *in, unsigned long long *sum, int *largest, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long old = atomicCAS(sum, 0ull, 0ull), seen;
  do {
    seen = old;
    old = atomicCAS(sum, seen, __double_as_longlong(__longlong_as_double(seen) + in[i]));
  } while (old != seen);
  atomicMax(largest, int(in[i]));
}

int main() {
  const int n = 200;
  std::vector<double> in(n);
  double expected = 0;
  for (int i = 0; i < n; ++i)
    expected += in[i] = (i * 37) % 101; // Whole numbers: any order gives the same.
  Buffer<double> din(in);
  Buffer<unsigned long long> sum(std::vector<unsigned long long>{0});
  Buffer<int> largest(std::vector<int>{-1});
  gather<<<2, 128>>>(din.data, sum.data, largest.data, n);
  HIP(hipDeviceSynchronize());
  double result;
  const unsigned long long bits = sum.read()[0];
  __builtin_memcpy(&result, &bits, 8);
  EXPECT(result == expected);
  EXPECT(largest.read()[0] == 100);
}
