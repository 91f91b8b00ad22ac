#include "Verify/Inert.h"

#include "Asm/Effects.h"
#include "Isa/Branch.h"
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
    // Lanes that are off are 0 in a comparison's mask.
    const bool isCopy = savesExec(inst.op) || isZeroResult(inst);
    const bool isMask = isVectorCompare(inst.op);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        zero_[access.reg.first.index + d] = ((isCopy && access.operand == 0) || isMask) &&
                                            access.reg.dwords == 1 && !access.reg.first.isVgpr();
    return true;
  }
  /// Does it leave all but SCC as it was? So lanes are gathered that leave a loop, or that one way
  /// of an `if` has: none, here.
  bool keepsAll(const Instruction &inst) const {
    if (inst.op != Op::s_or_b32 && inst.op != Op::s_and_not1_b32)
      return false;
    const Operand &to = inst.operands[0], &a = inst.operands[1], &b = inst.operands[2];
    const auto isSame = [&](const Operand &operand) {
      return operand.isReg() && operand.reg == to.reg;
    };
    return (isSame(a) && isZero(b)) || (inst.op == Op::s_or_b32 && isSame(b) && isZero(a));
  }

private:
  bool isZero(const Operand &operand) const {
    return operand.isReg() && operand.reg.dwords == 1 &&
           (operand.reg.first == kExecLo || zero_.test(operand.reg.first.index));
  }
  bool isZeroResult(const Instruction &inst) const {
    if (inst.op == Op::s_xor_b32)
      return isZero(inst.operands[1]) && isZero(inst.operands[2]);
    if (inst.op == Op::s_and_b32)
      return isZero(inst.operands[1]) || isZero(inst.operands[2]);
    return inst.op == Op::s_mov_b32 && isZero(inst.operands[1]);
  }
  bool keepsZero(const Instruction &inst) const {
    if (isCompareToExec(inst.op))
      return true;
    const auto isZeroAt = [&](size_t n) {
      return inst.operands.size() > n && isZero(inst.operands[n]);
    };
    switch (inst.op) {
    case Op::s_and_saveexec_b32:
    case Op::s_and_not0_saveexec_b32:
      return true;
    case Op::s_or_saveexec_b32: // Of none or of these.
    case Op::s_and_not1_saveexec_b32:
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
         inst.unit == Unit::Buffer || isHint(inst) || inst.op == Op::s_set_inst_prefetch_distance;
}

/// Two places from which waves do the same until they are at one.
class SameCode {
public:
  SameCode(const Module &module, const Function &function) : module_(module), function_(function) {}

  bool from(uint32_t a, uint32_t b, unsigned depth = 0) const {
    constexpr unsigned kMostInstructions = 64, kMostBranches = 8;
    for (unsigned n = 0; n < kMostInstructions; ++n, ++a, ++b) {
      if (!next(a) || !next(b))
        return false;
      if (a == b)
        return true;
      const Instruction &one = module_.instructions()[a], &other = module_.instructions()[b];
      if (isConditionalBranch(one.op) && depth < kMostBranches)
        return isSameBranch(one, other, depth);
      if (one.isTerminator() || isInLongBranch(module_, one) || isInLongBranch(module_, other) ||
          !isSame(one, other))
        return false;
    }
    return false;
  }

private:
  /// To an instruction that does something, over jumps.
  bool next(uint32_t &at) const {
    for (unsigned n = 0; n < 64 && at >= function_.first && at < function_.last; ++n) {
      const Instruction &inst = module_.instructions()[at];
      if (!inst.isJump() && !isHint(inst))
        return true;
      const auto target = inst.isJump() ? module_.labelTarget(module_.branchTarget(inst)) : at + 1;
      if (!target)
        return false;
      at = *target;
    }
    return false;
  }
  bool isSameBranch(const Instruction &one, const Instruction &other, unsigned depth) const {
    const auto a = module_.labelTarget(module_.branchTarget(one));
    if (!a || (other.op != one.op && other.op != inverseBranch(one.op)))
      return false;
    const auto b = module_.labelTarget(module_.branchTarget(other));
    if (!b)
      return false;
    const bool isInverse = other.op != one.op;
    return from(*a, isInverse ? other.index + 1 : *b, depth + 1) &&
           from(one.index + 1, isInverse ? *b : other.index + 1, depth + 1);
  }
  static bool isSame(const Instruction &one, const Instruction &other) {
    if (one.op != other.op || one.opY != other.opY || one.memory != other.memory ||
        one.bufferAddress != other.bufferAddress || one.operands.size() != other.operands.size())
      return false;
    return llvm::all_of(llvm::zip(one.operands, other.operands), [](const auto &pair) {
      const auto &[a, b] = pair;
      return a.kind == b.kind && a.cls == b.cls && a.name == b.name && a.special == b.special &&
             a.tiedTo == b.tiedTo && a.kind != Operand::Kind::Expression &&
             (a.isReg() ? a.reg == b.reg : a.imm == b.imm);
    });
  }

  const Module &module_;
  const Function &function_;
};

/// Where a wave without lanes leaves a loop by a branch that goes round otherwise.
std::optional<uint32_t> backwards(const Module &module, const Instruction &branch,
                                  const std::set<uint32_t> &visited) {
  const auto target = module.labelTarget(module.branchTarget(branch));
  const bool isOver = branch.op == Op::s_cbranch_execz;
  if (!target || !visited.contains(isOver ? branch.index + 1 : *target))
    return std::nullopt;
  return isOver ? *target : branch.index + 1;
}

} // namespace

