// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_race_no_barrier.hip:10
// expect-error: lds-race
#include "check.h"

__global__ void reverse(int *data) {
  __shared__ int shared[64];
  shared[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = shared[63 - threadIdx.x];
}

int main() {
  Buffer<int> data(std::vector<int>(64, 1));
  reverse<<<1, 64>>>(data.data);
  (void)hipDeviceSynchronize();
}
