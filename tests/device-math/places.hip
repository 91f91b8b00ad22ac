//===- places.hip - where a thread is, barriers that count, dynamic LDS ----===//
#include <hip/hip_runtime.h>

extern "C" __global__ __launch_bounds__(64, 2) void places(unsigned *results) {
  extern __shared__ unsigned turned[];
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  turned[threads - 1 - thread] = thread + block * threads;
  __syncthreads();
  dim3 grid = gridDim;
  uint3 own = threadIdx;
  unsigned *mine = results + (block * threads + thread) * 4;
  mine[0] = turned[thread];
  mine[1] = __syncthreads_count(own.x == 3);
  mine[2] = __syncthreads_or(thread == block) + 2 * __syncthreads_and(blockIdx.x == 1);
  mine[3] = grid.x + 10 * grid.y + 100 * grid.z;
}
