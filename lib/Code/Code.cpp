#include "Code/Code.h"

#include <fmt/format.h>

namespace rdna {

Code Code::text(std::string_view text) { return Code().add(Text{std::string(text)}); }

Code Code::metadata(size_t indent, std::string_view key, std::string_view value,
                    std::string_view lineEnd) {
  std::string line(indent, ' ');
  for (const std::string_view part : {key, std::string_view(": "), value, lineEnd})
    line += part;
  return text(line);
}

Code Code::layout(std::string_view text) {
  Code code;
  if (!text.empty())
    code.add(Layout{std::string(text)});
  return code;
}

Code Code::label(std::string_view name) { return Code().add(NewLabel{std::string(name)}); }

Code Code::original(uint32_t begin, uint32_t end) { return Code().add(Original{begin, end}); }

Code Code::number(int64_t value) { return Code().add(Number{value}); }

Code &Code::operator+=(const Code &more) {
  pieces_.insert(pieces_.end(), more.pieces_.begin(), more.pieces_.end());
  return *this;
}

namespace {
struct Printer {
  const Module &module;
  std::string out;

  void operator()(const Code::Layout &layout) { out += layout.text; }
  void operator()(const Inst &inst) { out += inst.text(); }
  void operator()(const Code::NewLabel &label) { out += label.name + ":"; }
  void operator()(const Code::Original &original) {
    out += module.text().substr(original.begin, original.end - original.begin);
  }
  void operator()(const Code::Number &number) { out += fmt::format("{}", number.value); }
  void operator()(const Code::Text &text) { out += text.text; }
};
} // namespace

std::string Code::print(const Module &module) const {
  Printer printer{module, {}};
  for (const Piece &piece : pieces_)
    std::visit(printer, piece);
  return std::move(printer.out);
}

} // namespace rdna
