//===- Build.h - new instructions -------------------------------------------===//
//
// No text is put together anywhere: operands are values, LLVM's tables say where they go, and
// LLVM's printer writes them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Lane.h"
#include "Code/Inst.h"
#include "Isa/Op.h"
#include "Isa/Register.h"
#include "Isa/WaitCounts.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace rdna {

/// A register or a number.
struct Arg {
  std::variant<RegRange, int64_t> value;
  Arg(RegRange range) : value(range) {}
  Arg(RegUnit unit) : value(RegRange{unit, 1, Half::Whole}) {}
  Arg(Vgpr v) : Arg(RegUnit::vgpr(v.number)) {}
};
inline Arg sgpr(unsigned number) { return RegUnit::scalar(number); }
inline Arg sgprPair(unsigned first) { return RegRange{RegUnit::scalar(first), 2, Half::Whole}; }
inline Arg vgpr(unsigned number) { return RegUnit::vgpr(number); }
/// 32 bits, signed or not: LLVM prints the shortest form.
Arg imm(int64_t bits);

/// An instruction in its shortest form, values in the order in which they are written; modifiers
/// and what else it can have are off. Asserts that LLVM has such an instruction and that the
/// operands are as many as it takes: what passes build is fixed, and a unit test builds all of it.
Inst build(Op op, llvm::ArrayRef<Arg> values = {});
/// S_BRANCH and its conditional relatives.
Inst buildBranch(Op op, std::string_view label);

/// A VOPD instruction of two legal halves.
Inst buildVopd(const VopdHalf &x, const VopdHalf &y);
/// A single VALU instruction: VOP1/VOP2 where the operands fit, else VOP3.
Inst buildLane(const LaneOp &op);
Inst buildMove(Vgpr dst, Vgpr src);
Inst buildMoveConstant(Vgpr dst, uint32_t bits);
Inst buildSwap(Vgpr a, Vgpr b);
/// ds_load_b32/b64/b96/b128 of `dwords` registers.
Inst buildDsLoad(Vgpr dst, unsigned dwords, Vgpr address, unsigned offset);
/// An LDS store to two addresses, `offset0` and `offset1` in units of the data's size, or of 64
/// times that.
enum class Stride : uint8_t { One, SixtyFour };
Inst buildDsStore2(RegUnit address, RegRange first, RegRange second, unsigned offset0,
                   unsigned offset1, Stride stride);
Inst buildWait(const WaitCounts &counts);
/// Waits until the VALU pipeline is empty: S_WAITCNT_DEPCTR va_vdst(0), all other fields open.
Inst buildVaVdstWait();
/// An LDS store of 1, 2 or 4 registers.
Inst buildDsStore(Vgpr address, Vgpr data, unsigned dwords, unsigned offset);
/// Two dwords of LDS into neighbouring registers; offsets as buildDsStore2's.
Inst buildDsLoad2(Vgpr dst, Vgpr address, unsigned offset0, unsigned offset1, Stride stride);
/// A raw buffer access of 1, 2 or 4 registers at base + `offset` + `bytes` (at most 4095) + the
/// SGPR `scalarOffset`; `resource` is the first of its SGPRs.
Inst buildBufferLoad(Vgpr dst, unsigned dwords, Vgpr offset, unsigned resource, unsigned bytes,
                     std::optional<unsigned> scalarOffset = {});
Inst buildBufferStore(Vgpr data, unsigned dwords, Vgpr offset, unsigned resource, unsigned bytes,
                      std::optional<unsigned> scalarOffset = {});
/// s_load_b32 to b512 into `dwords` SGPRs from `first` on, at the pair `base` plus `bytes`.
Inst buildScalarLoad(unsigned first, unsigned dwords, unsigned base, int64_t bytes);
/// S_CLAUSE over so many instructions, 2 to 63.
Inst buildClause(unsigned members);

} // namespace rdna
