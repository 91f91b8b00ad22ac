// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_lds_past_end.hip:10
// expect-error: lds-bounds: write of LDS offset 128 of 128
#include "check.h"

__global__ void store(int *out, int index) {
  __shared__ int shared[32];
  shared[threadIdx.x] = 1;
  shared[threadIdx.x + index] = 2;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  Buffer<int> out(32);
  store<<<1, 32>>>(out.data, 1);
  (void)hipDeviceSynchronize();
}
