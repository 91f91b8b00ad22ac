// The issue model against thread traces: a table by kind, beside the best constant predictor.
//   rdna-trace-table [--wrong] TRACE.csv...

#include "Support/File.h"
#include "Timing/Replay.h"

#include <fmt/format.h>

#include <cstdio>

using namespace rdna;
using namespace rdna::timing;

static void printWrong(const std::vector<Gap> &gaps) {
  for (const Gap &gap : gaps)
    if (gap.left == Gap::Left::No && gap.measured != gap.predicted)
      fmt::print("  {:#06x} {:10} measured {:3} predicted {:3} ({}) {}\n", gap.issue->op.offset,
                 toString(gap.kind), gap.measured, gap.predicted, toString(gap.why),
                 gap.issue->text);
}

static void printRow(const char *which, GapKind kind, const GapScore &row) {
  if (row.samples + row.coldCode + row.coldMemory == 0)
    return;
  const auto share = [&row](unsigned n) { return row.samples ? 100.0 * n / row.samples : 0; };
  fmt::print(
      "  {:5} {:10} {:4} samples  exact {:5.1f} %  within 1 {:5.1f} %  always {:2} {:5.1f} %  "
      "left out: cold code {}, cold memory {}\n",
      which, toString(kind), row.samples, share(row.exact), share(row.withinOne), row.bestConstant,
      share(row.constantExact), row.coldCode, row.coldMemory);
}

int main(int argc, char **argv) {
  bool wrong = false;
  llvm::Expected<Machine> machine = machineByName("7900xtx");
  for (int n = 1; n < argc; ++n) {
    const std::string file = argv[n];
    if (file == "--wrong") {
      wrong = true;
      continue;
    }
    llvm::Expected<std::string> text = readInput(file);
    llvm::Expected<Trace> trace =
        text ? readTrace(*text, file) : llvm::Expected<Trace>(text.takeError());
    if (!trace) {
      fmt::print(stderr, "{}\n", llvm::toString(trace.takeError()));
      return 1;
    }
    fmt::print("{}\n", file);
    const std::vector<Gap> gaps = replay(*trace, *machine);
    for (unsigned k = 0; k < gapKinds; ++k) {
      const auto kind = static_cast<GapKind>(k);
      printRow("even", kind, score(gaps, kind, Occurrences::Even));
      printRow("odd", kind, score(gaps, kind, Occurrences::Odd));
    }
    for (const WaveClocks &wave : durations(*trace, *machine))
      fmt::print(
          "  wave {} from its first issue to its last one, without what is left out: measured "
          "{} clocks, predicted {} ({:+.1f} %)\n",
          wave.wave, wave.measured, wave.predicted,
          (static_cast<double>(wave.predicted) / static_cast<double>(wave.measured) - 1) * 100);
    if (wrong)
      printWrong(gaps);
  }
  llvm::consumeError(machine.takeError());
  return 0;
}
