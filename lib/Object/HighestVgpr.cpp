#include "Object/CodeObject.h"
#include "Object/McTables.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"

#include <algorithm>
#include <cstring>

namespace rdna::object {

/// LLVM 22 crashes instead of failing on a scalar destination outside the SGPR file where it must
/// build an SGPR tuple or constant: v_readfirstlane_b32 in VOP1 (bits 31:25 and 16:9), destination
/// 128 and up.
static bool crashesDisassembler(uint32_t word) {
  return (word & 0xfe01fe00u) == 0x7e000400u && (word >> 17 & 0xffu) >= 128;
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
  const uint64_t end =
      std::min<uint64_t>(kernel.entryAddress + kernel.codeBytes, object.image.size());
  for (uint64_t at = kernel.entryAddress; at + 4 <= end;) {
    uint32_t word = 0;
    std::memcpy(&word, object.image.data() + at, 4);
    llvm::MCInst inst;
    uint64_t size = 0;
    const llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(object.image.data()) + at,
                                        end - at);
    // Data between instructions does not decode; step over it word by word.
    if (crashesDisassembler(word) ||
        disassembler->getInstruction(inst, size, bytes, at, llvm::nulls()) !=
            llvm::MCDisassembler::Success ||
        size == 0) {
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
