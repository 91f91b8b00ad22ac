// check: --check=all
// expect-error: is not checked: in a cooperative launch blocks may wait for each other
// Blocks that wait for each other: by grid.sync(), and by a counter of their own.
#include "check.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

/// Each round every block reads what the others wrote in the round before.
__global__ void rotate(unsigned *from, unsigned *to, unsigned rounds, unsigned *valid) {
  cg::grid_group grid = cg::this_grid();
  const unsigned count = gridDim.x * gridDim.y * blockDim.x;
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned i = block * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round) {
    to[i] = from[(i + blockDim.x + 1) % count] + 1;
    grid.sync();
    unsigned *other = from;
    from = to;
    to = other;
  }
  if (i == 0)
    *valid = grid.is_valid() && grid.size() == count;
}

/// The last block to come adds up what all of them have left.
__global__ void waitForAll(unsigned *arrived, unsigned *parts, unsigned *sum) {
  parts[blockIdx.x] = blockIdx.x * 3;
  __threadfence();
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < gridDim.x)
    __builtin_amdgcn_s_sleep(1);
  __threadfence();
  if (blockIdx.x == 0)
    for (unsigned b = 0; b < gridDim.x; ++b)
      *sum += parts[b];
}

int main() {
  constexpr unsigned threads = 96;
  const dim3 blocks(12, 5);
  const unsigned count = blocks.x * blocks.y * threads;
  std::vector<unsigned> start(count);
  for (unsigned i = 0; i < count; ++i)
    start[i] = i * i;
  Buffer<unsigned> from(start), to(count), valid(1);
  unsigned rounds = 7;
  void *arguments[] = {&from.data, &to.data, &rounds, &valid.data};
  const auto *kernel = (const void *)rotate;
  HIP(hipLaunchCooperativeKernel(kernel, blocks, dim3(threads), arguments, 0, 0));
  EXPECT(valid.read()[0] == 1);
  const std::vector<unsigned> got = to.read();
  for (unsigned i = 0; i < count; ++i)
    EXPECT(got[i] == start[(i + rounds * (threads + 1)) % count] + rounds);

  // An ordinary launch is no cooperative one; a grid that does not fit is none either.
  rounds = 0;
  HIP(hipLaunchKernel(kernel, blocks, dim3(threads), arguments, 0, 0));
  EXPECT(valid.read()[0] == 0);
  EXPECT(hipLaunchCooperativeKernel(kernel, dim3(100000), dim3(threads), arguments, 0, 0) ==
         hipErrorCooperativeLaunchTooLarge);

  constexpr unsigned many = 200;
  Buffer<unsigned> counter(std::vector<unsigned>{0}), parts(many), sum(std::vector<unsigned>{0});
  void *others[] = {&counter.data, &parts.data, &sum.data};
  HIP(hipLaunchCooperativeKernel((const void *)waitForAll, dim3(many), dim3(1), others, 0, 0));
  EXPECT(sum.read()[0] == 3 * many * (many - 1) / 2);
}
