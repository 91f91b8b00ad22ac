// arch: gfx1101
// expect-error: no code for gfx1100 in the fat binary
#include "check.h"

__global__ void never(int *data) { data[threadIdx.x] = 1; }

int main() {
  Buffer<int> data(32);
  never<<<1, 32>>>(data.data);
  EXPECT(hipGetLastError() == hipErrorNoBinaryForGpu);
}
