// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: error: leak: allocation 1 (hipMalloc, 256 bytes) was never freed, made by main at
#include "check.h"

__global__ void store(int *out) { out[threadIdx.x] = 1; }

int main() {
  int *data;
  HIP(hipMalloc((void **)&data, 256));
  store<<<1, 64>>>(data);
  (void)hipDeviceSynchronize();
}
