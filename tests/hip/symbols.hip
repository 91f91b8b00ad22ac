#include "check.h"

__constant__ float weights[8];
__device__ int total = 5;

__global__ void weigh(float *out) {
  out[threadIdx.x] = weights[threadIdx.x % 8] * 2;
  if (threadIdx.x == 0)
    total += 10;
}

int main() {
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(weights), values, sizeof values));
  Buffer<float> out(32);
  for (int launch = 0; launch < 2; ++launch)
    weigh<<<1, 32>>>(out.data);
  const std::vector<float> result = out.read();
  for (int i = 0; i < 32; ++i)
    EXPECT(result[i] == values[i % 8] * 2);
  int now = 0;
  HIP(hipMemcpyFromSymbol(&now, HIP_SYMBOL(total), sizeof now));
  EXPECT(now == 25);
  void *address = nullptr;
  size_t bytes = 0;
  HIP(hipGetSymbolAddress(&address, HIP_SYMBOL(weights)));
  HIP(hipGetSymbolSize(&bytes, HIP_SYMBOL(weights)));
  EXPECT(address && bytes == sizeof values);
  EXPECT(hipMemcpyToSymbol(HIP_SYMBOL(total), values, 5) == hipErrorInvalidValue);
  int nothing = 0;
  EXPECT(hipMemcpyFromSymbol(&now, &nothing, 4) == hipErrorInvalidSymbol);
}
