// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: error: trap
#include "check.h"

__global__ void check(const int *in) {
  if (in[threadIdx.x] == 2)
    abort();
}

int main() {
  std::vector<int> values(32, 1);
  values[7] = 2;
  Buffer<int> in(values);
  check<<<1, 32>>>(in.data);
  (void)hipDeviceSynchronize();
}
