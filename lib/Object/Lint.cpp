#include "Object/CodeObject.h"

#include "Isa/Occupancy.h"
#include "Isa/Processor.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::object {

static unsigned roundUp8(unsigned value) { return (std::max(value, 1u) + 7) / 8 * 8; }

/// A launch of a workgroup that no compute unit has room for fails, or hangs.
static bool hasRoom(const CodeObject &object, const Kernel &kernel) {
  if (!kernel.requiredWorkgroupSize || kernel.ldsBytes > 65536)
    return true; // Unknown, or said already.
  const auto [x, y, z] = *kernel.requiredWorkgroupSize;
  const OccupancyQuery query{.vgprs = kernel.vgprs,
                             .ldsBytes = kernel.ldsBytes,
                             .workgroupSize = x * y * z,
                             .mode = kernel.cuMode ? WorkgroupMode::Cu : WorkgroupMode::Wgp,
                             .processor =
                                 processorByName(object.target).value_or(Processor::Gfx1100)};
  return occupancy(query).wavesPerSimd > 0;
}

static void lintKernel(const CodeObject &object, const Kernel &kernel,
                       std::vector<std::string> &found) {
  const auto say = [&](std::string text) {
    found.push_back(fmt::format("kernel '{}': {}", kernel.name, text));
  };
  if (!kernel.wave32 || kernel.wavefrontSize == 64u) {
    say("wave64 code; this toolchain handles wave32 (compile without -mwavefrontsize64)");
    if (kernel.wave32)
      say("the descriptor says wave32, the metadata says wave64");
    return; // The VGPR counts below mean something else for wave64.
  }
  if (const unsigned used = vgprsUsed(object, kernel); used > kernel.vgprs)
    say(fmt::format("declares {} VGPRs but its code uses v{}; raise .amdhsa_next_free_vgpr to {}",
                    kernel.vgprs, used - 1, used));
  if (!hasRoom(object, kernel))
    say(fmt::format("a workgroup of its size with {} VGPRs for each work-item is more than {} has "
                    "room for; no launch can succeed",
                    kernel.vgprs, object.target));
  if (kernel.entryAddress % 256 != 0)
    say("its entry is not aligned to 256 bytes (.p2align 8)");
  if (kernel.ldsBytes > 65536)
    say(fmt::format("needs {} bytes of LDS; a workgroup can have 65536", kernel.ldsBytes));
  // Architected flat scratch: these SGPRs do not exist on gfx11 (LLVM AMDGPUUsage).
  if ((kernel.codeProperties & 0x21u) != 0)
    say("asks for a private segment buffer or flat scratch SGPRs, which gfx11 does not have");
  if (!kernel.hasMetadata) {
    say("no metadata: the HIP runtime does not find the kernel (.amdgpu_metadata missing)");
    return;
  }
  const auto compare = [&](std::string_view what, uint64_t descriptor,
                           std::optional<uint32_t> metadata) {
    if (metadata && *metadata != descriptor)
      say(fmt::format("descriptor and metadata disagree on {}: {} and {}", what, descriptor,
                      *metadata));
  };
  compare("LDS bytes", kernel.ldsBytes, kernel.metadataLdsBytes);
  compare("scratch bytes", kernel.scratchBytes, kernel.metadataScratchBytes);
  if (kernel.kernargBytes != 0) // Else see lintRemarks.
    compare("kernarg bytes", kernel.kernargBytes, kernel.metadataKernargBytes);
  // The metadata's count is informational, and compilers write smaller ones than they allocate
  // (clang 22 at -O0); a larger one means that the descriptor was forgotten.
  if (kernel.metadataVgprs && roundUp8(*kernel.metadataVgprs) > kernel.vgprs)
    say(fmt::format("descriptor and metadata disagree on VGPRs: {} and {} (blocks of 8)",
                    kernel.vgprs, *kernel.metadataVgprs));
  for (const KernelArgument &argument : kernel.arguments)
    if (uint64_t{argument.offset} + argument.size > kernel.argumentBytes())
      say(fmt::format("argument '{}' ({}) at offset {} lies outside the {} kernarg bytes",
                      argument.name, argument.valueKind, argument.offset, kernel.argumentBytes()));
  if (kernel.maxFlatWorkgroupSize && *kernel.maxFlatWorkgroupSize > 1024)
    say(fmt::format(".max_flat_workgroup_size {} is more than the hardware's 1024",
                    *kernel.maxFlatWorkgroupSize));
}

std::vector<std::string> lint(const CodeObject &object) {
  std::vector<std::string> found;
  const bool handled = processorByName(object.target).has_value();
  if (!handled)
    found.push_back(whyNotHandled(object.target));
  if (object.abiVersion < 4 || object.abiVersion > 6)
    found.push_back(fmt::format("code object version {} (ELF ABI version {}); loaders take 4 to 6",
                                object.abiVersion, static_cast<int>(object.abiVersion) - 2));
  if (!object.hasMetadata)
    found.push_back("no metadata note: no runtime can load it (.amdgpu_metadata missing)");
  if (object.kernels.empty())
    found.push_back("no kernel (no symbol that ends in .kd; .amdhsa_kernel missing)");
  for (const std::string &name : object.missingKernels)
    found.push_back(fmt::format("metadata names kernel '{}', which has no descriptor", name));
  for (const std::string &name : object.duplicateKernels)
    found.push_back(fmt::format("two kernels are called '{}'", name));
  // For another GPU the descriptors' bits have other meanings.
  if (handled)
    for (const Kernel &kernel : object.kernels)
      lintKernel(object, kernel, found);
  return found;
}

std::vector<std::string> lintRemarks(const CodeObject &object) {
  std::vector<std::string> found;
  for (const Kernel &kernel : object.kernels) {
    if (kernel.codeBytes == 0)
      found.push_back(fmt::format("kernel '{}': the symbol of its code has no size (.size missing)",
                                  kernel.name));
    if (kernel.kernargBytes == 0 && kernel.argumentBytes() != 0)
      found.push_back(fmt::format("kernel '{}': its descriptor has no kernarg size; taking the "
                                  "metadata's {} bytes (.amdhsa_kernarg_size missing)",
                                  kernel.name, kernel.argumentBytes()));
  }
  return found;
}

} // namespace rdna::object
