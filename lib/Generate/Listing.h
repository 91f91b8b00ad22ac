//===- Listing.h - instructions, labels and comments in a row -------------===//
#pragma once

#include "Code/Build.h"

#include <string>
#include <string_view>

namespace rdna::generate {

/// The text of a file while it is written.
class Listing {
public:
  Listing &operator<<(const Inst &inst) {
    text_ += '\t';
    text_ += inst.text();
    text_ += '\n';
    ++instructions_;
    return *this;
  }
  void label(std::string_view name) {
    text_ += name;
    text_ += ":\n";
  }
  void comment(std::string_view text) {
    text_ += "\t; ";
    text_ += text;
    text_ += '\n';
  }
  /// Directives and the like, as they are.
  void raw(std::string_view text) { text_ += text; }
  const std::string &text() const { return text_; }
  unsigned instructions() const { return instructions_; }

private:
  std::string text_;
  unsigned instructions_ = 0;
};

} // namespace rdna::generate
