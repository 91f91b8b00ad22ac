#include "IndexWatch.h"

#include "Asm/Module.h"
#include "Run/LaunchValues.h"
#include "Support/File.h"
#include "Verify/IndexBounds.h"

#include <algorithm>

namespace rdna::loader {

struct IndexBounds::Text {
  std::unique_ptr<Module> module;
  uint32_t function = 0;
};

IndexBounds::~IndexBounds() = default;
IndexBounds::IndexBounds(IndexBounds &&other) noexcept = default;

IndexBounds::IndexBounds(const object::Kernel &kernel, const std::string &path) : kernel_(kernel) {
  if (path == "-") // Read already.
    return;
  auto text = readInput(path);
  if (!text) {
    llvm::consumeError(text.takeError());
    return;
  }
  if (text->starts_with("\x7f"
                        "ELF"))
    return;
  auto module = Module::parse(std::move(*text), path);
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  const auto &functions = (*module)->functions();
  const auto it = std::find_if(functions.begin(), functions.end(), [&](const Function &function) {
    return function.isKernel() && function.name == kernel.name;
  });
  if (it == functions.end())
    return;
  const auto index = static_cast<uint32_t>(it - functions.begin());
  text_ = std::make_unique<Text>(Text{std::move(*module), index});
}

/// A launch that breaks what the metadata says of workgroups is none that bounds know.
static bool keepsToMetadata(const object::Kernel &kernel, const run::ResolvedLaunch &launch) {
  const uint64_t items = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  return items <= kernel.maxFlatWorkgroupSize.value_or(1024) &&
         kernel.requiredWorkgroupSize.value_or(launch.block) == launch.block;
}

llvm::Expected<run::IndexWatch::Way> IndexBounds::ask(const run::ResolvedLaunch &launch) const {
  if (!text_ || !keepsToMetadata(kernel_, launch))
    return run::IndexWatch::Way::Watch;
  auto numbers = run::kernargNumbers(kernel_, launch);
  if (!numbers)
    return numbers.takeError();
  verify::LaunchRanges ranges;
  for (const auto &[offset, value] : *numbers)
    ranges.kernarg[offset] = verify::Interval::of(value);
  for (unsigned d = 0; d < 3; ++d) {
    ranges.workgroup[d] = verify::Interval::upTo(int64_t{launch.grid[d]} - 1);
    ranges.workitem[d] = verify::Interval::upTo(int64_t{launch.block[d]} - 1);
  }
  return verify::indicesStayWhole(*text_->module, text_->function, ranges)
             ? run::IndexWatch::Way::Bounds
             : run::IndexWatch::Way::Watch;
}

} // namespace rdna::loader
