//===- illegal_address.hip - a program with a fault --------------------------===//
//
// Of docs/howto-hip-run.md, which names the lines of the kernel and of the launch: nothing may be
// put in front of them. The last lanes write behind the allocation.
//
//===----------------------------------------------------------------------===//
#include <hip/hip_runtime.h>

// Behind element 99 there is nothing.
__global__ void writeTo(int *data, int first) { data[first + threadIdx.x] = 7; }

int main() {
  int *data;
  if (hipMalloc((void **)&data, 400) != hipSuccess)
    return 1;
  writeTo<<<1, 32>>>(data, 96);
  return hipDeviceSynchronize() == hipErrorIllegalAddress ? 0 : 1;
}
