//===- Branch.h - what conditional branches look at ------------------------===//
#pragma once

#include "Isa/Op.h"
#include "Isa/Register.h"

namespace rdna {

bool isConditionalBranch(Op op);

/// The conditional branch that is taken exactly when `op` is not; Op::unknown if it is none.
Op inverseBranch(Op op);

/// Of a conditional branch. VCCZ and EXECZ are those of the low halves (wave32).
struct BranchCondition {
  RegUnit unit;
  enum class Taken : uint8_t { IfZero, IfNonzero } taken;
};
BranchCondition branchCondition(Op op);

/// Is the branch taken if its condition is zero, or not zero?
inline bool isTakenOn(BranchCondition condition, bool isNonzero) {
  return isNonzero == (condition.taken == BranchCondition::Taken::IfNonzero);
}

} // namespace rdna
