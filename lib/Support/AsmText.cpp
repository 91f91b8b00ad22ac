#include "Support/AsmText.h"

namespace rdna {

/// The end of the string constant that opens at `at`, or npos. It may span lines.
static size_t stringEnd(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i;
  }
  return std::string_view::npos;
}

std::optional<Unterminated> unterminatedToken(std::string_view text) {
  constexpr std::string_view kMetadata = ".amdgpu_metadata", kMetadataEnd = ".end_amdgpu_metadata";
  const auto skipTo = [&](std::string_view what, size_t from) {
    const size_t at = text.find(what, from);
    return at == std::string_view::npos ? text.size() : at + what.size() - 1;
  };
  bool lineStart = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\n') {
      lineStart = true;
      continue;
    }
    if (c == ' ' || c == '\t')
      continue;
    if (c == ';' || (c == '/' && next == '/') || (c == '#' && lineStart)) {
      i = skipTo("\n", i) - 1;
      continue;
    }
    if (c == '/' && next == '*') {
      if (text.find("*/", i + 2) == std::string_view::npos)
        return Unterminated{i, "unterminated comment"};
      i = skipTo("*/", i + 2);
      continue;
    }
    if (c == '\'' && next == '"') { // the character constant '"'
      i += 2;
      continue;
    }
    // The metadata is YAML with rules of its own; LLVM reports what is wrong there.
    if (c == '.' && lineStart && text.substr(i).starts_with(kMetadata))
      i = skipTo(kMetadataEnd, i);
    lineStart = false;
    if (c != '"')
      continue;
    const size_t end = stringEnd(text, i);
    if (end == std::string_view::npos)
      return Unterminated{i, "unterminated string constant"};
    i = end;
  }
  return std::nullopt;
}

} // namespace rdna
