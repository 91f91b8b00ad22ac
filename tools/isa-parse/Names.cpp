// What parts of a kernel are called in the source that it was compiled from.

#include "IsaParse.h"

#include "Analysis/Callees.h"

#include "llvm/Demangle/Demangle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rdna::isaparse {

SourcePlace KernelNames::of(const LoopMetrics &loop) const {
  const auto found = loops.find({loop.firstLine, loop.lastLine});
  return found == loops.end() ? SourcePlace{} : found->second;
}

KernelNames namesIn(const Module &module, const SourcePlaces &sources, uint32_t function) {
  KernelNames names;
  const Cfg cfg = buildCfg(module, function);
  for (const Loop &loop : cfg.loops) {
    const LoopMetrics metrics = measureLoop(module, cfg, loop);
    names.loops[{metrics.firstLine, metrics.lastLine}] = placeOfLoop(sources, cfg, loop);
  }
  for (std::string &name : calleesOf(module, cfg))
    if (std::find(names.callees.begin(), names.callees.end(), name) == names.callees.end())
      names.callees.push_back(std::move(name));
  return names;
}

std::string sourceOf(const SourcePlaces &sources, uint32_t instruction) {
  return shortName(sources, sources.of[instruction - sources.first]);
}

SourcePlace placeOfRegion(const Module &module, const SourcePlaces &sources, const Region &region) {
  if (region.loop) {
    const Cfg cfg = buildCfg(module, region.functionIndex);
    return placeOfLoop(sources, cfg, cfg.loops[*region.loop]);
  }
  for (const uint32_t index : region.instructions)
    if (const SourcePlace place = sources.of[index - sources.first]; place.line != 0)
      return place;
  return {};
}

void addSources(const SourcePlaces &sources, const std::vector<uint32_t> &instructions,
                tool::Rows &rows, std::vector<Column> &columns) {
  if (sources.files.empty())
    return;
  columns.insert(columns.begin() + 1, Column{Align::Left, 4});
  rows[0].insert(rows[0].begin() + 1, "source");
  for (size_t n = 0; n < instructions.size(); ++n)
    rows[n + 1].insert(rows[n + 1].begin() + 1, sourceOf(sources, instructions[n]));
}

std::string inSource(const Module &module, const SourcePlaces &sources, const Region &region) {
  const std::string name = shortName(sources, placeOfRegion(module, sources, region));
  return name.empty() ? "" : fmt::format(" ({})", name);
}

SourcePlaces allSources(const Module &module) {
  return sourcePlaces(module, 0, static_cast<uint32_t>(module.instructions().size()));
}

std::string calleeText(const std::vector<std::string> &callees) {
  std::vector<std::string> names;
  for (const std::string &name : callees)
    names.push_back(name.empty() ? "an address in registers" : llvm::demangle(name));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string nameInSource(const std::string &symbol) {
  const std::string name = llvm::demangle(symbol);
  return name == symbol ? "" : name;
}

} // namespace rdna::isaparse
