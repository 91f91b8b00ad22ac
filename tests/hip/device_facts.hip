#include "check.h"

#include <cstring>

__global__ void __launch_bounds__(256) small(int *data) { data[threadIdx.x] = 1; }

int main() {
  int count = 0, value = 0, version = 0;
  HIP(hipGetDeviceCount(&count));
  EXPECT(count == 1);
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, 0));
  EXPECT(std::strncmp(properties.gcnArchName, "gfx1100", 7) == 0);
  EXPECT(properties.warpSize == 32 && properties.major == 11);
  EXPECT(properties.multiProcessorCount == 48 && properties.sharedMemPerBlock == 65536);
  EXPECT(properties.maxThreadsDim[2] == 1024 && properties.maxGridSize[0] == 2147483647);
  HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  EXPECT(value == properties.multiProcessorCount);
  HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
  EXPECT(value == 32);
  HIP(hipRuntimeGetVersion(&version));
  EXPECT(version >= 50000000);
  size_t free = 0, total = 0;
  HIP(hipMemGetInfo(&free, &total));
  EXPECT(free == total && total == properties.totalGlobalMem);
  char name[64];
  HIP(hipDeviceGetName(name, sizeof name, 0));
  EXPECT(std::strcmp(name, properties.name) == 0);

  hipFuncAttributes attributes;
  HIP(hipFuncGetAttributes(&attributes, (const void *)small));
  EXPECT(attributes.maxThreadsPerBlock == 256 && attributes.numRegs > 0);
  int blocks = 0, grid = 0, block = 0;
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)small, 256, 0));
  EXPECT(blocks == 8); // 64 waves of a workgroup processor, 8 in each block.
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)small, 256, 32768));
  EXPECT(blocks == 2);
  HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, (const void *)small, 0, 0));
  EXPECT(block == 256 && grid == 8 * 48);
  // More threads than the kernel was compiled for.
  Buffer<int> data(512);
  small<<<1, 512>>>(data.data);
  EXPECT(hipGetLastError() == hipErrorLaunchFailure);
}
