//===- Print.h - text of changed and new instructions, by LLVM's printer --===//
#pragma once

#include "Asm/Lane.h"
#include "Asm/Module.h"

#include <functional>
#include <optional>
#include <string>

namespace rdna {

/// New register of one dword of an operand. Asked once for each dword of each VGPR operand.
using RenameFn = std::function<Vgpr(const Operand &operand, int operandIndex, Vgpr old)>;

/// The instruction with its VGPRs renamed; nothing if a tuple is not contiguous afterwards. The
/// text is the original one when nothing changes. Tied sources must be renamed as their Def.
std::optional<std::string> printRenamed(const Module &module, const Instruction &inst,
                                        const RenameFn &rename);

/// A VOPD instruction of two legal halves.
std::string printVopd(const VopdHalf &x, const VopdHalf &y);
/// A single VALU instruction: VOP1/VOP2 where the operands fit, else VOP3.
std::string printLane(const LaneOp &op);
std::string printMove(Vgpr dst, Vgpr src);
std::string printMoveConstant(Vgpr dst, uint32_t bits);
std::string printSwap(Vgpr a, Vgpr b);

/// ds_load_b32/b64/b96/b128 of `dwords` registers: text of one narrower load.
std::string printDsLoad(Vgpr dst, unsigned dwords, Vgpr address, unsigned offset);

/// `s_waitcnt` with the counts that are given.
struct WaitCounts {
  std::optional<unsigned> vm, lgkm, exp;
  bool operator==(const WaitCounts &) const = default;
  bool any() const { return vm || lgkm || exp; }
};
std::string printWait(const WaitCounts &counts);
/// Decodes s_waitcnt's immediate (facts sheet 2.1).
WaitCounts decodeWait(uint16_t simm16);

} // namespace rdna
