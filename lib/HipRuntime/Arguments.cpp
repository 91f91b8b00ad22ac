#include "HipRuntime/Launch.h"

#include <algorithm>
#include <cstring>

namespace rdna::hip {

namespace {

bool isHidden(const object::KernelArgument &argument) {
  return argument.valueKind.starts_with("hidden_");
}

uint64_t hiddenValue(std::string_view kind, const LaunchRequest &request,
                     const RuntimeBuffers &buffers) {
  const auto axis = [&](const Dim3 &v) -> uint64_t {
    return kind.ends_with("_x") ? v.x : kind.ends_with("_y") ? v.y : v.z;
  };
  if (kind.starts_with("hidden_block_count_"))
    return axis(request.grid);
  if (kind.starts_with("hidden_group_size_"))
    return axis(request.block);
  if (kind == "hidden_grid_dims")
    return 3; // As the runtime says of every HIP launch.
  if (kind == "hidden_dynamic_lds_size")
    return request.dynamicLds;
  if (kind == "hidden_hostcall_buffer")
    return buffers.hostcall;
  if (kind == "hidden_multigrid_sync_arg")
    return buffers.gridSync;
  // Grids are whole blocks and have no offset; queues and heap are not there.
  return 0;
}

/// {HIP_LAUNCH_PARAM_BUFFER_POINTER, buffer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, END}.
bool readExtra(void **extra, const std::byte *&buffer, size_t &size) {
  const auto tag = [&](unsigned n) { return reinterpret_cast<uintptr_t>(extra[n]); };
  if (tag(0) != 1 || tag(2) != 2 || tag(4) != 3 || !extra[3])
    return false;
  buffer = static_cast<const std::byte *>(extra[1]);
  size = *static_cast<const size_t *>(extra[3]);
  return buffer != nullptr || size == 0;
}

uint64_t product(const Dim3 &v) { return uint64_t(v.x) * v.y * v.z; }

} // namespace

Segment packArguments(const LaunchRequest &request, const RuntimeBuffers &buffers) {
  Segment segment;
  const object::Kernel &kernel = request.kernel->kernel();
  constexpr uint32_t most = 1 << 20; // Far more than compilers let a kernel have.
  if (kernel.argumentBytes() > most) {
    segment.error = Error::InvalidImage;
    return segment;
  }
  // As a runtime allocates it: compilers count on the alignment and read trailing dwords at once.
  segment.bytes.resize((kernel.argumentBytes() + 15) / 16 * 16);
  const auto put = [&](uint32_t offset, uint32_t size, const void *data) {
    if (uint64_t(offset) + size <= segment.bytes.size())
      std::memcpy(segment.bytes.data() + offset, data, size);
  };
  if (request.extra) {
    const std::byte *buffer = nullptr;
    size_t size = 0;
    if (!readExtra(request.extra, buffer, size))
      segment.error = Error::InvalidValue;
    else
      put(0, uint32_t(std::min(size, segment.bytes.size())), buffer);
  }
  size_t given = 0;
  for (const object::KernelArgument &argument : kernel.arguments) {
    if (isHidden(argument)) {
      const uint64_t value = hiddenValue(argument.valueKind, request, buffers);
      put(argument.offset, std::min<uint32_t>(argument.size, 8), &value);
    } else if (!request.extra) {
      if (!request.parameters || !request.parameters[given])
        segment.error = Error::InvalidValue;
      else
        put(argument.offset, argument.size, request.parameters[given]);
      ++given;
    }
    if (segment.error != Error::Success)
      break;
  }
  return segment;
}

unsigned blocksPerProcessor(const object::Kernel &kernel, unsigned threads, uint64_t dynamicLds) {
  if (threads == 0 || threads > 1024)
    return 0;
  // A workgroup processor has four SIMDs with 1536 VGPRs each; a kernel in CU mode uses two.
  constexpr unsigned vgprsOfSimd = 1536, granule = 24, mostWaves = 16, ldsBytes = 65536;
  const unsigned vgprs = std::max(1u, (kernel.vgprs + granule - 1) / granule) * granule;
  const unsigned simds = kernel.cuMode ? 2 : 4;
  const unsigned waves = simds * std::min(mostWaves, vgprsOfSimd / vgprs);
  unsigned blocks = waves / ((threads + 31) / 32);
  if (const uint64_t lds = kernel.ldsBytes + dynamicLds; lds != 0)
    blocks = unsigned(std::min<uint64_t>(blocks, ldsBytes / lds));
  return blocks;
}

Error validate(const LaunchRequest &request) {
  if (!request.kernel)
    return Error::InvalidHandle;
  if (request.parameters && request.extra)
    return Error::InvalidValue;
  const Dim3 &grid = request.grid, &block = request.block;
  if (product(block) == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0)
    return Error::InvalidConfiguration;
  for (const auto &[g, b] : {std::pair(grid.x, block.x), {grid.y, block.y}, {grid.z, block.z}})
    if (uint64_t(g) * b > 0xffffffff)
      return Error::InvalidConfiguration;
  constexpr uint64_t mostThreads = 1024, mostLds = 65536;
  if (block.x > mostThreads || block.y > mostThreads || block.z > mostThreads ||
      product(block) > mostThreads)
    return Error::InvalidConfiguration;
  const object::Kernel &kernel = request.kernel->kernel();
  if (request.dynamicLds > mostLds || kernel.ldsBytes + request.dynamicLds > mostLds)
    return Error::InvalidValue;
  if (kernel.maxFlatWorkgroupSize && product(block) > *kernel.maxFlatWorkgroupSize)
    return Error::LaunchFailure;
  if (kernel.requiredWorkgroupSize &&
      *kernel.requiredWorkgroupSize != std::array<uint32_t, 3>{block.x, block.y, block.z})
    return Error::LaunchFailure;
  constexpr uint64_t processors = 48;
  if (request.cooperation == LaunchRequest::Cooperation::Grid &&
      product(grid) >
          processors * blocksPerProcessor(kernel, unsigned(product(block)), request.dynamicLds))
    return Error::CooperativeLaunchTooLarge;
  return Error::Success;
}

} // namespace rdna::hip
