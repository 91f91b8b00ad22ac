// What a launch costs on the host: through the HIP runtime and through the C interface of the
// emulator, by turns. Built and run by bench/hip-launch.py.
#include <rdna3emu.h>

#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

__global__ void empty(float *) {}
__global__ void small(float *x) { x[blockIdx.x * 64 + threadIdx.x] *= 1.5f; }

template <class Body> static double microseconds(unsigned times, Body &&body) {
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned n = 0; n < times; ++n)
    body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
             .count() /
         times;
}

#define NEED(condition)                                                                            \
  if (!(condition))                                                                                \
  std::fprintf(stderr, "%s: not so\n", #condition), std::exit(1)

/// One kernel in so many blocks of 64, with other allocations beside what it uses.
static void compare(const char *name, void (*stub)(float *), const std::vector<char> &object,
                    unsigned blocks, unsigned allocations) {
  constexpr unsigned threads = 64;
  const size_t bytes = blocks * threads * sizeof(float);
  float *data = nullptr;
  NEED(hipMalloc((void **)&data, bytes) == hipSuccess);
  NEED(hipMemset(data, 0, bytes) == hipSuccess);
  std::vector<void *> others(allocations);
  for (void *&other : others)
    NEED(hipMalloc(&other, 4096) == hipSuccess);
  rdna3emu_kernel *kernel = nullptr;
  NEED(rdna3emu_kernel_from_code_object(object.data(), object.size(), name, &kernel) == 0);
  const rdna3emu_region region = {"data", data, bytes, RDNA3EMU_READ_WRITE, 0};
  rdna3emu_launch launch = RDNA3EMU_LAUNCH_INIT;
  launch.grid[0] = blocks;
  launch.block[0] = threads;
  launch.kernarg = &data;
  launch.kernarg_bytes = sizeof data;
  launch.regions = &region;
  launch.region_count = 1;
  double best[2] = {1e30, 1e30};
  for (int round = 0; round < 7; ++round) {
    best[0] =
        std::min(best[0], microseconds(300, [&] { NEED(!rdna3emu_run(kernel, &launch, 0)); }));
    best[1] = std::min(best[1], microseconds(300, [&] {
                         stub<<<blocks, threads>>>(data);
                         NEED(hipGetLastError() == hipSuccess);
                       }));
  }
  std::printf("| %.*s, %u blocks, %u allocations | %.1f | %.1f | %.2f |\n", 5, name + 3, blocks,
              allocations + 1, best[0], best[1], best[1] / best[0]);
  rdna3emu_kernel_free(kernel);
  for (void *other : others)
    NEED(hipFree(other) == hipSuccess);
  NEED(hipFree(data) == hipSuccess);
}

int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> object((std::istreambuf_iterator<char>(file)), {});
  std::puts("| launch | C interface, us | HIP runtime, us | ratio |\n| --- | --- | --- | --- |");
  compare("_Z5emptyPf", empty, object, 1, 0);
  compare("_Z5emptyPf", empty, object, 1, 1000);
  compare("_Z5smallPf", small, object, 64, 0);
  compare("_Z5smallPf", small, object, 1024, 0);
}
