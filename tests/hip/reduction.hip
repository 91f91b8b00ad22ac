#include "check.h"

__global__ void sumAll(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down(sum, step, 32);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, sum);
}

int main() {
  const int n = 5000;
  std::vector<int> in(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += in[i] = i * 7 % 1001 - 500;
  Buffer<int> din(in), dout(std::vector<int>{0});
  sumAll<<<8, 128>>>(din.data, dout.data, n);
  HIP(hipGetLastError());
  EXPECT(dout.read()[0] == expected);
}
