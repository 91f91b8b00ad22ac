#include "common/Findings.h"

#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace rdna::tool {

using State = ListedFinding::State;
using llvm::StringRef;

static std::string baseName(const std::string &path) {
  return path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
}

llvm::Error Suppressions::add(const std::string &text) {
  llvm::SmallVector<StringRef, 3> parts;
  StringRef(text).split(parts, ':');
  unsigned line = 0;
  const bool hasLine = parts.size() > 1;
  if (parts[0].empty() || parts.size() > 3 || (hasLine && parts.back().getAsInteger(10, line)))
    return makeError(
        Failure::BadInput, "",
        fmt::format("'{}' is not of the form RULE, RULE:LINE or RULE:FILE:LINE", text));
  words_.insert(text);
  return llvm::Error::success();
}

llvm::Error Suppressions::read(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  llvm::SmallVector<StringRef, 16> lines;
  StringRef(*text).split(lines, '\n');
  for (size_t n = 0; n < lines.size(); ++n) {
    const StringRef word = lines[n].split('#').first.trim();
    if (word.empty())
      continue;
    if (llvm::Error error = add(word.str())) {
      llvm::consumeError(std::move(error));
      return makeError(Failure::BadInput,
                       {.file = path,
                        .line = static_cast<unsigned>(n + 1),
                        .column = 1,
                        .message = "not of the form RULE, RULE:LINE or RULE:FILE:LINE",
                        .sourceLine = lines[n].str()});
    }
  }
  return llvm::Error::success();
}

void Suppressions::apply(ListedFindings &findings) const {
  for (ListedFinding &finding : findings) {
    const Diagnostic &place = finding.place;
    if (words_.contains(finding.rule) ||
        words_.contains(fmt::format("{}:{}", finding.rule, place.line)) ||
        words_.contains(fmt::format("{}:{}:{}", finding.rule, baseName(place.file), place.line)))
      finding.state = State::Suppressed;
  }
}

constexpr StringRef kWithoutLanes = "memory-without-lanes", kParity = "vopd-parity",
                    kOverlap = "mad64-overlap";

/// Is a finding another one with other VGPRs?
static bool isAboutVgprs(StringRef rule) {
  return !rule.ends_with("-bounds") && rule != kParity && rule != kWithoutLanes;
}

/// Has every copy of an instruction what the instruction has?
static bool isCopied(StringRef rule) { return !isAboutVgprs(rule) || rule == kOverlap; }

/// The instruction, in which the numbers of VGPRs do not count where only memory does, or what a
/// pair has in common: a rewrite may have an address, data or a result in others. There are as many
/// of them as in the original at most, or the rest is new.
static std::string compared(const ListedFinding &finding) {
  if (isAboutVgprs(finding.rule))
    return finding.instruction;
  std::string text;
  const auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t i = 0; i < finding.instruction.size(); ++i) {
    const StringRef rest = StringRef(finding.instruction).substr(i);
    text += rest.front();
    const bool isVgpr = rest.front() == 'v' && (i == 0 || !isWord(finding.instruction[i - 1])) &&
                        rest.size() > 1 && (rest[1] == '[' || llvm::isDigit(rest[1]));
    if (isVgpr)
      i += std::min(rest[1] == '[' ? rest.find(']') : rest.find_if_not(llvm::isDigit, 1) - 1,
                    rest.size());
  }
  return finding.rule == kWithoutLanes ? text.substr(0, text.find(" offset")) : text;
}

void markKnown(ListedFindings &findings, const ListedFindings &original) {
  struct Found {
    size_t places = 0;
    uint64_t times = 0, timesNow = 0;
  };
  std::map<std::pair<std::string, std::string>, Found> left;
  for (const ListedFinding &finding : original) {
    Found &found = left[{finding.rule, compared(finding)}];
    ++found.places;
    found.times += finding.count;
  }
  const auto foundAs = [&](const ListedFinding &finding) {
    return left.find({finding.rule, compared(finding)});
  };
  for (const ListedFinding &finding : findings)
    if (const auto known = foundAs(finding); known != left.end())
      known->second.timesNow += finding.count;
  for (ListedFinding &finding : findings) {
    const auto known = foundAs(finding);
    if (known == left.end() || finding.state != State::New)
      continue;
    Found &found = known->second;
    const bool isOfCopies = isCopied(finding.rule) && found.timesNow <= found.times;
    if (found.places == 0 && !isOfCopies)
      continue;
    found.places -= found.places != 0 ? 1 : 0;
    finding.state = State::Known;
  }
}

size_t countOf(const ListedFindings &findings, State state) {
  return static_cast<size_t>(llvm::count_if(
      findings, [&](const ListedFinding &finding) { return finding.state == state; }));
}

/// "vopd-parity 45, mad64-overlap 1", the most first.
static std::string byRule(const ListedFindings &findings, State state) {
  std::map<std::string, size_t> counts;
  for (const ListedFinding &finding : findings)
    if (finding.state == state)
      ++counts[finding.rule];
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) { return a.second > b.second; });
  std::string text;
  for (const auto &[rule, count] : sorted)
    text += fmt::format("{}{} {}", text.empty() ? ": " : ", ", rule, count);
  return text;
}

std::string findingsSummary(const ListedFindings &findings, Original original) {
  const size_t fresh = countOf(findings, State::New);
  std::string text =
      fmt::format("{} {}finding{}{}", fresh, original == Original::Given ? "new " : "",
                  fresh == 1 ? "" : "s", byRule(findings, State::New));
  if (original == Original::Given)
    text += fmt::format("; {} known from the original{}", countOf(findings, State::Known),
                        byRule(findings, State::Known));
  if (const size_t count = countOf(findings, State::Suppressed))
    text += fmt::format("; {} suppressed{}", count, byRule(findings, State::Suppressed));
  return text;
}

std::vector<Diagnostic> shownFindings(const ListedFindings &findings) {
  constexpr size_t most = 3; // Of one rule and file; the others say the same.
  std::map<std::pair<std::string, std::string>, std::vector<unsigned>> lines;
  std::vector<Diagnostic> out;
  for (const ListedFinding &finding : findings) {
    if (finding.state != State::New)
      continue;
    auto &seen = lines[{finding.place.file, finding.rule}];
    seen.push_back(finding.place.line);
    if (seen.size() > most)
      continue;
    out.push_back(finding.place);
    llvm::append_range(out, finding.notes);
  }
  for (auto &[of, all] : lines) {
    if (all.size() <= most)
      continue;
    constexpr size_t shown = 12;
    std::vector<unsigned> rest(all.begin() + most, all.end());
    const size_t count = rest.size();
    rest.resize(std::min(rest.size(), shown));
    Diagnostic note;
    note.severity = Severity::Note;
    note.file = of.first;
    note.message =
        fmt::format("{} more of {}, at line{} {}{} (--all-findings shows them)", count, of.second,
                    count == 1 ? "" : "s", fmt::join(rest, ", "), count > shown ? ", ..." : "");
    out.push_back(std::move(note));
  }
  return out;
}

} // namespace rdna::tool
