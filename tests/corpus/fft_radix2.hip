//===- fft_radix2.hip - Fourier transform in LDS, radix 2 -----------------===//
//
// 256 complex points per workgroup, decimation in frequency, in place; the result is left in bit-
// reversed order. twiddle[k] = exp(-2 pi i k / 256).
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Complex __attribute__((ext_vector_type(2)));
constexpr unsigned Points = 256, Lanes = 64;

KERNEL void WORKGROUP(Lanes)
    fft_radix2(const Complex *__restrict__ input, const Complex *__restrict__ twiddle,
               Complex *__restrict__ output) {
  LDS Complex data[Points];
  unsigned t = threadX(), first = groupX() * Points;
  for (unsigned i = 0; i < 4; ++i)
    data[t + Lanes * i] = input[first + t + Lanes * i];
  barrier();
#pragma unroll 1
  for (unsigned half = Points / 2; half > 0; half /= 2) {
    for (unsigned i = 0; i < 2; ++i) {
      unsigned butterfly = t + Lanes * i;
      unsigned k = butterfly & (half - 1);
      unsigned at = 2 * butterfly - k;
      Complex a = data[at], b = data[at + half];
      Complex w = twiddle[k * (Points / 2 / half)];
      Complex difference = a - b;
      data[at] = a + b;
      data[at + half] =
          Complex{difference.x * w.x - difference.y * w.y, difference.x * w.y + difference.y * w.x};
    }
    barrier();
  }
  for (unsigned i = 0; i < 4; ++i)
    output[first + t + Lanes * i] = data[t + Lanes * i];
}
