#include "Run/Backend.h"

#include "Isa/Processor.h"
#include "Support/Diagnostic.h"

#include <fmt/format.h>

namespace rdna::run {

llvm::Expected<std::unique_ptr<Backend>> createBackend(std::string_view name) {
  if (name == "emulator")
    return createEmulatorBackend();
  if (name == "hip")
    return createHipBackend();
  return makeError(Failure::BadInput, "",
                   fmt::format("unknown backend '{}'; known: emulator, hip", name));
}

llvm::Error checkLaunch(const object::CodeObject &object, const object::Kernel &kernel,
                        const ResolvedLaunch &launch) {
  const auto refuse = [&](std::string_view message) {
    return makeError(Failure::Refused, object.file,
                     fmt::format("kernel '{}': {}", kernel.name, message));
  };
  if (!processorByName(object.target))
    return makeError(Failure::Refused, object.file, whyNotHandled(object.target));
  if (!kernel.wave32 || kernel.wavefrontSize == 64u)
    return refuse("wave64 code; this toolchain runs wave32 (compile without -mwavefrontsize64)");
  const uint32_t items = launch.block[0] * launch.block[1] * launch.block[2];
  if (kernel.maxFlatWorkgroupSize && items > *kernel.maxFlatWorkgroupSize)
    return refuse(fmt::format("launched with {} work-items per workgroup; it was compiled for at "
                              "most {}",
                              items, *kernel.maxFlatWorkgroupSize));
  if (kernel.requiredWorkgroupSize && *kernel.requiredWorkgroupSize != launch.block)
    return refuse(fmt::format("requires workgroups of {}, launched with {}",
                              fmt::join(*kernel.requiredWorkgroupSize, "x"),
                              fmt::join(launch.block, "x")));
  if (kernel.outsideLds == object::Kernel::OutsideLds::Excluded && launch.dynamicLdsBytes != 0)
    return refuse("was rewritten for launches that add no LDS (it declares lds-in-bounds)");
  if (uint64_t{kernel.ldsBytes} + launch.dynamicLdsBytes > 65536)
    return refuse(fmt::format("needs {} bytes of LDS; a workgroup can have 65536",
                              uint64_t{kernel.ldsBytes} + launch.dynamicLdsBytes));
  return llvm::Error::success();
}

} // namespace rdna::run
