// check: --check=all --error-exitcode 9
// exit: 9
// expect-error: fault_race_global.hip:7
// expect-error: global-race
#include "check.h"

__global__ void neighbour(int *data) { data[threadIdx.x] = data[(threadIdx.x + 32) % 64] + 1; }

int main() {
  Buffer<int> data(std::vector<int>(64, 1));
  neighbour<<<1, 64>>>(data.data);
  (void)hipDeviceSynchronize();
}
