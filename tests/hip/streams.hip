#include "check.h"

__global__ void scale(float *data, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

static void countUp(hipStream_t, hipError_t status, void *data) {
  *(int *)data += status == hipSuccess ? 1 : 100;
}

int main() {
  const int parts = 4, n = 300;
  const std::vector<float> in = someFloats(parts * n, 6);
  float *pinned, *device;
  HIP(hipHostMalloc((void **)&pinned, parts * n * 4, 0));
  HIP(hipMalloc((void **)&device, parts * n * 4));
  hipStream_t streams[parts];
  hipEvent_t copied;
  HIP(hipEventCreateWithFlags(&copied, hipEventDisableTiming));
  int calls = 0;
  for (int i = 0; i < parts * n; ++i)
    pinned[i] = in[i];
  for (int p = 0; p < parts; ++p) {
    HIP(hipStreamCreateWithFlags(&streams[p], p % 2 ? hipStreamNonBlocking : hipStreamDefault));
    HIP(hipMemcpyAsync(device + p * n, pinned + p * n, n * 4, hipMemcpyHostToDevice, streams[p]));
    HIP(hipEventRecord(copied, streams[p]));
    HIP(hipStreamWaitEvent(streams[p], copied, 0));
    scale<<<3, 128, 0, streams[p]>>>(device + p * n, float(p + 1), n);
    HIP(hipMemcpyAsync(pinned + p * n, device + p * n, n * 4, hipMemcpyDeviceToHost, streams[p]));
    HIP(hipStreamAddCallback(streams[p], countUp, &calls, 0));
  }
  for (int p = 0; p < parts; ++p) {
    HIP(hipStreamSynchronize(streams[p]));
    EXPECT(hipStreamQuery(streams[p]) == hipSuccess);
    HIP(hipStreamDestroy(streams[p]));
  }
  EXPECT(calls == parts);
  for (int i = 0; i < parts * n; ++i)
    EXPECT(pinned[i] == in[i] * float(i / n + 1));
  EXPECT(hipStreamCreateWithFlags(&streams[0], 77) == hipErrorInvalidValue);
  HIP(hipEventDestroy(copied));
  HIP(hipFree(device));
  HIP(hipHostFree(pinned));
}
