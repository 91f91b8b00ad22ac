#include "check.h"

#include <thread>

__global__ void fill(int *data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }

static void work(int number) {
  HIP(hipSetDevice(0));
  for (int round = 0; round < 10; ++round) {
    Buffer<int> data(128);
    fill<<<2, 64, 0, hipStreamPerThread>>>(data.data, number * 100 + round);
    HIP(hipStreamSynchronize(hipStreamPerThread));
    for (int value : data.read())
      EXPECT(value == number * 100 + round);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back(work, i);
  // Each thread has its own last error.
  EXPECT(hipMalloc(nullptr, 4) == hipErrorInvalidValue);
  std::thread([] { EXPECT(hipGetLastError() == hipSuccess); }).join();
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
  for (std::thread &thread : threads)
    thread.join();
}
