#include "HipShim.h"

#include <hip/hip_runtime_api.h>
#include <rdna3emu.h>

#include <elf.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace {

struct Loaded {
  std::vector<unsigned char> image;
  std::map<std::string, rdna3emu_kernel *> kernels;
};
struct Function {
  std::string name;
  rdna3emu_kernel *kernel;
};

bool isLarge(size_t bytes) { return bytes >= size_t{1} << 30; }

std::map<void *, size_t> allocations;
std::vector<Function *> functions;
std::string last;
size_t launches = 0;

/// hipModuleLoadData has no size: sections' headers come last in what linkers write.
size_t elfBytes(const void *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  return header.e_shoff + size_t{header.e_shnum} * header.e_shentsize;
}

} // namespace

const std::string &rdna::test::lastKernel() { return last; }
size_t rdna::test::launchCount() { return launches; }

extern "C" {

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  const auto *bytes = static_cast<const unsigned char *>(image);
  auto *loaded = new Loaded{{bytes, bytes + elfBytes(image)}, {}};
  *module = reinterpret_cast<hipModule_t>(loaded);
  return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t module) {
  auto *loaded = reinterpret_cast<Loaded *>(module);
  for (const auto &[name, kernel] : loaded->kernels)
    rdna3emu_kernel_free(kernel);
  delete loaded;
  return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  auto *loaded = reinterpret_cast<Loaded *>(module);
  rdna3emu_kernel *&kernel = loaded->kernels[name];
  if (kernel == nullptr && rdna3emu_kernel_from_code_object(
                               loaded->image.data(), loaded->image.size(), name, &kernel) < 0)
    return hipErrorNotFound;
  functions.push_back(new Function{name, kernel}); // As long as the process.
  *function = reinterpret_cast<hipFunction_t>(functions.back());
  return hipSuccess;
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY,
                                 unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                 unsigned lds, hipStream_t, void **, void **extra) {
  const auto *f = reinterpret_cast<Function *>(function);
  if (gridX == 0 || gridY == 0 || gridZ == 0 || extra[0] != HIP_LAUNCH_PARAM_BUFFER_POINTER ||
      extra[2] != HIP_LAUNCH_PARAM_BUFFER_SIZE || extra[4] != HIP_LAUNCH_PARAM_END)
    return hipErrorInvalidConfiguration;
  std::vector<rdna3emu_region> regions;
  for (const auto &[pointer, bytes] : allocations)
    regions.push_back({"memory", pointer, bytes, RDNA3EMU_READ_WRITE, 0});
  rdna3emu_launch launch = RDNA3EMU_LAUNCH_INIT;
  const unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
  std::memcpy(launch.grid, grid, sizeof(grid));
  std::memcpy(launch.block, block, sizeof(block));
  launch.dynamic_lds_bytes = lds;
  launch.kernarg = extra[1];
  launch.kernarg_bytes = *static_cast<size_t *>(extra[3]);
  launch.regions = regions.data();
  launch.region_count = regions.size();
  launch.threads = 2;
  ++launches;
  last = f->name;
  rdna3emu_report *report = nullptr;
  const int32_t status = rdna3emu_run(f->kernel, &launch, &report);
  if (status != RDNA3EMU_OK)
    std::fprintf(stderr, "%s: %s\n", f->name.c_str(),
                 report != nullptr ? rdna3emu_report_json(report) : rdna3emu_last_error());
  rdna3emu_report_free(report);
  return status == RDNA3EMU_OK ? hipSuccess : hipErrorLaunchFailure;
}

hipError_t hipMalloc(void **pointer, size_t bytes) {
  // Whoever wants so much touches little of it: no memory is filled.
  *pointer = isLarge(bytes) ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                            : std::malloc(bytes);
  if (*pointer == nullptr || *pointer == MAP_FAILED)
    return hipErrorOutOfMemory;
  if (!isLarge(bytes))
    std::memset(*pointer, 0xff, bytes); // NaN
  allocations[*pointer] = bytes;
  return hipSuccess;
}

hipError_t hipFree(void *pointer) {
  const size_t bytes = allocations[pointer];
  allocations.erase(pointer);
  if (isLarge(bytes))
    munmap(pointer, bytes);
  else
    std::free(pointer);
  return hipSuccess;
}

hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind) {
  std::memcpy(to, from, bytes);
  return hipSuccess;
}

// A launch has ended when it returns, so there is nothing to wait for.
hipError_t hipDeviceSynchronize() { return hipSuccess; }
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned) {
  static int anything;
  *event = reinterpret_cast<hipEvent_t>(&anything);
  return hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t) { return hipSuccess; }
hipError_t hipEventRecord(hipEvent_t, hipStream_t) { return hipSuccess; }
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned) { return hipSuccess; }
const char *hipGetErrorString(hipError_t status) {
  return status == hipSuccess ? "no error" : "an error";
}

} // extern "C"
