// The program of docs/howto-hip-run.md.
#include <hip/hip_runtime.h>

#include <vector>

__global__ void add(const float *a, const float *b, float *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = a[i] + b[i];
}

int main() {
  constexpr int n = 1000;
  std::vector<float> numbers(n, 1.5F);
  float *a, *b, *sums;
  for (float **buffer : {&a, &b, &sums})
    if (hipMalloc((void **)buffer, n * sizeof(float)) != hipSuccess)
      return 1;
  if (hipMemcpy(a, numbers.data(), n * sizeof(float), hipMemcpyHostToDevice) != hipSuccess ||
      hipMemcpy(b, numbers.data(), n * sizeof(float), hipMemcpyHostToDevice) != hipSuccess)
    return 1;
  add<<<(n + 255) / 256, 256>>>(a, b, sums, n);
  if (hipMemcpy(numbers.data(), sums, n * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess)
    return 1;
  for (float *buffer : {a, b, sums})
    if (hipFree(buffer) != hipSuccess)
      return 1;
  return numbers[n - 1] == 3 ? 0 : 1;
}
