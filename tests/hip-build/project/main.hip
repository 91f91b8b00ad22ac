// Multiplies two matrices and prints a checksum of the result's bits.
#include "sgemm.h"

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void fill(float *values, unsigned count, unsigned seed) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = float((i * 2654435761u ^ seed) >> 20) * (1.0f / 4096) - 0.5f;
}

int main() {
  const int n = 256;
  const size_t bytes = n * n * sizeof(float);
  float *matrices[3];
  for (unsigned m = 0; m < 3; ++m) {
    if (hipMalloc((void **)&matrices[m], bytes) != hipSuccess)
      return 1;
    fill<<<n * n / 256, 256>>>(matrices[m], n * n, m * 77);
  }
  sgemm(matrices[0], matrices[1], matrices[2], n, 1.5f, 0.25f);
  std::vector<uint32_t> c(n * n);
  if (hipMemcpy(c.data(), matrices[2], bytes, hipMemcpyDeviceToHost) != hipSuccess)
    return 1;
  uint64_t sum = 0;
  for (const uint32_t word : c)
    sum = sum * 1099511628211u + word;
  float first;
  std::memcpy(&first, &c[0], sizeof first);
  std::printf("c[0] = %.9g, bits %016llx\n", first, (unsigned long long)sum);
}
