// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: undefined-
#include "check.h"

__global__ void choose(const int *in, int *out) {
  if (in[blockIdx.x] > 5)
    out[blockIdx.x] = 1;
}

int main() {
  Buffer<int> in(2), out(2);
  choose<<<2, 32>>>(in.data, out.data);
  (void)hipDeviceSynchronize();
}
