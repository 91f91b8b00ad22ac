// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: overwrite-before-wait
#include "check.h"

__global__ void load(const int *in, int *out) {
  int value;
  asm volatile("global_load_b32 %0, %1, off\n\tv_mov_b32 %0, 5\n\ts_waitcnt vmcnt(0)"
               : "=&v"(value)
               : "v"(in + threadIdx.x));
  out[threadIdx.x] = value;
}

int main() {
  Buffer<int> in(std::vector<int>(32, 1)), out(32);
  load<<<1, 32>>>(in.data, out.data);
  (void)hipDeviceSynchronize();
}
