// arch: gfx1030 gfx1100 gfx1101
#include "check.h"

__global__ void twice(int *data) { data[threadIdx.x] *= 2; }

int main() {
  Buffer<int> data(std::vector<int>(32, 21));
  twice<<<1, 32>>>(data.data);
  HIP(hipGetLastError());
  for (int value : data.read())
    EXPECT(value == 42);
}
