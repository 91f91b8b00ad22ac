#include "Transform/Lines.h"

#include <algorithm>

namespace rdna {

LineKind lineKind(std::string_view line) {
  const size_t colon = line.find(':');
  if (line.starts_with(".L") && colon != std::string_view::npos &&
      line.find_first_of(" \t") >= colon)
    return LineKind::Label;
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return LineKind::Harmless;
  line.remove_prefix(first);
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
