#include "Pipeline/UserLines.h"

#include "Analysis/SourcePlaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace rdna {

uint32_t lineOfOffset(const Module &module, uint32_t offset) {
  uint32_t low = 1, high = module.lineCount();
  while (low < high) { // The last line that begins at or before the byte.
    const uint32_t middle = low + (high - low + 1) / 2;
    if (module.lineBegin(middle) <= offset)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static std::string textOf(const Module &module, uint32_t line) {
  const uint32_t begin = module.lineBegin(line), end = module.lineBegin(line + 1);
  return llvm::StringRef(module.text()).substr(begin, end - begin).rtrim("\r\n").str();
}

UserLines::UserLines(const Module &module) {
  for (uint32_t line = 1; line <= module.lineCount(); ++line)
    lines_.push_back({textOf(module, line), module.lineBegin(line), {}});
  const auto all = static_cast<uint32_t>(module.instructions().size());
  const SourcePlaces places = sourcePlaces(module, 0, all);
  for (uint32_t index = 0; index < all && !places.files.empty(); ++index)
    if (std::string &source = lines_[module.instructions()[index].line - 1].source; source.empty())
      source = shortName(places, places.of[index]);
}

void UserLines::move(const OffsetMap &places) {
  for (Line &line : lines_)
    line.place = places(line.place);
}

std::optional<uint32_t> UserLines::lineNow(uint32_t userLine, const Module &now) const {
  if (userLine == 0 || userLine > lines_.size())
    return std::nullopt;
  const Line &line = lines_[userLine - 1];
  const uint32_t there = lineOfOffset(now, line.place);
  if (now.lineBegin(there) != line.place || textOf(now, there) != line.text)
    return std::nullopt;
  return there;
}

std::optional<uint32_t> UserLines::userLine(uint32_t lineNow, const Module &now) const {
  const uint32_t offset = now.lineBegin(lineNow);
  const std::string text = textOf(now, lineNow);
  const auto found =
      llvm::find_if(llvm::make_range(std::lower_bound(lines_.begin(), lines_.end(), offset,
                                                      [](const Line &line, uint32_t place) {
                                                        return line.place < place;
                                                      }),
                                     lines_.end()),
                    [&](const Line &line) { return line.place != offset || line.text == text; });
  if (found == lines_.end() || found->place != offset)
    return std::nullopt;
  return static_cast<uint32_t>(found - lines_.begin()) + 1;
}

void UserLines::place(Diagnostic &remark, const Module &now) const {
  if (remark.line == 0 || lines_.empty())
    return;
  const uint32_t offset = now.lineBegin(remark.line);
  const auto behind =
      std::upper_bound(lines_.begin(), lines_.end(), offset,
                       [](uint32_t value, const Line &line) { return value < line.place; });
  // Lines that were replaced together are all where the replacement begins.
  const auto last = behind == lines_.begin() ? behind : std::prev(behind);
  auto found = std::find_if(lines_.begin(), last,
                            [&](const Line &line) { return line.place == last->place; });
  // Instructions change places in what was replaced: look around for the same one.
  constexpr ptrdiff_t around = 16;
  const auto from = found - std::min(around, found - lines_.begin());
  const auto to = last + std::min(around, lines_.end() - last);
  const llvm::StringRef text = llvm::StringRef(remark.sourceLine).trim();
  const auto isSame = [&](const Line &line) { return llvm::StringRef(line.text).trim() == text; };
  auto same = std::find_if(found, to, isSame);
  if (same == to) {
    same = std::find_if(from, found, isSame);
    same = same == found ? to : same;
  }
  const bool isThere = same != to && !text.empty();
  if (isThere)
    found = same;
  remark.line = static_cast<unsigned>(found - lines_.begin()) + 1;
  remark.column = isThere ? remark.column : 1;
  remark.sourceLine = isThere ? found->text : std::string();
  if (!found->source.empty())
    remark.message += " [" + found->source + "]";
}

} // namespace rdna
