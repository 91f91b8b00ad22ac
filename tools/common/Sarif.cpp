// SARIF 2.1.0 (OASIS standard): what code hosts read of linters.
#include "common/Findings.h"
#include "common/Tool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::tool {

using Json = nlohmann::ordered_json;
using State = ListedFinding::State;

std::string_view toString(State state) {
  switch (state) {
  case State::New:
    return "new";
  case State::Known:
    return "known";
  case State::Suppressed:
    return "suppressed";
  }
  return "new";
}

/// What code hosts show beside a rule's findings: those of isa-parse --lint (Analysis/Lint.h).
static Json ruleOf(const std::string &id) {
  constexpr std::pair<std::string_view, const char *> known[] = {
      {"vopd-parity", "Sources of one VOPD slot are different VGPRs of one parity."},
      {"buffer-offset", "A buffer offset above 4095, which llvm-mc truncates silently."},
      {"clause-length", "s_clause of 1, or of 64; legal are 2 to 63."},
      {"clause-members", "Members of a clause are of different kinds, or none may hold them."},
      {"setprio-range", "s_setprio above 3."},
      {"trans-use", "A VALU instruction reads a transcendental's result too early."},
      {"mad64-overlap", "The destination of a 64-bit multiply-add overlaps a source."},
      {"cmpx-permlane", "A permute directly behind the v_cmpx that it depends on."},
      {"dealloc-vgprs", "MSG_DEALLOC_VGPRS without s_nop before it or s_endpgm behind it."},
      {"vgpr-count", "The descriptor's VGPR count does not fit the code."}};
  Json rule = {{"id", id}};
  for (const auto &[name, text] : known)
    if (name == id)
      rule["shortDescription"] = {{"text", text}};
  return rule;
}

static Json locationOf(const Diagnostic &place) {
  Json location = {{"physicalLocation", {{"artifactLocation", {{"uri", place.file}}}}}};
  if (place.line != 0)
    location["physicalLocation"]["region"] = {{"startLine", place.line},
                                              {"startColumn", std::max(place.column, 1u)}};
  return location;
}

static Json resultOf(const ListedFinding &finding, size_t rule, Original original) {
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", rule},
                 {"level", finding.place.severity == Severity::Error ? "error" : "warning"},
                 {"message", {{"text", finding.place.message}}},
                 {"locations", Json::array({locationOf(finding.place)})}};
  Json related = Json::array();
  for (const Diagnostic &note : finding.notes) {
    Json location = locationOf(note);
    location["message"] = {{"text", note.message}};
    related.push_back(std::move(location));
  }
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  if (finding.count > 1)
    result["occurrenceCount"] = finding.count;
  if (original == Original::Given)
    result["baselineState"] = finding.state == State::Known ? "unchanged" : "new";
  if (finding.state == State::Suppressed)
    result["suppressions"] = Json::array({{{"kind", "external"}}});
  return result;
}

std::string sarifText(std::string_view tool, const ListedFindings &findings, Original original) {
  Json rules = Json::array(), results = Json::array();
  std::vector<std::string> known;
  for (const ListedFinding &finding : findings) {
    size_t rule =
        static_cast<size_t>(std::find(known.begin(), known.end(), finding.rule) - known.begin());
    if (rule == known.size()) {
      known.push_back(finding.rule);
      rules.push_back(ruleOf(finding.rule));
    }
    results.push_back(resultOf(finding, rule, original));
  }
  return jsonText(
      {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                   "sarif-schema-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs",
        Json::array(
            {{{"tool",
               {{"driver",
                 {{"name", tool}, {"version", RDNA_VERSION}, {"rules", std::move(rules)}}}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}}})}});
}

Json findingsJson(const ListedFindings &findings) {
  Json list = Json::array();
  for (const ListedFinding &finding : findings)
    list.push_back({{"file", finding.place.file},
                    {"line", finding.place.line == 0 ? Json() : Json(finding.place.line)},
                    {"rule", finding.rule},
                    {"message", finding.place.message},
                    {"instruction", finding.instruction},
                    {"state", toString(finding.state)}});
  return list;
}

} // namespace rdna::tool
