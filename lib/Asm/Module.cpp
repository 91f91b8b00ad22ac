#include "Asm/Module.h"

#include "Asm/ParsedModule.h"

namespace rdna {

Module::~Module() = default;

int64_t Function::descriptorValue(std::string_view field, int64_t fallback) const {
  const auto it = descriptor.find(field);
  return it == descriptor.end() || !it->second.value ? fallback : *it->second.value;
}

uint32_t Module::lineBegin(uint32_t line) const {
  return line - 1 < lines_.size() ? lines_[line - 1] : static_cast<uint32_t>(text_.size());
}

std::string_view Module::lineText(uint32_t line) const {
  const uint32_t begin = lineBegin(line), end = lineBegin(line + 1);
  std::string_view text = std::string_view(text_).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::string_view Module::instructionText(const Instruction &inst) const {
  return std::string_view(text_).substr(inst.begin, inst.end - inst.begin);
}

Diagnostic Module::at(const Instruction &inst, std::string_view message, Severity severity) const {
  Diagnostic diagnostic = atLine(inst.line, message, severity);
  diagnostic.column = inst.column;
  return diagnostic;
}

Diagnostic Module::atLine(uint32_t line, std::string_view message, Severity severity) const {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.file = file_;
  diagnostic.line = line;
  diagnostic.column = 1;
  diagnostic.message = std::string(message);
  diagnostic.sourceLine = std::string(lineText(line));
  return diagnostic;
}

/// A label as it is called: LLVM prints what is no word in quotes.
static std::string_view unquoted(std::string_view symbol) {
  const bool isQuoted = symbol.size() > 2 && symbol.front() == '"' &&
                        symbol.find_first_of("\"\\", 1) == symbol.size() - 1;
  return isQuoted ? symbol.substr(1, symbol.size() - 2) : symbol;
}

std::string_view Module::branchTarget(const Instruction &inst) const {
  if (inst.unit != Unit::Branch)
    return {};
  if (inst.longBranch != 0) {
    // The instruction behind s_getpc_b64 names it, alone or as (target-anchor)&...
    const Instruction &add = instructions_[inst.index - inst.longBranch + 1];
    for (const Operand &operand : add.operands)
      if (operand.kind == Operand::Kind::Expression)
        return operand.symbol.starts_with("(")
                   ? operand.symbol.substr(1, operand.symbol.find('-') - 1)
                   : operand.symbol;
  }
  for (const Operand &operand : inst.operands)
    if (operand.kind == Operand::Kind::Expression)
      return unquoted(operand.symbol);
  return {};
}

std::optional<uint32_t> Module::labelTarget(std::string_view name) const {
  const auto it = labelIndex_.find(name);
  return it == labelIndex_.end() ? std::nullopt : std::optional(it->second);
}

std::string_view clauseKind(const Instruction &inst) {
  const bool load = inst.memory == MemoryEffect::Load, store = inst.memory == MemoryEffect::Store;
  switch (inst.unit) {
  case Unit::Valu:
  case Unit::Trans:
    return "VALU";
  case Unit::Smem:
    return "SMEM";
  case Unit::Lds:
    return "LDS";
  case Unit::Flat:
    return "FLAT";
  case Unit::Image:
    return "image";
  case Unit::Global:
  case Unit::Scratch:
  case Unit::Buffer:
    return load ? "vector memory load" : store ? "vector memory store" : "vector memory atomic";
  default:
    return {};
  }
}

} // namespace rdna
