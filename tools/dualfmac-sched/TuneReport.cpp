#include "TuneReport.h"

#include "Timing/Stall.h"
#include "common/HtmlPage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

extern "C" {
// report/Page.S
extern const char rdnaTunePage[];
extern const char rdnaTunePageEnd[];
}

namespace rdna::dualfmac {

using namespace tune;
using Json = nlohmann::ordered_json;

static double teraflops(const StudyKey &study, double milliseconds) {
  return study.problem.operations() / milliseconds * 1e-9;
}

static std::string pointText(const StudyReport &report, const Row &row) {
  return fmt::format("  {:<40} {:>8.4f} {:<20} {:>6.2f} {:>5} {:>6} {:>5}  {}\n", row.spec,
                     row.model->milliseconds,
                     fmt::format("({:.4f} to {:.4f})", row.model->low, row.model->high),
                     teraflops(report.study, row.model->milliseconds), row.estimate->vgprs,
                     row.estimate->ldsBytes, row.estimate->wavesPerSimd, row.model->limiter);
}

static std::string studyText(const StudyReport &report) {
  const StudyKey &study = report.study;
  std::string text =
      fmt::format("{} on {}, {} (version {}, seed {}): {} estimated, {} by the model\n",
                  toString(study.problem), study.device, study.base, study.version, study.seed,
                  report.estimated, report.modelled);
  for (const auto &[reason, count] : report.refused)
    text += fmt::format("  refused {:>5}: {}\n", count, reason);
  const std::string head =
      fmt::format("  {:<40} {:<29} {:>6} {:>5} {:>6} {:>5}  {}\n", "point",
                  "predicted ms (interval)", "TFLOPS", "VGPRs", "LDS", "waves", "limited by");
  if (report.best)
    text += "best that is right on the emulator\n" + head +
            pointText(report, report.rows[*report.best]) +
            fmt::format("  dualfmac-sched generate kernel {}\n", report.rows[*report.best].options);
  if (report.best && report.rows[*report.best].card) {
    const Outcome &card = *report.rows[*report.best].card;
    text += fmt::format("  measured {:.4f} ms ({:.4f} to {:.4f}), {}\n", card.milliseconds,
                        card.low, card.high, card.reason);
  }
  if (report.modelled == 0)
    return text;
  text += "no other is as fast with as few VGPRs and as little LDS\n" + head;
  for (const size_t n : report.pareto)
    text += pointText(report, report.rows[n]);
  text += fmt::format("best in the first k by the estimate, of the best of {}\n",
                      report.modelled == report.rows.size()
                          ? std::string("all")
                          : fmt::format("the {} that the model has seen", report.modelled));
  for (const TopOf &top : report.curve)
    text +=
        fmt::format("  {:>6} {:>9.4f} ms {:>6.1f} %\n", top.k, top.milliseconds, 100 * top.share);
  text += "limited by\n";
  for (const LimiterCount &limiter : report.limiters)
    text += fmt::format("  {:<20} {:>5} points, the best {:.4f} ms\n", limiter.limiter,
                        limiter.points, limiter.best);
  return text;
}

std::string reportText(const std::vector<StudyReport> &reports,
                       const std::map<Stage, Store::Cost> &costs) {
  std::string text;
  for (const StudyReport &report : reports)
    text += studyText(report) + '\n';
  text += "spent\n";
  for (const auto &[stage, cost] : costs)
    text += fmt::format("  {:<9} {:>6} results, {:.1f} s, {:.3f} s each\n", toString(stage),
                        cost.points, cost.seconds,
                        cost.seconds / static_cast<double>(std::max<size_t>(cost.points, 1)));
  return text;
}

static Json toJson(const StudyReport &report, const Row &row, size_t number) {
  Json json = {{"number", number},
               {"point", row.spec},
               {"options", row.options},
               {"vgprs", row.estimate->vgprs},
               {"lds_bytes", row.estimate->ldsBytes},
               {"waves_per_simd", row.estimate->wavesPerSimd},
               {"occupancy_limit", row.estimate->limiter},
               {"estimate_ms", row.estimate->milliseconds},
               {"model_ms", nullptr},
               {"model_low_ms", nullptr},
               {"model_high_ms", nullptr},
               {"tflops", nullptr},
               {"limited_by", nullptr},
               {"card_ms", nullptr},
               {"verified", row.emulator && row.emulator->verdict == Outcome::Verdict::Fits}};
  if (row.model && row.model->verdict == Outcome::Verdict::Fits) {
    json["model_ms"] = row.model->milliseconds;
    json["model_low_ms"] = row.model->low;
    json["model_high_ms"] = row.model->high;
    json["tflops"] = teraflops(report.study, row.model->milliseconds);
    json["limited_by"] = row.model->limiter;
  }
  if (row.card)
    json["card_ms"] = row.card->milliseconds;
  return json;
}

Json reportJson(const std::string &file, const std::vector<StudyReport> &reports) {
  Json stalls = Json::array(), studies = Json::array();
  for (unsigned n = 0; n < timing::stallKinds; ++n)
    stalls.push_back(toString(static_cast<timing::Stall>(n)));
  for (const StudyReport &report : reports) {
    Json rows = Json::array(), curve = Json::array(), limiters = Json::array();
    for (size_t n = 0; n < report.rows.size(); ++n)
      rows.push_back(toJson(report, report.rows[n], n));
    for (const TopOf &top : report.curve)
      curve.push_back({{"k", top.k}, {"best_ms", top.milliseconds}, {"share", top.share}});
    for (const LimiterCount &l : report.limiters)
      limiters.push_back({{"limiter", l.limiter}, {"points", l.points}, {"best_ms", l.best}});
    studies.push_back({{"device", report.study.device},
                       {"machine", report.study.machine},
                       {"version", report.study.version},
                       {"seed", report.study.seed},
                       {"size", toString(report.study.problem)},
                       {"base", report.study.base},
                       {"points", report.estimated},
                       {"estimated_fit", report.rows.size()},
                       {"modelled", report.modelled},
                       {"refused", report.refused},
                       {"best", report.best ? Json(*report.best) : Json(nullptr)},
                       {"pareto", report.pareto},
                       {"curve", std::move(curve)},
                       {"limiters", std::move(limiters)},
                       {"rows", std::move(rows)}});
  }
  return {{"schema", "dualfmac-sched-tune/1"},
          {"file", file},
          {"stalls", std::move(stalls)},
          {"studies", std::move(studies)}};
}

std::string reportPage(const Json &report) {
  return tool::pageWith(std::string(rdnaTunePage, rdnaTunePageEnd), report);
}

} // namespace rdna::dualfmac
