#include "Object/Assumptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::object {

using llvm::StringRef;

namespace {

constexpr StringRef indexWrap = "no-index-wrap";
constexpr StringRef plainSync = "no-sync-without-barrier";
constexpr StringRef anyKernel = "*";

/// "k:" and what may follow it; empty for other lines. Names that need quotes are not recognised:
/// what stands below them holds for every kernel.
StringRef labelOf(StringRef line) {
  const StringRef name = line.ltrim().take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '@'; });
  const bool isLabel = !name.empty() && line.ltrim().substr(name.size()).starts_with(":");
  return isLabel ? name : StringRef();
}

/// The assumption that a comment declares; empty for other lines.
StringRef assumptionIn(StringRef line) {
  line = line.trim();
  if (!line.consume_front(";") || !(line = line.ltrim()).consume_front("rdna-assume:"))
    return {};
  line = line.ltrim();
  return line == indexWrap || line == plainSync ? line : StringRef();
}

} // namespace

std::string assumptionDirectives(std::string_view text) {
  std::string lines;
  StringRef label = anyKernel;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (const StringRef name = labelOf(line); !name.empty())
      label = name.starts_with(".L") ? label : name;
    else if (line.ltrim().starts_with("\""))
      label = anyKernel;
    else if (const StringRef what = assumptionIn(line); !what.empty())
      lines += fmt::format("\t.ascii \"{} {}\\n\"\n", what.str(), label.str());
  }
  if (lines.empty())
    return lines;
  return fmt::format("\t.pushsection {},\"\",@progbits\n{}\t.popsection\n", assumptionSection,
                     lines);
}

void readAssumptions(std::string_view contents, std::vector<Kernel> &kernels) {
  for (StringRef rest = contents; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    const auto [what, whose] = line.split(' ');
    for (Kernel &kernel : kernels) {
      if (whose != anyKernel && whose != kernel.name)
        continue;
      if (what == indexWrap)
        kernel.indexWrap = Kernel::IndexWrap::Excluded;
      else if (what == plainSync)
        kernel.plainSync = Kernel::PlainSync::Excluded;
    }
  }
}

} // namespace rdna::object
