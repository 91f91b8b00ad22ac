// Each doubtful constant at both ends of its range: predicted times of the ladder, as a table, and
// whether their order stays.
//   rdna-Sensitivity NUMBER KERNEL.s LAUNCH.json [NUMBER ...]

#include "LadderKernel.h"

#include <algorithm>
#include <vector>

using namespace rdna;
using namespace rdna::timing;

int main(int argc, char **argv) {
  const Machine machine = unwrap(machineByName("7900xtx"));
  PredictOptions options;
  options.interval = PredictOptions::Interval::No;
  std::vector<ObservedLaunch> kernels;
  std::string header = "| constant | value |", line = "|---|---|";
  for (int n = 1; n + 2 < argc; n += 3) {
    kernels.push_back(observeKernel(argv[n + 1], argv[n + 2], machine, options));
    header += fmt::format(" {} |", argv[n]);
    line += "---|";
  }
  fmt::print("{} order |\n{}---|\n", header, line);
  const auto row = [&](std::string_view name, double value, const Machine &other) {
    std::vector<double> times;
    fmt::print("| {} | {} |", name, value);
    for (const ObservedLaunch &kernel : kernels) {
      times.push_back(predict(kernel, other, options).milliseconds);
      fmt::print(" {:.2f} |", times.back());
    }
    const bool falls = std::is_sorted(times.rbegin(), times.rend());
    fmt::print(" {} |\n", falls ? "stays" : "changes");
    std::fflush(stdout);
  };
  row("as it is", 0, machine);
  for (const ConstantRow &constant : constantRows())
    for (const double value : {constant.low, constant.high})
      if (value != machine[constant.constant] && constant.isDoubtful())
        row(constant.name, value, machine.with(constant.constant, value));
  return 0;
}
