// expect-error: hipGraphCreate is not implemented
#include "check.h"

int main() {
  hipGraph_t graph;
  EXPECT(hipGraphCreate(&graph, 0) == hipErrorNotSupported);
  EXPECT(hipGraphCreate(&graph, 0) == hipErrorNotSupported);
  EXPECT(hipGetLastError() == hipErrorNotSupported);
}
