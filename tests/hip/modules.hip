// module: modules_kernels.hip
// expect-error: neither a code object nor a bundle of them
#include "check.h"

#include <cstring>

int main(int, char **argv) {
  hipModule_t module;
  HIP(hipModuleLoad(&module, argv[1]));
  hipFunction_t scale, missing;
  HIP(hipModuleGetFunction(&scale, module, "scale"));
  EXPECT(hipModuleGetFunction(&missing, module, "none") == hipErrorNotFound);
  hipDeviceptr_t offset;
  size_t bytes = 0;
  HIP(hipModuleGetGlobal(&offset, &bytes, module, "offset"));
  EXPECT(bytes == sizeof(int));
  int five = 5;
  HIP(hipMemcpyHtoD(offset, &five, sizeof five));
  Buffer<int> data(std::vector<int>{1, 2, 3, 4});
  int factor = 10;
  void *parameters[] = {&data.data, &factor};
  HIP(hipModuleLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT(data.read() == (std::vector<int>{15, 25, 35, 45}));

  struct {
    int *data;
    int factor;
  } packed = {data.data, 2};
  size_t size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  HIP(hipModuleLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT(data.read() == (std::vector<int>{35, 55, 75, 95}));
  EXPECT(hipModuleLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, extra) ==
         hipErrorInvalidValue);
  HIP(hipModuleUnload(module));
  EXPECT(hipModuleLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr) ==
         hipErrorInvalidHandle);
  EXPECT(hipModuleLoad(&module, "/nowhere/at/all") == hipErrorFileNotFound);
  char nonsense[4096] = "this is no code object";
  EXPECT(hipModuleLoadData(&module, nonsense) == hipErrorInvalidImage);
}
