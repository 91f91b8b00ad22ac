// expect-error: illegal-address: write of address
// expect-error: bytes past the end of allocation 1 (hipMalloc, 400 bytes)
// expect-error: in kernel writeTo(int*, int) at
// expect-error: illegal_address.hip:9
// expect-error: thread (4, 0, 0)
// expect-error: launched by main at
#include "check.h"

__global__ void writeTo(int *data, int first) { data[first + threadIdx.x] = 7; }

int main() {
  int *data;
  HIP(hipMalloc((void **)&data, 400));
  writeTo<<<1, 32>>>(data, 96);
  EXPECT(hipDeviceSynchronize() == hipErrorIllegalAddress);
  EXPECT(hipMemset(data, 0, 4) == hipErrorIllegalAddress); // Until the device is reset.
  HIP(hipDeviceReset());
  HIP(hipMalloc((void **)&data, 400));
  writeTo<<<1, 32>>>(data, 0);
  HIP(hipDeviceSynchronize());
  HIP(hipFree(data));
}
