#include "Analysis/Regions.h"

#include "Support/Nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace rdna {

static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<std::string> commentMark(std::string_view line, std::string_view keyword) {
  const size_t at = line.find(keyword);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string_view before = trimmed(line.substr(0, at));
  const bool inComment = before.ends_with(';') || before.ends_with("//") || before.ends_with('#') ||
                         before.ends_with("/*");
  if (!inComment)
    return std::nullopt;
  std::string_view name = trimmed(line.substr(at + keyword.size()));
  if (name.ends_with("*/"))
    name = trimmed(name.substr(0, name.size() - 2));
  return std::string(name);
}

static std::optional<uint32_t> functionOf(const Module &module, uint32_t instruction) {
  for (uint32_t f = 0; f < module.functions().size(); ++f)
    if (instruction >= module.functions()[f].first && instruction < module.functions()[f].last)
      return f;
  return std::nullopt;
}

/// Fills in the instructions between two lines (exclusive).
static llvm::Error fillRegion(const Module &module, Region &region, uint32_t endLine) {
  // Instructions are in text order, so their lines only grow.
  const auto &all = module.instructions();
  const auto first = std::partition_point(
      all.begin(), all.end(), [&](const Instruction &i) { return i.line <= region.line; });
  for (auto it = first; it != all.end() && it->line < endLine; ++it)
    region.instructions.push_back(it->index);
  const auto refuse = [&](std::string_view why) {
    return makeError(Failure::BadInput,
                     module.atLine(region.line, fmt::format("region '{}' {}", region.name, why),
                                   Severity::Error));
  };
  if (region.instructions.empty())
    return refuse("holds no instruction");
  const auto function = functionOf(module, region.instructions.front());
  if (!function || function != functionOf(module, region.instructions.back()))
    return refuse("does not lie in one function");
  region.functionIndex = *function;
  return llvm::Error::success();
}

llvm::Expected<std::vector<Region>> markedRegions(const Module &module) {
  std::vector<Region> regions;
  if (module.text().find("RDNA-") == std::string_view::npos)
    return regions;
  std::vector<Region> open;
  std::set<std::string> names;
  const auto refuse = [&](uint32_t line, const std::string &message) {
    return makeError(Failure::BadInput, module.atLine(line, message, Severity::Error));
  };
  for (uint32_t line = 1; line <= module.lineCount(); ++line) {
    const std::string_view text = module.lineText(line);
    if (const auto name = commentMark(text, "RDNA-BEGIN")) {
      if (name->empty())
        return refuse(line, "RDNA-BEGIN without a name");
      if (!names.insert(*name).second)
        return refuse(line, fmt::format("second region called '{}'", *name));
      Region region;
      region.name = *name;
      region.line = line;
      open.push_back(std::move(region));
    } else if (const auto end = commentMark(text, "RDNA-END")) {
      const auto it = std::find_if(open.begin(), open.end(),
                                   [&](const Region &region) { return region.name == *end; });
      if (it == open.end())
        return refuse(line, fmt::format("RDNA-END '{}' without RDNA-BEGIN", *end));
      if (llvm::Error error = fillRegion(module, *it, line))
        return error;
      regions.push_back(std::move(*it));
      open.erase(it);
    }
  }
  if (!open.empty())
    return refuse(open.front().line,
                  fmt::format("RDNA-BEGIN '{}' without RDNA-END", open.front().name));
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region &a, const Region &b) { return a.line < b.line; });
  return regions;
}

Region loopRegion(const Module &module, const Cfg &cfg, uint32_t loop) {
  Region region;
  region.name = cfg.loops[loop].label;
  region.functionIndex = cfg.functionIndex;
  region.instructions = loopInstructions(cfg, cfg.loops[loop]);
  region.loop = loop;
  region.line = module.instructions()[region.instructions.front()].line;
  return region;
}

static void sortByLine(std::vector<Region> &regions) {
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region &a, const Region &b) { return a.line < b.line; });
}

std::vector<Region> defaultRegions(const Module &module, uint32_t functionIndex) {
  const Cfg cfg = buildCfg(module, functionIndex);
  std::vector<Region> regions;
  for (uint32_t loop = 0; loop < cfg.loops.size(); ++loop)
    if (cfg.loops[loop].isInnermost())
      regions.push_back(loopRegion(module, cfg, loop));
  sortByLine(regions);
  const Function &function = module.functions()[functionIndex];
  if (regions.empty() && function.first < function.last) {
    Region whole;
    whole.name = function.name;
    whole.functionIndex = functionIndex;
    for (uint32_t i = function.first; i < function.last; ++i)
      whole.instructions.push_back(i);
    whole.line = function.line;
    regions.push_back(std::move(whole));
  }
  return regions;
}

llvm::Expected<std::vector<Region>>
findRegions(const Module &module, const std::vector<uint32_t> &functions, std::string_view name) {
  std::vector<Region> found;
  std::vector<std::string> known;
  const auto target = module.labelTarget(name);
  for (const uint32_t function : functions) {
    const Cfg cfg = buildCfg(module, function);
    for (uint32_t loop = 0; loop < cfg.loops.size(); ++loop) {
      known.push_back(cfg.loops[loop].label);
      if (target && cfg.blocks[cfg.loops[loop].header].first == *target) {
        found.push_back(loopRegion(module, cfg, loop));
        found.back().name = std::string(name);
      }
    }
  }
  llvm::Expected<std::vector<Region>> marked = markedRegions(module);
  if (!marked)
    return marked.takeError();
  for (Region &region : *marked) {
    if (std::find(functions.begin(), functions.end(), region.functionIndex) == functions.end())
      continue;
    known.push_back(region.name);
    if (region.name == name)
      found.push_back(std::move(region));
  }
  sortByLine(found);
  if (found.empty())
    return makeError(
        Failure::BadInput, module.file(),
        known.empty() ? fmt::format("no region '{}': the code has no loop and no RDNA-BEGIN", name)
                      : fmt::format("no region '{}'{}; there are: {}", name,
                                    didYouMean(name, known), fmt::join(known, ", ")));
  return found;
}

} // namespace rdna
