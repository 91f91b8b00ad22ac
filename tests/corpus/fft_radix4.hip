//===- fft_radix4.hip - Fourier transform in LDS, radix 4 -----------------===//
//
// 256 complex points per workgroup, decimation in frequency, in place; the result is left in
// base-4 digit-reversed order. twiddle[k] = exp(-2 pi i k / 256).
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Complex __attribute__((ext_vector_type(2)));
constexpr unsigned Points = 256, Lanes = 64;

INLINE Complex multiply(Complex a, Complex b) {
  return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

KERNEL void WORKGROUP(Lanes)
    fft_radix4(const Complex *__restrict__ input, const Complex *__restrict__ twiddle,
               Complex *__restrict__ output) {
  LDS Complex data[Points];
  unsigned t = threadX(), first = groupX() * Points;
  for (unsigned i = 0; i < 4; ++i)
    data[t + Lanes * i] = input[first + t + Lanes * i];
  barrier();
#pragma unroll 1
  for (unsigned quarter = Points / 4; quarter > 0; quarter /= 4) {
    unsigned k = t & (quarter - 1);
    unsigned at = 4 * (t - k) + k;
    unsigned scale = Points / 4 / quarter;
    Complex a = data[at], b = data[at + quarter];
    Complex c = data[at + 2 * quarter], d = data[at + 3 * quarter];
    Complex even = a + c, odd = b + d, evenDifference = a - c;
    Complex turned = Complex{b.y - d.y, d.x - b.x}; // -i * (b - d)
    data[at] = even + odd;
    data[at + quarter] = multiply(evenDifference + turned, twiddle[k * scale]);
    data[at + 2 * quarter] = multiply(even - odd, twiddle[2 * k * scale]);
    data[at + 3 * quarter] = multiply(evenDifference - turned, twiddle[3 * k * scale]);
    barrier();
  }
  for (unsigned i = 0; i < 4; ++i)
    output[first + t + Lanes * i] = data[t + Lanes * i];
}