/// `depth`: guards that it is in.
static std::optional<LaneGuard> guardAt(const Module &module, const Function &function,
                                        const Instruction &branch, InnerGuards guards,
                                        unsigned depth) {
  constexpr unsigned kMost = 4096, kMostDepth = 8;
  if (depth > kMostDepth)
    return std::nullopt;
  const auto target = module.labelTarget(module.branchTarget(branch));
  const bool isOver = branch.op == Op::s_cbranch_execz;
  if (!target || (!isOver && branch.op != Op::s_cbranch_execnz))
    return std::nullopt;
  LaneGuard guard{isOver ? branch.index + 1 : *target, isOver ? *target : 0, {}};
  const SameCode code(module, function);
  ZeroExec exec;
  std::set<uint32_t> visited;
  std::set<uint32_t> joins; // Of guards in it, to which a wave without lanes jumps.
  uint32_t at = guard.all;
  for (unsigned n = 0; n < kMost && at >= function.first && at < function.last; ++n) {
    joins.erase(at);
    if (n > 0 && at == branch.index) { // Back in a loop: here a wave without lanes leaves it.
      guard.join = isOver ? guard.join : at + 1;
      guard.kind = LaneGuard::Kind::LoopEnd;
      return joins.empty() && guards == InnerGuards::Allowed ? std::optional(guard) : std::nullopt;
    }
    const Instruction &inst = module.instructions()[at];
    // Not at what only leads there: other waves may come there in another way.
    const bool doesSomething = !inst.isJump() && !isHint(inst);
    if ((isOver && at == *target) ||
        (doesSomething && code.from(at, isOver ? *target : branch.index + 1))) {
      guard.join = at;
      return joins.empty() ? std::optional(guard) : std::nullopt;
    }
    visited.insert(at);
    if (isInLongBranch(module, inst))
      return std::nullopt;
    const bool isOfLanes = inst.op == Op::s_cbranch_execz || inst.op == Op::s_cbranch_execnz;
    if (const auto back = isOfLanes ? backwards(module, inst, visited) : std::nullopt) {
      if (guards == InnerGuards::Refused)
        return std::nullopt;
      at = *back; // A loop in it, which a wave without lanes leaves here.
      continue;
    }
    if (inst.isJump()) {
      const auto next = module.labelTarget(module.branchTarget(inst));
      if (!next)
        return std::nullopt;
      at = *next;
      continue;
    }
    if (isOfLanes) {
      const auto inner = guards == InnerGuards::Allowed
                             ? guardAt(module, function, inst, guards, depth + 1)
                             : std::nullopt;
      if (!inner)
        return std::nullopt;
      joins.insert(inner->join);
      at = inner->all;
      continue;
    }
    if (!isFollowed(inst) || inst.isTerminator() || ignoresExec(inst.op) ||
        inst.op == Op::v_writelane_b32)
      return std::nullopt;
    const bool keepsAll = exec.keepsAll(inst);
    if (!exec.execute(inst))
      return std::nullopt;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && !access.reg.first.isVgpr() && d < access.reg.dwords;
           ++d)
        if (!keepsAll || access.reg.first == kScc)
          guard.scalars.set(access.reg.first.index + d);
    guard.scalars.reset(kExecLo.index); // Zero for who goes through as well.
    ++at;
  }
  return std::nullopt;
}

std::optional<LaneGuard> laneGuardAt(const Module &module, const Function &function,
                                     const Instruction &branch, InnerGuards guards) {
  return guardAt(module, function, branch, guards, 0);
}

} // namespace rdna::verify
