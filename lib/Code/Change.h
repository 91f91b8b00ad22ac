//===- Change.h - instructions that are there, with other operands ---------===//
#pragma once

#include "Asm/Module.h"
#include "Code/Code.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <optional>

namespace rdna {

/// New register of one dword of an operand. Asked once for each dword of each VGPR operand.
using RenameFn = std::function<Vgpr(const Operand &operand, int operandIndex, Vgpr old)>;

/// The instruction with its VGPRs renamed; nothing if a tuple is not contiguous afterwards. What is
/// not renamed at all keeps its spelling. Tied sources must be renamed as their Def.
std::optional<Code> renamed(const Module &module, const Instruction &inst, const RenameFn &rename);

/// New register of one dword of an SGPR or VGPR operand; the same kind.
using RenameUnitFn = llvm::function_ref<RegUnit(const Operand &operand, RegUnit old)>;

/// The same for all registers that are written out: VCC and the like stay where they are implied.
std::optional<Inst> renamedUnits(const Module &module, const Instruction &inst,
                                 RenameUnitFn rename);

/// The instruction as LLVM writes it: for one that a macro makes, whose own text is the macro's.
Inst written(const Module &module, const Instruction &inst);

/// A global access with another address: a VGPR's 32 bits, an SGPR pair by its first register,
/// bytes. Nothing if LLVM has no such form of it.
std::optional<Inst> withGlobalAddress(const Module &module, const Instruction &inst, unsigned vgpr,
                                      unsigned pair, int64_t offset);
/// With other numbers: an LDS access's or a scalar load's offsets, by index of the operand.
struct NewValue {
  unsigned operand;
  int64_t value;
};
std::optional<Inst> withValues(const Module &module, const Instruction &inst,
                               llvm::ArrayRef<NewValue> values, const RenameFn &rename);
/// A branch with the same or another condition, to a label.
Inst redirected(const Instruction &branch, std::string_view label);

} // namespace rdna
