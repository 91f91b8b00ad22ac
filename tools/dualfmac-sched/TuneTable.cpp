#include "Tune.h"

#include <fmt/format.h>

namespace rdna::dualfmac {

using namespace tune;

static double teraflops(const Problem &problem, double milliseconds) {
  return problem.operations() / milliseconds * 1e-9;
}

static std::string rankingLine(const Ranked &ranked, const tune::Point &point,
                               const Problem &problem) {
  const Outcome &e = ranked.estimate;
  std::string line = fmt::format("  {:<40} {:>9.4f}", keyOf(point), e.milliseconds);
  if (ranked.model && ranked.model->verdict == Outcome::Verdict::Fits) {
    const Outcome &m = *ranked.model;
    line += fmt::format("  {:>8.4f} {:<20} {:>6.2f}", m.milliseconds,
                        fmt::format("({:.4f} to {:.4f})", m.low, m.high),
                        teraflops(problem, m.milliseconds));
  } else {
    line += fmt::format("  {:>8} {:<20} {:>6}", "refused", "", "");
  }
  line += fmt::format(" {:>5} {:>6} {:>5}  {}", e.vgprs, e.ldsBytes, e.wavesPerSimd,
                      ranked.model ? ranked.model->limiter : "");
  if (ranked.emulator && ranked.emulator->verdict != Outcome::Verdict::Fits)
    line += fmt::format("\n    not it: {}", ranked.emulator->reason);
  return line + '\n';
}

/// Of those that a card has run; nothing if there are none.
static std::string cardTable(const SearchResult &result, const Problem &problem) {
  std::string text;
  for (const Ranked &ranked : result.ranking) {
    if (!ranked.card)
      break;
    const Outcome &c = *ranked.card;
    if (text.empty())
      text = fmt::format("measured, in ms: {}\n  {:<40} {:<29} {:>6}  {}\n", c.reason, "point",
                         "median (least to most)", "TFLOPS", "predicted");
    text += fmt::format("  {:<40} {:>8.4f} {:<20} {:>6.2f}  {:.4f}\n",
                        keyOf(result.points.legal[ranked.point]), c.milliseconds,
                        fmt::format("({:.4f} to {:.4f})", c.low, c.high),
                        teraflops(problem, c.milliseconds), ranked.model->milliseconds);
  }
  return text;
}

static std::string counted(const std::map<std::string, size_t> &reasons) {
  std::string text;
  for (const auto &[reason, count] : reasons)
    text += fmt::format("  {:>6}  {}\n", count, reason);
  return text;
}

std::string searchTable(const SearchResult &result, const Subject &subject) {
  const Problem &problem = subject.problem;
  const Points &points = result.points;
  std::string text =
      fmt::format("{} on {}: {} points, {} of them legal, {} estimated\n", toString(problem),
                  subject.machine.device().title, points.all, result.legal, result.ranking.size());
  if (!points.cut.empty())
    text += "cut by a limit:\n" + counted(points.cut);
  if (!result.refused.empty())
    text += "refused when they were made:\n" + counted(result.refused);
  const std::string measured = cardTable(result, problem);
  text += measured.empty() ? "all times are predicted, in ms\n" : "predicted, in ms\n";
  text += fmt::format("  {:<40} {:>9}  {:<29} {:>6} {:>5} {:>6} {:>5}  {}\n", "point", "estimate",
                      "model (interval)", "TFLOPS", "VGPRs", "LDS", "waves", "limited by");
  for (const Ranked &ranked : result.ranking)
    if (ranked.model)
      text += rankingLine(ranked, points.legal[ranked.point], problem);
  text += measured;
  if (!result.winner)
    return text + (points.legal.empty() ? "no winner: no point is legal\n"
                                        : "no winner: no kernel can be launched and is right\n");
  const Ranked &winner = result.ranking[*result.winner];
  text += fmt::format("winner: dualfmac-sched generate kernel {}\n",
                      optionsOf(points.legal[winner.point]));
  const std::string &rewrite = points.legal[winner.point].rewrite;
  if (rewrite != "none")
    text += fmt::format("  rewritten with the passes: {}\n", rewrite);
  return text + fmt::format("  {}\n", winner.emulator->reason);
}

} // namespace rdna::dualfmac
