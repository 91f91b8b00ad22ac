// flags: -mcumode
// expect-output: five kernels
// The five kernels of templates/ by <<<>>>, against a product in double precision.
#include "check.h"

#include "../../templates/device.h"

#include <cmath>

namespace one {
#include "../../templates/kernel1.hip"
}
namespace two {
#include "../../templates/kernel2.hip"
}
namespace three {
#include "../../templates/kernel3.hip"
}
namespace four {
#include "../../templates/kernel4.hip"
}
namespace five {
#include "../../templates/kernel5.hip"
}

int main() {
  const int n = 256;
  const float alpha = 1.25f, beta = 0.5f;
  const std::vector<float> a = someFloats(n * n, 1), b = someFloats(n * n, 2),
                           c = someFloats(n * n, 3);
  // What is summed up, and the sum of the absolute values, which the error is in proportion to.
  std::vector<double> wanted(n * n), scale(n * n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) {
        const double product = double(alpha) * a[i * n + k] * b[k * n + j];
        wanted[i * n + j] += product;
        scale[i * n + j] += std::fabs(product);
      }
  const auto run = [&](auto kernel, unsigned tile, dim3 block) {
    Buffer<float> da(a), db(b), dc(c);
    kernel<<<dim3(n / tile, n / tile), block>>>(da.data, db.data, dc.data, n, alpha, beta);
    HIP(hipGetLastError());
    const std::vector<float> got = dc.read();
    for (int i = 0; i < n * n; ++i) {
      // n + 2 roundings, each of half an ulp of at most the sum of absolute values.
      const double bound = (n + 2) * 0x1p-24 * (scale[i] + std::fabs(beta * c[i]));
      EXPECT(std::fabs(got[i] - (wanted[i] + double(beta) * c[i])) <= bound);
    }
  };
  run(one::sgemm_kernel1, 16, dim3(16, 16));
  run(two::sgemm_kernel2, 32, dim3(32, 32));
  run(three::sgemm_kernel3, 128, dim3(256));
  run(four::sgemm_kernel4, 128, dim3(256));
  run(five::sgemm_kernel5, 128, dim3(128));
  std::printf("five kernels\n");
}
