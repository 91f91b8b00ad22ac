#include "Findings.h"

#include <fmt/format.h>

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

void reportFindings(const tool::Tool &tool, const object::CodeObject &object,
                    const std::vector<run::CheckFinding> &findings, std::set<std::string> &seen) {
  for (const run::CheckFinding &entry : findings) {
    const emu::Finding &f = entry.finding;
    if (!seen.insert(fmt::format("{} {} {}", f.rule, f.codeOffset,
                                 f.other ? f.other->codeOffset : uint64_t(-1)))
             .second)
      continue;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::Warning;
    diagnostic.file = object.file;
    diagnostic.line = entry.line;
    diagnostic.column = entry.line == 0 ? 0 : 1;
    diagnostic.message =
        fmt::format("'{}': {} [{}: {}]", f.instruction, f.message, toString(f.check), f.rule);
    if (entry.line == 0)
      diagnostic.message += fmt::format(", at offset {:#x}", f.codeOffset);
    tool.report(diagnostic);
    diagnostic.severity = Severity::Note;
    diagnostic.message = whereText(f);
    tool.report(diagnostic);
    if (f.other) {
      Diagnostic note = diagnostic;
      note.line = entry.otherLine;
      note.column = note.line == 0 ? 0 : 1;
      note.message = otherText(*f.other);
      if (note.line == 0)
        note.message += fmt::format(" at offset {:#x}", f.other->codeOffset);
      tool.report(note);
    }
    if (!f.fix.empty()) {
      diagnostic.message = "fix: " + f.fix;
      tool.report(diagnostic);
    }
  }
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
