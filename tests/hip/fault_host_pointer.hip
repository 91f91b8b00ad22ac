// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_host_pointer.hip:7
// expect-error: illegal-address: write of address
#include "check.h"

__global__ void store(int *out) { out[threadIdx.x] = 1; }

int main() {
  int local[32];
  store<<<1, 32>>>(local);
  (void)hipDeviceSynchronize();
}
