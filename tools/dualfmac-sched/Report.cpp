#include "Report.h"

#include "common/MetricsJson.h"
#include "common/RewriteReport.h"
#include "common/Tool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::dualfmac {

using Json = nlohmann::ordered_json;

static Json toJson(const RewrittenRegion &region) {
  Json json = {{"pass", "vgpr-remap"}};
  json.update(tool::toJson(region));
  return json;
}

static Json toJson(const UnrolledLoop &loop) {
  return {{"pass", "unroll"},
          {"function", loop.function},
          {"name", loop.name},
          {"trips", loop.trips},
          {"extent", loop.extent == UnrollRewrite::Extent::Full ? "full" : "guarded"},
          {"scalar_instructions_folded", loop.scalarsFolded},
          {"offsets_folded", loop.offsetsFolded},
          {"code_bytes", loop.bytes},
          {"before", tool::toJson(loop.before)},
          {"after", tool::toJson(loop.after)},
          {"proof", tool::toJson(loop.proof)}};
}

static Json toJson(const RebasedAccesses &rebased) {
  Json assumptions = Json::array();
  for (const Assumption assumption : rebased.assumptions)
    assumptions.push_back(toString(assumption));
  return {{"pass", "sgpr-base"},
          {"function", rebased.function},
          {"place", rebased.place == Place::InLoops ? "loops" : "outside loops"},
          {"accesses", rebased.accesses},
          {"sgpr_pairs", rebased.pairs},
          {"vgpr_offsets", rebased.offsets},
          {"instructions_removed", rebased.removed},
          {"assumptions", std::move(assumptions)},
          {"before", tool::toJson(rebased.before)},
          {"after", tool::toJson(rebased.after)},
          {"proof", tool::toJson(rebased.proof)}};
}

static Json toJson(const SpreadGlobalLoads &spread) {
  Json json = {{"pass", "spread-loads"},
               {"function", spread.function},
               {"loads", spread.loads},
               {"groups", spread.groups}};
  if (!spread.peeled.empty())
    json.update({{"peeled", spread.peeled},
                 {"instructions_copied", spread.copied},
                 {"tests_dropped", spread.tests},
                 {"code_bytes", spread.bytes}});
  json["proof"] = tool::toJson(spread.proof);
  return json;
}

static const char *nameOf(Pass pass) { return pass == Pass::Clause ? "clause" : "setprio"; }

static Json toJson(const AddedHints &hints) {
  return {{"pass", nameOf(hints.pass)},
          {"function", hints.function},
          {"instructions_added", hints.instructions},
          {"proof", tool::toJson(hints.proof)}};
}

static Json toJson(const MergedStores &stores) {
  return {{"pass", "merge-stores"},
          {"function", stores.function},
          {"lds_stores_before", stores.before},
          {"lds_stores_after", stores.after},
          {"proof", tool::toJson(stores.proof)}};
}

static Json toJson(const TightenedWaits &waits) {
  return {{"pass", "waits"},
          {"function", waits.function},
          {"waits_before", waits.before},
          {"waits_after", waits.after},
          {"waits_changed", waits.changed},
          {"proof", tool::toJson(waits.proof)}};
}

static Json toJson(const LoadDistances &distances) {
  return {{"lds_loads", distances.loads},
          {"fmacs_least", distances.least},
          {"fmacs_median", distances.median}};
}

static Json toJson(const BufferedFragments &buffered) {
  return {{"pass", "fragments"},
          {"function", buffered.function},
          {"blocks", buffered.blocks},
          {"lds_loads_moved", buffered.loads},
          {"lds_loads_renamed", buffered.renamed},
          {"before", toJson(buffered.before)},
          {"after", toJson(buffered.after)},
          {"proof", tool::toJson(buffered.proof)}};
}

static Json toJson(const SetDelays &delays) {
  return {{"pass", "delay-alu"},
          {"function", delays.function},
          {"delays_set", delays.set},
          {"delays_removed", delays.removed},
          {"proof", tool::toJson(delays.proof)}};
}

