#include "check.h"

__global__ void number(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  hipMemPool_t pool;
  HIP(hipDeviceGetDefaultMemPool(&pool, 0));
  unsigned long threshold = 1 << 20, back = 0;
  HIP(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  HIP(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &back));
  EXPECT(back == threshold);
  int *data = nullptr, host[64];
  HIP(hipMallocAsync((void **)&data, sizeof host, stream));
  number<<<1, 64, 0, stream>>>(data);
  HIP(hipMemcpyAsync(host, data, sizeof host, hipMemcpyDeviceToHost, stream));
  HIP(hipFreeAsync(data, stream));
  HIP(hipStreamSynchronize(stream));
  for (int i = 0; i < 64; ++i)
    EXPECT(host[i] == i);
  HIP(hipStreamDestroy(stream));
}
