// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_null_pointer.hip:7
// expect-error: illegal-address: write of address 0x0: a null pointer
#include "check.h"

__global__ void store(int *out) { out[threadIdx.x] = 1; }

int main() {
  store<<<1, 32>>>(nullptr);
  (void)hipDeviceSynchronize();
}
