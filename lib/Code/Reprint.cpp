#include "Code/Reprint.h"

#include "Asm/ParsedModule.h"
#include "Code/Edit.h"

#include <algorithm>
#include <set>

namespace rdna {

static std::string_view opcodeWord(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

std::string printed(const Module &module, const Instruction &inst) {
  return McTarget::get().print(module.parsed().insts[inst.index]);
}

static std::optional<TextEdit> editOf(const Module &module, const Instruction &inst) {
  if (inst.origin != Instruction::Origin::Text)
    return std::nullopt;
  const bool symbolic =
      std::any_of(inst.operands.begin(), inst.operands.end(),
                  [](const Operand &operand) { return operand.kind == Operand::Kind::Expression; });
  const std::string text = printed(module, inst);
  if (!symbolic)
    return TextEdit{inst.begin, inst.end, Code::text(text)};
  // A VOPD has a second mnemonic among its operands.
  if (inst.isVopd())
    return std::nullopt;
  const std::string_view old = module.instructionText(inst);
  const auto end = inst.begin + static_cast<uint32_t>(opcodeWord(old).size());
  return TextEdit{inst.begin, end, Code::text(opcodeWord(text))};
}

/// Symbols are the same because they are not printed anew.
static bool isSame(const llvm::MCInst &a, const llvm::MCInst &b) {
  if (a.getOpcode() != b.getOpcode() || a.getNumOperands() != b.getNumOperands())
    return false;
  for (unsigned i = 0; i < a.getNumOperands(); ++i) {
    const llvm::MCOperand &x = a.getOperand(i), &y = b.getOperand(i);
    const bool same = x.isReg()   ? y.isReg() && x.getReg() == y.getReg()
                      : x.isImm() ? y.isImm() && x.getImm() == y.getImm()
                                  : !y.isReg() && !y.isImm();
    if (!same)
      return false;
  }
  return true;
}

/// The instructions whose printed form is not the same instruction: LLVM's printer loses bits of
/// some (v_nop_e64 is printed as v_nop, a swizzle of all ones without its offset).
static std::set<uint32_t> badlyPrinted(const Module &module, const std::string &text) {
  std::set<uint32_t> bad;
  auto again = Module::parse(text, module.file());
  if (!again) {
    // Lines stay where they are, so an error's line says whose text is no instruction.
    std::set<uint32_t> lines;
    llvm::handleAllErrors(again.takeError(), [&](const InputError &error) {
      for (const Diagnostic &diagnostic : error.diagnostics())
        lines.insert(diagnostic.line);
    });
    for (const Instruction &inst : module.instructions())
      if (lines.contains(inst.line))
        bad.insert(inst.index);
    return bad;
  }
  const auto &was = module.parsed().insts, &now = (*again)->parsed().insts;
  for (uint32_t i = 0; i < was.size() && i < now.size(); ++i)
    if (!isSame(was[i], now[i]))
      bad.insert(i);
  return bad;
}

std::string reprint(const Module &module) {
  std::set<uint32_t> kept;
  while (true) {
    std::vector<TextEdit> edits;
    for (const Instruction &inst : module.instructions())
      if (auto edit = editOf(module, inst); edit && !kept.contains(inst.index))
        edits.push_back(std::move(*edit));
    std::string text = applyEdits(module, std::move(edits));
    const size_t before = kept.size();
    kept.merge(badlyPrinted(module, text));
    if (kept.size() == before)
      return text;
  }
}

} // namespace rdna
