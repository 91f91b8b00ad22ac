//===- load.cpp - launches a code object that was rewritten ----------------===//
//
// On a machine with ROCm:
//
//   g++ -D__HIP_PLATFORM_AMD__ load.cpp -I/opt/rocm/include -L/opt/rocm/lib -lamdhip64 -o load
//   ./load sgemm.hsaco
//
//===----------------------------------------------------------------------===//
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "sgemm.hsaco";
  int n = 1024;
  float alpha = 1, beta = 0;
  const size_t bytes = static_cast<size_t>(n) * n * sizeof(float);
  std::vector<float> ones(static_cast<size_t>(n) * n, 1.0f);

  hipModule_t module;
  hipFunction_t sgemm;
  check(hipModuleLoad(&module, file), file);
  check(hipModuleGetFunction(&sgemm, module, "sgemm"), "sgemm");

  float *a, *b, *c;
  for (float **matrix : {&a, &b, &c}) {
    check(hipMalloc(reinterpret_cast<void **>(matrix), bytes), "hipMalloc");
    check(hipMemcpy(*matrix, ones.data(), bytes, hipMemcpyHostToDevice), "hipMemcpy");
  }
  // A pointer to each argument, in the order in which the kernel has them.
  void *arguments[] = {&a, &b, &c, &n, &alpha, &beta};
  check(hipModuleLaunchKernel(sgemm, n / 64, n / 64, 1, 64, 1, 1, 0, nullptr, arguments, nullptr),
        "hipModuleLaunchKernel");
  check(hipMemcpy(ones.data(), c, bytes, hipMemcpyDeviceToHost), "hipMemcpy");
  std::printf("C[0] = %g, should be %d\n", ones[0], n);
  return 0;
}
