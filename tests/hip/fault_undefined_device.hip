// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_undefined_device.hip:7
// expect-error: undefined-store
#include "check.h"

__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] * 3; }

int main() {
  Buffer<int> in(32), out(32);
  copy<<<1, 32>>>(in.data, out.data);
  (void)hipDeviceSynchronize();
}
