#include "Tally.h"

#include "Support/File.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <vector>

namespace rdna::fuzz {

namespace {
struct Counts {
  unsigned files = 0, differing = 0, findings = 0, takenBack = 0;
  std::array<unsigned, 6> by{};
  unsigned of(Status status) const { return by[static_cast<size_t>(status)]; }
  void add(Status status) { ++by[static_cast<size_t>(status)]; }
};
using Reasons = std::map<std::string, std::set<std::string>>; // files by reason
} // namespace

static std::string kindOf(const std::string &file) { return file.substr(0, file.find(':')); }

static void print(const std::string &name, const Counts &c) {
  fmt::print("{:18} {:6} {:8} {:8} {:11} {:6} {:6} {:6} {:8} {:10} {:8}\n", name, c.files,
             c.of(Status::Changed), c.of(Status::Refused), c.takenBack, c.of(Status::Left),
             c.of(Status::Same), c.of(Status::Error), c.of(Status::Crashed), c.differing,
             c.findings);
}

static void printReasons(const char *title, const Reasons &reasons) {
  std::vector<std::pair<size_t, std::string>> sorted;
  for (const auto &[reason, files] : reasons)
    sorted.emplace_back(files.size(), fmt::format("{} (first: {})", reason, *files.begin()));
  std::sort(sorted.rbegin(), sorted.rend());
  if (!sorted.empty())
    fmt::print("\n{}, by files:\n", title);
  for (size_t n = 0; n < sorted.size() && n < 40; ++n)
    fmt::print("{:6}  {}\n", sorted[n].first, sorted[n].second);
}

static void printKind(const std::string &kind, const Results &results) {
  std::map<std::string, Counts> table;
  Counts any;
  Reasons refused, errors;
  for (const auto &[file, entries] : results) {
    if (kindOf(file) != kind)
      continue;
    std::set<Status> seen;
    bool differs = false, finds = false, isBack = false;
    for (const auto &[name, entry] : entries.by) {
      Counts &counts = table[name];
      ++counts.files;
      counts.add(entry.status);
      counts.differing += !entry.difference.empty();
      counts.findings += !entry.finding.empty();
      differs |= !entry.difference.empty();
      finds |= !entry.finding.empty();
      seen.insert(entry.status);
      counts.takenBack += isTakenBack(entry.reason);
      isBack |= isTakenBack(entry.reason);
      if (entry.status == Status::Refused || isTakenBack(entry.reason))
        refused[fold(entry.reason)].insert(file);
      if (entry.status == Status::Error || entry.status == Status::Crashed)
        errors[name + ": " + fold(entry.reason)].insert(file);
    }
    ++any.files;
    for (const Status status : seen)
      any.add(status);
    any.differing += differs;
    any.findings += finds;
    any.takenBack += isBack;
  }
  fmt::print("\n{} files\n{:18} {:>6} {:>8} {:>8} {:>11} {:>6} {:>6} {:>6} {:>8} {:>10} {:>8}\n",
             kind, "", "files", "changed", "refused", "taken back", "left", "same", "error",
             "crashed", "differing", "findings");
  for (const auto &[name, counts] : table)
    print(name, counts);
  print("by any", any);
  if (any.files)
    fmt::print("refused by at least one: {:.1f} %; a step taken back in at least one: {:.1f} %; "
               "changed by at least one: {:.1f} %\n",
               100.0 * any.of(Status::Refused) / any.files, 100.0 * any.takenBack / any.files,
               100.0 * any.of(Status::Changed) / any.files);
  printReasons("refusals", refused);
  printReasons("errors and crashes", errors);
}

void printTally(const Results &results) {
  std::set<std::string> kinds;
  for (const auto &[file, entries] : results)
    kinds.insert(kindOf(file));
  for (const std::string &kind : kinds)
    printKind(kind, results);
  for (const auto &[file, entries] : results)
    for (const auto &[name, entry] : entries.by)
      if (!entry.difference.empty() || !entry.finding.empty())
        fmt::print("{} {}: {}{}{}\n", file, name, entry.difference,
                   !entry.difference.empty() && !entry.finding.empty() ? "; " : "",
                   entry.finding.empty() ? "" : "new finding: " + entry.finding);
  std::fflush(stdout);
}

std::string toJson(const Results &results, const std::string &note) {
  nlohmann::json files = nlohmann::json::object();
  for (const auto &[file, result] : results) {
    files[file]["text"] = result.text;
    for (const auto &[name, entry] : result.by) {
      nlohmann::json &at = files[file][name];
      at["status"] = toString(entry.status);
      if (entry.status != Status::Changed && entry.status != Status::Same)
        at["reason"] = entry.reason;
      if (!entry.difference.empty())
        at["difference"] = entry.difference;
      if (!entry.finding.empty())
        at["finding"] = entry.finding;
    }
  }
  return nlohmann::json{{"schema", "fuzz-baseline/1"}, {"note", note}, {"files", files}}.dump(1) +
         "\n";
}

Results readJson(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    throw std::runtime_error(llvm::toString(text.takeError()));
  Results results;
  const nlohmann::json all = nlohmann::json::parse(*text);
  for (const auto &[file, entries] : all.at("files").items())
    for (const auto &[name, entry] : entries.items()) {
      if (name == "text") {
        results[file].text = entry;
        continue;
      }
      const auto status = statusByName(entry.at("status").get<std::string>());
      if (!status)
        throw std::runtime_error(path + ": unknown status");
      results[file].by[name] = {*status, entry.value("reason", ""), entry.value("difference", ""),
                                entry.value("finding", "")};
    }
  return results;
}

static bool isAny(const std::map<std::string, Entry> &entries, Status status) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto &entry) { return entry.second.status == status; });
}

