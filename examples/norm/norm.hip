//===- norm.hip - a layer norm of the rows of a matrix ----------------------===//
//
// Each row of x minus its mean, by its deviation; a block of 256 threads does a row.
// docs/howto-run.md compares it with numpy.
//
//===----------------------------------------------------------------------===//
#include <hip/hip_runtime.h>

__device__ float sumOfBlock(float value, float *partial) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor(value, step, 32);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int wave = 0; wave < 8; ++wave)
    sum += partial[wave];
  __syncthreads();
  return sum;
}

extern "C" __global__ void __launch_bounds__(256)
    norm(const float *x, float *y, int columns, float epsilon) {
  __shared__ float partial[8];
  const float *row = x + blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += 256) {
    const float value = row[i];
    sum += value;
    squares = fmaf(value, value, squares);
  }
  const float mean = sumOfBlock(sum, partial) / columns;
  const float variance = sumOfBlock(squares, partial) / columns - mean * mean;
  const float scale = 1 / sqrtf(variance + epsilon);
  for (int i = threadIdx.x; i < columns; i += 256)
    y[blockIdx.x * columns + i] = (row[i] - mean) * scale;
}
