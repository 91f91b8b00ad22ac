#include "Sources.h"

#include "llvm/ADT/StringRef.h"

#include <filesystem>
#include <map>

namespace rdna::hipclang {

namespace {

/// `"text"` at the front of `rest`, which then stands behind it.
std::string quoted(llvm::StringRef &rest) {
  rest = rest.ltrim();
  if (!rest.consume_front("\""))
    return "";
  const auto [text, behind] = rest.split('"');
  rest = behind;
  return text.str();
}

/// `1 "/folder" "name.hip" md5 0x..`, or without the folder.
void addFile(llvm::StringRef rest, std::map<unsigned, std::string> &files) {
  unsigned number = 0;
  if (rest.consumeInteger(10, number))
    return;
  const std::string first = quoted(rest), second = quoted(rest);
  std::error_code ignored;
  const auto path = std::filesystem::path(first) / second;
  const auto here = std::filesystem::current_path(ignored);
  const auto relative = path.lexically_relative(here);
  const bool below = !relative.empty() && *relative.begin() != "..";
  files[number] = (below && path.is_absolute() ? relative : path).string();
}

std::optional<SourcePlace> placeOf(llvm::StringRef rest,
                                   const std::map<unsigned, std::string> &files) {
  unsigned file = 0;
  SourcePlace place;
  rest = rest.ltrim();
  if (rest.consumeInteger(10, file) || !files.contains(file))
    return std::nullopt;
  rest = rest.ltrim();
  if (rest.consumeInteger(10, place.line) || place.line == 0) // 0: nobody's line.
    return std::nullopt;
  rest = rest.ltrim();
  static_cast<void>(rest.consumeInteger(10, place.column));
  place.file = files.at(file);
  return place;
}

} // namespace

std::optional<SourcePlace> sourceOf(std::string_view assembly, unsigned line) {
  std::map<unsigned, std::string> files;
  std::optional<SourcePlace> last;
  llvm::StringRef text = assembly;
  for (unsigned at = 1; !text.empty(); ++at) {
    const auto [current, rest] = text.split('\n');
    text = rest;
    llvm::StringRef words = current.trim();
    const bool behind = at > line;
    if (words.ends_with(",@function")) { // The next function begins.
      if (behind)
        break;
      last.reset();
    } else if (words.consume_front(".file")) {
      words = words.ltrim();
      addFile(words, files);
    } else if (words.consume_front(".loc")) {
      if (auto place = placeOf(words, files))
        last = std::move(place);
    }
    // A function's head has no line of its own; it gets that of its first instruction.
    if (at >= line && last)
      break;
  }
  return last;
}

} // namespace rdna::hipclang
