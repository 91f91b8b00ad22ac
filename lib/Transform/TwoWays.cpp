#include "Transform/TwoWays.h"

#include "Analysis/Dependence.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/OpTraits.h"
#include "Transform/LdsStages.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace rdna {

std::optional<RegUnit> dwordOperand(const Instruction &inst, size_t operand) {
  if (inst.operands.size() <= operand || !inst.operands[operand].isReg() ||
      inst.operands[operand].reg.dwords != 1)
    return std::nullopt;
  return inst.operands[operand].reg.first;
}

namespace {

/// An operand at a place is this register of one dword.
bool isReg(const Instruction &inst, size_t n, RegUnit unit) {
  return inst.operands.size() > n && inst.operands[n].isReg() && inst.operands[n].reg.dwords == 1 &&
         inst.operands[n].reg.first == unit;
}
bool readsBoth(const Instruction &inst, RegUnit a, RegUnit b) {
  return (isReg(inst, 1, a) && isReg(inst, 2, b)) || (isReg(inst, 1, b) && isReg(inst, 2, a));
}
bool isMoves(const Instruction &inst) {
  const auto lanes = laneOps(inst);
  return !lanes.empty() &&
         llvm::all_of(lanes, [](const LaneOp &lane) { return lane.op == Op::v_mov_b32; });
}

class WaysFinder {
public:
  WaysFinder(const Module &module, const Cfg &cfg, const Loop &loop)
      : module_(module), cfg_(cfg), loop_(loop) {}

