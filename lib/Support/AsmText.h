//===- AsmText.h - what can be said of assembly before LLVM reads it ------===//
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rdna {

/// A string constant or a comment that has no end. LLVM 22's AMDGPU parser does not come back from
/// some of them (`v_mov_b32 v0, (1~x)"`: it waits for an end of statement that the end of the file
/// is not), so they must be found before it reads the text.
struct Unterminated {
  size_t at = 0; ///< Where it begins.
  std::string_view message;
};
std::optional<Unterminated> unterminatedToken(std::string_view text);

/// The end of the line that holds `at`, which is no place inside a string or a comment: its
/// newline, or the text's end. To LLVM a block comment that goes over lines is a blank of one line.
size_t endOfLine(std::string_view text, size_t at);

/// The text with blanks in place of block comments; newlines in them stay.
std::string withoutBlockComments(std::string_view text);

/// What is put behind the text that LLVM reads. Its parser never ends when two characters that no
/// token can begin with (as in "foo``") stand in the last line, found by fuzzing; with empty lines
/// behind them it reports them. A quote reads up to three characters behind it.
inline constexpr std::string_view textEpilogue = "\n\n\n\n";

} // namespace rdna
