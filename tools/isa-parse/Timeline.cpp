#include "Document.h"

#include <algorithm>

namespace rdna::isaparse {

using timing::Cycles;
using timing::IssueEvent;

// Enough for some iterations of a loop, and little enough for a page to draw.
static constexpr Cycles windowClocks = 4096;
static constexpr size_t mostEvents = 8000;

/// From where to show: the middle of the simulated time, when all places are taken.
static Cycles windowStart(const PredictedKernel &predicted) {
  const Cycles all = predicted.prediction.sample.clocks;
  return std::max<Cycles>(0, std::min(all / 2, all - windowClocks));
}

Json timelineOf(const PredictedKernel &predicted, const std::map<uint32_t, uint32_t> &codeOfLine) {
  const Cycles start = windowStart(predicted);
  Cycles end = std::min(start + windowClocks, predicted.prediction.sample.clocks);
  std::map<uint32_t, Json> waves;
  size_t shown = 0;
  for (const IssueEvent &event : predicted.events) {
    // A wait that begins in the window and ends behind it is shown, too.
    if (event.at < start || event.at - event.waited >= end)
      continue;
    if (event.at < end && ++shown > mostEvents)
      end = event.at;
    Json &wave = waves[event.wave];
    if (wave.is_null())
      wave = {{"wave", event.wave}, {"workgroup", event.group}, {"events", Json::array()}};
    const auto code = codeOfLine.find(predicted.lineOfOp[event.op]);
    for (const Cycles number :
         {event.at - start, event.waited, static_cast<Cycles>(event.why),
          code == codeOfLine.end() ? Cycles{-1} : static_cast<Cycles>(code->second)})
      wave["events"].push_back(number);
  }
  Json json = {{"simd", 0},
               {"first_clock", start},
               {"clocks", end - start},
               {"simulated_clocks", predicted.prediction.sample.clocks},
               {"event_fields", {"clock", "waited", "stall", "instruction"}},
               {"waves", Json::array()}};
  for (auto &[number, wave] : waves)
    json["waves"].push_back(std::move(wave));
  return json;
}

} // namespace rdna::isaparse
