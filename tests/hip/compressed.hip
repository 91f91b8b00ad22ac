// flags: --offload-compress
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  const std::vector<float> a = someFloats(n, 1), b = someFloats(n, 2);
  Buffer<float> da(a), db(b), dc(n);
  add<<<(n + 255) / 256, 256>>>(da.data, db.data, dc.data, n);
  HIP(hipGetLastError());
  HIP(hipDeviceSynchronize());
  const std::vector<float> c = dc.read();
  for (int i = 0; i < n; ++i)
    EXPECT(c[i] == a[i] + b[i]);
}
