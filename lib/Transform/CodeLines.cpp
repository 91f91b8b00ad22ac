#include "Transform/CodeLines.h"

#include <fmt/format.h>

namespace rdna {

void CodeLines::line(const Code &code) {
  if (!out_.empty())
    (out_ += newline_) += "\t";
  out_ += code;
  isAtStart_ = false;
}

void CodeLines::label(const std::string &name) {
  if (!isAtStart_)
    out_ += newline_;
  out_ += Code::label(name);
  isAtStart_ = false;
}

void CodeLines::append(Code lines) {
  if (lines.empty())
    return;
  if (!isAtStart_)
    out_ += newline_;
  out_ += lines;
  isAtStart_ = false;
}

std::string newLabel(const Module &module, const std::string &base) {
  std::string name = base;
  for (unsigned n = 1; module.labelTarget(name); ++n)
    name = fmt::format("{}.{}", base, n);
  return name;
}

} // namespace rdna
