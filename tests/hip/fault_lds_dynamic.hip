// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_lds_dynamic.hip:9
// expect-error: lds-bounds: write of LDS offset 64 of 64
#include "check.h"

__global__ void store(int *out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  Buffer<int> out(32);
  store<<<1, 32, 64>>>(out.data);
  (void)hipDeviceSynchronize();
}
