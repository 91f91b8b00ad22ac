// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_race_one_word.hip:9
// expect-error: lds-race
#include "check.h"

__global__ void last(int *out) {
  __shared__ int shared;
  shared = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    *out = shared;
}

int main() {
  Buffer<int> out(1);
  last<<<1, 96>>>(out.data);
  (void)hipDeviceSynchronize();
}
