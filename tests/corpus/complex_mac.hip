//===- complex_mac.hip - complex multiply-accumulate ----------------------===//
//
// Correlation of a signal with 4 references per lane: sum[r] += signal[k] * reference[r][k],
// complex.
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Complex __attribute__((ext_vector_type(2)));
constexpr unsigned References = 4;

KERNEL void WORKGROUP(64)
    complex_mac(const Complex *__restrict__ signal, const Complex *__restrict__ reference,
                Complex *__restrict__ result, int length, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float re[References] = {}, im[References] = {};
#pragma unroll 1
  for (int k = 0; k < length; ++k) {
    Complex s = signal[k * lanes + id];
    for (unsigned r = 0; r < References; ++r) {
      Complex f = reference[(r * length + k) * lanes + id];
      re[r] += s.x * f.x;
      re[r] -= s.y * f.y;
      im[r] += s.x * f.y;
      im[r] += s.y * f.x;
    }
  }
  for (unsigned r = 0; r < References; ++r)
    result[r * lanes + id] = Complex{re[r], im[r]};
}
