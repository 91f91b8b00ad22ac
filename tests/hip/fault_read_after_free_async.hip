// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_read_after_free_async.hip:8
// expect-error: illegal-address: read of address
// expect-error: 32 bytes into allocation 1 (hipMallocAsync, 256 bytes), which was freed
#include "check.h"

__global__ void sum(const float *in, float *out) { atomicAdd(out, in[threadIdx.x + 8]); }

int main() {
  float *data;
  HIP(hipMallocAsync((void **)&data, 256, nullptr));
  HIP(hipMemset(data, 0, 256));
  Buffer<float> out(std::vector<float>{0});
  HIP(hipFreeAsync(data, nullptr));
  sum<<<1, 32>>>(data, out.data);
  (void)hipDeviceSynchronize();
}
