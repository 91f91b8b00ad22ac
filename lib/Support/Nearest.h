//===- Nearest.h - the word that was probably meant -------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdna {

/// The candidate that `word` is most probably a misspelling of; empty if none is near. Of several
/// the first.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

/// " (did you mean 'x'?)", or nothing if no candidate is near. For the end of a message.
std::string didYouMean(std::string_view word, const std::vector<std::string> &candidates);

} // namespace rdna
