//===- mandelbrot.hip - escape-time iteration -----------------------------===//
//
// z = z * z + c until |z| > 2, two points per lane. The rounding is spelled out: the iteration is
// chaotic, and contracting it differently would change the counts.
//
//===----------------------------------------------------------------------===//
#include "device.h"

#pragma clang fp contract(off)

KERNEL void WORKGROUP(64) mandelbrot(const float *__restrict__ c, float *__restrict__ z,
                                     int *__restrict__ counts, int most, int lanes) {
  unsigned id = groupX() * 64 + threadX();
#pragma unroll 1
  for (unsigned p = 0; p < 2; ++p) {
    float re = 0, im = 0, cr = c[2 * p * lanes + id], ci = c[(2 * p + 1) * lanes + id];
    int count = 0;
#pragma unroll 1
    while (count < most && __builtin_fmaf(re, re, im * im) <= 4.0f) {
      float square = __builtin_fmaf(-im, im, cr);
      im = __builtin_fmaf(2 * re, im, ci);
      re = __builtin_fmaf(re, re, square);
      ++count;
    }
    z[2 * p * lanes + id] = re;
    z[(2 * p + 1) * lanes + id] = im;
    counts[p * lanes + id] = count;
  }
}
