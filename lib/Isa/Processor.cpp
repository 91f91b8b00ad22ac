#include "Isa/Processor.h"

#include <fmt/format.h>

namespace rdna {

using UserSgprInit16 = ProcessorFacts::UserSgprInit16;

static constexpr std::array<ProcessorFacts, allProcessors.size()> kFacts = {{
    {"gfx1100", 1536, 24, UserSgprInit16::Bug},
    {"gfx1101", 1536, 24, UserSgprInit16::Works},
    {"gfx1102", 1024, 16, UserSgprInit16::Bug},
    {"gfx1103", 1024, 16, UserSgprInit16::Works},
}};

const ProcessorFacts &factsOf(Processor processor) {
  return kFacts[static_cast<size_t>(processor)];
}

std::optional<Processor> processorByName(std::string_view name) {
  for (const Processor processor : allProcessors)
    if (toString(processor) == name)
      return processor;
  return std::nullopt;
}

/// The family that people know a chip by; empty for what is not AMD's graphics.
static std::string_view familyOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
      {"gfx101", "RDNA1"},     {"gfx103", "RDNA2"},  {"gfx115", "RDNA3.5"},
      {"gfx10-3", "RDNA2"},    {"gfx10-1", "RDNA1"}, {"gfx120", "RDNA4"},
      {"gfx125", "GFX12.5"},   {"gfx12", "RDNA4"},   {"gfx11", "RDNA3, generic"},
      {"gfx9", "GCN or CDNA"}, {"gfx8", "GCN"},      {"gfx7", "GCN"},
      {"gfx6", "GCN"},
  };
  for (const auto &[prefix, family] : kFamilies)
    if (name.starts_with(prefix))
      return family;
  return {};
}

std::string whyNotHandled(std::string_view name) {
  const std::string_view family = familyOf(name);
  return fmt::format("code for {}{}; this toolchain handles RDNA3: compile with "
                     "--offload-arch=gfx1100 (or gfx1101, gfx1102, gfx1103; clang without HIP and "
                     "llvm-mc: -mcpu=gfx1100)",
                     name, family.empty() ? "" : fmt::format(" ({})", family));
}

Processor processorOf(std::string_view assembly) {
  static constexpr std::string_view kDirective = ".amdgcn_target";
  for (size_t at = assembly.find(kDirective); at != std::string_view::npos;
       at = assembly.find(kDirective, at + 1)) {
    const size_t start = assembly.rfind('\n', at) + 1; // npos + 1 == 0
    if (assembly.substr(start, at - start).find_first_not_of(" \t") != std::string_view::npos)
      continue; // In a comment, or in something else.
    std::string_view value = assembly.substr(at, assembly.find('\n', at) - at);
    const size_t dashes = value.rfind("--");
    if (dashes == std::string_view::npos)
      continue;
    value = value.substr(dashes + 2);
    if (const auto known = processorByName(value.substr(0, value.find_first_of(":\" \t\r"))))
      return *known;
  }
  return Processor::Gfx1100;
}

} // namespace rdna
