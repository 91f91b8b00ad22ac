// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_write_before.hip:9
// expect-error: illegal-address: write of address
// expect-error: 4 bytes before allocation 1
// expect-error: thread (0, 0, 0)
#include "check.h"

__global__ void store(int *out) { out[int(threadIdx.x) - 1] = 1; }

int main() {
  Buffer<int> out(32);
  store<<<2, 32>>>(out.data);
  (void)hipDeviceSynchronize();
}
