/*
 * Direct 2D convolution, 5x5, stride 1, zero padding 2, NCHW, batch 1.
 * One workgroup makes a 16x16 patch of one output channel.
 */
#include <hip/hip_runtime.h>

static constexpr int TILE = 16;
static constexpr int R = 2;
static constexpr int KS = 2 * R + 1;
static constexpr int HALO = TILE + 2 * R;

extern "C" __global__ void conv2d_5x5(const float *__restrict__ in,
                                      const float *__restrict__ weight,
                                      const float *__restrict__ bias, float *__restrict__ out,
                                      int channels, int height, int width) {
  __shared__ float patch[HALO][HALO + 1];
  __shared__ float w[KS][KS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int ox = blockIdx.x * TILE + tx;
  const int oy = blockIdx.y * TILE + ty;
  const int oc = blockIdx.z;
  const int bx = blockIdx.x * TILE - R;
  const int by = blockIdx.y * TILE - R;
  const int t = ty * TILE + tx;

  float sum = bias[oc];

  for (int c = 0; c < channels; c++) {
    const float *plane = in + (size_t)c * height * width;

    if (t < KS * KS)
      w[t / KS][t % KS] = weight[(oc * channels + c) * KS * KS + t];

    for (int y = ty; y < HALO; y += TILE) {
      for (int x = tx; x < HALO; x += TILE) {
        const int iy = by + y, ix = bx + x;
        float v = 0.f;
        if (iy >= 0 && iy < height && ix >= 0 && ix < width)
          v = plane[iy * width + ix];
        patch[y][x] = v;
      }
    }
    __syncthreads();

#pragma unroll
    for (int dy = 0; dy < KS; dy++)
#pragma unroll
      for (int dx = 0; dx < KS; dx++)
        sum += patch[ty + dy][tx + dx] * w[dy][dx];

    __syncthreads();
  }

  if (ox < width && oy < height)
    out[((size_t)oc * height + oy) * width + ox] = sum > 0.f ? sum : 0.f; // ReLU
}
