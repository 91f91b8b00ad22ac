//===- JsonPlaces.h - where in a JSON text a value stands -----------------===//
#pragma once

#include "Run/Expression.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace rdna::run {

/// The JSON library does not keep places. This finds them in a text that it has accepted.
class JsonPlaces {
public:
  explicit JsonPlaces(std::string_view text);
  /// The value at `pointer` ("/args/2/i32"), or of the innermost value around it that is known.
  Place operator[](std::string_view pointer) const;
  /// Where the key of the member at `pointer` stands.
  Place key(std::string_view pointer) const;

private:
  void value(const std::string &pointer, unsigned depth);
  void object(const std::string &pointer, unsigned depth);
  void array(const std::string &pointer, unsigned depth);
  std::string string();
  void skipBlanks();
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }

  std::string_view text_;
  size_t at_ = 0;
  std::map<std::string, size_t, std::less<>> offsets_, keys_;
};

/// Line, column and text of the line of the byte at `offset`.
Place placeAt(std::string_view text, size_t offset);

} // namespace rdna::run
