// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_assert.hip:10
// expect-error: error: assert
// expect-error: Device-side assertion `in[threadIdx.x] == 1' failed
#include "check.h"

#include <cassert>

__global__ void check(const int *in) { assert(in[threadIdx.x] == 1); }

int main() {
  std::vector<int> values(32, 1);
  values[7] = 2;
  Buffer<int> in(values);
  check<<<1, 32>>>(in.data);
  (void)hipDeviceSynchronize();
}
