#include <cstdint>
#include <hip/hip_runtime.h>

// Convolution as an implicit GEMM.
//   input  NHWC, filter KRSC, output NPQK
//   GEMM M = N*P*Q, GEMM N = K, GEMM K = R*S*C
struct ConvParams {
  int n, h, w, c;
  int k, r, s;
  int p, q;
  int stride, pad;
};

template <int MTile, int NTile, int KTile>
__device__ __forceinline__ void implicitGemm(const float *__restrict__ input,
                                             const float *__restrict__ filter,
                                             float *__restrict__ output, const ConvParams &cp) {
  constexpr int Threads = 256;
  __shared__ float tileA[KTile][MTile + 1];
  __shared__ float tileB[KTile][NTile + 1];

  const int gemmM = cp.n * cp.p * cp.q;
  const int gemmK = cp.r * cp.s * cp.c;
  const int m0 = blockIdx.x * MTile;
  const int n0 = blockIdx.y * NTile;
  const int tid = threadIdx.x;

  float acc[MTile / 16][NTile / 16];
  for (auto &line : acc)
    for (float &value : line)
      value = 0.0f;

  for (int k0 = 0; k0 < gemmK; k0 += KTile) {
    for (int idx = tid; idx < MTile * KTile; idx += Threads) {
      const int kk = idx % KTile;
      const int mm = idx / KTile;
      const int gk = k0 + kk;
      const int gm = m0 + mm;
      float value = 0.0f;
      if (gk < gemmK && gm < gemmM) {
        const int img = gm / (cp.p * cp.q);
        const int pq = gm - img * (cp.p * cp.q);
        const int op = pq / cp.q;
        const int oq = pq - op * cp.q;
        const int rs = gk / cp.c;
        const int ch = gk - rs * cp.c;
        const int fr = rs / cp.s;
        const int fs = rs - fr * cp.s;
        const int ih = op * cp.stride - cp.pad + fr;
        const int iw = oq * cp.stride - cp.pad + fs;
        if (ih >= 0 && ih < cp.h && iw >= 0 && iw < cp.w)
          value = input[((img * cp.h + ih) * cp.w + iw) * cp.c + ch];
      }
      tileA[kk][mm] = value;
    }
    for (int idx = tid; idx < NTile * KTile; idx += Threads) {
      const int kk = idx % KTile;
      const int nn = idx / KTile;
      float value = 0.0f;
      if (k0 + kk < gemmK && n0 + nn < cp.k)
        value = filter[(n0 + nn) * gemmK + k0 + kk];
      tileB[kk][nn] = value;
    }
    __syncthreads();

    const int tm = tid / 16;
    const int tn = tid % 16;
#pragma unroll
    for (int kk = 0; kk < KTile; ++kk)
#pragma unroll
      for (int i = 0; i < MTile / 16; ++i)
#pragma unroll
        for (int j = 0; j < NTile / 16; ++j)
          acc[i][j] += tileA[kk][tm + 16 * i] * tileB[kk][tn + 16 * j];
    __syncthreads();
  }

  for (int i = 0; i < MTile / 16; ++i)
    for (int j = 0; j < NTile / 16; ++j) {
      const int gm = m0 + tid / 16 + 16 * i;
      const int gn = n0 + tid % 16 + 16 * j;
      if (gm < gemmM && gn < cp.k)
        output[gm * cp.k + gn] = acc[i][j];
    }
}

extern "C" __global__ void __launch_bounds__(256)
    conv_nhwc_igemm(const float *__restrict__ input, const float *__restrict__ filter,
                    float *__restrict__ output, ConvParams cp) {
  implicitGemm<64, 32, 8>(input, filter, output, cp);
}
