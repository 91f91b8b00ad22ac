#include "Verify/Document.h"

#include "Asm/Effects.h"

#include "Code/Expand.h"
#include "Support/AsmText.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace rdna::verify {

namespace {
struct Token {
  std::string text;
  uint32_t line;
};
} // namespace

/// Blanks squeezed, comments dropped. A line with a string is left as it is: the string may hold
/// what looks like a comment.
static std::string normalised(std::string_view line) {
  const bool hasString = line.find('"') != std::string_view::npos;
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool comment = c == ';' || (c == '/' && i + 1 < line.size() && line[i + 1] == '/');
    if (!hasString && comment)
      break;
    if (c == ' ' || c == '\t' || c == '\r') {
      if (!out.empty() && out.back() != ' ')
        out += ' ';
      continue;
    }
    out += c;
  }
  while (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out;
}

/// Directives whose number of registers a rewriter may change: only what stands before the number
/// stays.
static std::string maskRegisterCount(std::string text) {
  const std::string_view view = text;
  if (view.starts_with(".amdhsa_next_free_vgpr"))
    return ".amdhsa_next_free_vgpr";
  if (view.starts_with(".amdhsa_next_free_sgpr"))
    return ".amdhsa_next_free_sgpr";
  for (const std::string_view key : {".vgpr_count:", "- .vgpr_count:", ".sgpr_count:"})
    if (view.starts_with(key))
      return text.substr(0, text.find(':'));
  if (view.starts_with(".set ")) {
    const size_t comma = view.find(',');
    if (comma != std::string_view::npos && view.substr(0, comma).ends_with("num_vgpr"))
      return text.substr(0, comma);
  }
  return text;
}

static constexpr std::string_view kLdsSize = "group_segment_fixed_size";

/// The lines that declare how much LDS the functions have.
static std::set<uint32_t> ldsLines(const Module &module,
                                   const std::set<std::string, std::less<>> &functions) {
  std::set<uint32_t> lines;
  for (const Function &function : module.functions()) {
    if (!functions.contains(function.name))
      continue;
    if (const auto field = function.descriptor.find(".amdhsa_group_segment_fixed_size");
        field != function.descriptor.end())
      lines.insert(field->second.line);
    const auto number = function.metadata.find(".group_segment_fixed_size");
    if (number == function.metadata.end())
      continue;
    uint32_t line = 1;
    while (line < module.lineCount() && module.lineBegin(line + 1) <= number->second.begin)
      ++line;
    lines.insert(line);
  }
  return lines;
}

/// The line without its number.
static std::string maskLdsSize(std::string text) {
  const size_t key = text.find(kLdsSize);
  if (key == std::string::npos)
    return text;
  const size_t begin = text.find_first_not_of(": ", key + kLdsSize.size());
  if (begin == std::string::npos)
    return text;
  const size_t end = text.find_first_not_of("0123456789", begin);
  return text.erase(begin, end == std::string::npos ? end : end - begin);
}

/// A kernel's required workgroups, which are compared as such.
static bool saysWorkgroup(std::string_view text) {
  return text.starts_with(".reqd_workgroup_size: [") && text.ends_with(']');
}

/// The functions of `narrowed` may require workgroups where they required none.
static std::optional<DocumentFault>
compareWorkgroups(const Module &before, const Module &after,
                  const std::set<std::string, std::less<>> &narrowed) {
  for (size_t f = 0; f < before.functions().size() && f < after.functions().size(); ++f) {
    const Function &was = before.functions()[f], &now = after.functions()[f];
    const bool isNarrowed = !was.requiredWorkgroupSize && narrowed.contains(was.name);
    if (was.requiredWorkgroupSize != now.requiredWorkgroupSize && !isNarrowed)
      return DocumentFault{
          now.line, fmt::format("'{}' requires other workgroups than the original's", now.name)};
  }
  return std::nullopt;
}

/// ".file 3 ...": where it stands says nothing, as long as LLVM knows the number when it is used.
static bool declaresFile(std::string_view text) {
  constexpr std::string_view word = ".file ";
  return text.starts_with(word) && text.find_first_not_of("0123456789", word.size()) > word.size();
}

/// Debug locations and unwind rows follow their instructions.
static bool movesWithInstructions(std::string_view text) {
  return text.starts_with(".loc ") || text.starts_with(".loc\t") || text.starts_with(".cfi_");
}

