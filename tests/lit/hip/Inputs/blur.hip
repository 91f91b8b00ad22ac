// A file as it is written for hipcc, host code and all.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    hipError_t error = (call);                                                                     \
    if (error != hipSuccess) {                                                                     \
      std::fprintf(stderr, "%s\n", hipGetErrorString(error));                                      \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

constexpr int Radius = 2, Block = 256;

__host__ __device__ inline float weight(int distance) {
  return std::exp(-0.5f * static_cast<float>(distance * distance));
}

template <int radius>
__global__ void __launch_bounds__(Block) blur(const float *in, float4 *out, int n) {
  __shared__ float tile[Block + 2 * radius];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x + radius] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < 2 * radius) {
    int edge = threadIdx.x < radius ? i - radius : i - radius + Block;
    tile[threadIdx.x < radius ? threadIdx.x : threadIdx.x + Block] =
        edge >= 0 && edge < n ? in[edge] : 0.0f;
  }
  __syncthreads();
  float sum = 0, largest = -INFINITY;
  for (int k = -radius; k <= radius; ++k) {
    float value = tile[threadIdx.x + radius + k];
    sum += value * weight(k);
    largest = std::max(largest, value);
  }
  float total = sum;
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    total += __shfl_xor(total, offset);
  if (i < n)
    out[i] = make_float4(sum, largest, total, sqrtf(fabsf(sum))) * 2.0f;
}
template __global__ void blur<Radius>(const float *, float4 *, int);

int main() {
  std::vector<float> host(1024, 1.0f);
  float *in;
  float4 *out;
  CHECK(hipMalloc(&in, host.size() * sizeof(float)));
  CHECK(hipMalloc(&out, host.size() * sizeof(float4)));
  CHECK(hipMemcpy(in, host.data(), host.size() * sizeof(float), hipMemcpyHostToDevice));
  blur<Radius><<<dim3(4), Block>>>(in, out, 1024);
  CHECK(hipDeviceSynchronize());
  std::printf("%f\n", std::sqrt(weight(1)));
}
