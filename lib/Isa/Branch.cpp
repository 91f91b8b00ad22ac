#include "Isa/Branch.h"

namespace rdna {

bool isConditionalBranch(Op op) { return inverseBranch(op) != Op::unknown; }

Op inverseBranch(Op op) {
  switch (op) {
  case Op::s_cbranch_scc0:
    return Op::s_cbranch_scc1;
  case Op::s_cbranch_scc1:
    return Op::s_cbranch_scc0;
  case Op::s_cbranch_vccz:
    return Op::s_cbranch_vccnz;
  case Op::s_cbranch_vccnz:
    return Op::s_cbranch_vccz;
  case Op::s_cbranch_execz:
    return Op::s_cbranch_execnz;
  case Op::s_cbranch_execnz:
    return Op::s_cbranch_execz;
  default:
    return Op::unknown;
  }
}

BranchCondition branchCondition(Op op) {
  using Taken = BranchCondition::Taken;
  switch (op) {
  case Op::s_cbranch_scc0:
    return {kScc, Taken::IfZero};
  case Op::s_cbranch_scc1:
    return {kScc, Taken::IfNonzero};
  case Op::s_cbranch_vccz:
    return {kVccLo, Taken::IfZero};
  case Op::s_cbranch_vccnz:
    return {kVccLo, Taken::IfNonzero};
  case Op::s_cbranch_execz:
    return {kExecLo, Taken::IfZero};
  default:
    return {kExecLo, Taken::IfNonzero};
  }
}

} // namespace rdna
