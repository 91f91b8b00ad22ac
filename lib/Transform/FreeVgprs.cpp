#include "Transform/FreeVgprs.h"

#include <algorithm>

namespace rdna {

std::vector<llvm::ArrayRef<uint16_t>> runsOf(llvm::ArrayRef<uint16_t> units) {
  std::vector<llvm::ArrayRef<uint16_t>> runs;
  for (size_t i = 0, next; i < units.size(); i = next) {
    for (next = i + 1; next < units.size() && units[next] == units[next - 1] + 1;)
      ++next;
    runs.push_back(units.slice(i, next - i));
  }
  return runs;
}

unsigned takeFreeVgprs(VgprSet &taken, size_t count, unsigned &end) {
  const auto size = static_cast<unsigned>(count);
  const auto isTaken = [&](unsigned n) { return n < taken.size() && taken.test(n); };
  const auto isFree = [&](unsigned first) {
    for (unsigned n = first; n < first + size; ++n)
      if (isTaken(n))
        return false;
    return true;
  };
  unsigned first = 0;
  while (!isFree(first))
    ++first;
  for (unsigned n = first; n < first + size && n < taken.size(); ++n)
    taken.set(n);
  end = std::max(end, first + size);
  return first;
}

void nameRun(llvm::ArrayRef<uint16_t> run, unsigned first, std::map<uint16_t, unsigned> &names) {
  for (size_t i = 0; i < run.size(); ++i)
    names[run[i]] = first + static_cast<unsigned>(i);
}

} // namespace rdna
