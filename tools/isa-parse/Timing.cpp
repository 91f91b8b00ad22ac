// isa-parse --timing: where the waves of a launch wait, instruction by instruction, as the timing
// model has it.

#include "IsaParse.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::isaparse {

using namespace timing;

static std::string reasonsOf(const OpTime &time) {
  const auto most = std::max_element(time.why.begin(), time.why.end());
  if (time.stalled < 0.05 * static_cast<double>(time.issues) || *most <= 0)
    return "";
  const auto kind = static_cast<Stall>(most - time.why.begin());
  return fmt::format("{} {:.0f} %", toString(kind), *most / time.stalled * 100);
}

std::string timingReport(const Module &module, const std::vector<Region> &regions,
                         const PredictedKernel &predicted, size_t width) {
  std::string text =
      fmt::format("{} on {}, by the timing model: predicted {:.4f} ms\n", predicted.kernel,
                  predicted.machine.device().title, predicted.prediction.milliseconds);
  const SourcePlaces sources = allSources(module);
  for (const Region &region : regions) {
    std::vector<uint32_t> instructions;
    tool::Rows rows = {{"line", "issues", "clocks", "stalled", "mostly by", "instruction"}};
    for (const uint32_t index : region.instructions) {
      const Instruction &inst = module.instructions()[index];
      const auto found = predicted.lines.find(inst.line);
      if (found == predicted.lines.end() || found->second.issues == 0)
        continue;
      const OpTime &time = found->second;
      const auto issues = static_cast<double>(time.issues);
      instructions.push_back(index);
      rows.push_back({fmt::format("{}", inst.line), fmt::format("{}", time.issues),
                      fmt::format("{:.1f}", 1 + time.stalled / issues),
                      fmt::format("{:.1f}", time.stalled / issues), reasonsOf(time),
                      std::string(module.instructionText(inst))});
    }
    text += fmt::format("\n{}{}\n", region.name, inSource(module, sources, region));
    std::vector<Column> columns{
        {Align::Right}, {Align::Right, 2}, {Align::Right}, {Align::Right, 1}, {}, {}};
    addSources(sources, instructions, rows, columns);
    text += layOut(rows, columns, "  ", width);
  }
  text += "\nclocks: of a wave, from the issue in front to this one; all waves of a SIMD together "
          "issue more often.\nAll of this is predicted; nothing was measured.\n";
  return text;
}

} // namespace rdna::isaparse
