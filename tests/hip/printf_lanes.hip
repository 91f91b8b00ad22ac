#include "check.h"

#include <cstring>
#include <unistd.h>

/// All lanes of several waves at a time: each line comes out once and whole.
__global__ void say() { printf("<%u>\n", blockIdx.x * blockDim.x + threadIdx.x); }

int main() {
  const unsigned n = 4 * 96;
  char name[] = "/tmp/printf-lanes-XXXXXX";
  const int file = mkstemp(name);
  EXPECT(file >= 0);
  const int terminal = dup(1);
  std::fflush(stdout);
  dup2(file, 1);
  say<<<4, 96>>>();
  HIP(hipDeviceSynchronize());
  std::fflush(stdout);
  dup2(terminal, 1);
  std::FILE *in = std::fopen(name, "r");
  std::vector<unsigned> seen(n);
  char line[64];
  unsigned lines = 0;
  for (; std::fgets(line, sizeof line, in); ++lines) {
    unsigned number = n;
    EXPECT(std::sscanf(line, "<%u>", &number) == 1 && number < n);
    ++seen[number];
  }
  EXPECT(lines == n);
  for (unsigned count : seen)
    EXPECT(count == 1);
  unlink(name);
}
