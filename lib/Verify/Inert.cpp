#include "Verify/Inert.h"

#include "Asm/Effects.h"
#include "Isa/OpTraits.h"
#include "Verify/Opaque.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace rdna::verify {
namespace {

using Units = std::bitset<kRegUnits>;

/// EXEC is zero; `zero` are scalar registers that are zero with it.
class ZeroExec {
public:
  /// Is EXEC zero behind it, too? A wave without lanes executes it.
  bool execute(const Instruction &inst) {
    if (inst.writesUnit(kExecLo) && !keepsZero(inst))
      return false;
    const bool isCopy = inst.op == Op::s_and_saveexec_b32 || isCopyOfZero(inst);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        zero_[access.reg.first.index + d] =
            isCopy && access.operand == 0 && access.reg.dwords == 1 && !access.reg.first.isVgpr();
    return true;
  }

private:
  bool isZero(const Operand &operand) const {
    return operand.isReg() && operand.reg.dwords == 1 &&
           (operand.reg.first == kExecLo || zero_.test(operand.reg.first.index));
  }
  bool isCopyOfZero(const Instruction &inst) const {
    return inst.op == Op::s_mov_b32 && inst.operands.size() > 1 && isZero(inst.operands[1]);
  }
  bool keepsZero(const Instruction &inst) const {
    if (isCompareToExec(inst.op))
      return true;
    const auto isZeroAt = [&](size_t n) {
      return inst.operands.size() > n && isZero(inst.operands[n]);
    };
    switch (inst.op) {
    case Op::s_and_saveexec_b32:
      return true;
    case Op::s_mov_b32:
      return isZeroAt(1);
    case Op::s_and_b32:
      return isZeroAt(1) || isZeroAt(2);
    case Op::s_and_not1_b32:
      return isZeroAt(1);
    case Op::s_or_b32:
    case Op::s_xor_b32:
      return isZeroAt(1) && isZeroAt(2);
    default:
      return false;
    }
  }

  Units zero_;
};

bool isFollowed(const Instruction &inst) {
  return inst.isValu() || inst.unit == Unit::Salu || inst.unit == Unit::Wait ||
         inst.unit == Unit::Smem || inst.unit == Unit::Lds || inst.unit == Unit::Global ||
         inst.unit == Unit::Buffer || isHint(inst);
}

} // namespace

std::optional<Units> scalarsOfInertCode(const Module &module, const Function &function,
                                        uint32_t first, uint32_t target, InnerGuards guards) {
  constexpr unsigned kMost = 4096;
  ZeroExec exec;
  Units scalars;
  std::set<uint32_t> joins; // Of guards in it, to which a wave without lanes jumps.
  uint32_t at = first;
  for (unsigned n = 0; n < kMost && at >= function.first && at < function.last; ++n) {
    joins.erase(at);
    if (at == target)
      return joins.empty() ? std::optional(scalars) : std::nullopt;
    const Instruction &inst = module.instructions()[at];
    if (isInLongBranch(module, inst))
      return std::nullopt;
    if (inst.isJump() || inst.op == Op::s_cbranch_execz) {
      const auto next = module.labelTarget(module.branchTarget(inst));
      if (!next || (!inst.isJump() && guards == InnerGuards::Refused))
        return std::nullopt;
      if (!inst.isJump())
        joins.insert(*next);
      at = inst.isJump() ? *next : at + 1;
      continue;
    }
    if (!isFollowed(inst) || inst.isTerminator() || ignoresExec(inst.op) ||
        inst.op == Op::v_writelane_b32 || !exec.execute(inst))
      return std::nullopt;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && !access.reg.first.isVgpr() && d < access.reg.dwords;
           ++d)
        scalars.set(access.reg.first.index + d);
    scalars.reset(kExecLo.index); // Zero for who goes through as well.
    ++at;
  }
  return std::nullopt;
}

} // namespace rdna::verify
