// What the page of --html shows of each instruction.

#include "Document.h"

#include "Analysis/Mix.h"
#include "Analysis/Pressure.h"
#include "Analysis/SourcePlaces.h"
#include "Code/Reprint.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rdna::isaparse {

using timing::OpTime;
using timing::stallKinds;

static std::string registerName(Vgpr reg) { return toString(RegUnit::vgpr(reg.number)); }

/// Clocks of all waves, waits included.
static double clocksOf(const Module &module, const std::vector<uint32_t> &instructions,
                       const PredictedKernel *predicted) {
  double clocks = 0;
  uint32_t counted = 0; // Instructions of a macro share a line.
  for (const uint32_t index : instructions) {
    const uint32_t line = module.instructions()[index].line;
    if (predicted == nullptr || line == counted)
      continue;
    counted = line;
    if (const auto found = predicted->lines.find(line); found != predicted->lines.end())
      clocks += static_cast<double>(found->second.issues) + found->second.stalled;
  }
  return clocks;
}

/// What of a loop lies in no loop inside of it.
static std::vector<uint32_t> ownInstructions(const Cfg &cfg, uint32_t loop) {
  std::vector<uint32_t> own = loopInstructions(cfg, cfg.loops[loop]);
  std::erase_if(own, [&](uint32_t index) { return cfg.loopOf(cfg.blockOf(index)) != loop; });
  return own;
}

Region hotRegion(const Module &module, uint32_t function, const std::string &name,
                 const PredictedKernel *predicted) {
  if (!name.empty()) {
    llvm::Expected<std::vector<Region>> named = findRegions(module, {function}, name);
    if (named)
      return std::move(named->front());
    llvm::consumeError(named.takeError()); // It is one of another kernel's.
  }
  const Cfg cfg = buildCfg(module, function);
  if (cfg.loops.empty()) {
    std::vector<Region> whole = defaultRegions(module, function);
    return whole.empty() ? Region{} : std::move(whole.front());
  }
  const auto weight = [&](uint32_t loop) {
    const std::vector<uint32_t> own = ownInstructions(cfg, loop);
    const LoopMetrics counts = measure(module, own);
    const double iterations =
        std::pow(8.0, cfg.loops[loop].depth); // Any loop's, for want of better.
    return std::make_tuple(clocksOf(module, own, predicted),
                           iterations * (2 * counts.dualFmac + counts.singleFmac),
                           iterations * counts.valu);
  };
  uint32_t hot = 0;
  for (uint32_t loop = 1; loop < cfg.loops.size(); ++loop)
    if (weight(hot) < weight(loop))
      hot = loop;
  return loopRegion(module, cfg, hot);
}

static Json readsOf(const BankRow &row) {
  constexpr const char *slots[] = {"SRCX0", "SRCX1", "SRCY0", "SRCY1"};
  Json reads = Json::array();
  for (size_t n = 0; n < row.sources.size(); ++n)
    if (row.sources[n].from != SlotRead::From::Nothing)
      reads.push_back({slots[n], registerName(row.sources[n].reg),
                       static_cast<int>(bankOf(row.sources[n].reg)),
                       row.sources[n].from == SlotRead::From::Cache ? "cache" : "file"});
  return reads;
}

static Json writesOf(const BankRow &row) {
  constexpr const char *slots[] = {"DSTX", "DSTY"};
  Json writes = Json::array();
  for (size_t n = 0; n < row.destinations.size(); ++n)
    if (row.destinations[n].use != DestinationUse::Use::Nothing)
      writes.push_back(
          {slots[n], registerName(row.destinations[n].reg),
           static_cast<int>(bankOf(row.destinations[n].reg)),
           row.destinations[n].use == DestinationUse::Use::ReadWrite ? "read, write" : "write"});
  return writes;
}

/// A row for each instruction of the hot loop; what a row has nothing of is left out.
static Json bankRows(const Module &module, uint32_t first, const Region &hot) {
  Json rows = Json::array();
  for (const BankRow &row : bankTable(module, hot.instructions)) {
    Json json = {{"at", row.instruction - first}};
    if (Json reads = readsOf(row); !reads.empty())
      json["reads"] = std::move(reads);
    if (Json writes = writesOf(row); !writes.empty())
      json["writes"] = std::move(writes);
    for (const auto &[a, b] : row.conflicts)
      json["conflicts"].push_back({registerName(a), registerName(b), static_cast<int>(bankOf(a))});
    if (row.hazard)
      json["hazard"] = {registerName(row.hazard->x), registerName(row.hazard->y)};
    rows.push_back(std::move(json));
  }
  return rows;
}

