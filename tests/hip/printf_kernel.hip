// expect-output: block 1 thread 2: -3 2.50 text 0x10 c 5000000000 100%
// expect-output: a text of more bytes than one packet of the protocol holds, so it takes two
#include "check.h"

__global__ void say(const char *text) {
  if (threadIdx.x == 2 && blockIdx.x == 1)
    printf("block %d thread %d: %d %.2f %s %#x %c %lld 100%%\n", int(blockIdx.x), int(threadIdx.x),
           -3, 2.5, "text", 16, 'c', 5000000000ll);
  if (threadIdx.x == 0 && blockIdx.x == 0)
    printf("%s\n", text);
}

int main() {
  const char text[] = "a text of more bytes than one packet of the protocol holds, so it takes two";
  char *device;
  HIP(hipMalloc((void **)&device, sizeof text));
  HIP(hipMemcpy(device, text, sizeof text, hipMemcpyHostToDevice));
  say<<<2, 40>>>(device);
  HIP(hipDeviceSynchronize());
  HIP(hipFree(device));
}
