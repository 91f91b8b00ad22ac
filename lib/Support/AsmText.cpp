#include "Support/AsmText.h"

#include <algorithm>

namespace rdna {

/// Behind the string constant that opens at `at`, or npos. It may span lines.
static size_t stringEnd(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return std::string_view::npos;
}

namespace {
/// What hides the meaning of the characters in it, and the ends of lines.
struct Token {
  enum class Kind { EndOfLine, LineComment, BlockComment, String, Character, Metadata } kind;
  size_t begin;
  size_t end; ///< Behind its last character; npos if that is missing.
};
} // namespace

/// Goes through the text from `at` on, until `look` says of a token that it is the last.
template <typename Look> static void scan(std::string_view text, size_t at, Look look) {
  constexpr std::string_view kMetadata = ".amdgpu_metadata", kMetadataEnd = ".end_amdgpu_metadata";
  const auto behind = [&](std::string_view what, size_t from) {
    const size_t found = text.find(what, from);
    return found == std::string_view::npos ? found : found + what.size();
  };
  using Kind = Token::Kind;
  bool lineStart = true;
  for (size_t i = at; i < text.size();) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    std::optional<Token> token;
    if (c == '\n')
      token = {Kind::EndOfLine, i, i + 1};
    else if (c == ';' || (c == '/' && next == '/') || (c == '#' && lineStart))
      // As LLVM has it, which ends lines at either.
      token = {Kind::LineComment, i, std::min(text.find_first_of("\r\n", i), text.size())};
    else if (c == '/' && next == '*')
      token = {Kind::BlockComment, i, behind("*/", i + 2)};
    else if (c == '\'' && next == '"') // the character constant '"'
      token = {Kind::Character, i, i + 3};
    else if (c == '.' && lineStart && text.substr(i).starts_with(kMetadata))
      // It is YAML with rules of its own; LLVM reports what is wrong there.
      token = {Kind::Metadata, i, std::min(behind(kMetadataEnd, i), text.size())};
    else if (c == '"')
      token = {Kind::String, i, stringEnd(text, i)};
    if (token && !look(*token))
      return;
    if (c != ' ' && c != '\t' && !(token && token->kind == Kind::BlockComment))
      lineStart = c == '\n' || c == '\r';
    i = token ? std::min(token->end, text.size()) : i + 1;
  }
}

std::optional<Unterminated> unterminatedToken(std::string_view text) {
  std::optional<Unterminated> found;
  scan(text, 0, [&](const Token &token) {
    if (token.end == std::string_view::npos)
      found = {token.begin, token.kind == Token::Kind::BlockComment
                                ? "unterminated comment"
                                : "unterminated string constant"};
    return !found;
  });
  return found;
}

size_t endOfLine(std::string_view text, size_t at) {
  size_t end = text.size();
  scan(text, at, [&](const Token &token) {
    if (token.kind == Token::Kind::EndOfLine)
      end = token.begin;
    return token.kind != Token::Kind::EndOfLine;
  });
  return end;
}

std::string withoutBlockComments(std::string_view text) {
  std::string plain(text);
  scan(text, 0, [&](const Token &token) {
    if (token.kind == Token::Kind::BlockComment)
      for (size_t i = token.begin; i < std::min(token.end, text.size()); ++i)
        if (plain[i] != '\n' && plain[i] != '\r')
          plain[i] = ' ';
    return true;
  });
  return plain;
}

} // namespace rdna
