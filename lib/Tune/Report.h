//===- Report.h - what a store of results says, by study ------------------===//
#pragma once

#include "Tune/Store.h"

namespace rdna::tune {

/// The best by the model of the `k` best by the estimate.
struct TopOf {
  size_t k = 0;
  double milliseconds = 0;
  double share = 0; ///< Of the speed of the best of all points that the model has seen.
};

struct LimiterCount {
  std::string limiter;
  size_t points = 0;
  double best = 0; ///< Milliseconds.
};

struct StudyReport {
  StudyKey study;
  std::vector<Row> rows; ///< Those that fit: by the model, the estimate, the name.
  size_t estimated = 0, modelled = 0;
  std::map<std::string, size_t> refused; ///< By reason.
  std::optional<size_t> best;            ///< In `rows`: the first that the emulator found right,
                                         ///< or the fastest on a card.
  std::vector<TopOf> curve;              ///< As long as the model has seen all of the top k.
  std::vector<size_t>
      pareto; ///< In `rows`: no other is as fast with as few VGPRs and as little LDS.
  std::vector<LimiterCount> limiters; ///< Of the model's points, the most frequent first.
};

/// By study, in the order of their keys.
std::vector<StudyReport> reportOf(std::vector<Row> rows);

/// A line for each point and a head; the same for the same results, whoever measured them.
std::string csvOf(const std::vector<Row> &rows);

} // namespace rdna::tune
