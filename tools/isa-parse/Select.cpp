// What of a file a command line is about.

#include "Document.h"

#include "Support/FileKind.h"
#include "Support/Nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rdna::isaparse {

llvm::Expected<std::vector<uint32_t>> selectKernels(const Module &module, const std::string &name) {
  std::vector<uint32_t> kernels;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < module.functions().size(); ++i) {
    const Function &function = module.functions()[i];
    if (!function.isKernel())
      continue;
    if (function.line == 0)
      return makeError(Failure::BadInput, module.file(),
                       fmt::format("kernel '{}' has a descriptor but no code: label '{}:' missing",
                                   function.name, function.name));
    names.push_back(function.name);
    if (name.empty() || function.name == name)
      kernels.push_back(i);
  }
  if (names.empty())
    return makeError(Failure::BadInput, module.file(), noKernelIn(module.text(), module.file()));
  if (kernels.empty())
    return makeError(Failure::BadInput, module.file(),
                     fmt::format("no kernel '{}'{}; there {}: {}", name, didYouMean(name, names),
                                 names.size() == 1 ? "is" : "are", fmt::join(names, ", ")));
  return kernels;
}

llvm::Expected<Selection> measureSelection(const Module &module, std::vector<uint32_t> functions,
                                           const SelectOptions &options) {
  Selection selection;
  selection.sources = allSources(module);
  for (const uint32_t function : functions) {
    selection.kernels.push_back(measureKernel(module, function, options.block));
    selection.names.push_back(namesIn(module, selection.sources, function));
  }
  llvm::Expected<std::vector<Region>> regions =
      options.region.empty() ? markedRegions(module)
                             : findRegions(module, functions, options.region);
  if (!regions)
    return regions.takeError();
  for (Region &region : *regions) {
    LoopMetrics metrics = measure(module, region.instructions);
    if (region.loop) {
      const Cfg cfg = buildCfg(module, region.functionIndex);
      metrics = measureLoop(module, cfg, cfg.loops[*region.loop]);
    }
    selection.regions.push_back({std::move(region), std::move(metrics)});
  }
  // A named loop is one of the loops already: --region leaves only it.
  if (!options.region.empty()) {
    for (KernelMetrics &kernel : selection.kernels)
      std::erase_if(kernel.loops, [&](const LoopMetrics &loop) {
        return std::none_of(
            selection.regions.begin(), selection.regions.end(), [&](const auto &region) {
              return region.region.loop && region.metrics.firstLine == loop.firstLine &&
                     region.metrics.header == loop.header;
            });
      });
    std::erase_if(selection.regions, [](const auto &region) { return region.region.loop; });
  }
  selection.functions = std::move(functions);
  return selection;
}

llvm::Expected<std::vector<Region>> selectRegions(const Module &module,
                                                  const std::vector<uint32_t> &functions,
                                                  const std::string &name) {
  if (!name.empty())
    return findRegions(module, functions, name);
  std::vector<Region> regions;
  for (const uint32_t function : functions) {
    Region hot = hotRegion(module, function, "", nullptr);
    bool isThere = false; // Where FMAs lie around an inner loop, the hot loop is no innermost one.
    for (Region &region : defaultRegions(module, function)) {
      isThere |= region.name == hot.name && region.line == hot.line;
      regions.push_back(std::move(region));
    }
    if (!isThere && !hot.instructions.empty())
      regions.push_back(std::move(hot));
  }
  return regions;
}

} // namespace rdna::isaparse
