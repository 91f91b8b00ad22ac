// Events that measure the timing model's times, which do not depend on the machine that emulates.
// check: --time=predicted
// expect-error: no predicted time for kernel says(): it may wait for the host
// expect-error: event times are predicted, for a Radeon RX 7900 XTX
// expect-error: 1 of 5 launches have no prediction
#include "check.h"

__device__ int launches;

__global__ void add(float *c, const float *a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    c[i] += a[i];
  if (i == 0)
    ++launches;
}

__global__ void says() { printf("once\n"); }

int main() {
  const int count = 1 << 20;
  Buffer<float> a(std::vector<float>(count, 2)), c(std::vector<float>(count, 1));
  hipEvent_t events[4];
  for (hipEvent_t &event : events)
    HIP(hipEventCreate(&event));
  HIP(hipEventRecord(events[0]));
  add<<<count / 256, 256>>>(c.data, a.data, count);
  HIP(hipEventRecord(events[1]));
  for (int n = 0; n < 3; ++n)
    add<<<count / 4 / 256, 256>>>(c.data, a.data, count / 4);
  HIP(hipEventRecord(events[2]));
  std::vector<float> result = c.read(); // Takes no time by the model.
  HIP(hipEventRecord(events[3]));
  float all = 0, quarters = 0, copy = 1;
  HIP(hipEventElapsedTime(&all, events[0], events[1]));
  HIP(hipEventElapsedTime(&quarters, events[1], events[2]));
  HIP(hipEventElapsedTime(&copy, events[2], events[3]));
  // 12 MiB of a card with 960 GB/s and an Infinity Cache; the emulator takes milliseconds.
  EXPECT(all > 0.001f && all < 0.05f);
  EXPECT(quarters > 0 && quarters < 3 * all && copy == 0);
  // The workgroups that the model samples have left no trace.
  EXPECT(result[0] == 9 && result[count / 4 - 1] == 9 && result[count / 4] == 3 &&
         result[count - 1] == 3);
  int counted = 0;
  HIP(hipMemcpyFromSymbol(&counted, HIP_SYMBOL(launches), sizeof counted));
  EXPECT(counted == 4);
  says<<<1, 1>>>();
  HIP(hipDeviceSynchronize());
}
