// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_use_after_free.hip:8
// expect-error: illegal-address: write of address
// expect-error: 0 bytes into allocation 1 (hipMalloc, 256 bytes), which was freed
#include "check.h"

__global__ void store(int *out) { out[threadIdx.x] = 1; }

int main() {
  int *data;
  HIP(hipMalloc((void **)&data, 256));
  HIP(hipFree(data));
  store<<<1, 64>>>(data);
  (void)hipDeviceSynchronize();
}
