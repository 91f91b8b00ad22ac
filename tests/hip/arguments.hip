#include "check.h"

struct Odd {
  char tag;
  double value;
  short small[3];
};

template <class T>
__global__ void mix(T *out, char a, Odd odd, short b, float4 four, bool flag, long long big) {
  out[0] = T(a + b);
  out[1] = T(odd.tag + odd.value + odd.small[2]);
  out[2] = T(four.x + four.y * four.z - four.w);
  out[3] = T(flag ? big : -1);
  out[4] = T(gridDim.x * 100 + gridDim.y * 10 + gridDim.z);
  out[5] = T(blockDim.x * 100 + blockDim.y * 10 + blockDim.z);
}

int main() {
  Buffer<double> out(6);
  mix<<<dim3(3, 2, 1), dim3(4, 3, 2)>>>(out.data, 'a', Odd{'b', 0.25, {1, 2, 3}}, short(-7),
                                        make_float4(1, 2, 3, 4), true, 1ll << 40);
  HIP(hipGetLastError());
  const std::vector<double> values = out.read();
  EXPECT(values[0] == 90 && values[1] == 101.25 && values[2] == 3);
  EXPECT(values[3] == double(1ll << 40) && values[4] == 321 && values[5] == 432);
}