void printComparison(const Results &then, const Results &now) {
  struct Row {
    unsigned changedThen = 0, stillChanged = 0, refusedThen = 0, stillRefused = 0, refusedNow = 0,
             nowChanged = 0;
    void add(bool cThen, bool cNow, bool rThen, bool rNow) {
      changedThen += cThen;
      stillChanged += cThen && cNow;
      nowChanged += cNow;
      refusedThen += rThen;
      stillRefused += rThen && rNow;
      refusedNow += rNow;
    }
  };
  std::map<std::string, Row> rows;
  std::vector<std::string> lost;
  unsigned strangers = 0;
  for (const auto &[file, before] : then) {
    const auto after = now.find(file);
    if (after == now.end())
      continue;
    if (!before.text.empty() && before.text != after->second.text) {
      ++strangers;
      continue;
    }
    for (const auto &[name, entry] : before.by)
      if (const auto other = after->second.by.find(name); other != after->second.by.end()) {
        const bool cThen = entry.status == Status::Changed,
                   cNow = other->second.status == Status::Changed;
        rows[name].add(cThen, cNow, entry.status == Status::Refused,
                       other->second.status == Status::Refused);
        if (cThen && !cNow && lost.size() < 20)
          lost.push_back(fmt::format("{} {}: {}: {}", file, name, toString(other->second.status),
                                     other->second.reason));
      }
    rows["~ by any"].add(
        isAny(before.by, Status::Changed), isAny(after->second.by, Status::Changed),
        isAny(before.by, Status::Refused), isAny(after->second.by, Status::Refused));
  }
  fmt::print("\n{:18} {:>13} {:>13} {:>12} {:>13} {:>14} {:>12}\n", "against then", "changed then",
             "of them still", "changed now", "refused then", "of them still", "refused now");
  for (const auto &[name, row] : rows)
    fmt::print("{:18} {:13} {:13} {:12} {:13} {:14} {:12}\n", name, row.changedThen,
               row.stillChanged, row.nowChanged, row.refusedThen, row.stillRefused, row.refusedNow);
  if (strangers > 0)
    fmt::print("{} files have another text now and are not compared\n", strangers);
  if (!lost.empty())
    fmt::print("no longer changed, the first:\n");
  for (const std::string &line : lost)
    fmt::print("  {}\n", line);
  std::fflush(stdout);
}

} // namespace rdna::fuzz