namespace {
/// Lines of invocations that may be written out. They stand for instructions, which are compared as
/// such, and for what they assign to symbols.
struct InvocationLines {
  std::vector<uint8_t> are;
  std::map<uint32_t, std::vector<std::string>> assignments; ///< By the first line.
};
} // namespace

static InvocationLines expandableLines(const Module &module) {
  InvocationLines result{std::vector<uint8_t>(module.lineCount() + 2, 0), {}};
  std::optional<Invocations> invocations;
  uint32_t last = 0;
  for (const Instruction &inst : module.instructions()) {
    if (inst.origin != Instruction::Origin::Macro || inst.line == last)
      continue;
    if (!invocations)
      invocations.emplace(module);
    last = inst.line;
    if (auto invocation = invocations->find(inst.line)) {
      for (uint32_t line = inst.line;
           line <= module.lineCount() && module.lineBegin(line) <= invocation->end; ++line)
        result.are[line] = 1;
      result.assignments[inst.line] = std::move(invocation->assignments);
    }
  }
  return result;
}

/// The text without block comments, instructions and what stands behind them, which is comments.
static std::string withoutInstructions(const Module &module) {
  std::string text = withoutBlockComments(module.text());
  for (const Instruction &inst : module.instructions())
    if (inst.origin == Instruction::Origin::Text)
      for (size_t i = inst.begin, end = endOfLine(module.text(), inst.end); i < end; ++i)
        if (text[i] != '\n')
          text[i] = ' ';
  return text;
}

static std::vector<Token> tokensOf(const Module &module,
                                   const std::set<std::string, std::less<>> &labels,
                                   const std::set<uint32_t> &resized) {
  std::vector<uint8_t> hasInstruction(module.lineCount() + 2, 0);
  for (const Instruction &inst : module.instructions())
    hasInstruction[inst.line] |= inst.origin == Instruction::Origin::Text;
  const InvocationLines invocations = expandableLines(module);
  const std::string plain = withoutInstructions(module);
  std::vector<Token> tokens, files;
  for (uint32_t line = 1; line <= module.lineCount(); ++line) {
    if (invocations.are[line]) {
      if (const auto some = invocations.assignments.find(line);
          some != invocations.assignments.end())
        for (const std::string &assignment : some->second)
          tokens.push_back({maskRegisterCount(assignment), line});
      continue;
    }
    std::string text = normalised(
        std::string_view(plain).substr(module.lineBegin(line), module.lineText(line).size()));
    // Leading labels, one token each.
    while (!text.empty()) {
      const size_t colon = text.find(':');
      if (colon == std::string::npos || colon + 1 == std::string::npos)
        break;
      const std::string_view name = std::string_view(text).substr(0, colon);
      const bool known = module.labelTarget(name).has_value();
      const bool isWord = !name.empty() && name.find_first_of(" ,()\"'") == std::string_view::npos;
      if (!isWord || (!known && !hasInstruction[line]))
        break;
      if (!known || labels.count(name))
        tokens.push_back({std::string(name) + ":", line});
      text.erase(0, colon + 1);
      while (!text.empty() && text.front() == ' ')
        text.erase(0, 1);
    }
    if (text.empty() || movesWithInstructions(text) || (!resized.empty() && saysWorkgroup(text)))
      continue;
    if (resized.contains(line))
      text = maskLdsSize(std::move(text));
    if (declaresFile(text))
      files.push_back({std::move(text), line});
    else
      tokens.push_back({maskRegisterCount(std::move(text)), line});
  }
  llvm::sort(files, [](const Token &a, const Token &b) { return a.text < b.text; });
  tokens.insert(tokens.end(), files.begin(), files.end());
  return tokens;
}

static std::string shortened(std::string text) {
  if (text.size() > 80)
    text.replace(77, std::string::npos, "...");
  return text;
}

