#include "Asm/Decode.h"

#include "Asm/Builder.h"
#include "Support/DisassemblyInput.h"

#include "llvm/MC/MCDisassembler/MCDisassembler.h"

namespace rdna {

struct InstructionDecoder::State {
  llvm::MCContext context{McTarget::get().triple(), &McTarget::get().asmInfo(),
                          &McTarget::get().registers(), &McTarget::get().subtarget()};
  std::unique_ptr<const llvm::MCDisassembler> disassembler{
      McTarget::get().target().createMCDisassembler(McTarget::get().subtarget(), context)};
  ParseState parsed; ///< Code has no symbols; describeInstruction only wants the room for them.
};

InstructionDecoder::InstructionDecoder() : state_(std::make_unique<State>()) {}
InstructionDecoder::~InstructionDecoder() = default;

std::optional<Instruction> InstructionDecoder::decode(std::span<const std::byte> code) {
  llvm::MCInst mc;
  uint64_t size = 0;
  const DisassemblyInput input(code);
  if (state_->disassembler->getInstruction(mc, size, input.bytes(), 0, llvm::nulls()) !=
          llvm::MCDisassembler::Success ||
      !input.holds(size))
    return std::nullopt;
  // LLVM 22 decodes the accumulator of a VOPD's Y half without the destination's lowest bit.
  const llvm::MCInstrDesc &desc = McTarget::get().instructions().get(mc.getOpcode());
  for (unsigned i = desc.getNumDefs(); i < mc.getNumOperands() && i < desc.getNumOperands(); ++i)
    if (const int def = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO); def >= 0)
      mc.getOperand(i).setReg(mc.getOperand(unsigned(def)).getReg());
  Instruction inst;
  describeInstruction(mc, state_->parsed, inst);
  inst.sizeBytes = static_cast<uint32_t>(size);
  return inst;
}

} // namespace rdna
