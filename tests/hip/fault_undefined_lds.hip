// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_undefined_lds.hip:12
// expect-error: undefined-store
#include "check.h"

__global__ void copy(int *out) {
  __shared__ int shared[64];
  if (threadIdx.x < 16)
    shared[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  Buffer<int> out(32);
  copy<<<1, 32>>>(out.data);
  (void)hipDeviceSynchronize();
}
