#include "Support/Nearest.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

std::string nearest(std::string_view word, const std::vector<std::string> &candidates) {
  // A quarter of the letters may be wrong; of short words one, but not the only one.
  const auto limit = static_cast<unsigned>(
      std::min<size_t>(std::max<size_t>(word.size() / 4, 1), word.empty() ? 0 : word.size() - 1));
  unsigned best = limit + 1;
  std::string found;
  for (const std::string &candidate : candidates) {
    unsigned distance = llvm::StringRef(word).edit_distance_insensitive(candidate, true, best);
    // What is an abbreviation or one word of several is nearer than its letters say.
    if (word.size() >= 3 && candidate.size() > word.size() &&
        candidate.find(word) != std::string::npos)
      distance = std::min(distance, limit);
    // Two letters that have changed places are one mistake.
    if (candidate.size() == word.size() &&
        std::is_permutation(word.begin(), word.end(), candidate.begin()))
      distance = std::min(distance, 1u);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string didYouMean(std::string_view word, const std::vector<std::string> &candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", found);
}

} // namespace rdna
