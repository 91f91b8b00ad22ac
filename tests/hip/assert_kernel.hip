// expect-error: Device-side assertion `data[threadIdx.x] != 5' failed
// expect-error: in kernel checkAll(int const*) at
#include "check.h"

#include <cassert>

__global__ void checkAll(const int *data) { assert(data[threadIdx.x] != 5); }

int main() {
  std::vector<int> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = i == 40 ? 5 : 4;
  Buffer<int> data(in);
  checkAll<<<1, 64>>>(data.data);
  EXPECT(hipDeviceSynchronize() == hipErrorAssert);
}
