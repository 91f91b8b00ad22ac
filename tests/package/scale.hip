// A program for a system that has nothing but this package and what it recommends.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(float *data, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

int main() {
  constexpr int n = 4096;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = float(i);
  float *device = nullptr;
  if (hipMalloc(&device, n * sizeof(float)) != hipSuccess)
    return 1;
  (void)hipMemcpy(device, host.data(), n * sizeof(float), hipMemcpyHostToDevice);
  scale<<<n / 256 + 1, 256>>>(device, n, 2.0f);
  (void)hipMemcpy(host.data(), device, n * sizeof(float), hipMemcpyDeviceToHost);
  (void)hipFree(device);
  int right = 0;
  for (int i = 0; i < n; ++i)
    right += host[i] == 2.0f * float(i);
  std::printf(right == n ? "all %d are right\n" : "%d are right\n", right);
  return right != n;
}
