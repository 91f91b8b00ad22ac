//===- Code.h - what an edit puts in a document -----------------------------===//
//
// A sequence of pieces: instructions that were made, pieces of the document as they are (with the
// instructions and labels that stand there), new labels, numbers of the descriptor, and layout.
// Every piece says what it is, so the document need not be parsed again.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"
#include "Code/Inst.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rdna {

class Code {
public:
  /// Blanks, line ends, comments, debug locations: nothing that is assembled.
  struct Layout {
    std::string text;
  };
  /// `name:`
  struct NewLabel {
    std::string name;
  };
  /// These bytes of the document that is edited.
  struct Original {
    uint32_t begin, end;
  };
  /// A decimal number in a descriptor, in metadata or in the `.set` of a symbol.
  struct Number {
    int64_t value;
  };
  /// Any text. What it means is found by parsing the whole document, so no pass uses it.
  struct Text {
    std::string text;
  };
  using Piece = std::variant<Layout, Inst, NewLabel, Original, Number, Text>;

  Code() = default;
  Code(Inst inst) { add(std::move(inst)); }

  static Code text(std::string_view text);
  static Code layout(std::string_view text);
  /// A line of a kernel's metadata, `indent` columns in.
  static Code metadata(size_t indent, std::string_view key, std::string_view value,
                       std::string_view lineEnd);
  static Code label(std::string_view name);
  static Code original(uint32_t begin, uint32_t end);
  /// An instruction with its spelling, where a copy of it may stand.
  static Code copyOf(const Instruction &inst) { return original(inst.begin, inst.end); }
  static Code number(int64_t value);

  Code &add(Piece piece) {
    pieces_.push_back(std::move(piece));
    return *this;
  }
  Code &operator+=(const Code &more);
  /// Layout.
  Code &operator+=(std::string_view text) { return *this += layout(text); }
  friend Code operator+(Code a, const Code &b) { return std::move(a += b); }

  bool empty() const { return pieces_.empty(); }
  const std::vector<Piece> &pieces() const { return pieces_; }
  std::vector<Piece> &pieces() { return pieces_; }
  /// As it will be printed.
  std::string print(const Module &module) const;

private:
  std::vector<Piece> pieces_;
};

} // namespace rdna
