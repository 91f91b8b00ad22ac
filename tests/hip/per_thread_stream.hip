// flags: -fgpu-default-stream=per-thread
#include "check.h"

__global__ void addOne(int *data) { data[threadIdx.x] += 1; }

int main() {
  Buffer<int> data(64);
  HIP(hipMemset(data.data, 0, 64 * sizeof(int)));
  addOne<<<1, 64>>>(data.data);
  HIP(hipStreamSynchronize(nullptr));
  for (int value : data.read())
    EXPECT(value == 1);
}
