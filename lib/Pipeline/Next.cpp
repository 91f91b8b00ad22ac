#include "Pipeline/Next.h"

#include "Code/Derive.h"

#include <algorithm>

namespace rdna {

void OffsetMap::add(const Module &module, std::vector<TextEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const TextEdit &a, const TextEdit &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::vector<Step> &steps = sets_.emplace_back();
  int64_t shift = 0;
  for (const TextEdit &edit : edits) {
    shift += static_cast<int64_t>(edit.replacement.print(module).size()) - (edit.end - edit.begin);
    steps.push_back({edit.begin, edit.end, shift});
  }
}

uint32_t OffsetMap::operator()(uint32_t offset) const {
  for (const std::vector<Step> &steps : sets_) {
    // Edits do not overlap, so their ends are in order as well.
    const auto behind = std::partition_point(steps.begin(), steps.end(),
                                             [&](const Step &s) { return s.end <= offset; });
    const bool isInside = behind != steps.end() && behind->begin <= offset;
    const int64_t shift = behind == steps.begin() ? 0 : std::prev(behind)->shift;
    offset = static_cast<uint32_t>((isInside ? behind->begin : offset) + shift);
  }
  return offset;
}

llvm::Error advance(Next &next, std::vector<TextEdit> edits) {
  auto derived = derive(*next.module, edits);
  if (!derived)
    return derived.takeError();
  next.places.add(*next.module, std::move(edits));
  next.module = std::move(*derived);
  return llvm::Error::success();
}

llvm::Expected<Next> nextOf(const Module &module, std::vector<TextEdit> edits) {
  auto derived = derive(module, edits);
  if (!derived)
    return derived.takeError();
  Next next{std::move(*derived), {}};
  next.places.add(module, std::move(edits));
  return next;
}

} // namespace rdna
