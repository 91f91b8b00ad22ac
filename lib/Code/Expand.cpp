#include "Code/Expand.h"

#include "Asm/ParsedModule.h"
#include "Code/Edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace rdna {

static std::string_view statementOf(std::string_view line) {
  line = line.substr(0, std::min(line.find(';'), line.find("//")));
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())))
    line.remove_prefix(1);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())))
    line.remove_suffix(1);
  return line;
}

static std::string_view firstWord(std::string_view statement) {
  return statement.substr(0, statement.find_first_of(" \t,"));
}

static bool isRepeat(std::string_view word) {
  return word == ".rept" || word == ".rep" || word == ".irp" || word == ".irpc";
}

/// ".set i, i + 1" and "i = i + 1".
static bool isAssignment(std::string_view statement) {
  const std::string_view word = firstWord(statement);
  if (word == ".set" || word == ".equ")
    return true;
  const size_t equals = statement.find('=');
  const auto isOfName = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '$' || std::isspace(c);
  };
  return equals != std::string_view::npos && statement.substr(equals, 2) != "==" &&
         std::all_of(statement.begin(), statement.begin() + static_cast<std::ptrdiff_t>(equals),
                     isOfName);
}

/// May a line of a macro's body be dropped once its instructions are written out, and what it has
/// assigned? Conditions and nested repetitions may; labels, data and other definitions may not.
static bool leavesNothingBehind(std::string_view statement) {
  const std::string_view word = firstWord(statement);
  if (statement.empty() || isAssignment(statement))
    return true;
  if (word.ends_with(":") || statement.find("\\@") != std::string_view::npos)
    return false;
  if (!word.starts_with("."))
    return true; // an instruction or another macro
  static const std::set<std::string_view> kHarmless{".rept", ".rep",    ".irp",   ".irpc", ".endr",
                                                    ".else", ".elseif", ".endif", ".exitm"};
  return kHarmless.count(word) != 0 || word.starts_with(".if");
}

/// Macros of the file by name; false if their body does more than make instructions.
struct MacroBodies : std::map<std::string, bool, std::less<>> {};

static MacroBodies readMacros(const Module &module) {
  MacroBodies bodies;
  std::string open;
  for (uint32_t line = 1; line <= module.lineCount(); ++line) {
    const std::string_view statement = statementOf(module.lineText(line));
    const std::string_view word = firstWord(statement);
    if (word == ".macro" && open.empty()) {
      open = std::string(firstWord(statementOf(statement.substr(word.size()))));
      bodies[open] = true;
    } else if (word == ".endm" || word == ".endmacro") {
      open.clear();
    } else if (!open.empty()) {
      bodies[open] &= leavesNothingBehind(statement) && word != ".macro";
    }
  }
  return bodies;
}

/// Last line of the invocation that starts on `line`, or 0 if it must stay.
static uint32_t lastLineOf(const Module &module, const MacroBodies &macros, uint32_t line) {
  const std::string_view statement = statementOf(module.lineText(line));
  const std::string_view word = firstWord(statement);
  const auto isExpandable = [&](std::string_view text) {
    const auto macro = macros.find(firstWord(text));
    return leavesNothingBehind(text) && (macro == macros.end() || macro->second);
  };
  if (!isRepeat(word))
    return macros.count(word) != 0 && isExpandable(statement) ? line : 0;
  unsigned depth = 1;
  for (uint32_t at = line + 1; at <= module.lineCount(); ++at) {
    const std::string_view inner = statementOf(module.lineText(at));
    if (!isExpandable(inner))
      return 0;
    if (isRepeat(firstWord(inner)))
      ++depth;
    if (firstWord(inner) == ".endr" && --depth == 0)
      return at;
  }
  return 0;
}

