#include "Run/JsonPlaces.h"

#include <algorithm>

namespace rdna::run {

Place placeAt(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<unsigned>(offset - start) + 1,
          std::string(text.substr(start, text.find('\n', start) - start))};
}

JsonPlaces::JsonPlaces(std::string_view text) : text_(text) { value("", 0); }

Place JsonPlaces::operator[](std::string_view pointer) const {
  for (;;) {
    if (const auto known = offsets_.find(pointer); known != offsets_.end())
      return placeAt(text_, known->second);
    const size_t slash = pointer.rfind('/');
    if (slash == std::string_view::npos)
      return {};
    pointer = pointer.substr(0, slash);
  }
}

Place JsonPlaces::key(std::string_view pointer) const {
  const auto known = keys_.find(pointer);
  return known == keys_.end() ? (*this)[pointer] : placeAt(text_, known->second);
}

void JsonPlaces::skipBlanks() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

void JsonPlaces::value(const std::string &pointer, unsigned depth) {
  constexpr unsigned deepest = 64; // No launch is; deeper values have the place of what is around.
  skipBlanks();
  if (depth > deepest)
    at_ = text_.size();
  if (at_ >= text_.size())
    return;
  offsets_[pointer] = at_;
  switch (text_[at_]) {
  case '{':
    return object(pointer, depth);
  case '[':
    return array(pointer, depth);
  case '"':
    static_cast<void>(string());
    return;
  default: // A number or a word.
    at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
  }
}

void JsonPlaces::object(const std::string &pointer, unsigned depth) {
  ++at_;
  for (skipBlanks(); at('"'); skipBlanks()) {
    const size_t begin = at_;
    const std::string key = string();
    keys_[pointer + "/" + key] = begin;
    skipBlanks();
    ++at_; // The colon.
    value(pointer + "/" + key, depth + 1);
    skipBlanks();
    if (at(','))
      ++at_;
  }
  ++at_;
}

void JsonPlaces::array(const std::string &pointer, unsigned depth) {
  ++at_;
  skipBlanks();
  for (size_t index = 0; at_ < text_.size() && !at(']'); ++index) {
    value(pointer + "/" + std::to_string(index), depth + 1);
    skipBlanks();
    if (at(','))
      ++at_;
    skipBlanks();
  }
  ++at_;
}

/// Escapes stay as they are written: no key that is known has any.
std::string JsonPlaces::string() {
  const size_t begin = ++at_;
  while (at_ < text_.size() && !at('"'))
    at_ += at('\\') ? 2 : 1;
  const size_t end = std::min(at_, text_.size());
  ++at_;
  return std::string(text_.substr(begin, end - begin));
}

} // namespace rdna::run
