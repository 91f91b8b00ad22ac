#include "EmuApi/RawCode.h"

#include "EmuApi/Guard.h"
#include "EmuApi/ProgramCache.h"

#include <fmt/format.h>

namespace rdna::api {
namespace {

/// RSRC1 as compilers write it for HIP kernels: FLOAT_MODE keeps all denormals, DX10_CLAMP, IEEE.
constexpr uint32_t defaultRsrc1 = 0xf0u << 12 | 1u << 21 | 1u << 23;
constexpr uint16_t kernargPointer = 1 << 3, wave32 = 1 << 10; // kernel_code_properties
constexpr uint32_t ldsGranule = 512;

llvm::Error check(const RawDispatch &d) {
  if (!d.code.data())
    return invalid("code is a null pointer");
  if (d.code.size() < 4)
    return invalid(fmt::format("{} bytes of code hold no instruction", d.code.size()));
  for (unsigned k = 0; k < 3; ++k)
    if (d.grid[k] == 0 || d.block[k] == 0)
      return invalid(fmt::format("a grid of {} x {} x {} workgroups of {} x {} x {} work-items is "
                                 "empty",
                                 d.grid[0], d.grid[1], d.grid[2], d.block[0], d.block[1],
                                 d.block[2]));
  return llvm::Error::success();
}

} // namespace

emu::KernelImage rawImage(std::span<const std::byte> code, uint32_t rsrc2, uint32_t scratchBytes) {
  emu::KernelImage image;
  image.name = "run_asm";
  image.image.assign(code.begin(), code.end() - std::ptrdiff_t(code.size() % 4));
  image.codeEnd = image.image.size();
  image.sweep = emu::KernelImage::Sweep::Reachable;
  image.rsrc1 = defaultRsrc1;
  image.rsrc2 = rsrc2;
  image.codeProperties = kernargPointer | wave32;
  image.ldsBytes = (rsrc2 >> 15 & 0x1ff) * ldsGranule;
  image.scratchBytes = scratchBytes;
  return image;
}

llvm::Error dispatch(const RawDispatch &d) {
  if (llvm::Error error = check(d))
    return error;
  auto program = ProgramCache::ofProcess().get(
      d.code.first(d.code.size() / 4 * 4),
      ProgramCache::Key{.rsrc2 = d.rsrc2, .scratchBytes = d.scratchBytes},
      [&] { return rawImage(d.code, d.rsrc2, d.scratchBytes); });
  if (!program)
    return program.takeError();
  emu::Launch launch;
  launch.grid = d.grid;
  launch.block = d.block;
  launch.kernarg = {d.kernarg, size_t(0)};
  launch.threads = d.threads;
  launch.instructionBudget = d.instructionBudget;
  launch.addressing = d.addressing;
  launch.regions = d.regions;
  // Only stores write it, and only where the caller's memory is writable.
  launch.placedImage = const_cast<std::byte *>(d.code.data());
  auto result = (*program)->run(launch);
  return result ? llvm::Error::success() : result.takeError();
}

} // namespace rdna::api
