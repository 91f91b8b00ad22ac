#include "common/RewriteReport.h"

#include "common/MetricsJson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace rdna::tool {

using Json = nlohmann::ordered_json;

static Json toJson(const Proof &proof) {
  Json json = {{"equivalent", true},
               {"method", proof.method},
               {"block_pairs", proof.blockPairs},
               {"values", proof.values},
               {"loads", proof.loads}};
  if (!proof.given.empty())
    json["given"] = proof.given;
  if (!proof.holdsFor.empty())
    json["assumptions_hold_for"] = proof.holdsFor;
  return json;
}

namespace {
struct ValueWriter {
  Json operator()(uint64_t number) const { return number; }
  Json operator()(const std::string &word) const { return word; }
  Json operator()(const LoopMetrics &metrics) const { return toJson(metrics); }
  Json operator()(const ReportValue::Object &object) const {
    Json json = Json::object();
    for (const ReportField &field : object)
      json[std::string(field.key)] = toJson(field.value);
    return json;
  }
  Json operator()(const ReportValue::List &list) const {
    Json json = Json::array();
    for (const ReportValue &value : list)
      json.push_back(toJson(value));
    return json;
  }
};
} // namespace

Json toJson(const ReportValue &value) { return std::visit(ValueWriter(), value.data()); }

Json toJson(const StepReport &step) {
  Json json = {{"function", step.function}};
  if (step.name)
    json["name"] = *step.name;
  json.update(ValueWriter()(step.fields));
  json["proof"] = toJson(step.proof);
  Json &assumptions = json["assumptions"] = Json::array();
  for (const Assumption assumption : step.proof.assumptions)
    assumptions.push_back(toString(assumption));
  return json;
}

Json toJson(const std::vector<KernelChange> &changes) {
  const auto counts = [](const KernelMetrics &kernel, const KernelCounts &all) {
    return Json{{"vgprs", kernel.vgprs},
                {"sgprs", kernel.sgprs},
                {"waves_per_simd", kernel.occupancy.wavesPerSimd},
                {"instructions", kernel.instructions},
                {"valu", all.code.valu},
                {"dual_fmac", all.text.dualFmac},
                {"single_fmac", all.code.singleFmas},
                {"single_fmac_odd", all.least.odd},
                {"single_fmac_chained", all.least.chained},
                {"single_fmac_dependent", all.least.dependent},
                {"fma_alone", all.alone},
                {"conflicts", all.code.conflicts},
                {"hazards", all.code.hazards},
                {"lds_accesses", all.code.ldsAccesses}};
  };
  Json kernels = Json::array();
  for (const KernelChange &kernel : changes)
    kernels.push_back({{"name", kernel.name},
                       {"before", counts(kernel.before, kernel.allBefore)},
                       {"after", counts(kernel.after, kernel.allAfter)}});
  return kernels;
}

Json toJson(const std::vector<Diagnostic> &diagnostics) {
  Json remarks = Json::array();
  for (const Diagnostic &remark : diagnostics)
    remarks.push_back({{"line", remark.line}, {"message", remark.message}});
  return remarks;
}

Json rewriteReport(const std::string &file, const PipelineResult &result) {
  Json steps = Json::array();
  for (const StepReport &step : result.steps) {
    Json &json = steps.emplace_back(Json{{"pass", step.pass}});
    json.update(toJson(step));
  }
  return {{"schema", "dualfmac-sched/1"},
          {"file", file},
          {"kernels", toJson(result.kernels)},
          {"steps", std::move(steps)},
          {"remarks", toJson(result.remarks)}};
}

std::string scoreLines(const std::vector<StepReport> &steps) {
  std::string text;
  for (const StepReport &step : steps) {
    text += step.function;
    if (step.name)
      text += fmt::format(" {}", step.name->empty() ? "block" : *step.name);
    text += fmt::format(": {}, proven", step.summary);
    for (const Assumption assumption : step.proof.assumptions)
      text += fmt::format(" assuming {}", toString(assumption));
    if (!step.proof.given.empty())
      text += fmt::format(" for {}", fmt::join(step.proof.given, ", "));
    if (!step.proof.holdsFor.empty())
      text += fmt::format(" (no-index-wrap holds for {})", fmt::join(step.proof.holdsFor, ", "));
    text += '\n';
  }
  return text;
}

std::string diffText(std::string_view before, std::string_view after) {
  const auto lines = [](std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
      const size_t end = text.find('\n');
      result.push_back(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return result;
  };
  const auto old = lines(before), fresh = lines(after);
  // Longest common subsequence between common head and tail; rewritten blocks are small.
  size_t head = 0;
  while (head < old.size() && head < fresh.size() && old[head] == fresh[head])
    ++head;
  size_t tail = 0;
  while (tail < old.size() - head && tail < fresh.size() - head &&
         old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail])
    ++tail;
  const size_t n = old.size() - head - tail, m = fresh.size() - head - tail;
  std::string out;
  const auto removed = [&](size_t i) {
    out += fmt::format("-{}: {}\n", head + i + 1, old[head + i]);
  };
  const auto added = [&](size_t j) {
    out += fmt::format("+{}: {}\n", head + j + 1, fresh[head + j]);
  };
  constexpr size_t kLimit = 4'000'000; // table cells; beyond, the whole middle is shown as replaced
  if (n * m > kLimit) {
    for (size_t i = 0; i < n; ++i)
      removed(i);
    for (size_t j = 0; j < m; ++j)
      added(j);
    return out;
  }
  std::vector<uint32_t> table((n + 1) * (m + 1), 0);
  const auto at = [&](size_t i, size_t j) -> uint32_t & { return table[i * (m + 1) + j]; };
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      at(i, j) = old[head + i] == fresh[head + j] ? at(i + 1, j + 1) + 1
                                                  : std::max(at(i + 1, j), at(i, j + 1));
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && old[head + i] == fresh[head + j]) {
      ++i;
      ++j;
    } else if (i < n && (j == m || at(i + 1, j) >= at(i, j + 1))) {
      removed(i++);
    } else {
      added(j++);
    }
  }
  return out;
}

} // namespace rdna::tool
