// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_read_past_end.hip:9
// expect-error: illegal-address: read of address
// expect-error: 0 bytes past the end of allocation 1 (hipMalloc, 128 bytes)
// expect-error: block (0, 0, 0), thread (31, 0, 0)
#include "check.h"

__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

int main() {
  Buffer<int> in(std::vector<int>(32, 1)), out(32);
  copy<<<1, 32>>>(in.data, out.data);
  (void)hipDeviceSynchronize();
}
