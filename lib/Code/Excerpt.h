//===- Excerpt.h - one function of a document as a document of its own ------===//
#pragma once

#include "Code/Edit.h"

#include <memory>
#include <optional>
#include <vector>

namespace rdna {

/// One function, from its label to the next one's, with its descriptor and its counts in the
/// metadata: for trying edits of it at a cost that does not grow with the file. What the rest of
/// the file may do with it (call it, take an address in it) is kept as a fact.
class Excerpt {
public:
  /// Nothing where other text says what the function is: calls and symbols of other functions,
  /// macros, entries in its middle, symbols for numbers of the descriptor that stand elsewhere.
  static std::optional<Excerpt> of(const Module &module, uint32_t function);

  /// The function is the only one in it, number 0.
  const Module &module() const { return *module_; }
  /// Edits of the whole document as edits of this one; nothing if one touches other text.
  std::optional<std::vector<TextEdit>> editsHere(std::vector<TextEdit> edits) const;

private:
  friend class ExcerptMaker;
  /// Bytes of the whole text, and where the first of them is here.
  struct Kept {
    uint32_t begin, end, here;
  };
  std::optional<uint32_t> placeHere(uint32_t begin, uint32_t end) const;

  std::vector<Kept> kept_; ///< In the order of the text.
  std::unique_ptr<Module> module_;
};

} // namespace rdna
