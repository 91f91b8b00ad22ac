#include "Object/CodeObject.h"
#include "Object/McTables.h"
#include "Support/DisassemblyInput.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"

#include <algorithm>
#include <span>

namespace rdna::object {

/// Behind the last instruction. Code whose symbol has no size ends at the next kernel, or with its
/// segment.
static uint64_t endOfCode(const CodeObject &object, const Kernel &kernel) {
  if (kernel.codeBytes != 0)
    return kernel.entryAddress + kernel.codeBytes;
  uint64_t end = object.image.size();
  for (const CodeObject::Segment &segment : object.segments)
    if (kernel.entryAddress - segment.address < segment.bytes)
      end = std::min(end, segment.address + segment.bytes);
  for (const Kernel &other : object.kernels)
    if (other.entryAddress > kernel.entryAddress)
      end = std::min(end, other.entryAddress);
  return end;
}

unsigned vgprsUsed(const CodeObject &object, const Kernel &kernel) {
  llvm::Expected<McTables> tables = createMcTables();
  if (!tables) {
    llvm::consumeError(tables.takeError());
    return 0;
  }
  llvm::MCContext context(tables->triple, tables->asmInfo.get(), tables->registers.get(),
                          tables->subtarget.get());
  std::unique_ptr<llvm::MCDisassembler> disassembler(
      tables->target->createMCDisassembler(*tables->subtarget, context));
  const llvm::MCRegisterInfo &registers = *tables->registers;
  unsigned used = 0;
  const uint64_t end = std::min<uint64_t>(endOfCode(object, kernel), object.image.size());
  for (uint64_t at = kernel.entryAddress; at + 4 <= end;) {
    llvm::MCInst inst;
    uint64_t size = 0;
    const DisassemblyInput input(std::span(object.image).subspan(at, end - at));
    // Data between instructions does not decode; step over it word by word.
    if (disassembler->getInstruction(inst, size, input.bytes(), at, llvm::nulls()) !=
            llvm::MCDisassembler::Success ||
        !input.holds(size)) {
      at += 4;
      continue;
    }
    at += size;
    for (const llvm::MCOperand &operand : inst) {
      if (!operand.isReg() || !operand.getReg())
        continue;
      // Encoding: bits 9:0 number, bit 10 VGPR; a tuple has the number of its first register and
      // two register units per dword (16-bit halves one).
      const unsigned encoding = registers.getEncodingValue(operand.getReg());
      if ((encoding & 0x400u) == 0)
        continue;
      const auto units = registers.regunits(operand.getReg());
      const auto count = static_cast<unsigned>(std::distance(units.begin(), units.end()));
      used = std::max(used, (encoding & 0x3ffu) + std::max(1u, count / 2));
    }
  }
  return used;
}

} // namespace rdna::object
