#include "Object/Assumptions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::object {

using llvm::StringRef;

namespace {

constexpr StringRef indexWrap = "no-index-wrap";
constexpr StringRef plainSync = "no-sync-without-barrier";
constexpr StringRef ldsInBounds = "lds-in-bounds";
constexpr StringRef anyKernel = "*";
constexpr StringRef given = "given:";

/// "k:" and what may follow it; empty for other lines. Names that need quotes are not recognised:
/// what stands below them holds for every kernel.
StringRef labelOf(StringRef line) {
  const StringRef name = line.ltrim().take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '@'; });
  const bool isLabel = !name.empty() && line.ltrim().substr(name.size()).starts_with(":");
  return isLabel ? name : StringRef();
}

/// What a comment declares, as the section has it; empty for other lines.
std::string declarationIn(StringRef line) {
  line = line.trim();
  if (!line.consume_front(";"))
    return {};
  line = line.ltrim();
  if (line.consume_front("rdna-given:")) {
    const auto range = givenRange(line);
    return range ? given.str() + range->text : std::string();
  }
  if (!line.consume_front("rdna-assume:"))
    return {};
  line = line.ltrim();
  const bool isKnown = line == indexWrap || line == plainSync || line == ldsInBounds;
  return isKnown ? line.str() : std::string();
}

/// "kernarg+24", "workgroup_id_x", "workitem_id_z".
bool readQuantity(StringRef text, GivenRange &range) {
  if (text.consume_front("kernarg+"))
    return !text.getAsInteger(10, range.index) && range.index % 4 == 0;
  if (text.consume_front("workgroup_id_"))
    range.of = GivenRange::Of::Workgroup;
  else if (text.consume_front("workitem_id_"))
    range.of = GivenRange::Of::Workitem;
  else
    return false;
  range.index = static_cast<uint32_t>(StringRef("xyz").find(text));
  return text.size() == 1 && range.index < 3;
}

} // namespace

std::optional<GivenRange> givenRange(std::string_view text) {
  GivenRange range;
  for (const char c : text)
    if (c != ' ' && c != '\t')
      range.text += c;
  llvm::SmallVector<StringRef, 3> parts;
  StringRef whole(range.text);
  if (whole.contains("==")) {
    whole.split(parts, "==");
    if (parts.size() != 2 || parts[1].getAsInteger(10, range.most))
      return std::nullopt;
    range.least = range.most;
    return readQuantity(parts[0], range) ? std::optional(range) : std::nullopt;
  }
  whole.split(parts, "<=");
  if (parts.size() < 2 || parts.size() > 3 || parts.back().getAsInteger(10, range.most) ||
      (parts.size() == 3 && parts[0].getAsInteger(10, range.least)) || range.least > range.most)
    return std::nullopt;
  return readQuantity(parts[parts.size() - 2], range) ? std::optional(range) : std::nullopt;
}

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
    else if (const std::string what = declarationIn(line); !what.empty())
      lines += fmt::format("\t.ascii \"{} {}\\n\"\n", what, label.str());
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
    auto [what, whose] = line.split(' ');
    std::optional<GivenRange> range;
    if (what.consume_front(given))
      range = givenRange(what);
    for (Kernel &kernel : kernels) {
      if (whose != anyKernel && whose != kernel.name)
        continue;
      if (what == indexWrap)
        kernel.indexWrap = Kernel::IndexWrap::Excluded;
      else if (what == plainSync)
        kernel.plainSync = Kernel::PlainSync::Excluded;
      else if (what == ldsInBounds)
        kernel.outsideLds = Kernel::OutsideLds::Excluded;
      else if (range) {
        // A launch may lie outside of it, so the emulator watches as if nothing were known.
        kernel.given.push_back(*range);
        kernel.indexWrap = Kernel::IndexWrap::Excluded;
      }
    }
  }
}

} // namespace rdna::object