/// Every symbol that an invocation gives a value, with the last one; nothing if one is no number,
/// or has a name that would need quotes.
static std::optional<std::vector<std::string>> assignmentsIn(const Module &module, uint32_t begin,
                                                             uint32_t end) {
  const auto &all = module.parsed().assignments;
  std::vector<std::pair<std::string_view, int64_t>> last;
  for (auto it = std::lower_bound(all.begin(), all.end(), begin,
                                  [](const Assignment &a, uint32_t at) { return a.begin < at; });
       it != all.end() && it->begin < end; ++it) {
    const bool isPlain = std::all_of(it->symbol.begin(), it->symbol.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '_' || c == '.' || c == '$';
    });
    if (!it->value || !isPlain)
      return std::nullopt;
    const auto known = std::find_if(last.begin(), last.end(),
                                    [&](const auto &entry) { return entry.first == it->symbol; });
    if (known == last.end())
      last.emplace_back(it->symbol, *it->value);
    else
      known->second = *it->value;
  }
  std::vector<std::string> directives;
  for (const auto &[symbol, value] : last)
    directives.push_back(fmt::format(".set {}, {}", symbol, value));
  return directives;
}

Invocations::Invocations(const Module &module) : module_(module) {}
Invocations::~Invocations() = default;

std::optional<Invocation> Invocations::find(uint32_t line) const {
  if (!macros_)
    macros_ = std::make_unique<MacroBodies>(readMacros(module_));
  const uint32_t last = lastLineOf(module_, *macros_, line);
  if (last == 0)
    return std::nullopt;
  const uint32_t begin = module_.lineBegin(line);
  const uint32_t end =
      module_.lineBegin(last) + static_cast<uint32_t>(module_.lineText(last).size());
  const auto label = std::lower_bound(module_.labels().begin(), module_.labels().end(), begin,
                                      [](const Label &l, uint32_t at) { return l.begin < at; });
  if (label != module_.labels().end() && label->begin < end)
    return std::nullopt;
  auto assignments = assignmentsIn(module_, begin, end);
  if (!assignments)
    return std::nullopt;
  return Invocation{begin, end, std::move(*assignments)};
}

llvm::Expected<std::string> expandMacros(const Module &module) {
  const McTarget &target = McTarget::get();
  const Invocations invocations(module);
  const std::string newline(lineEnding(module));
  const auto &insts = module.instructions();
  const auto isMacro = [](const Instruction &inst) {
    return inst.origin == Instruction::Origin::Macro;
  };
  const auto namesSymbol = [](const Instruction &inst) {
    return std::any_of(inst.operands.begin(), inst.operands.end(), [](const Operand &operand) {
      return operand.kind == Operand::Kind::Expression;
    });
  };
  std::vector<TextEdit> edits;
  for (size_t i = 0, end; i < insts.size(); i = end) {
    end = i + 1;
    if (!isMacro(insts[i]))
      continue;
    while (end < insts.size() && isMacro(insts[end]) && insts[end].line == insts[i].line)
      ++end;
    const auto invocation = invocations.find(insts[i].line);
    if (!invocation || std::any_of(insts.begin() + i, insts.begin() + end, namesSymbol))
      continue;
    std::vector<std::string> lines;
    for (size_t n = i; n < end; ++n)
      lines.push_back(target.print(module.parsed().insts[n]));
    lines.insert(lines.end(), invocation->assignments.begin(), invocation->assignments.end());
    edits.push_back({invocation->begin, invocation->end,
                     Code::text("\t" + fmt::format("{}", fmt::join(lines, newline + "\t")))});
  }
  std::string text = applyEdits(module, std::move(edits));
  auto again = Module::parse(text, module.file());
  if (!again)
    return again.takeError();
  const auto &fresh = (*again)->instructions();
  bool same = fresh.size() == insts.size() && (*again)->labels().size() == module.labels().size();
  for (size_t i = 0; same && i < insts.size(); ++i)
    same = fresh[i].op == insts[i].op && fresh[i].sizeBytes == insts[i].sizeBytes &&
           target.print((*again)->parsed().insts[i]) == target.print(module.parsed().insts[i]);
  if (!same)
    return makeError(Failure::Refused, module.file(),
                     "--expand-macros: the expanded text would not be the same code");
  return text;
}

} // namespace rdna
