#include "HipRuntime/Report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rdna::hip {

namespace {

std::string triple(const std::array<uint32_t, 3> &v) {
  return fmt::format("({}, {}, {})", v[0], v[1], v[2]);
}

bool sameThing(const KernelFinding &a, const KernelFinding &b) {
  return a.rule == b.rule && a.kernel == b.kernel && a.source == b.source &&
         a.instruction == b.instruction && !a.instruction.empty();
}

} // namespace

std::string render(const KernelFinding &f) {
  std::string text = fmt::format("rdna-run: error: {}: {}\n", f.rule, f.message);
  if (!f.kernel.empty())
    text +=
        fmt::format("    in kernel {}{}{}\n", f.kernel, f.source.empty() ? "" : " at ", f.source);
  if (!f.instruction.empty())
    text += fmt::format("    instruction: {}\n", f.instruction);
  if (f.block)
    text += fmt::format("    block {}{}{}{}\n", triple(*f.block), f.thread ? ", thread " : "",
                        f.thread ? triple(*f.thread) : "",
                        f.count > 1 ? fmt::format("; {} accesses or lanes in all", f.count) : "");
  if (!f.other.empty())
    text += fmt::format("    other side: {}\n", f.other);
  const char *first = f.launch == 0 ? "called by" : "launched by";
  for (size_t n = 0; n < f.callers.size(); ++n)
    text += fmt::format("    {} {}\n", n == 0 ? first : "in", f.callers[n]);
  return text;
}

bool Report::isSuppressed(const KernelFinding &finding) const {
  const auto fits = [](const std::optional<std::regex> &pattern, const std::string &text) {
    return !pattern || std::regex_search(text, *pattern);
  };
  return std::any_of(settings_.suppressions.begin(), settings_.suppressions.end(),
                     [&](const Suppression &s) {
                       return fits(s.rule, finding.rule) && fits(s.kernel, finding.kernel) &&
                              fits(s.source, finding.source);
                     });
}

void Report::add(KernelFinding finding) {
  if (isSuppressed(finding)) {
    ++suppressed_;
    return;
  }
  for (KernelFinding &known : findings_)
    if (sameThing(known, finding)) {
      known.count += finding.count;
      return;
    }
  print(render(finding));
  findings_.push_back(std::move(finding));
}

void Report::missing(const std::string &function) {
  if (std::find(missing_.begin(), missing_.end(), function) != missing_.end())
    return;
  missing_.push_back(function);
  warn(fmt::format("{} is not implemented: hipErrorNotSupported", function));
}

std::string Report::summary() const {
  std::string text = fmt::format("rdna-run: {} kernel launch{}, {} instructions", launches,
                                 launches == 1 ? "" : "es", instructions);
  if (settings_.check)
    text += fmt::format(", {} checked: {} finding{}", watchedLaunches, findings_.size(),
                        findings_.size() == 1 ? "" : "s");
  if (comparedLaunches)
    text += fmt::format(", {} compared with the original{}", comparedLaunches,
                        settings_.check ? ""
                                        : fmt::format(": {} finding{}", findings_.size(),
                                                      findings_.size() == 1 ? "" : "s"));
  if (suppressed_)
    text += fmt::format(", {} suppressed", suppressed_);
  return text + "\n";
}

std::string Report::json() const {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const KernelFinding &f : findings_) {
    Json row = {{"rule", f.rule},
                {"message", f.message},
                {"kernel", f.kernel},
                {"source", f.source},
                {"instruction", f.instruction}};
    row["block"] = f.block ? Json(*f.block) : Json();
    row["thread"] = f.thread ? Json(*f.thread) : Json();
    row["other"] = f.other;
    row["launch"] = f.launch;
    row["count"] = f.count;
    row["callers"] = f.callers;
    list.push_back(std::move(row));
  }
  const Json document = {{"schema", "rdna-run/1"},
                         {"launches", launches},
                         {"checked_launches", watchedLaunches},
                         {"compared_launches", comparedLaunches},
                         {"instructions", instructions},
                         {"findings", std::move(list)},
                         {"suppressed", suppressed_},
                         {"not_implemented", missing_}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace rdna::hip
