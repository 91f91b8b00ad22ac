#include "Minimise.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace rdna::fuzz {

static bool isInstruction(const std::string &line) {
  return line.starts_with("\ts_") || line.starts_with("\tv_") || line.starts_with("\tds_") ||
         line.starts_with("\tglobal_") || line.starts_with("\tflat_") ||
         line.starts_with("\tbuffer_") || line.starts_with("\tscratch_");
}

static std::string join(const std::vector<std::string> &lines, const std::vector<bool> &kept) {
  std::string text;
  for (size_t n = 0; n < lines.size(); ++n)
    if (kept[n])
      text += lines[n] + "\n";
  return text;
}

std::string minimise(const std::string &text, unsigned mostTries,
                     const std::function<bool(const std::string &)> &fails) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  std::vector<bool> kept(lines.size(), true);
  std::vector<size_t> candidates;
  for (size_t n = 0; n < lines.size(); ++n)
    if (isInstruction(lines[n]) && lines[n] != "\ts_endpgm")
      candidates.push_back(n);
  unsigned tries = 0;
  for (size_t size = std::max<size_t>(candidates.size() / 4, 1);;) {
    bool dropped = false;
    // From the end: results that nobody stores make what computes them superfluous.
    for (size_t end = candidates.size(); end > 0 && tries < mostTries;) {
      const size_t begin = end - std::min(size, end);
      std::vector<bool> fewer = kept;
      for (size_t n = begin; n < end; ++n)
        fewer[candidates[n]] = false;
      ++tries;
      if (fails(join(lines, fewer))) {
        kept = fewer;
        candidates.erase(candidates.begin() + static_cast<ptrdiff_t>(begin),
                         candidates.begin() + static_cast<ptrdiff_t>(end));
        dropped = true;
      }
      end = begin;
    }
    if (tries >= mostTries || (size == 1 && !dropped))
      return join(lines, kept);
    if (size > 1)
      size = std::max<size_t>(size / 2, 1);
  }
}

} // namespace rdna::fuzz
