#include "check.h"

#include <cstring>

__global__ void nothing() {}
__global__ void large() {
  __shared__ volatile int data[15000];
  data[threadIdx.x] = 1;
}

int main() {
  nothing<<<1, 2048>>>();
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  EXPECT(hipGetLastError() == hipSuccess);
  nothing<<<0, 32>>>();
  EXPECT(hipPeekAtLastError() == hipErrorInvalidConfiguration);
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  large<<<1, 32, 20000>>>();
  EXPECT(hipGetLastError() != hipSuccess);

  void *pointer = &pointer;
  EXPECT(hipMalloc(&pointer, size_t(1) << 50) == hipErrorOutOfMemory);
  EXPECT(hipMalloc(&pointer, 0) == hipSuccess && pointer == nullptr);
  EXPECT(hipFree(nullptr) == hipSuccess);
  int local = 0;
  EXPECT(hipFree(&local) == hipErrorInvalidValue);
  HIP(hipMalloc(&pointer, 100));
  EXPECT(hipMemcpy(pointer, &local, 101, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  EXPECT(hipMemcpy(pointer, &local, 4, hipMemcpyKind(9)) == hipErrorInvalidMemcpyDirection);
  EXPECT(hipMemset(&local, 0, 4) == hipErrorInvalidValue);
  EXPECT(hipFree((char *)pointer + 4) == hipErrorInvalidValue);
  HIP(hipFree(pointer));
  EXPECT(hipFree(pointer) == hipErrorInvalidValue);
  EXPECT(hipSetDevice(7) == hipErrorInvalidDevice);
  EXPECT(hipEventRecord(nullptr, nullptr) == hipErrorInvalidHandle);
  hipEvent_t event;
  HIP(hipEventCreate(&event));
  float time;
  EXPECT(hipEventElapsedTime(&time, event, event) == hipErrorInvalidHandle);
  HIP(hipEventDestroy(event));
  EXPECT(std::strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory") == 0);
  EXPECT(std::strcmp(hipGetErrorString(hipErrorOutOfMemory), "out of memory") == 0);
}
