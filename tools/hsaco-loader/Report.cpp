#include "Report.h"

#include "Findings.h"
#include "Run/Compare.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rdna::loader {

using Json = nlohmann::ordered_json;

namespace {

std::string parametersText(const run::Parameters &parameters) {
  std::string text;
  for (const auto &[name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

Json timesJson(const run::Times &times) {
  return {
      {"min", times.min}, {"median", times.median}, {"max", times.max}, {"repeats", times.repeats}};
}

/// m, n, k where there are such, and all parameters.
void addCaseHead(Json &json, const run::Parameters &parameters,
                 const std::optional<run::GemmShape> &gemm) {
  json["m"] = gemm ? Json(gemm->m) : Json();
  json["n"] = gemm ? Json(gemm->n) : Json();
  json["k"] = gemm ? Json(gemm->k) : Json();
  json["params"] = Json::object();
  for (const auto &[name, value] : parameters)
    json["params"][name] = value;
}

Json boundsJson(const std::vector<run::BoundsFinding> &findings) {
  Json list = Json::array();
  for (const run::BoundsFinding &finding : findings) {
    const char *kind = finding.kind == run::BoundsFinding::Kind::Read    ? "read"
                       : finding.kind == run::BoundsFinding::Kind::Write ? "write"
                                                                         : "atomic";
    list.push_back({{"kind", kind},
                    {"address", finding.address},
                    {"line", finding.line == 0 ? Json() : Json(finding.line)},
                    {"instruction", finding.instruction},
                    {"lanes", finding.lanes},
                    {"nearest", finding.nearest}});
  }
  return list;
}

Json reportHead(std::string_view command, const ReportHead &head) {
  return {{"schema", "hsaco-loader/1"},
          {"command", command},
          {"kernel", head.kernel},
          {"backend", head.backend},
          {"device", head.device}};
}

Json gflopsOf(const std::optional<run::GemmShape> &gemm, double milliseconds, uint64_t workgroups,
              uint64_t allWorkgroups) {
  if (!gemm || milliseconds <= 0 || workgroups != allWorkgroups)
    return nullptr;
  return gemm->operations() / milliseconds * 1e-6;
}

Json delaysJson(const run::DelayReport &report) {
  return {{"first_seed", report.seeds.first},
          {"runs", report.seeds.count},
          {"different", report.different},
          {"first_different_seed", report.firstDifferent ? Json(*report.firstDifferent) : Json()},
          {"difference", report.difference},
          {"original_differs", report.originalDiffers}};
}

std::string verifyJson(const ReportHead &head, const std::vector<run::VerifyCase> &cases) {
  Json json = reportHead("verify", head);
  bool exact = true, passed = head.refusals.empty();
  double absolute = 0, relative = 0;
  size_t slowest = 0;
  Json list = Json::array();
  for (const run::VerifyCase &entry : cases) {
    const run::Times times = run::summarize(entry.milliseconds);
    Json out;
    addCaseHead(out, entry.parameters, entry.gemm);
    out["input"] = entry.input;
    out["seed"] = entry.seed;
    out["passed"] = entry.problems.empty();
    out["bit_exact"] = entry.bitExact;
    out["max_abs_error"] = entry.difference.maxAbsError;
    out["max_rel_error"] = entry.difference.maxRelError;
    out["elements"] = entry.difference.elements;
    out["mismatches"] = entry.difference.mismatches;
    out["compared_with"] = entry.method;
    out["workgroups"] = entry.workgroups;
    out["instructions"] = entry.instructions;
    out["time_ms"] = timesJson(times);
    out["gflops"] = gflopsOf(entry.gemm, times.median, entry.workgroups, entry.gridWorkgroups);
    out["out_of_bounds"] = boundsJson(entry.bounds);
    out["findings"] = findingsJson(entry.findings);
    if (entry.delays)
      out["delays"] = delaysJson(*entry.delays);
    out["problems"] = entry.problems;
    exact &= entry.bitExact;
    passed &= entry.problems.empty();
    absolute = std::max(absolute, entry.difference.maxAbsError);
    relative = std::max(relative, entry.difference.maxRelError);
    if (times.median > run::summarize(cases[slowest].milliseconds).median)
      slowest = list.size();
    list.push_back(std::move(out));
  }
  json["passed"] = passed;
  json["bit_exact"] = exact;
  json["max_abs_error"] = absolute;
  json["max_rel_error"] = relative;
  json["time_ms"] = list[slowest]["time_ms"];
  json["gflops"] = list[slowest]["gflops"];
  json["percent_of_peak"] = nullptr;
  json["predicted"] = false;
  json["findings"] = head.refusals;
  json["checked"] = tool::findingsJson(head.listed);
  json["cases"] = std::move(list);
  return tool::jsonText(json);
}

/// A word that says how it went, in its colour.
std::string verdict(const ReportHead &head, std::string_view word) {
  using Paint = tool::Tool::Paint;
  return head.tool == nullptr
             ? std::string(word)
             : head.tool->painted(word, word == "FAILED" ? Paint::Bad : Paint::Good);
}

} // namespace

std::string verifyText(const ReportHead &head, const std::vector<run::VerifyCase> &cases,
                       Format format) {
  if (format == Format::Json)
    return verifyJson(head, cases);
  std::string text = fmt::format("{} on {}\n", head.kernel, head.device);
  if (!head.findings.empty()) // What most are looked for comes first.
    text += fmt::format("  --check: {}\n", head.findings);
  size_t failed = 0;
  for (const run::VerifyCase &entry : cases) {
    const bool passed = entry.problems.empty();
    failed += passed ? 0 : 1;
    const std::string parameters = parametersText(entry.parameters);
    text += fmt::format("  {}{}{} seed {}: {}", parameters, parameters.empty() ? "" : " ",
                        entry.input, entry.seed, verdict(head, passed ? "ok" : "FAILED"));
    if (entry.difference.mismatches == 0)
      text +=
          fmt::format(", {}{} elements{}{}", passed ? "" : "though ", entry.difference.elements,
                      passed ? "" : " are", entry.bitExact ? " bit-exact" : " within the bound");
    text += fmt::format(" ({})", entry.method);
    if (!entry.bitExact)
      text += fmt::format(", max abs error {:.3g}, rel {:.3g}", entry.difference.maxAbsError,
                          entry.difference.maxRelError);
    text += fmt::format(", {} workgroups, {:.1f} ms\n", entry.workgroups,
                        run::summarize(entry.milliseconds).median);
    if (entry.delays && entry.delays->different == 0)
      text += fmt::format("    the same with delays, seeds {} to {}\n", entry.delays->seeds.first,
                          entry.delays->seeds.first + (entry.delays->seeds.count - 1));
    constexpr size_t shown = 8; // One per store instruction would bury the rest.
    for (size_t i = 0; i < std::min(entry.problems.size(), shown); ++i)
      text += fmt::format("    {}\n", entry.problems[i]);
    if (entry.problems.size() > shown)
      text += fmt::format("    and {} more (see --json)\n", entry.problems.size() - shown);
  }
  if (failed != 0)
    text += fmt::format("{}: {} of {} cases\n", verdict(head, "FAILED"), failed, cases.size());
  else if (!head.refusals.empty())
    text += fmt::format("{}: results agree in all {} cases, but a GPU would not run it so: {}\n",
                        verdict(head, "FAILED"), cases.size(), head.refusals[0]);
  else
    text +=
        fmt::format("{}: {} of {} cases\n", verdict(head, "verified"), cases.size(), cases.size());
  return text;
}

std::string benchText(const ReportHead &head, const std::vector<run::BenchCase> &cases,
                      Format format) {
  const bool emulated = head.backend == "emulator";
  Json json = reportHead("bench", head), list = Json::array();
  std::string text = fmt::format("{} on {}\n", head.kernel, head.device);
  size_t worst = 0;
  for (const run::BenchCase &entry : cases) {
    const auto orNull = [](const auto &value) { return value ? Json(*value) : Json(); };
    Json out;
    addCaseHead(out, entry.parameters, entry.gemm);
    out["time_ms"] = timesJson(entry.times);
    out["gflops"] = orNull(entry.gflops);
    out["percent_of_peak"] = orNull(entry.percentOfPeak);
    out["rocblas_time_ms"] = entry.baseline ? timesJson(*entry.baseline) : Json();
    out["instructions"] = emulated ? Json(entry.instructions) : Json();
    if (entry.times.median > cases[worst].times.median)
      worst = list.size();
    list.push_back(std::move(out));

    text += fmt::format("  {}: {:.4f} ms median ({:.4f} to {:.4f}, {} repeats)",
                        parametersText(entry.parameters), entry.times.median, entry.times.min,
                        entry.times.max, entry.times.repeats);
    if (entry.gflops)
      text += fmt::format(", {:.1f} GFLOP/s", *entry.gflops);
    if (entry.percentOfPeak)
      text += fmt::format(", {:.1f} % of peak", *entry.percentOfPeak);
    if (entry.baseline)
      text +=
          fmt::format(", {:.1f} % of rocBLAS ({:.4f} ms)",
                      entry.baseline->median / entry.times.median * 100, entry.baseline->median);
    text += "\n";
  }
  if (emulated)
    text += "This is the speed of the emulator itself; it says nothing about a GPU.\n";
  // What the figures are is part of the report: one repeat of an emulator is no GPU time.
  json["measured"] = emulated ? "speed of the emulator itself" : "GPU time by HIP events";
  for (const char *absent : {"bit_exact", "max_abs_error", "max_rel_error"})
    json[absent] = nullptr;
  for (const char *name : {"time_ms", "gflops", "percent_of_peak"})
    json[name] = list[worst][name];
  json["predicted"] = false;
  json["cases"] = std::move(list);
  return format == Format::Json ? tool::jsonText(json) : text;
}

std::string runText(const ReportHead &head, const run::ResolvedLaunch &launch,
                    const run::RunOutcome &outcome, const run::BufferSet &buffers, Format format) {
  Json json = reportHead("run", head);
  json["grid"] = launch.grid;
  json["block"] = launch.block;
  json["time_ms"] = timesJson(run::summarize(outcome.milliseconds));
  json["instructions"] = outcome.instructions == 0 ? Json() : Json(outcome.instructions);
  json["out_of_bounds"] = boundsJson(outcome.bounds);
  json["findings"] = findingsJson(outcome.findings);
  json["outputs"] = Json::array();
  std::string text =
      fmt::format("{} on {}\n  grid {}, block {}, {:.3f} ms", head.kernel, head.device,
                  fmt::join(launch.grid, "x"), fmt::join(launch.block, "x"),
                  run::summarize(outcome.milliseconds).median);
  text += outcome.instructions == 0 ? "\n"
                                    : fmt::format(", {} wave instructions\n", outcome.instructions);
  if (!head.findings.empty())
    text += fmt::format("  --check: {}\n", head.findings);
  for (const run::Buffer &buffer : buffers.buffers()) {
    if (!buffer.facts.isOutput())
      continue;
    // FNV-1a: enough to see at a glance whether two runs agree.
    uint64_t hash = 0xcbf29ce484222325u;
    for (const std::byte byte : buffer.bytes)
      hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3u;
    const unsigned size = bytesOf(buffer.facts.type);
    std::vector<double> first;
    for (size_t at = 0; at + size <= buffer.bytes.size() && first.size() < 4; at += size)
      first.push_back(run::loadElement(&buffer.bytes[at], buffer.facts.type));
    json["outputs"].push_back({{"name", buffer.facts.name},
                               {"type", toString(buffer.facts.type)},
                               {"elements", buffer.bytes.size() / size},
                               {"hash", fmt::format("{:016x}", hash)},
                               {"first", first}});
    text += fmt::format("  {}: {} {} elements, hash {:016x}, first {}\n", buffer.facts.name,
                        buffer.bytes.size() / size, toString(buffer.facts.type), hash,
                        fmt::join(first, " "));
  }
  return format == Format::Json ? tool::jsonText(json) : text;
}

} // namespace rdna::loader