std::string jsonReport(const std::string &file, const LadderResult &result) {
  Json steps = Json::array();
  for (const auto &step : result.steps)
    steps.push_back(std::visit([](const auto &s) { return toJson(s); }, step));
  return tool::jsonText({{"schema", "dualfmac-sched/1"},
                         {"file", file},
                         {"kernels", tool::toJson(result.kernels)},
                         {"steps", std::move(steps)},
                         {"remarks", tool::toJson(result.remarks)}});
}

static std::string scoreLine(const RewrittenRegion &region) { return tool::scoreLine(region); }

static std::string scoreLine(const UnrolledLoop &loop) {
  return fmt::format("{} {}: {} trips {}, instructions {} -> {}, VALU {} -> {}, dual FMAC {} "
                     "-> {}, LDS loads {} -> {}, {} bytes, {}\n",
                     loop.function, loop.name, loop.trips,
                     loop.extent == UnrollRewrite::Extent::Full ? "unrolled" : "at a time",
                     loop.trips * loop.before.instructions, loop.after.instructions,
                     loop.trips * loop.before.valu, loop.after.valu,
                     loop.trips * loop.before.dualFmac, loop.after.dualFmac,
                     loop.trips * loop.before.dsLoads, loop.after.dsLoads, loop.bytes,
                     tool::provenText(loop.proof));
}

static std::string scoreLine(const RebasedAccesses &rebased) {
  return fmt::format("{}: {} global accesses with {} SGPR bases and {} offsets, {} loops "
                     "instructions {} -> {}, VALU {} -> {}, {}\n",
                     rebased.function, rebased.accesses, rebased.pairs, rebased.offsets,
                     rebased.place == Place::InLoops ? "in" : "outside",
                     rebased.before.instructions, rebased.after.instructions, rebased.before.valu,
                     rebased.after.valu, tool::provenText(rebased.proof));
}

static std::string scoreLine(const SpreadGlobalLoads &spread) {
  const std::string peeled =
      spread.peeled.empty()
          ? std::string()
          : fmt::format("; the guarded step of {} by itself, {} instructions, {} bytes in all",
                        spread.peeled, spread.copied, spread.bytes);
  return fmt::format("{}: {} global loads spread over {} groups of LDS loads{}, {}\n",
                     spread.function, spread.loads, spread.groups, peeled,
                     tool::provenText(spread.proof));
}

static std::string scoreLine(const AddedHints &hints) {
  return fmt::format("{}: {} s_{} added, {}\n", hints.function, hints.instructions,
                     nameOf(hints.pass), tool::provenText(hints.proof));
}

static std::string scoreLine(const MergedStores &stores) {
  return fmt::format("{}: {} LDS stores -> {}, {}\n", stores.function, stores.before, stores.after,
                     tool::provenText(stores.proof));
}

static std::string scoreLine(const TightenedWaits &waits) {
  return fmt::format("{}: {} waits -> {}, {} of them changed, {}\n", waits.function, waits.before,
                     waits.after, waits.changed, tool::provenText(waits.proof));
}

static std::string scoreLine(const SetDelays &delays) {
  return fmt::format("{}: {} s_delay_alu set, {} removed, {}\n", delays.function, delays.set,
                     delays.removed, tool::provenText(delays.proof));
}

static std::string scoreLine(const BufferedFragments &buffered) {
  return fmt::format("{}: {} LDS loads issued earlier, {} in other VGPRs; FMAC issues from a load "
                     "to the wait or use that stands for it, least and median of {}: {}, {} -> {}, "
                     "{}, {}\n",
                     buffered.function, buffered.loads, buffered.renamed, buffered.before.loads,
                     buffered.before.least, buffered.before.median, buffered.after.least,
                     buffered.after.median, tool::provenText(buffered.proof));
}

std::string scoreLines(const LadderResult &result) {
  std::string text;
  for (const auto &step : result.steps)
    text += std::visit([](const auto &s) { return scoreLine(s); }, step);
  return text;
}

} // namespace rdna::dualfmac
