#include "Analysis/Exec.h"

namespace rdna {

ExecEffect execEffect(const Instruction &inst) {
  if (!inst.writesUnit(kExecLo))
    return ExecEffect::None;
  if (inst.isValu()) // v_cmpx: EXEC = compare in the active lanes, 0 elsewhere
    return ExecEffect::Narrow;
  const auto reads = [&](unsigned operand) {
    return inst.operands.size() > operand && inst.operands[operand].isReg() &&
           inst.operands[operand].reg.first == kExecLo;
  };
  switch (inst.op) {
  case Op::s_and_saveexec_b32:
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not0_wrexec_b32:
    return ExecEffect::Narrow;
  case Op::s_or_saveexec_b32:
    return ExecEffect::Widen;
  case Op::s_and_b32:
    return reads(1) || reads(2) ? ExecEffect::Narrow : ExecEffect::Any;
  case Op::s_and_not1_b32:
    return reads(1) ? ExecEffect::Narrow : ExecEffect::Any;
  case Op::s_or_b32:
    return reads(1) || reads(2) ? ExecEffect::Widen : ExecEffect::Any;
  default:
    return ExecEffect::Any;
  }
}

} // namespace rdna
