#include "Asm/Reprint.h"

#include "Asm/Edit.h"
#include "Asm/ParsedModule.h"

#include <algorithm>

namespace rdna {

static std::string_view firstWord(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

std::string reprint(const Module &module) {
  const McTarget &target = McTarget::get();
  std::vector<TextEdit> edits;
  for (const Instruction &inst : module.instructions()) {
    if (inst.origin != Instruction::Origin::Text)
      continue;
    const bool symbolic =
        std::any_of(inst.operands.begin(), inst.operands.end(), [](const Operand &operand) {
          return operand.kind == Operand::Kind::Expression;
        });
    const std::string printed = target.print(module.parsed().insts[inst.index]);
    TextEdit edit{inst.begin, inst.end, printed};
    if (symbolic) {
      // A VOPD has a second mnemonic among its operands.
      if (inst.isVopd())
        continue;
      const std::string_view old = module.instructionText(inst);
      edit.end = inst.begin + static_cast<uint32_t>(firstWord(old).size());
      edit.replacement = std::string(firstWord(printed));
    }
    edits.push_back(std::move(edit));
  }
  return applyEdits(module, std::move(edits));
}

} // namespace rdna
