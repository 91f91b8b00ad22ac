//===- places.hip - where a thread is, barriers that count, dynamic LDS ----===//
#include <hip/hip_runtime.h>

struct __align__(16) Quad { // As CUDA has it.
  unsigned word[4];
};
static_assert(alignof(Quad) == 16 && sizeof(Quad) == 16, "one access");

extern "C" __global__ __launch_bounds__(64, 2) void places(unsigned *results) {
  extern __shared__ unsigned turned[];
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  turned[threads - 1 - thread] = thread + block * threads;
  __syncthreads();
  dim3 grid = gridDim;
  uint3 own = threadIdx;
  Quad mine;
  mine.word[0] = turned[thread];
  mine.word[1] = __syncthreads_count(own.x == 3);
  mine.word[2] = __syncthreads_or(thread == block) + 2 * __syncthreads_and(blockIdx.x == 1);
  mine.word[3] = grid.x + 10 * grid.y + 100 * grid.z;
  reinterpret_cast<Quad *>(results)[block * threads + thread] = mine;
}
