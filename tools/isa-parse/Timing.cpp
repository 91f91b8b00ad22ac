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

namespace {

/// Of a line's instruction, summed over all waves.
struct LineFacts {
  enum class Issues : uint8_t { No, Yes } issues = Issues::Yes; ///< S_DELAY_ALU issues nothing.
  uint64_t accesses = 0, passes = 0, lines = 0;
};

std::map<uint32_t, LineFacts> factsOf(const PredictedKernel &predicted) {
  std::map<uint32_t, LineFacts> facts;
  const Recording &recording = predicted.observed.recording;
  for (size_t op = 0; op < recording.ops.size(); ++op)
    if (recording.ops[op].issue == IssueClass::Hint)
      facts[predicted.lineOfOp[op]].issues = LineFacts::Issues::No;
  for (const GroupStream &group : recording.groups)
    for (const WaveStream &wave : group.waves) {
      size_t memory = 0;
      for (const uint32_t op : wave.steps) {
        if (!recording.ops[op].isMemory())
          continue;
        const MemoryStep &step = wave.memory[memory++];
        LineFacts &line = facts[predicted.lineOfOp[op]];
        ++line.accesses;
        line.passes += step.passes;
        line.lines += step.lines;
      }
    }
  return facts;
}

/// "2 passes" through LDS, or "4 lines" of 128 bytes.
std::string memoryOf(const LineFacts &line) {
  if (line.accesses == 0)
    return "";
  const auto each = [&line](uint64_t all, std::string_view one, std::string_view many) {
    return fmt::format("{:.3g} {}", static_cast<double>(all) / static_cast<double>(line.accesses),
                       all == line.accesses ? one : many);
  };
  return line.lines != 0 ? each(line.lines, "line", "lines") : each(line.passes, "pass", "passes");
}

/// "VALU issue 67 %, bank conflicts 25 %"
std::string limitsOf(const Prediction &prediction) {
  std::vector<std::pair<double, Stall>> shares;
  for (unsigned n = 0; n < stallKinds; ++n)
    shares.emplace_back(prediction.limiters[n] / prediction.milliseconds * 100,
                        static_cast<Stall>(n));
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  std::string words;
  for (const auto &[share, kind] : shares)
    if (share >= 2)
      words += fmt::format("{}{} {:.0f} %", words.empty() ? "" : ", ", toString(kind), share);
  return words;
}

} // namespace

std::string timingReport(const Module &module, const std::vector<Region> &regions,
                         const PredictedKernel &predicted, size_t width) {
  std::string text =
      fmt::format("{} on {}, by the timing model: predicted {:.4f} ms\nlimited by {}\n",
                  predicted.kernel, predicted.machine.device().title,
                  predicted.prediction.milliseconds, limitsOf(predicted.prediction));
  const SourcePlaces sources = allSources(module);
  std::map<uint32_t, LineFacts> facts = factsOf(predicted);
  for (const Region &region : regions) {
    std::vector<uint32_t> instructions;
    double iterations = 0, clocks = 0;
    tool::Rows rows = {
        {"line", "issues", "clocks", "stalled", "mostly by", "memory", "instruction"}};
    for (const uint32_t index : region.instructions) {
      const Instruction &inst = module.instructions()[index];
      const auto found = predicted.lines.find(inst.line);
      if (found == predicted.lines.end() || found->second.issues == 0)
        continue;
      const OpTime &time = found->second;
      const LineFacts &line = facts[inst.line];
      const bool issues = line.issues == LineFacts::Issues::Yes;
      const auto count = static_cast<double>(time.issues);
      iterations = std::max(iterations, count);
      clocks += issues ? count + time.stalled : 0;
      instructions.push_back(index);
      rows.push_back({fmt::format("{}", inst.line), fmt::format("{}", time.issues),
                      issues ? fmt::format("{:.1f}", 1 + time.stalled / count) : "",
                      issues ? fmt::format("{:.1f}", time.stalled / count) : "", reasonsOf(time),
                      memoryOf(line), std::string(module.instructionText(inst))});
    }
    text += fmt::format("\n{}{}", region.name, inSource(module, sources, region));
    text += iterations == 0
                ? ": no wave that was simulated comes here\n"
                : fmt::format(": {:.0f} clocks of a wave each time\n", clocks / iterations);
    std::vector<Column> columns{
        {Align::Right}, {Align::Right, 2}, {Align::Right}, {Align::Right, 1}, {}, {}, {}};
    addSources(sources, instructions, rows, columns);
    if (!instructions.empty())
      text += layOut(rows, columns, "  ", width);
  }
  text += "\nclocks: of a wave, from the issue in front to this one; all waves of a SIMD together "
          "issue more often.\nmemory: of an access, passes through the LDS's 32 banks (a b64 needs "
          "2, a b128 4), or lines of 128 bytes.\nAll of this is predicted; nothing was measured.\n";
  return text;
}

std::string experimentsReport(const PredictedKernel &predicted) {
  std::string text = "\nwithout it the launch would take, by the same model, at the least:\n";
  PredictOptions options;
  options.interval = PredictOptions::Interval::No;
  for (const WhatIfRow &row : whatIfRows) {
    options.what = {row.part};
    const double time = predict(predicted.observed, predicted.machine, options).milliseconds;
    text += fmt::format("  {:18} {:9.4f} ms {:+6.1f} %\n", row.name, time,
                        (time / predicted.prediction.milliseconds - 1) * 100);
  }
  return text;
}

} // namespace rdna::isaparse