  std::optional<TwoWays> at(uint32_t opens) {
    const Instruction &open = inst(opens);
    ways_ = {};
    ways_.opens = opens;
    if (open.op == Op::s_and_saveexec_b32 && dwordOperand(open, 0) && dwordOperand(open, 1))
      ways_.all = *dwordOperand(open, 0);
    else if (!isCompareToExec(open.op))
      return std::nullopt;
    at_ = opens + 1;
    mask_.reset();
    guardJoin_.reset();
    if (!findRest() || !findFirst() || !findTurn() || !findSecond())
      return std::nullopt;
    return std::move(ways_);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool isInside() const {
    return at_ >= cfg_.blocks.front().first && at_ < cfg_.blocks.back().last &&
           loop_.contains(cfg_.blockOf(at_));
  }
  bool skipHints() {
    while (isInside() && isTimingHint(inst(at_)))
      ways_.gone.push_back(at_++);
    return isInside();
  }
  std::optional<uint32_t> targetOf(const Instruction &branch) const {
    return module_.labelTarget(module_.branchTarget(branch));
  }

  /// s_xor_b32 rest, exec_lo, all
  bool findRest() {
    if (!skipHints() || inst(at_).op != Op::s_xor_b32 || !dwordOperand(inst(at_), 0))
      return false;
    const Instruction &rest = inst(at_);
    if (ways_.all == kExecLo && !findSaved(rest))
      return false;
    if (!readsBoth(rest, kExecLo, ways_.all))
      return false;
    ways_.rest = *dwordOperand(rest, 0);
    ways_.gone.push_back(at_++);
    return ways_.rest != kExecLo;
  }
  /// What EXEC was saved to in front of a comparison that writes it.
  bool findSaved(const Instruction &rest) {
    for (uint32_t i = ways_.opens; i-- > cfg_.blocks[cfg_.blockOf(ways_.opens)].first;) {
      if (inst(i).op == Op::s_mov_b32 && isReg(inst(i), 1, kExecLo) && dwordOperand(inst(i), 0) &&
          readsBoth(rest, kExecLo, *dwordOperand(inst(i), 0))) {
        ways_.all = *dwordOperand(inst(i), 0);
        return true;
      }
      if (inst(i).writesUnit(kExecLo))
        return false;
    }
    return false;
  }

  bool turnsHere() const {
    const Instruction &next = inst(at_);
    return (next.op == Op::s_or_saveexec_b32 || next.op == Op::s_and_not1_saveexec_b32) &&
           isReg(next, 1, ways_.rest);
  }
  bool findFirst() {
    std::optional<uint32_t> target;
    for (; isInside() && !turnsHere(); ++at_) {
      const Instruction &next = inst(at_);
      if (next.op == Op::s_cbranch_execz && !target && ways_.first.empty()) {
        target = targetOf(next);
        ways_.gone.push_back(at_);
        if (!target)
          return false;
        continue;
      }
      if (isTimingHint(next)) {
        ways_.gone.push_back(at_);
        continue;
      }
      if (const auto isGuard = guardOfFirst(next)) {
        if (!*isGuard)
          return false;
        ways_.gone.push_back(at_);
        continue;
      }
      if (!storesToLds(next) && !isMoves(next) && next.op != Op::s_mov_b32)
        return false;
      if (mask_)
        ways_.masks.emplace(at_, *mask_);
      ways_.first.push_back(at_);
    }
    return isInside() && !mask_ && (!target || *target == at_) && guardJoin_.value_or(at_) <= at_;
  }
  /// A guard within the first way begins, is jumped over or ends. Nothing: it is something else.
  std::optional<bool> guardOfFirst(const Instruction &next) {
    if (next.op == Op::s_cbranch_execz) {
      guardJoin_ = targetOf(next);
      return mask_.has_value() && guardJoin_.has_value();
    }
    if (!next.writesUnit(kExecLo))
      return std::nullopt;
    if (next.op == Op::s_and_saveexec_b32 && dwordOperand(next, 0) && dwordOperand(next, 1)) {
      if (mask_)
        return false;
      saved_ = *dwordOperand(next, 0);
      mask_ = *dwordOperand(next, 1);
      return true;
    }
    const bool isEnd = mask_ && next.op == Op::s_or_b32 && readsBoth(next, kExecLo, saved_) &&
                       guardJoin_.value_or(at_) == at_;
    mask_.reset();
    guardJoin_.reset();
    return isEnd;
  }

  bool findTurn() {
    const Instruction &turn = inst(at_);
    if (!dwordOperand(turn, 0))
      return false;
    ways_.taken = *dwordOperand(turn, 0);
    if (turn.op == Op::s_and_not1_saveexec_b32) {
      ways_.turns = at_++;
      return true;
    }
    ways_.gone.push_back(at_++);
    for (; isInside(); ++at_) {
      const Instruction &next = inst(at_);
      if (next.op == Op::s_xor_b32 && isReg(next, 0, kExecLo) &&
          readsBoth(next, kExecLo, ways_.taken)) {
        ways_.turns = at_++;
        return true;
      }
      if (isTimingHint(next))
        ways_.gone.push_back(at_);
      else if (next.isValu() && !next.writesUnit(kExecLo) && !readsAllLanes(next))
        ways_.between.push_back(at_);
      else
        return false;
    }
    return false;
  }

  /// To where all lanes are switched on again, through guards.
  bool findSecond() {
    constexpr size_t kMost = 4096;
    std::set<uint32_t> joins;
    std::map<RegUnit, unsigned> saved; // Lanes of which depth.
    unsigned depth = 0;
    mask_.reset();
    for (size_t n = 0; n < kMost && isInside(); ++n) {
      const Instruction &next = inst(at_);
      joins.erase(at_);
      if (depth == 0 && next.op == Op::s_or_b32 && isReg(next, 0, kExecLo) &&
          readsBoth(next, kExecLo, ways_.taken)) {
        ways_.join = at_;
        return joins.empty();
      }
      if (next.isJump() || next.op == Op::s_cbranch_execz) {
        const auto target = targetOf(next);
        if (!target)
          return false;
        if (!next.isJump())
          joins.insert(*target);
        at_ = next.isJump() ? *target : at_ + 1;
        continue;
      }
      if (next.isTerminator() || next.unit == Unit::Barrier || next.unit == Unit::Smem ||
          (accessesLds(next) && !storesToLds(next)))
        return false;
      if (next.op == Op::s_mov_b32 && isReg(next, 1, kExecLo) && dwordOperand(next, 0))
        saved[*dwordOperand(next, 0)] = depth;
      if (next.writesUnit(kExecLo) && !switchLanes(next, saved, depth))
        return false;
      if (depth == 1 && mask_ && storesToLds(next))
        ways_.masks.emplace(at_, *mask_);
      ways_.second.push_back(at_);
      ways_.depth.push_back(depth);
      ++at_;
    }
    return false;
  }
  bool switchLanes(const Instruction &next, std::map<RegUnit, unsigned> &saved, unsigned &depth) {
    if (isCompareToExec(next.op)) {
      ++depth;
      mask_.reset();
      return true;
    }
    if (next.op == Op::s_and_saveexec_b32 && dwordOperand(next, 0)) {
      mask_ = depth == 0 ? dwordOperand(next, 1) : std::nullopt;
      saved[*dwordOperand(next, 0)] = depth++;
      return true;
    }
    for (size_t n = 1; next.op == Op::s_or_b32 && n < 3; ++n)
      if (const auto reg = dwordOperand(next, n);
          reg && saved.contains(*reg) && depth > saved[*reg]) {
        depth = saved[*reg];
        return true;
      }
    return false;
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  TwoWays ways_;
  uint32_t at_ = 0;
  std::optional<RegUnit> mask_; ///< Of the guard that `at_` is in.
  RegUnit saved_ = kExecLo;     ///< The lanes around a guard of the first way.
  std::optional<uint32_t> guardJoin_;
};

} // namespace

std::optional<TwoWays> findTwoWays(const Module &module, const Cfg &cfg, const Loop &loop,
                                   uint32_t opens) {
  return WaysFinder(module, cfg, loop).at(opens);
}

} // namespace rdna
