#include "Pipeline/Appraise.h"

namespace rdna {

Trend trendOf(const Appraisal &before, const Appraisal &after) {
  constexpr double noise = 0.005;
  const auto falls = [](double was, double is) { return is < was * (1 - noise); };
  if (after.believed > before.believed * (1 + noise))
    return Trend::Rises;
  if (before.doubted.empty() || before.doubted.size() != after.doubted.size() ||
      !falls(before.believed, after.believed))
    return Trend::Open;
  for (size_t n = 0; n < before.doubted.size(); ++n)
    if (!falls(before.doubted[n], after.doubted[n]))
      return Trend::Open;
  return Trend::Falls;
}

llvm::Expected<Appraisal> TimeJudge::appraise(const Module &module, Doubts doubts) const {
  if (!finish_)
    return appraiser_.appraise(module, doubts);
  auto finished = finish_(module);
  if (!finished)
    return finished.takeError();
  return appraiser_.appraise(*finished ? **finished : module, doubts);
}

llvm::Expected<TimeJudge::Times> TimeJudge::compare(const Module &before, const Module &after,
                                                    Doubts doubts) {
  if (!current_ || (doubts == Doubts::Asked && current_->doubted.empty())) {
    auto first = appraise(before, doubts);
    if (!first)
      return first.takeError();
    current_ = std::move(*first);
  }
  auto second = appraise(after, doubts);
  if (!second)
    return second.takeError();
  last_ = std::move(*second);
  return Times{*current_, *last_, trendOf(*current_, *last_)};
}

} // namespace rdna
