// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: read-before-wait
// expect-error: fault_missing_wait.hip:
#include "check.h"

__global__ void load(const int *in, int *out) {
  int value;
  asm volatile("global_load_b32 %0, %1, off\n\tv_add_nc_u32 %0, %0, 1\n\ts_waitcnt vmcnt(0)"
               : "=&v"(value)
               : "v"(in + threadIdx.x));
  out[threadIdx.x] = value;
}

int main() {
  Buffer<int> in(std::vector<int>(32, 1)), out(32);
  load<<<1, 32>>>(in.data, out.data);
  (void)hipDeviceSynchronize();
}
