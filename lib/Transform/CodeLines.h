//===- CodeLines.h - lines of code, one behind the other ------------------===//
#pragma once

#include "Asm/Module.h"
#include "Code/Edit.h"

#include <string>
#include <string_view>
#include <utility>

namespace rdna {

/// With line ends in between and none around, as lineBehind() takes them.
class CodeLines {
public:
  explicit CodeLines(const Module &module) : newline_(lineEnding(module)) {}

  void line(const Code &code); ///< Indented.
  void label(const std::string &name);
  void append(Code lines); ///< Those of others, as take() gives them; a label comes first.
  /// Of the line that the text is put behind nothing but its indentation is used.
  void leaveLine() { out_ += newline_, isAtStart_ = true; }
  bool empty() const { return out_.empty(); }
  Code take() {
    isAtStart_ = true;
    return std::exchange(out_, Code());
  }

private:
  std::string_view newline_;
  Code out_;
  bool isAtStart_ = true; ///< Of a line: nothing has to be ended.
};

/// `base`, with a number behind it if there is such a label.
std::string newLabel(const Module &module, const std::string &base);

} // namespace rdna
