//===- many_arguments.hip - more arguments than registers for them ------===//
//
// Forty arguments: the last eight are passed on the stack.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float weighted(float a0, float a1, float a2, float a3, float a4, float a5, float a6,
                        float a7, float a8, float a9, float a10, float a11, float a12, float a13,
                        float a14, float a15, float a16, float a17, float a18, float a19, float a20,
                        float a21, float a22, float a23, float a24, float a25, float a26, float a27,
                        float a28, float a29, float a30, float a31, float a32, float a33, float a34,
                        float a35, float a36, float a37, float a38, float a39) {
  float sum[4] = {};
  sum[0] += a0 * a39;
  sum[1] += a1 * a38;
  sum[2] += a2 * a37;
  sum[3] += a3 * a36;
  sum[0] += a4 * a35;
  sum[1] += a5 * a34;
  sum[2] += a6 * a33;
  sum[3] += a7 * a32;
  sum[0] += a8 * a31;
  sum[1] += a9 * a30;
  sum[2] += a10 * a29;
  sum[3] += a11 * a28;
  sum[0] += a12 * a27;
  sum[1] += a13 * a26;
  sum[2] += a14 * a25;
  sum[3] += a15 * a24;
  sum[0] += a16 * a23;
  sum[1] += a17 * a22;
  sum[2] += a18 * a21;
  sum[3] += a19 * a20;
  return (sum[0] + sum[1]) * (sum[2] + sum[3]);
}

KERNEL void WORKGROUP(64)
    many_arguments(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *at = x + round * 40 * lanes + id;
    sum += weighted(at[0 * lanes], at[1 * lanes], at[2 * lanes], at[3 * lanes], at[4 * lanes],
                    at[5 * lanes], at[6 * lanes], at[7 * lanes], at[8 * lanes], at[9 * lanes],
                    at[10 * lanes], at[11 * lanes], at[12 * lanes], at[13 * lanes], at[14 * lanes],
                    at[15 * lanes], at[16 * lanes], at[17 * lanes], at[18 * lanes], at[19 * lanes],
                    at[20 * lanes], at[21 * lanes], at[22 * lanes], at[23 * lanes], at[24 * lanes],
                    at[25 * lanes], at[26 * lanes], at[27 * lanes], at[28 * lanes], at[29 * lanes],
                    at[30 * lanes], at[31 * lanes], at[32 * lanes], at[33 * lanes], at[34 * lanes],
                    at[35 * lanes], at[36 * lanes], at[37 * lanes], at[38 * lanes], at[39 * lanes]);
  }
  result[id] = sum;
}
