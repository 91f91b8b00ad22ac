#include <hip/hip_runtime.h>

// Tiles of halves, as halves in LDS and as floats, and of bytes.

template <typename Tile, typename In, typename Sum>
__device__ void product(const In *a, const In *b, Sum *c, int n, int k) {
  __shared__ Tile as[16][16 + 4 / sizeof(Tile)], bs[16][16 + 4 / sizeof(Tile)];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  Sum sum = 0;
  for (int at = 0; at < k; at += 16) {
    as[y][x] = static_cast<Tile>(a[row * k + at + x]);
    bs[y][x] = static_cast<Tile>(b[(at + y) * n + column]);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += static_cast<Sum>(as[y][i]) * static_cast<Sum>(bs[i][x]);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void __launch_bounds__(256)
    halves(const _Float16 *a, const _Float16 *b, float *c, int n, int k) {
  product<_Float16>(a, b, c, n, k);
}
extern "C" __global__ void __launch_bounds__(256)
    floats(const _Float16 *a, const _Float16 *b, float *c, int n, int k) {
  product<float>(a, b, c, n, k);
}
extern "C" __global__ void __launch_bounds__(256)
    chars(const signed char *a, const signed char *b, int *c, int n, int k) {
  product<signed char>(a, b, c, n, k);
}
