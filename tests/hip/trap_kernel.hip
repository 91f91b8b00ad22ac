// expect-error: error: trap
#include "check.h"

__global__ void stop(int *data) {
  if (data[threadIdx.x] == 3)
    __builtin_trap();
}

int main() {
  Buffer<int> data(std::vector<int>{1, 2, 3, 4});
  stop<<<1, 4>>>(data.data);
  EXPECT(hipDeviceSynchronize() == hipErrorLaunchFailure);
  // After a reset the device can be used again.
  HIP(hipDeviceReset());
  HIP(hipMalloc((void **)&data.data, 16));
}
