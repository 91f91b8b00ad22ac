#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void store(int *data, int value) { *data = value; }

int main() {
  Buffer<int> data(1);
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  store<<<1, 1, 0, stream>>>(data.data, 1);
  HIP(hipDeviceSynchronize());
  const pid_t child = fork();
  if (child == 0) {
    store<<<1, 1>>>(data.data, 2);
    const int code = data.read()[0] == 2 ? 42 : 1;
    HIP(hipFree(data.data));
    std::exit(code); // In the middle, with a stream left.
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 42);
  EXPECT(data.read()[0] == 1); // The child's memory was its own.
  std::atexit([] { (void)hipDeviceSynchronize(); });
}
