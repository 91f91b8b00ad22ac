#include "Code/Edit.h"

#include <algorithm>
#include <cassert>

namespace rdna {

std::string applyEdits(const Module &module, std::vector<TextEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const TextEdit &a, const TextEdit &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  const std::string_view text = module.text();
  std::string out;
  out.reserve(text.size() + 4096);
  uint32_t at = 0;
  for (const TextEdit &edit : edits) {
    assert(edit.begin >= at && edit.end >= edit.begin && edit.end <= text.size());
    out.append(text.substr(at, edit.begin - at));
    out += edit.replacement.print(module);
    at = edit.end;
  }
  out.append(text.substr(at));
  return out;
}

TextEdit removal(const Module &module, const Instruction &inst) {
  const uint32_t start = module.lineBegin(inst.line);
  const std::string_view line = module.lineText(inst.line);
  const auto blank = [&](uint32_t at) { return line[at] == ' ' || line[at] == '\t'; };
  uint32_t begin = inst.begin - start, end = inst.end - start;
  while (end < line.size() && blank(end))
    ++end;
  if (end < line.size() && line[end] != '\r')
    return {inst.begin, start + end, {}};
  while (begin > 0 && blank(begin - 1))
    --begin;
  if (begin == 0)
    return {start, module.lineBegin(inst.line + 1), {}};
  return {start + begin, start + end, {}};
}

TextEdit replacement(const Instruction &inst, Code code) {
  return {inst.begin, inst.end, std::move(code)};
}

bool takesLineBefore(const Module &module, const Instruction &inst) {
  const uint32_t start = module.lineBegin(inst.line);
  const std::string_view before = module.text().substr(start, inst.begin - start);
  return inst.origin != Instruction::Origin::Macro &&
         before.find_first_not_of(" \t") == std::string_view::npos;
}

bool takesLineBehind(const Module &module, const Instruction &inst) {
  const std::string_view line = module.lineText(inst.line);
  const std::string_view behind = line.substr(inst.end - module.lineBegin(inst.line));
  const size_t first = behind.find_first_not_of(" \t\r");
  return inst.origin != Instruction::Origin::Macro && inst.line < module.lineCount() &&
         (first == std::string_view::npos || behind[first] == ';' ||
          behind.substr(first).starts_with("//"));
}

static TextEdit lineAt(const Module &module, uint32_t line, const Code &code) {
  const uint32_t place = module.lineBegin(line);
  const bool isLabel =
      !code.empty() && std::holds_alternative<Code::NewLabel>(code.pieces().front());
  Code whole = Code::layout(isLabel ? "" : "\t");
  whole += code;
  whole += lineEnding(module);
  return {place, place, std::move(whole)};
}

TextEdit lineBefore(const Module &module, const Instruction &inst, Code code) {
  return lineAt(module, inst.line, code);
}

TextEdit lineBehind(const Module &module, const Instruction &inst, Code code) {
  return lineAt(module, inst.line + 1, code);
}

std::string_view lineEnding(const Module &module) {
  const size_t newline = module.text().find('\n');
  return newline != std::string_view::npos && newline > 0 && module.text()[newline - 1] == '\r'
             ? "\r\n"
             : "\n";
}

} // namespace rdna
