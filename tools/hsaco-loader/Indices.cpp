#include "Indices.h"

#include "Asm/Module.h"
#include "Run/Kernarg.h"
#include "Support/File.h"
#include "Verify/IndexBounds.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <memory>

namespace rdna::loader {

/// Numbers of the launch that the runtime passes; others may be addresses.
static bool isNumber(const object::KernelArgument &argument) {
  static constexpr std::string_view kHidden[] = {"hidden_block_count_", "hidden_group_size_",
                                                 "hidden_remainder_", "hidden_global_offset_",
                                                 "hidden_grid_dims"};
  return argument.valueKind == "by_value" || llvm::any_of(kHidden, [&](std::string_view kind) {
           return argument.valueKind.starts_with(kind);
         });
}

/// The segment's dwords that are the same wherever buffers lie.
static bool addKernarg(const object::Kernel &kernel, const run::ResolvedLaunch &launch,
                       verify::LaunchRanges &ranges) {
  const auto packedWith = [&](uint64_t address) {
    return run::packKernarg(kernel, launch, std::vector<uint64_t>(launch.buffers.size(), address));
  };
  auto here = packedWith(0), elsewhere = packedWith(0x0123456789abcdef);
  if (!here || !elsewhere) {
    llvm::consumeError(here.takeError());
    llvm::consumeError(elsewhere.takeError());
    return false;
  }
  const auto dwordAt = [](const run::Kernarg &segment, uint32_t at) {
    uint32_t value = 0;
    std::memcpy(&value, segment.bytes.data() + at, sizeof value);
    return value;
  };
  for (const object::KernelArgument &argument : kernel.arguments)
    for (uint32_t at = (argument.offset + 3) & ~3U;
         isNumber(argument) && at + 4 <= argument.offset + argument.size &&
         at + 4 <= here->bytes.size();
         at += 4)
      if (const uint32_t value = dwordAt(*here, at); value == dwordAt(*elsewhere, at))
        ranges.kernarg[at] = verify::Interval::of(value);
  return true;
}

std::function<bool(const run::ResolvedLaunch &)> indexBounds(const std::string &file,
                                                             const object::Kernel &kernel) {
  auto text = readInput(file);
  if (!text) {
    llvm::consumeError(text.takeError());
    return {};
  }
  auto parsed = Module::parse(std::move(*text), file);
  if (!parsed) { // A code object, for one.
    llvm::consumeError(parsed.takeError());
    return {};
  }
  const std::shared_ptr<const Module> module = std::move(*parsed);
  const auto function =
      llvm::find_if(module->functions(), [&](const Function &f) { return f.name == kernel.name; });
  if (function == module->functions().end())
    return {};
  const auto index = static_cast<uint32_t>(function - module->functions().begin());
  return [module, index, &kernel](const run::ResolvedLaunch &launch) {
    verify::LaunchRanges ranges;
    if (!addKernarg(kernel, launch, ranges))
      return false;
    for (size_t d = 0; d < 3; ++d) {
      ranges.workgroup[d] = verify::Interval::upTo(int64_t{launch.grid[d]} - 1);
      ranges.workitem[d] = verify::Interval::upTo(int64_t{launch.block[d]} - 1);
    }
    return verify::indicesStayWhole(*module, index, ranges);
  };
}

} // namespace rdna::loader
