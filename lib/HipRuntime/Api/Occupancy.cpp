//===- Occupancy.cpp - how many blocks fit --------------------------------===//
#include "HipRuntime/Api/Call.h"

#include <algorithm>

using namespace rdna::hip;

namespace {

Error activeBlocks(int *blocks, ModuleKernel *kernel, int block, size_t dynamicLds) {
  if (!blocks || block <= 0)
    return Error::InvalidValue;
  *blocks = int(blocksPerProcessor(kernel->kernel(), unsigned(block), dynamicLds));
  return Error::Success;
}

/// The block size that keeps the most waves at work; of several the largest.
Error bestBlock(int *grid, int *block, ModuleKernel *kernel, size_t dynamicLds, int limit) {
  if (!grid || !block || limit < 0)
    return Error::InvalidValue;
  const int most = int(kernel->kernel().maxFlatWorkgroupSize.value_or(1024));
  const int start = (limit == 0 ? most : std::min(limit, most)) / 32 * 32;
  unsigned bestThreads = 0;
  constexpr int processors = 48;
  *grid = *block = 0;
  for (int size = start; size > 0; size -= 32) {
    const unsigned blocks = blocksPerProcessor(kernel->kernel(), unsigned(size), dynamicLds);
    if (blocks * unsigned(size) <= bestThreads)
      continue;
    bestThreads = blocks * unsigned(size);
    *block = size;
    *grid = processors * int(blocks);
  }
  return Error::Success;
}

template <class Body> int32_t withStub(const void *stub, Body &&body) {
  return call([&](Runtime &r) {
    Error error = Error::Success;
    ModuleKernel *kernel = r.kernelOf(stub, error);
    return kernel ? body(kernel) : error;
  });
}

template <class Body> int32_t withFunction(ModuleKernel *kernel, Body &&body) {
  return call([&](Runtime &r) {
    return kernel && r.isKernel(kernel) ? body(kernel) : Error::InvalidDeviceFunction;
  });
}

} // namespace

extern "C" {

int32_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int block,
                                                     size_t lds) {
  return withStub(stub, [&](ModuleKernel *k) { return activeBlocks(blocks, k, block, lds); });
}
int32_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub,
                                                              int block, size_t lds, unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, block, lds);
}
int32_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *stub, size_t lds,
                                          int limit) {
  return withStub(stub, [&](ModuleKernel *k) { return bestBlock(grid, block, k, lds, limit); });
}
int32_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, ModuleKernel *kernel,
                                                           int block, size_t lds) {
  return withFunction(kernel, [&](ModuleKernel *k) { return activeBlocks(blocks, k, block, lds); });
}
int32_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                    ModuleKernel *kernel, int block,
                                                                    size_t lds, unsigned) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, lds);
}
int32_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, ModuleKernel *kernel,
                                                size_t lds, int limit) {
  return withFunction(kernel,
                      [&](ModuleKernel *k) { return bestBlock(grid, block, k, lds, limit); });
}
int32_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                         ModuleKernel *kernel, size_t lds,
                                                         int limit, unsigned) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, kernel, lds, limit);
}

} // extern "C"
