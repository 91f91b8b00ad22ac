#include "check.h"

#include <cmath>

__global__ void calculate(const float *in, float *out, int n) {
  const int i = threadIdx.x;
  const float x = in[i];
  out[i] = sinf(x);
  out[n + i] = expf(x);
  out[2 * n + i] = sqrtf(fabsf(x));
  out[3 * n + i] = powf(fabsf(x), 1.5f);
  out[4 * n + i] = tanhf(x);
}

/// Of a result against double precision, in units of the last place of the right one.
static double ulps(float got, double right) {
  int exponent = 0;
  std::frexp(float(right), &exponent);
  return std::fabs(got - right) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

int main() {
  const int n = 256;
  const std::vector<float> in = someFloats(n, 9);
  Buffer<float> din(in), dout(5 * n);
  calculate<<<1, n>>>(din.data, dout.data, n);
  HIP(hipGetLastError());
  const std::vector<float> out = dout.read();
  for (int i = 0; i < n; ++i) {
    const double x = in[i];
    EXPECT(ulps(out[i], std::sin(x)) <= 4);
    EXPECT(ulps(out[n + i], std::exp(x)) <= 3);
    EXPECT(out[2 * n + i] == std::sqrt(std::fabs(in[i])));
    EXPECT(ulps(out[3 * n + i], std::pow(std::fabs(x), 1.5)) <= 16);
    EXPECT(ulps(out[4 * n + i], std::tanh(x)) <= 5);
  }
}
