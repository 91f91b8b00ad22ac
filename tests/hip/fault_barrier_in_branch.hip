// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: lanes-skipped-barrier
#include "check.h"

__global__ void halves(int *out) {
  if (threadIdx.x % 32 < 16)
    __builtin_amdgcn_s_barrier();
  out[threadIdx.x] = 1;
}

int main() {
  Buffer<int> out(64);
  halves<<<1, 64>>>(out.data);
  (void)hipDeviceSynchronize();
}
