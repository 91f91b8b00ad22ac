// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: different-barriers
#include "check.h"

__global__ void waves(int *out) {
  if (__builtin_amdgcn_readfirstlane(threadIdx.x) < 32) {
    __builtin_amdgcn_s_barrier();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __builtin_amdgcn_s_barrier();
    out[threadIdx.x + 64] = 3;
  }
}

int main() {
  Buffer<int> out(128);
  waves<<<1, 64>>>(out.data);
  (void)hipDeviceSynchronize();
}