std::optional<DocumentFault> compareDocuments(const Module &before, const Module &after,
                                              const std::set<std::string, std::less<>> &resized) {
  std::set<std::string, std::less<>> labels;
  for (const Label &label : before.labels())
    labels.insert(label.name);
  const auto old = tokensOf(before, labels, ldsLines(before, resized));
  const auto now = tokensOf(after, labels, ldsLines(after, resized));
  for (size_t i = 0; i < old.size() || i < now.size(); ++i) {
    if (i >= now.size())
      return DocumentFault{after.lineCount(),
                           fmt::format("'{}' of the original's line {} is missing",
                                       shortened(old[i].text), old[i].line)};
    if (i >= old.size())
      return DocumentFault{now[i].line,
                           fmt::format("'{}' is not in the original", shortened(now[i].text))};
    if (old[i].text != now[i].text)
      return DocumentFault{now[i].line,
                           fmt::format("'{}' stands where the original has '{}'",
                                       shortened(now[i].text), shortened(old[i].text))};
  }
  if (before.functions().size() != after.functions().size())
    return DocumentFault{1, "the number of functions differs"};
  if (auto fault = compareWorkgroups(before, after, resized))
    return fault;
  // Instructions that belong to no function.
  const auto loose = [](const Module &module) {
    std::vector<const Instruction *> result;
    size_t f = 0;
    for (const Instruction &inst : module.instructions()) {
      while (f < module.functions().size() && inst.index >= module.functions()[f].last)
        ++f;
      if (f == module.functions().size() || inst.index < module.functions()[f].first)
        result.push_back(&inst);
    }
    return result;
  };
  const auto oldLoose = loose(before), newLoose = loose(after);
  for (size_t i = 0; i < oldLoose.size() && i < newLoose.size(); ++i)
    if (before.instructionText(*oldLoose[i]) != after.instructionText(*newLoose[i]))
      return DocumentFault{newLoose[i]->line, "this instruction outside any function differs"};
  if (oldLoose.size() != newLoose.size())
    return DocumentFault{newLoose.empty() ? 1 : newLoose.back()->line,
                         "instructions outside any function were added or removed"};
  return std::nullopt;
}

unsigned vgprsNamed(const Module &module, const Function &function) {
  unsigned count = 0;
  for (uint32_t i = function.first; i < function.last; ++i)
    for (const RegAccess &access : module.instructions()[i].accesses)
      if (access.reg.first.isVgpr())
        count = std::max<unsigned>(count, access.reg.first.index + access.reg.dwords);
  return count;
}

static bool isCall(const Instruction &inst) {
  return inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64;
}

static bool hasAny(const Module &module, const Function &function,
                   bool (*isIt)(const Instruction &)) {
  for (uint32_t i = function.first; i < function.last; ++i)
    if (isIt(module.instructions()[i]))
      return true;
  return false;
}

std::optional<DocumentFault> compareRegisterCounts(const Module &before, const Module &after,
                                                   uint32_t f) {
  const Function &function = after.functions()[f], &old = before.functions()[f];
  const std::string_view sgprs = ".amdhsa_next_free_sgpr";
  if (const auto declared = function.descriptor.find(sgprs);
      declared != function.descriptor.end() &&
      function.descriptorValue(sgprs, 0) < old.descriptorValue(sgprs, 0))
    return DocumentFault{declared->second.line, "fewer SGPRs are declared than in the original"};
  const auto field = function.descriptor.find(".amdhsa_next_free_vgpr");
  if (!function.isKernel() || field == function.descriptor.end())
    return std::nullopt;
  if (!field->second.value)
    return DocumentFault{field->second.line, "the number of VGPRs cannot be evaluated"};
  const int64_t now = *field->second.value;
  const unsigned named = vgprsNamed(after, function);
  if (now < named)
    return DocumentFault{field->second.line,
                         fmt::format("{} VGPRs are declared, but the code of '{}' uses {}", now,
                                     function.name, named)};
  const int64_t was = old.descriptorValue(".amdhsa_next_free_vgpr", 0);
  if (hasAny(after, function, isRelative) && now != was)
    return DocumentFault{field->second.line,
                         fmt::format("{} VGPRs are declared instead of {}, but in '{}' M0 chooses "
                                     "registers, and which there are decides what it chooses",
                                     now, was, function.name)};
  if (hasAny(after, function, isCall) && now < was)
    return DocumentFault{field->second.line,
                         fmt::format("{} VGPRs are declared instead of {}, but '{}' calls "
                                     "functions that may need them",
                                     now, was, function.name)};
  return std::nullopt;
}

} // namespace rdna::verify
