#include "Tune/Report.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <limits>

namespace rdna::tune {

static bool fits(const std::optional<Outcome> &outcome) {
  return outcome && outcome->verdict == Outcome::Verdict::Fits;
}

static double timeOr(const std::optional<Outcome> &outcome, double otherwise) {
  return fits(outcome) ? outcome->milliseconds : otherwise;
}

static constexpr double kNever = std::numeric_limits<double>::infinity();

static std::vector<TopOf> curveOf(const std::vector<Row> &rows) {
  std::vector<const Row *> byEstimate;
  double best = kNever;
  for (const Row &row : rows) {
    byEstimate.push_back(&row);
    best = std::min(best, timeOr(row.model, kNever));
  }
  llvm::stable_sort(byEstimate, [](const Row *a, const Row *b) {
    return std::pair(a->estimate->milliseconds, a->spec) <
           std::pair(b->estimate->milliseconds, b->spec);
  });
  std::vector<TopOf> curve;
  double found = kNever;
  size_t next = 1;
  size_t seen = 0; // Of the first ones, without a gap.
  while (seen < byEstimate.size() && byEstimate[seen]->model)
    ++seen;
  for (size_t k = 1; k <= seen; ++k) {
    found = std::min(found, timeOr(byEstimate[k - 1]->model, kNever));
    if (k != next && k != seen)
      continue;
    curve.push_back({k, found, best / found});
    // 1, 2, 5, 10, 20, 50, ...
    next = fmt::format("{}", next).front() == '2' ? next / 2 * 5 : next * 2;
  }
  return curve;
}

/// Rows are by time already, so only those in front can be better than one.
static std::vector<size_t> paretoOf(const std::vector<Row> &rows) {
  std::vector<size_t> front;
  for (size_t n = 0; n < rows.size() && fits(rows[n].model); ++n) {
    const Outcome &mine = *rows[n].estimate;
    const bool isWorse = llvm::any_of(front, [&](size_t other) {
      const Outcome &theirs = *rows[other].estimate;
      return theirs.vgprs <= mine.vgprs && theirs.ldsBytes <= mine.ldsBytes;
    });
    if (!isWorse)
      front.push_back(n);
  }
  return front;
}

static std::vector<LimiterCount> limitersOf(const std::vector<Row> &rows) {
  std::vector<LimiterCount> limiters;
  for (const Row &row : rows) {
    if (!fits(row.model))
      continue;
    auto known = llvm::find_if(
        limiters, [&](const LimiterCount &l) { return l.limiter == row.model->limiter; });
    if (known == limiters.end())
      limiters.push_back({row.model->limiter, 1, row.model->milliseconds});
    else
      ++known->points;
  }
  llvm::stable_sort(
      limiters, [](const LimiterCount &a, const LimiterCount &b) { return a.points > b.points; });
  return limiters;
}

static void finish(StudyReport &report) {
  llvm::stable_sort(report.rows, [](const Row &a, const Row &b) {
    return std::tuple(timeOr(a.model, kNever), a.estimate->milliseconds, a.spec) <
           std::tuple(timeOr(b.model, kNever), b.estimate->milliseconds, b.spec);
  });
  for (size_t n = 0; n < report.rows.size() && !report.best; ++n)
    if (fits(report.rows[n].emulator) && fits(report.rows[n].model))
      report.best = n;
  const auto fastest = llvm::min_element(report.rows, [](const Row &a, const Row &b) {
    return timeOr(a.card, kNever) < timeOr(b.card, kNever);
  });
  if (fastest != report.rows.end() && fits(fastest->card))
    report.best = static_cast<size_t>(fastest - report.rows.begin());
  report.curve = curveOf(report.rows);
  report.pareto = paretoOf(report.rows);
  report.limiters = limitersOf(report.rows);
}

std::vector<StudyReport> reportOf(std::vector<Row> rows) {
  std::vector<StudyReport> reports;
  for (Row &row : rows) {
    if (reports.empty() || reports.back().study.text() != row.study.text())
      reports.emplace_back().study = row.study;
    StudyReport &report = reports.back();
    if (!row.estimate)
      continue;
    ++report.estimated;
    report.modelled += row.model.has_value();
    if (fits(row.estimate))
      report.rows.push_back(std::move(row));
    else
      ++report.refused[limitOf(row.estimate->reason)];
  }
  for (StudyReport &report : reports)
    finish(report);
  return reports;
}

/// In quotes if it needs them.
static std::string cell(const std::string &text) {
  if (text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csvOf(const std::vector<Row> &rows) {
  std::string text = "device,machine,version,seed,m,n,k,base,point,options,vgprs,lds_bytes,"
                     "waves_per_simd,occupancy_limit,estimate_ms,model_ms,model_low_ms,"
                     "model_high_ms,limited_by,card_ms,card_low_ms,card_high_ms,verdict,reason\n";
  for (const Row &row : rows) {
    const StudyKey &s = row.study;
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}", cell(s.device), s.machine, s.version, s.seed,
                    s.problem.m, s.problem.n, s.problem.k, s.base, row.spec, row.options);
    if (fits(row.estimate)) {
      const Outcome &e = *row.estimate;
      text += fmt::format(",{},{},{},{},{}", e.vgprs, e.ldsBytes, e.wavesPerSimd, e.limiter,
                          e.milliseconds);
    } else {
      text += ",,,,,";
    }
    if (fits(row.model))
      text += fmt::format(",{},{},{},{}", row.model->milliseconds, row.model->low, row.model->high,
                          row.model->limiter);
    else
      text += ",,,,";
    if (fits(row.card))
      text += fmt::format(",{},{},{}", row.card->milliseconds, row.card->low, row.card->high);
    else
      text += ",,,";
    // The last word: of the dearest stage that has been made.
    const Outcome *last = nullptr;
    for (const Stage stage : {Stage::Estimate, Stage::Model, Stage::Emulator})
      if (row.of(stage))
        last = &*row.of(stage);
    const std::string verdict = last == nullptr ? std::string("open")
                                : last == &*row.emulator && fits(row.emulator)
                                    ? std::string("verified")
                                    : std::string(toString(last->verdict));
    text += fmt::format(",{},{}\n", verdict, last == nullptr ? "" : cell(last->reason));
  }
  return text;
}

} // namespace rdna::tune
