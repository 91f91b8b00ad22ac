#include "Transform/Lines.h"

#include "Support/AsmText.h"

#include <algorithm>

namespace rdna {

uint32_t nextLine(const Module &module, uint32_t line) {
  const size_t end = endOfLine(module.text(), module.lineBegin(line));
  do
    ++line;
  while (line <= module.lineCount() && module.lineBegin(line) <= end);
  return line;
}

std::string_view wholeLine(const Module &module, uint32_t line) {
  const uint32_t begin = module.lineBegin(line);
  return module.text().substr(begin, module.lineBegin(nextLine(module, line)) - begin);
}

LineKind lineKind(std::string_view line) {
  const size_t colon = line.find(':');
  if (line.starts_with(".L") && colon != std::string_view::npos &&
      line.find_first_of(" \t") >= colon)
    return LineKind::Label;
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto dropUpTo = [&](size_t at) { line.remove_prefix(std::min(at, line.size())); };
  dropUpTo(line.find_first_not_of(kBlanks));
  while (line.starts_with("/*")) {
    dropUpTo(line.find("*/", 2));
    dropUpTo(line.find_first_not_of(kBlanks, 2));
  }
  if (line.empty())
    return LineKind::Harmless;
  for (const std::string_view start : {";", "//", "#", ".loc", ".cfi_"})
    if (line.starts_with(start))
      return LineKind::Harmless;
  return LineKind::Directive;
}

std::string_view whatStands(std::string_view line) {
  const std::string_view text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  const size_t end = text.find_first_of(": \t;\"");
  const bool isLabel = end != std::string_view::npos && end != 0 && text[end] == ':';
  return isLabel ? "a label that other code may know (it does not begin with .L)" : "a directive";
}

bool isDebugLocation(std::string_view line) {
  const size_t word = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(word).starts_with(".loc ") || line.substr(word).starts_with(".loc\t");
}

} // namespace rdna
