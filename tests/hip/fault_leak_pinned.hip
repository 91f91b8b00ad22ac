// check: --check=leaks --error-exitcode 9
// exit: 9
// expect-error: error: leak: allocation 1 (hipHostMalloc, 512 bytes) was never freed
#include "check.h"

__global__ void store(int *out) { out[threadIdx.x] = 1; }

int main() {
  int *data;
  HIP(hipHostMalloc((void **)&data, 512, 0));
  store<<<1, 64>>>(data);
  (void)hipDeviceSynchronize();
}
