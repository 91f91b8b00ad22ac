#include "check.h"

__managed__ int counter = 40;

__global__ void count(int *data) {
  if (threadIdx.x == 0)
    counter += 2;
  data[threadIdx.x] += threadIdx.x;
}

int main() {
  int *data;
  HIP(hipMallocManaged((void **)&data, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i)
    data[i] = 1000;
  EXPECT(counter == 40);
  count<<<1, 64>>>(data);
  HIP(hipDeviceSynchronize());
  for (int i = 0; i < 64; ++i)
    EXPECT(data[i] == 1000 + i);
  EXPECT(counter == 42);
  HIP(hipFree(data));
}
