// C = A * B with a library of generated kernels (dualfmac-sched generate library):
//   example-sgemm gemm.hsaco M N K
// Column-major, and held against a plain loop on the host.
#include "gemm.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static void require(hipError_t status, const char *what) {
  if (status == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::exit(1);
}

static float *toDevice(const std::vector<float> &host) {
  void *pointer = nullptr;
  require(hipMalloc(&pointer, host.size() * sizeof(float)), "hipMalloc");
  require(hipMemcpy(pointer, host.data(), host.size() * sizeof(float), hipMemcpyHostToDevice),
          "hipMemcpy");
  return static_cast<float *>(pointer);
}

static std::vector<float> matrix(int rows, int columns, int seed) {
  std::vector<float> elements(size_t(rows) * columns);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = float((i * 7 + seed) % 13) - 6;
  return elements;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s gemm.hsaco M N K\n", argv[0]);
    return 1;
  }
  const int m = std::atoi(argv[2]), n = std::atoi(argv[3]), k = std::atoi(argv[4]);
  std::ifstream file(argv[1], std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});
  if (image.empty() || m < 1 || n < 1 || k < 1) {
    std::fprintf(stderr, "%s cannot be read, or a size is not positive\n", argv[1]);
    return 1;
  }
  gemm::Handle handle;
  require(handle.load(image.data()), "load");

  const std::vector<float> a = matrix(m, k, 1), b = matrix(k, n, 2);
  std::vector<float> c(size_t(m) * n);
  float *const deviceA = toDevice(a), *const deviceB = toDevice(b), *const deviceC = toDevice(c);
  require(gemm::sgemm(handle, gemm::Operation::None, gemm::Operation::None, m, n, k, 1.0f, deviceA,
                      m, deviceB, k, 0.0f, deviceC, m, nullptr),
          "sgemm");
  require(hipDeviceSynchronize(), "sgemm");
  require(hipMemcpy(c.data(), deviceC, c.size() * sizeof(float), hipMemcpyDeviceToHost),
          "hipMemcpy");
  for (float *pointer : {deviceA, deviceB, deviceC})
    require(hipFree(pointer), "hipFree");

  size_t wrong = 0; // Whole numbers: whatever the order of the sum, it is exact.
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[size_t(i) * m + row] * b[size_t(column) * k + i];
      wrong += sum != c[size_t(column) * m + row];
    }
  std::printf("%d x %d x %d: %zu of %zu elements differ\n", m, n, k, wrong, c.size());
  return wrong == 0 ? 0 : 1;
}
