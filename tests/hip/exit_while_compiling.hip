// Programs that end while a kernel is compiled for the host in the background, in every way. Not
// optimised, because the more code there is, the longer that takes.
// flags: -O0
#include "check.h"

#include <csignal>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// Code of some length: each way of the loop is another function.
template <int N> __device__ float polynomial(float x) {
  return polynomial<N - 1>(x * 0.5f + float(N)) * x - float(N & 3);
}
template <> __device__ float polynomial<0>(float x) { return x; }

template <int Kind> __global__ void longKernel(float *data, int iterations) {
  float x = data[threadIdx.x];
  for (int n = 0; n < iterations; ++n)
    x = polynomial<60 + Kind>(x) * 1e-30f;
  data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// Long enough to be compiled, with a compilation that is not done when it ends. Two, so that one
/// waits for its turn.
static void launchBoth(float *data) {
  longKernel<0><<<64, 256>>>(data, 20);
  longKernel<1><<<64, 256>>>(data, 20);
}

/// Runs this program again with an argument.
static int runAgain(const char *self, const char *how) {
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, how, nullptr);
    _exit(127);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int end(const char *how) {
  float *data = nullptr;
  HIP(hipMalloc(&data, 64 * 256 * sizeof(float)));
  HIP(hipMemset(data, 0, 64 * 256 * sizeof(float)));
  const std::string_view way(how);
  if (way == "thread") { // It still launches when main returns.
    std::thread([&] { launchBoth(data); }).detach();
    usleep(400'000);
    return 40;
  }
  if (way == "exit-in-thread")
    std::thread([&] {
      launchBoth(data);
      std::exit(40);
    }).join();
  launchBoth(data);
  if (way == "exit")
    std::exit(40);
  if (way == "quick_exit")
    std::quick_exit(40);
  if (way == "_exit")
    _exit(40);
  if (way == "abort")
    std::abort();
  if (way == "kill")
    raise(SIGINT);
  if (way == "fork") { // The child has no compilation to wait for, and can still launch.
    const pid_t child = fork();
    if (child == 0) {
      launchBoth(data);
      HIP(hipFree(data));
      std::exit(39);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 39);
  }
  return 40;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return end(argv[1]);
  for (const char *how :
       {"return", "return", "exit", "thread", "exit-in-thread", "fork", "quick_exit", "_exit"})
    EXPECT(runAgain(argv[0], how) == 40);
  EXPECT(runAgain(argv[0], "abort") == -SIGABRT);
  EXPECT(runAgain(argv[0], "kill") == -SIGINT);
}