/// Up to how many VGPRs so many waves fit: each step with its largest count.
static Json vgprSteps(const Function &function, std::optional<unsigned> block) {
  Json steps = Json::array();
  OccupancyQuery query = occupancyQuery(function, block);
  unsigned waves = 0;
  for (query.vgprs = 256; query.vgprs >= 8; query.vgprs -= 8) {
    const unsigned now = occupancy(query).wavesPerSimd;
    if (now > waves)
      steps.push_back({{"vgprs", query.vgprs}, {"waves", now}});
    waves = std::max(waves, now);
  }
  return steps;
}

static Json loopsOf(const Module &module, uint32_t function) {
  const Cfg cfg = buildCfg(module, function);
  const uint32_t first = module.functions()[function].first;
  Json loops = Json::array();
  for (const Loop &loop : cfg.loops) {
    const std::vector<uint32_t> instructions = loopInstructions(cfg, loop);
    loops.push_back({{"header", loop.label},
                     {"depth", loop.depth},
                     {"first", instructions.front() - first},
                     {"last", instructions.back() - first}});
  }
  return loops;
}

static void addSources(const Module &module, const Function &function, Json &details) {
  SourcePlaces places = sourcePlaces(module, function.first, function.last);
  if (places.files.empty())
    return;
  Json &code = details["code"];
  for (const SourcePlace &place : places.of) {
    code["source_file"].push_back(place.file);
    code["source_line"].push_back(place.line);
  }
  details["sources"] = std::move(places.files);
}

/// What of a line's time belongs to its first instruction: all of it.
static void addTimes(const PredictedKernel &predicted,
                     const std::map<uint32_t, uint32_t> &codeOfLine, size_t size, Json &code) {
  std::vector<uint64_t> issues(size, 0);
  std::vector<double> stalled(size, 0);
  std::vector<unsigned> why(size, 0);
  for (const auto &[line, time] : predicted.lines) {
    const auto found = codeOfLine.find(line);
    if (found == codeOfLine.end())
      continue;
    issues[found->second] = time.issues;
    stalled[found->second] = time.stalled;
    why[found->second] = static_cast<unsigned>(std::max_element(time.why.begin(), time.why.end()) -
                                               time.why.begin());
  }
  code["issues"] = std::move(issues);
  code["stalled_clocks"] = std::move(stalled);
  code["stalled_by"] = std::move(why);
}

Json detailsOf(const Module &module, uint32_t function, const Region &hot,
               const PredictedKernel *predicted, std::optional<unsigned> block) {
  const Function &of = module.functions()[function];
  std::map<uint32_t, uint32_t> codeOfLine;
  Json details, code;
  for (const char *column : {"line", "kind", "text"})
    code[column] = Json::array();
  for (uint32_t index = of.first; index < of.last; ++index) {
    const Instruction &inst = module.instructions()[index];
    codeOfLine.try_emplace(inst.line, index - of.first);
    code["line"].push_back(inst.line);
    code["kind"].push_back(static_cast<unsigned>(kindOf(inst)));
    code["text"].push_back(inst.origin == Instruction::Origin::Text
                               ? std::string(module.instructionText(inst))
                               : printed(module, inst));
  }
  code["vgprs"] = vgprPressure(module, buildCfg(module, function));
  if (predicted != nullptr)
    addTimes(*predicted, codeOfLine, of.last - of.first, code);
  details["kinds"] = Json::array();
  for (unsigned n = 0; n < instructionKinds; ++n)
    details["kinds"].push_back(toString(static_cast<InstructionKind>(n)));
  details["code"] = std::move(code);
  addSources(module, of, details);
  details["loops"] = loopsOf(module, function);
  details["vgpr_steps"] = vgprSteps(of, block);
  details["banks"] = bankRows(module, of.first, hot);
  if (predicted != nullptr) {
    details["stalls"] = Json::array();
    for (unsigned n = 0; n < stallKinds; ++n)
      details["stalls"].push_back(toString(static_cast<timing::Stall>(n)));
    details["timeline"] = timelineOf(*predicted, codeOfLine);
  }
  return details;
}

} // namespace rdna::isaparse
