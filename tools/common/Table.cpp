#include "common/Table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace rdna::tool {

namespace {

constexpr size_t gap = 2; ///< Between columns.

class Layout {
public:
  Layout(const Rows &rows, const std::vector<Column> &columns, std::string_view indent)
      : rows_(rows), columns_(columns), indent_(indent), widths_(columns.size(), 0),
        shown_(columns.size(), true) {
    for (const auto &row : rows)
      for (size_t i = 0; i < row.size(); ++i)
        widths_[i] = std::max(widths_[i], row[i].size());
  }

  void fit(size_t width) {
    width_ = width;
    // What the last column can be folded to; numbers are never folded.
    constexpr size_t least = 24;
    const size_t last = widths_.size() - 1;
    const size_t folded =
        columns_[last].align == Align::Left ? std::min(widths_[last], least) : widths_[last];
    const auto others = [&] { return total() - widths_[last]; };
    while (others() + folded > width) {
      const auto most =
          std::max_element(columns_.begin(), columns_.end(), [&](const Column &a, const Column &b) {
            return weightOf(a) < weightOf(b);
          });
      if (weightOf(*most) == 0)
        break;
      shown_[static_cast<size_t>(most - columns_.begin())] = false;
    }
    if (total() > width)
      widths_[last] = std::max(folded, width > others() ? width - others() : 0);
  }

  std::string text() const {
    std::string text;
    for (const auto &row : rows_)
      addRow(row, text);
    std::vector<std::string> missing; // By the names in the first row.
    for (size_t i = 0; !rows_.empty() && i < rows_[0].size(); ++i)
      if (!shown_[i])
        missing.push_back(rows_[0][i]);
    if (!missing.empty())
      addFolded(fmt::format("not shown for want of room: {} (--wide)", fmt::join(missing, ", ")),
                text);
    return text;
  }

private:
  unsigned weightOf(const Column &column) const {
    return shown_[static_cast<size_t>(&column - columns_.data())] ? column.dispensable : 0;
  }

  size_t total() const {
    size_t total = indent_.size(), count = 0;
    for (size_t i = 0; i < widths_.size(); ++i)
      if (shown_[i])
        total += widths_[i] + (count++ == 0 ? 0 : gap);
    return total;
  }

  /// The beginning of `text` that fits the last column, cut from it.
  std::string takePart(std::string &text) const {
    const size_t width = widths_.back();
    if (text.size() <= width)
      return std::exchange(text, {});
    size_t end = text.rfind(' ', width);
    if (end == std::string::npos || end == 0)
      end = width;
    std::string part = text.substr(0, end);
    text.erase(0, std::min(text.size(), text[end] == ' ' ? end + 1 : end));
    return part;
  }

  void addRow(const std::vector<std::string> &row, std::string &text) const {
    std::string line(indent_), rest;
    size_t count = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (!shown_[i])
        continue;
      line += std::string(count++ == 0 ? 0 : gap, ' ');
      std::string cell = row[i];
      if (i + 1 == widths_.size() && cell.size() > widths_[i]) {
        rest = cell;
        cell = takePart(rest);
      }
      line += columns_[i].align == Align::Right ? fmt::format("{:>{}}", cell, widths_[i])
                                                : fmt::format("{:<{}}", cell, widths_[i]);
    }
    addLine(line, text);
    while (!rest.empty())
      addLine(std::string(total() - widths_.back(), ' ') + takePart(rest), text);
  }

  /// A sentence, folded between its words.
  void addFolded(std::string rest, std::string &text) const {
    for (std::string indent(indent_); !rest.empty(); indent = std::string(indent_) + "  ") {
      const size_t room = width_ > indent.size() ? width_ - indent.size() : 1;
      size_t end = rest.size() <= room ? rest.size() : rest.rfind(' ', room);
      end = end == std::string::npos ? std::min(rest.find(' '), rest.size()) : end;
      addLine(indent + rest.substr(0, end), text);
      rest.erase(0, end + 1);
    }
  }

  static void addLine(std::string line, std::string &text) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }

  const Rows &rows_;
  const std::vector<Column> &columns_;
  std::string_view indent_;
  size_t width_ = 0; ///< Of the screen, if there is one.
  std::vector<size_t> widths_;
  std::vector<bool> shown_;
};

} // namespace

std::string layOut(const Rows &rows, const std::vector<Column> &columns, std::string_view indent,
                   size_t width) {
  Layout layout(rows, columns, indent);
  if (width != 0)
    layout.fit(width);
  return layout.text();
}

} // namespace rdna::tool
