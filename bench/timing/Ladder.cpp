// Predicted against published times of the SGEMM ladder on the RX 7900 XTX, 4096 x 4096.
// Prints a table; --svg draws it.
//   rdna-Ladder [--svg FILE] [--set NAME=VALUE] [--steps N]... NAME KERNEL.s LAUNCH.json [NAME ...]
// NAME is the number of the kernel of the ladder that the file stands for; there is no published
// time for any other name.

#include "LadderKernel.h"
#include "Timing/Alcop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

using namespace rdna;
using namespace rdna::timing;

/// In milliseconds.
static std::optional<double> publishedTime(const std::string &name) {
  if (name.size() != 1 || name[0] < '0' || name[0] >= '0' + static_cast<int>(std::size(published)))
    return std::nullopt;
  return published[name[0] - '0'];
}

/// How far a prediction is from what was published.
static std::string errorOf(double milliseconds, std::optional<double> time) {
  return time ? fmt::format("{:+.1f} %", (milliseconds / *time - 1) * 100) : "";
}

static Prediction printRow(const std::string &name, const std::string &file,
                           const std::string &launchFile, const Machine &machine, size_t steps) {
  const auto begin = std::chrono::steady_clock::now();
  PredictOptions options;
  options.steps = steps;
  const ObservedLaunch observed = observeKernel(file, launchFile, machine, options);
  const auto middle = std::chrono::steady_clock::now();
  const Prediction result = predict(observed, machine, options);
  const auto end = std::chrono::steady_clock::now();
  const double estimate =
      analyticalEstimate(observed, countNest(observed.recording, machine), machine);
  const auto estimated = std::chrono::steady_clock::now();
  const std::optional<double> time = publishedTime(name);
  fmt::print("kernel {}  predicted {:8.3f} ms ({:.3f} to {:.3f})  {}  {:>8}  VALU {:3.0f} %  "
             "waves {} groups {}/{}  [{:.1f} s emulated, {:.1f} s simulated, {} instructions]\n",
             name, result.milliseconds, result.low, result.high,
             time ? fmt::format("published {:8.3f} ms", *time) : "not published",
             errorOf(result.milliseconds, time), result.vectorBusy * 100, observed.wavesPerSimd,
             result.groupsAtOnce, result.groupsOfUnit,
             std::chrono::duration<double>(middle - begin).count(),
             std::chrono::duration<double>(end - middle).count(), result.sample.instructions);
  for (unsigned n = 0; n < stallKinds; ++n)
    if (result.limiters[n] / result.milliseconds > 0.005)
      fmt::print("            {:16} {:5.1f} %\n", toString(static_cast<Stall>(n)),
                 result.limiters[n] / result.milliseconds * 100);
  fmt::print("            predicted by the analytical estimate {:.3f} ms {} [{:.1f} ms]\n",
             estimate, errorOf(estimate, time),
             std::chrono::duration<double, std::milli>(estimated - end).count());
  std::fflush(stdout);
  return result;
}

/// Published and predicted times side by side, on a logarithmic scale, with the interval as a line.
static std::string plot(const std::vector<std::pair<std::string, Prediction>> &rows) {
  static constexpr double bottom = 260, height = 220, least = 1, most = 200;
  const auto y = [](double milliseconds) {
    const double share = std::log(std::max(milliseconds, least) / least) / std::log(most / least);
    return bottom - height * std::min(share, 1.0);
  };
  const double width = 90 + 70.0 * static_cast<double>(rows.size());
  std::string svg = fmt::format("<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='300' "
                                "font-family='sans-serif' font-size='12'>"
                                "<rect width='{0}' height='300' fill='white'/>\n",
                                width);
  for (const double tick : {1, 2, 5, 10, 20, 50, 100, 200})
    svg += fmt::format("<line x1='50' x2='{}' y1='{:.1f}' y2='{:.1f}' stroke='#ddd'/>"
                       "<text x='44' y='{:.1f}' text-anchor='end'>{} ms</text>\n",
                       width - 10, y(tick), y(tick), y(tick) + 4, tick);
  double x = 60;
  for (const auto &[name, row] : rows) {
    const auto bar = [&](double at, double milliseconds, const char *colour) {
      svg += fmt::format("<rect x='{}' y='{:.1f}' width='22' height='{:.1f}' fill='{}'/>\n", at,
                         y(milliseconds), bottom - y(milliseconds), colour);
    };
    if (const std::optional<double> time = publishedTime(name))
      bar(x, *time, "#888");
    bar(x + 24, row.milliseconds, "#3572b0");
    svg += fmt::format("<line x1='{0}' x2='{0}' y1='{1:.1f}' y2='{2:.1f}' stroke='black'/>"
                       "<text x='{3}' y='276' text-anchor='middle'>kernel {4}</text>\n",
                       x + 35, y(row.low), y(row.high), x + 23, name);
    x += 70;
  }
  return svg +
         "<text x='60' y='294'>grey: published, blue: predicted, line: interval of the doubtful "
         "constants; RX 7900 XTX, N = 4096</text></svg>\n";
}

int main(int argc, char **argv) {
  Machine machine = unwrap(machineByName("7900xtx"));
  size_t steps = PredictOptions().steps;
  std::string svg;
  std::vector<std::pair<std::string, Prediction>> rows;
  for (int n = 1; n < argc; ++n) {
    const std::string_view word = argv[n];
    if (word == "--svg" && n + 1 < argc) {
      svg = argv[++n];
      continue;
    }
    if (word == "--steps" && n + 1 < argc) {
      steps = static_cast<size_t>(std::atoll(argv[++n]));
      continue;
    }
    if (word == "--set" && n + 1 < argc) {
      const std::string setting = argv[++n];
      const size_t equals = setting.find('=');
      for (const ConstantRow &row : constantRows())
        if (setting.substr(0, equals) == row.name)
          machine = machine.with(row.constant, std::atof(setting.c_str() + equals + 1));
      continue;
    }
    if (n + 2 >= argc)
      return 1;
    rows.emplace_back(word, printRow(std::string(word), argv[n + 1], argv[n + 2], machine, steps));
    n += 2;
  }
  if (!svg.empty())
    if (llvm::Error error = writeOutput(svg, plot(rows))) {
      fmt::print(stderr, "{}\n", llvm::toString(std::move(error)));
      return 1;
    }
  return 0;
}
