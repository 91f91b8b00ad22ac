//===- lanes.hip - bits, shuffles, votes, vectors and atomics --------------===//
#include "functions.h"

#include <hip/hip_fp16.h>

RUN(popc, unsigned, __popc(x))
RUN(clz, unsigned, __clz(x >> (y & 31)))
RUN(ffs, unsigned, __ffs(x << (y & 31)))
RUN_1(__brev, unsigned)
RUN(popcll, unsigned, __popcll((unsigned long long)x << 32 | y))
RUN(clzll, unsigned, __clzll(((unsigned long long)x << 32 | y) >> (y & 63)))
RUN(ffsll, unsigned, __ffsll(((unsigned long long)x << 32 | y) << (y & 63)))
RUN(brevll, unsigned, __brevll((unsigned long long)x << 32 | y) >> 7)
RUN(mulhi, unsigned, __mulhi(x, y))
RUN(umulhi, unsigned, __umulhi(x, y))
RUN(mul24, unsigned, __mul24(x, y))
RUN(umul24, unsigned, __umul24(x, y))
RUN(byte_perm, unsigned, __byte_perm(x, y, x ^ y >> 3))
RUN(funnel_left, unsigned, __funnelshift_l(x, y, x >> 8))
RUN(funnel_right, unsigned, __funnelshift_r(x, y, x >> 8))
RUN(extrema, unsigned, min(x, y) + 3 * max(int(x), int(y)) + 5 * abs(int(x)))
RUN(casts, unsigned,
    __float_as_uint(__uint_as_float(x) * 1.0f) + __double2hiint(__hiloint2double(x, y)) +
        __double2loint(__hiloint2double(x, y)))
RUN(conversions, unsigned,
    __float2int_rn(y * 0x1p-8f) + 3 * __float2int_rz(y * 0x1p-8f) +
        5 * __float2uint_ru(y * 0x1p-8f) + 7 * __double2int_rd(x * 0.25))

// Widths of 32, 16, 8 and 4, a workgroup each.
#define WIDTH (32 >> (blockIdx.x & 3))
RUN(shfl, unsigned, __shfl(x, int(y), WIDTH))
RUN(shfl_up, unsigned, __shfl_up(x, y % 7, WIDTH))
RUN(shfl_down, unsigned, __shfl_down(x, y % 7, WIDTH))
RUN(shfl_xor, unsigned, __shfl_xor(x, int(y % 32), WIDTH))
RUN(shfl_double, unsigned, __double2hiint(__shfl_xor(__hiloint2double(y, x), 5)))
RUN(shfl_sync, unsigned, __shfl_down_sync(0xffffffffull, x, 3))
RUN(ballot, unsigned, __ballot(x & 1))
RUN(divergent_ballot, unsigned, y & 1 ? __ballot(x & 1) : __activemask())
RUN(votes, unsigned, __any((x & 15) == 0) + 2 * __all((x & 31) != 0))
RUN(lane, unsigned, __lane_id() + 100 * warpSize)

RUN(vectors, unsigned, ([=] {
      uint4 a = make_uint4(x, y, x ^ y, x + y), b = {1, 2, 3, 4};
      a = (a * 3u + b) ^ (b << 4);
      a -= make_uint4(5, 6, 7, 8);
      int2 c = -make_int2(x & 255, y & 255) / 3;
      float3 d = make_float3(x & 7, y & 7, 2.0f);
      d *= 2.0f;
      d = 1.0f - d * d;
      uchar4 e = make_uchar4(x, y, x, y);
      e += uchar4(1);
      return a.x + a.y + a.z + a.w + c.x * c.y + static_cast<int>(d.x + d.y + d.z) + e.x + e.w +
             (a == a) + 2 * (b != b);
    }()))

#define HALF(bits) __ushort_as_half(static_cast<unsigned short>(bits))
RUN(half_sums, unsigned,
    __half_as_ushort(__hadd(HALF(x), HALF(y))) |
        __half_as_ushort(__hmul(HALF(x >> 16), HALF(y >> 16))) << 16)
RUN(half_fma, unsigned, __half_as_ushort(__hfma(HALF(x), HALF(y), HALF(y >> 16))))
RUN(half_root, unsigned, __half_as_ushort(hsqrt(HALF(x & 0x7fff))))
RUN(half_pairs, unsigned, ([=] {
      half2 a = make_half2(HALF(x), HALF(x >> 16)), b = make_half2(HALF(y), HALF(y >> 16));
      half2 c = __hfma2(a, b, __lowhigh2highlow(b));
      return __half_as_ushort(__low2half(c)) | __half_as_ushort(__high2half(c)) << 16;
    }()))

extern "C" __global__ __launch_bounds__(256) void run_atomics(const unsigned *xs, const unsigned *,
                                                              unsigned *r) {
  unsigned x = xs[blockIdx.x * blockDim.x + threadIdx.x];
  __shared__ unsigned common;
  if (threadIdx.x == 0)
    common = ~0u;
  __syncthreads();
  atomicAnd(&common, x | 0xffff0000u >> (x & 15));
  __syncthreads();
  if (threadIdx.x == 0)
    atomicXor(&r[0], common);
  atomicAdd(&r[1], x);
  atomicSub(&r[2], x);
  atomicMax(&r[3], x);
  atomicMin(reinterpret_cast<int *>(&r[4]), static_cast<int>(x));
  atomicOr(&r[5], 1u << (x & 31));
  atomicXor(&r[6], x);
  atomicInc(&r[7], 99);
  atomicDec(&r[8], 6);
  unsigned seen = r[9], old;
  do
    old = seen;
  while ((seen = atomicCAS(&r[9], old, old + (x & 3))) != old);
  atomicAdd(&r[10], atomicExch(&r[11], 1));
  atomicAdd(reinterpret_cast<float *>(&r[12]), static_cast<float>(x & 15));
  atomicMax(reinterpret_cast<float *>(&r[13]), static_cast<float>(x & 1023));
  atomicMin(reinterpret_cast<float *>(&r[14]), -static_cast<float>(x & 1023));
  atomicAdd(reinterpret_cast<unsigned long long *>(&r[16]), static_cast<unsigned long long>(x)
                                                                << 8);
  atomicAdd(reinterpret_cast<double *>(&r[18]), static_cast<double>(x & 63));
  __shared__ float shared;
  if (threadIdx.x == 0)
    shared = 0;
  __syncthreads();
  unsafeAtomicAdd(&shared, static_cast<float>(x & 15));
  __syncthreads();
  if (threadIdx.x == 0)
    unsafeAtomicAdd(reinterpret_cast<float *>(&r[20]), shared);
  atomicAddNoRet(reinterpret_cast<float *>(&r[21]), static_cast<float>(x & 15));
  unsafeAtomicAdd(reinterpret_cast<double *>(&r[22]), static_cast<double>(x & 63));
  safeAtomicAdd(reinterpret_cast<float *>(&r[24]), static_cast<float>(x & 15));
  safeAtomicAdd(reinterpret_cast<double *>(&r[26]), static_cast<double>(x & 63));
}
