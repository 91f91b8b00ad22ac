// Chooses the fitted constants (BankPenalty, LdsWidePass, ClockShare) by the published times of the
// kernels that are given, which are to be 2 to 5, and says what leaving one of them out changes.
//   rdna-Fit NUMBER KERNEL.s LAUNCH.json [NUMBER ...]

#include "LadderKernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rdna;
using namespace rdna::timing;

namespace {

struct Subject {
  unsigned number = 0;
  ObservedLaunch observed;
};

/// Milliseconds at the boost clock of all kernels, for one pair of constants.
struct Point {
  double bank = 0, wide = 0;
  std::vector<double> milliseconds;
};

struct Choice {
  double bank = 0, wide = 0, clock = 1, error = 1e9;
};

/// The least squares of logarithms; the clock within its range, which only scales all times.
Choice choose(const std::vector<Point> &points, const std::vector<Subject> &subjects,
              size_t without) {
  const ConstantRow &clockRow = rowOf(Constant::ClockShare);
  Choice best;
  for (const Point &point : points) {
    double sum = 0, count = 0;
    for (size_t n = 0; n < subjects.size(); ++n)
      if (n != without)
        sum += std::log(point.milliseconds[n] / published[subjects[n].number]), ++count;
    const double clock = std::clamp(std::exp(sum / count), clockRow.low, clockRow.high);
    double error = 0;
    for (size_t n = 0; n < subjects.size(); ++n)
      if (n != without) {
        const double off = std::log(point.milliseconds[n] / clock / published[subjects[n].number]);
        error += off * off;
      }
    if (error < best.error)
      best = {point.bank, point.wide, clock, error};
  }
  return best;
}

} // namespace

int main(int argc, char **argv) {
  const Machine machine = unwrap(machineByName("7900xtx")).with(Constant::ClockShare, 1);
  PredictOptions options;
  options.interval = PredictOptions::Interval::No;
  options.steps = 5000;
  std::vector<Subject> subjects;
  for (int n = 1; n + 2 < argc; n += 3)
    subjects.push_back({static_cast<unsigned>(std::atoi(argv[n])),
                        observeKernel(argv[n + 1], argv[n + 2], machine, options)});
  std::vector<Point> points;
  for (int bank = 0; bank <= 10; ++bank)
    for (int wide = 10; wide <= 20; wide += 2) {
      Point point{bank * 0.1, wide * 0.1, {}};
      const Machine other =
          machine.with(Constant::BankPenalty, point.bank).with(Constant::LdsWidePass, point.wide);
      for (const Subject &subject : subjects)
        point.milliseconds.push_back(predict(subject.observed, other, options).milliseconds);
      points.push_back(std::move(point));
    }
  for (size_t without = subjects.size() + 1; without-- > 0;) {
    const Choice choice = choose(points, subjects, without);
    fmt::print("{}: BankPenalty {:.1f}  LdsWidePass {:.1f}  ClockShare {:.3f}\n",
               without < subjects.size() ? fmt::format("without {}", subjects[without].number)
                                         : "all",
               choice.bank, choice.wide, choice.clock);
    for (const Point &point : points)
      if (point.bank == choice.bank && point.wide == choice.wide)
        for (size_t n = 0; n < subjects.size(); ++n)
          fmt::print("    kernel {} {:+.1f} %{}\n", subjects[n].number,
                     (point.milliseconds[n] / choice.clock / published[subjects[n].number] - 1) *
                         100,
                     n == without ? "  (left out)" : "");
  }
  return 0;
}
