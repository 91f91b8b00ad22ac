#include "Findings.h"

#include "Support/File.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rdna::loader {

using Json = nlohmann::ordered_json;

namespace {

std::string whereText(const emu::Finding &f) {
  std::string text = fmt::format("kernel {}, workgroup ({}), wave {}", f.kernel,
                                 fmt::join(f.workgroup, ", "), f.wave);
  if (f.lane)
    text += fmt::format(", lane {}", *f.lane);
  if (!f.place.empty())
    text += ", " + f.place;
  if (f.count > 1)
    text += fmt::format("; {} times", f.count);
  return text;
}

std::string otherText(const emu::Party &other) {
  std::string text = fmt::format("the other party is '{}'", other.instruction);
  if (other.wave)
    text += fmt::format(", wave {}", *other.wave);
  if (other.lane)
    text += fmt::format(", lane {}", *other.lane);
  return text;
}

Json lineOrNull(unsigned line) { return line == 0 ? Json() : Json(line); }
template <class T> Json orNull(const std::optional<T> &value) {
  return value ? Json(*value) : Json();
}

} // namespace

static tool::ListedFinding listed(const object::CodeObject &object,
                                  const run::CheckFinding &entry) {
  const emu::Finding &f = entry.finding;
  tool::ListedFinding out;
  out.rule = f.rule;
  out.instruction = f.instruction;
  out.count = std::max<uint64_t>(f.count, 1);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Warning;
  diagnostic.file = object.file;
  diagnostic.line = entry.line;
  diagnostic.column = entry.line == 0 ? 0 : 1;
  diagnostic.message =
      fmt::format("'{}': {} [{}: {}]", f.instruction, f.message, toString(f.check), f.rule);
  if (entry.line == 0)
    diagnostic.message += fmt::format(", at offset {:#x}", f.codeOffset);
  out.place = diagnostic;
  diagnostic.severity = Severity::Note;
  diagnostic.message = whereText(f);
  out.notes.push_back(diagnostic);
  if (f.other) {
    Diagnostic note = diagnostic;
    note.line = entry.otherLine;
    note.column = note.line == 0 ? 0 : 1;
    note.message = otherText(*f.other);
    if (note.line == 0)
      note.message += fmt::format(" at offset {:#x}", f.other->codeOffset);
    out.notes.push_back(std::move(note));
  }
  if (!f.fix.empty()) {
    diagnostic.message = "fix: " + f.fix;
    out.notes.push_back(std::move(diagnostic));
  }
  return out;
}

/// What tells two findings of one kernel apart.
static std::string keyOf(const emu::Finding &f) {
  return fmt::format("{} {} {}", f.rule, f.codeOffset,
                     f.other ? f.other->codeOffset : uint64_t(-1));
}

tool::ListedFindings listedFindings(const object::CodeObject &object,
                                    const std::vector<run::CheckFinding> &findings) {
  tool::ListedFindings out;
  for (const run::CheckFinding &entry : findings)
    out.push_back(listed(object, entry));
  return out;
}

llvm::Expected<FindingList> FindingList::create(const Options &options) {
  FindingList list;
  for (const std::string &word : options.suppressed)
    if (llvm::Error error = list.suppressions_.add(word))
      return error;
  if (!options.suppressionFile.empty())
    if (llvm::Error error = list.suppressions_.read(options.suppressionFile))
      return error;
  return list;
}

tool::ListedFindings FindingList::judged(const object::CodeObject &object,
                                         const std::vector<run::CheckFinding> &now,
                                         const std::vector<run::CheckFinding> &before) const {
  tool::ListedFindings findings = listedFindings(object, now);
  suppressions_.apply(findings);
  if (original_ != nullptr) {
    // An index that wraps breaks what the rewrite assumed of the original: it excuses nothing.
    std::vector<run::CheckFinding> excuses = before;
    std::erase_if(excuses, [](const run::CheckFinding &entry) {
      return entry.finding.check == emu::Check::IndexWrap;
    });
    markKnown(findings, listedFindings(*original_, excuses));
  }
  return findings;
}

size_t FindingList::countNew(const object::CodeObject &object,
                             const std::vector<run::CheckFinding> &now,
                             const std::vector<run::CheckFinding> &before) const {
  return countOf(judged(object, now, before), tool::ListedFinding::State::New);
}

void FindingList::add(const object::CodeObject &object, const std::vector<run::CheckFinding> &now,
                      const std::vector<run::CheckFinding> &before) {
  const tool::ListedFindings findings = judged(object, now, before);
  for (size_t i = 0; i < findings.size(); ++i)
    if (seen_.insert(keyOf(now[i].finding)).second)
      findings_.push_back(findings[i]);
}

std::string FindingList::summary() const {
  return findingsSummary(findings_,
                         original_ != nullptr ? tool::Original::Given : tool::Original::None);
}

llvm::Error FindingList::report(const tool::Tool &tool, const Options &options) const {
  using tool::Original;
  const Original original = original_ != nullptr ? Original::Given : Original::None;
  if (options.allFindings == Options::AllFindings::Yes) {
    for (const tool::ListedFinding &finding : findings_)
      if (finding.state == tool::ListedFinding::State::New) {
        tool.report(finding.place);
        for (const Diagnostic &note : finding.notes)
          tool.report(note);
      }
  } else {
    for (const Diagnostic &finding : shownFindings(findings_))
      tool.report(finding);
  }
  if (!options.sarif.empty())
    return writeOutput(options.sarif, sarifText("hsaco-loader", findings_, original));
  return llvm::Error::success();
}

Json findingsJson(const std::vector<run::CheckFinding> &findings) {
  Json list = Json::array();
  for (const run::CheckFinding &entry : findings) {
    const emu::Finding &f = entry.finding;
    Json other;
    if (f.other)
      other = {{"line", lineOrNull(entry.otherLine)},
               {"address", f.other->codeOffset},
               {"instruction", f.other->instruction},
               {"wave", orNull(f.other->wave)},
               {"lane", orNull(f.other->lane)}};
    list.push_back({{"check", toString(f.check)},
                    {"rule", f.rule},
                    {"message", f.message},
                    {"fix", f.fix},
                    {"line", lineOrNull(entry.line)},
                    {"address", f.codeOffset},
                    {"instruction", f.instruction},
                    {"kernel", f.kernel},
                    {"workgroup", f.workgroup},
                    {"wave", f.wave},
                    {"lane", orNull(f.lane)},
                    {"memory_address", orNull(f.address)},
                    {"place", f.place},
                    {"other", std::move(other)},
                    {"count", f.count}});
  }
  return list;
}

} // namespace rdna::loader
