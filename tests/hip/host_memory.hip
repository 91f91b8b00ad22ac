#include "check.h"

__global__ void negate(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = -data[i];
}

int main() {
  const int n = 100;
  std::vector<int> mine(n);
  for (int i = 0; i < n; ++i)
    mine[i] = i;
  HIP(hipHostRegister(mine.data(), n * sizeof(int), hipHostRegisterDefault));
  int *device = nullptr;
  HIP(hipHostGetDevicePointer((void **)&device, mine.data(), 0));
  negate<<<1, 128>>>(device, n);
  HIP(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    EXPECT(mine[i] == -i);
  HIP(hipHostUnregister(mine.data()));
  EXPECT(hipHostUnregister(mine.data()) != hipSuccess);

  int *mapped;
  HIP(hipHostMalloc((void **)&mapped, n * sizeof(int), hipHostMallocMapped));
  for (int i = 0; i < n; ++i)
    mapped[i] = 2 * i;
  negate<<<1, 128>>>(mapped, n);
  HIP(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    EXPECT(mapped[i] == -2 * i);
  hipPointerAttribute_t attributes;
  HIP(hipPointerGetAttributes(&attributes, mapped + 3));
  EXPECT(attributes.devicePointer == mapped + 3 && attributes.hostPointer == mapped + 3);
  HIP(hipHostFree(mapped));
}
