// Is a derived module what the parser makes of its text?

#include "Asm/ParsedModule.h"
#include "Code/Derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace rdna {
namespace {

/// How wide the numbers are that an instruction takes.
enum class Literals { Of32Bits, Wider };

Literals literalsOf(const Instruction &inst) {
  const bool isWide = std::any_of(inst.operands.begin(), inst.operands.end(),
                                  [](const Operand &o) { return o.isReg() && o.reg.dwords > 1; });
  return isWide ? Literals::Wider : Literals::Of32Bits;
}

/// LLVM prints -128 as 0xffffff80 where it has 32 bits, and reads that as a positive number.
bool areSame(int64_t a, int64_t b, Literals literals) {
  return a == b || (literals == Literals::Of32Bits && (a < 0) != (b < 0) &&
                    static_cast<uint32_t>(a) == static_cast<uint32_t>(b));
}

bool isSame(const Operand &a, const Operand &b, Literals literals) {
  return std::tie(a.kind, a.cls, a.name, a.special, a.tiedTo, a.reg, a.symbol) ==
             std::tie(b.kind, b.cls, b.name, b.special, b.tiedTo, b.reg, b.symbol) &&
         areSame(a.imm, b.imm, literals);
}

bool isSame(const RegAccess &a, const RegAccess &b) {
  return std::tie(a.reg, a.access, a.operand) == std::tie(b.reg, b.access, b.operand);
}

template <typename List, typename... More>
bool areAllSame(const List &a, const List &b, More... more) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const auto &x, const auto &y) { return isSame(x, y, more...); });
}

bool isSame(const Instruction &a, const Instruction &b) {
  const auto key = [](const Instruction &i) {
    return std::tie(i.op, i.opY, i.unit, i.memory, i.index, i.line, i.column, i.begin, i.end,
                    i.sizeBytes, i.section, i.origin, i.bufferAddress);
  };
  return key(a) == key(b) && areAllSame(a.operands, b.operands, literalsOf(a)) &&
         areAllSame(a.accesses, b.accesses);
}

/// LLVM's own view, which says more than ours: the encoding, and the bits of every modifier.
bool isSame(const llvm::MCInst &a, const llvm::MCInst &b, Literals literals) {
  if (a.getOpcode() != b.getOpcode() || a.getNumOperands() != b.getNumOperands())
    return false;
  for (unsigned i = 0; i < a.getNumOperands(); ++i) {
    const llvm::MCOperand &x = a.getOperand(i), &y = b.getOperand(i);
    if (x.isReg() != y.isReg() || x.isImm() != y.isImm() ||
        (x.isReg() && x.getReg() != y.getReg()) ||
        (x.isImm() && !areSame(x.getImm(), y.getImm(), literals)))
      return false;
  }
  return true;
}

bool isSame(const Label &a, const Label &b) {
  return std::tie(a.name, a.instruction, a.line, a.isTaken, a.begin) ==
         std::tie(b.name, b.instruction, b.line, b.isTaken, b.begin);
}

std::string differenceOf(const Function &a, const Function &b) {
  const auto key = [](const Function &f) {
    return std::tie(f.name, f.first, f.last, f.line, f.kind, f.entry, f.enteredAt,
                    f.requiredWorkgroupSize);
  };
  if (key(a) != key(b))
    return "is another function";
  if (a.descriptor.size() != b.descriptor.size() || a.metadata.size() != b.metadata.size())
    return "has another descriptor";
  for (const auto &[name, field] : a.descriptor) {
    const auto other = b.descriptor.find(name);
    if (other == b.descriptor.end() || field.begin != other->second.begin ||
        field.value != other->second.value || field.line != other->second.line ||
        field.valueText != other->second.valueText)
      return "has another " + name;
  }
  for (const auto &[name, number] : a.metadata) {
    const auto other = b.metadata.find(name);
    if (other == b.metadata.end() || number.begin != other->second.begin ||
        number.end != other->second.end || number.value != other->second.value)
      return "has another " + name;
  }
  return {};
}

} // namespace

std::string firstDifference(const Module &derived, const Module &parsed) {
  if (derived.text() != parsed.text())
    return "the texts differ";
  const auto &a = derived.instructions(), &b = parsed.instructions();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (!isSame(a[i], b[i]) ||
        !isSame(derived.parsed().insts[i], parsed.parsed().insts[i], literalsOf(a[i])))
      return fmt::format("line {}: '{}' is another instruction than line {}: '{}'", a[i].line,
                         derived.instructionText(a[i]), b[i].line, parsed.instructionText(b[i]));
  if (a.size() != b.size())
    return fmt::format("{} instructions, and {} when they are read", a.size(), b.size());
  if (derived.labels().size() != parsed.labels().size())
    return fmt::format("{} labels, and {} when they are read", derived.labels().size(),
                       parsed.labels().size());
  for (size_t i = 0; i < derived.labels().size(); ++i)
    if (!isSame(derived.labels()[i], parsed.labels()[i]))
      return fmt::format("line {}: the label {} differs", derived.labels()[i].line,
                         derived.labels()[i].name);
  if (derived.functions().size() != parsed.functions().size())
    return "there are other functions";
  for (size_t i = 0; i < derived.functions().size(); ++i)
    if (std::string what = differenceOf(derived.functions()[i], parsed.functions()[i]);
        !what.empty())
      return fmt::format("line {}: '{}' {}", derived.functions()[i].line,
                         derived.functions()[i].name, what);
  return {};
}

llvm::Error confirm(const Module &derived) {
  auto parsed = Module::parse(std::string(derived.text()), derived.file());
  if (!parsed)
    return parsed.takeError();
  const std::string difference = firstDifference(derived, **parsed);
  if (difference.empty())
    return llvm::Error::success();
  return makeError(Failure::Refused, derived.file(),
                   "the printed text is not what was proven: " + difference);
}

} // namespace rdna
