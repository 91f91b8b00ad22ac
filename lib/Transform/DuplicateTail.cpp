#include "Transform/DuplicateTail.h"

#include "Analysis/ScalarFlow.h"
#include "Code/Build.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"
#include "Symbolic/BlockValues.h"
#include "Symbolic/PathConditions.h"
#include "Transform/CodeLines.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

class Peeler {
public:
  Peeler(const Module &module, const Cfg &cfg, const Loop &loop, const PeelOptions &options)
      : module_(module), cfg_(cfg), loop_(loop), options_(options), values_(module, cfg, pool_),
        out_(module) {}

  PeelOutcome run() {
    for (const uint32_t b : loop_.blocks)
      if (isGuarded(b)) {
        peel(b);
        PeelOutcome outcome;
        if (obstacle_)
          outcome.obstacle = std::move(obstacle_);
        else
          outcome.rewrite = std::move(rewrite_);
        return outcome;
      }
    return {};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  const Block &block(uint32_t b) const { return cfg_.blocks[b]; }
  const Instruction &lastOf(uint32_t b) const { return inst(block(b).last - 1); }

  /// Is it a block of several global loads that a branch jumps around?
  bool isGuarded(uint32_t b) const {
    const Block &guarded = block(b);
    if (guarded.predecessors.size() != 1 || guarded.successors.size() != 1)
      return false;
    const auto &ways = block(guarded.predecessors[0]).successors;
    const uint32_t join = guarded.successors[0];
    if (ways.size() != 2 || std::find(ways.begin(), ways.end(), join) == ways.end() ||
        !loop_.contains(guarded.predecessors[0]) || !loop_.contains(join) || join == loop_.header)
      return false;
    unsigned loads = 0;
    for (uint32_t i = guarded.first; i < guarded.last; ++i)
      loads += inst(i).unit == Unit::Global && inst(i).memory == MemoryEffect::Load;
    return loads >= 2;
  }

  bool refuse(uint32_t line, std::string reason) {
    obstacle_ = {line, std::move(reason)};
    return false;
  }

  /// Where a block's terminator goes, conditional or not.
  uint32_t targetOf(uint32_t b) const {
    return cfg_.blockOf(*module_.labelTarget(module_.branchTarget(lastOf(b))));
  }
  void execute(uint32_t b) {
    for (uint32_t i = block(b).first; i < block(b).last; ++i)
      values_.execute(state_, inst(i));
  }

  void line(const Code &code) { out_.line(code); }
  void jump(Op op, uint32_t to) {
    const auto label = labelOf(module_, block(to));
    if (!label) {
      refuse(inst(block(to).first).line, "the loop is left to a place without a label");
      return;
    }
    line(buildBranch(op, *label));
    if (to != loop_.header || returns_)
      return;
    returns_ = true;
    if (!mark_.empty())
      line(Code::layout("; RDNA-END " + mark_));
  }

  void peel(uint32_t guarded) {
    const uint32_t guard = block(guarded).predecessors[0];
    if (guard == loop_.header)
      mark(block(guard));
    state_ = values_.atStart(guard);
    dropSecondTest(block(guard));
    const Op op = lastOf(guard).op;
    const bool isTaken = targetOf(guard) == guarded;
    const BranchCondition condition = branchCondition(op);
    facts_.learn(pool_, state_[condition.unit], isTaken == isTakenOn(condition, true));
    execute(guarded);
    uint64_t bytes = 0;
    for (const uint32_t b : loop_.blocks)
      for (uint32_t i = block(b).first; i < block(b).last; ++i)
        bytes += inst(i).sizeBytes;
    std::vector<uint32_t> trace;
    for (std::optional<uint32_t> next = block(guarded).successors[0]; next;) {
      if (std::find(trace.begin(), trace.end(), *next) != trace.end()) {
        refuse(inst(block(*next).first).line, "a loop stands between the loads and the loop's end");
        return;
      }
      trace.push_back(*next);
      obstacle_ = obstacleToCopy(module_, block(*next));
      if (!obstacle_)
        obstacle_ = hazardToCopy(module_, block(*next), options_.findFaults);
      if (obstacle_)
        return;
      if (block(*next).predecessors.size() > 1)
        rewrite_.joins.push_back(block(*next).first);
      for (uint32_t i = block(*next).first; i < block(*next).last; ++i)
        bytes += inst(i).sizeBytes;
      next = copy(*next);
      if (obstacle_)
        return;
    }
    if (!returns_) {
      refuse(inst(block(guarded).first).line,
             "the guarded loads belong to the loop's last iteration");
      return;
    }
    if (bytes > options_.mostBytes) {
      refuse(inst(block(guarded).first).line,
             fmt::format("with a copy of its step the loop would be {} bytes of code, more than {} "
                         "(--max-code-bytes)",
                         bytes, options_.mostBytes));
      return;
    }
    insertBehind(guarded);
  }

  /// The block's instructions, and how the copy goes on: with the block that is returned, or by a
  /// branch that it ends with.
  std::optional<uint32_t> copy(uint32_t b) {
    const Instruction &last = lastOf(b);
    const uint32_t end = block(b).last - (last.isTerminator() ? 1 : 0);
    for (uint32_t i = block(b).first; i < end; ++i) {
      values_.execute(state_, inst(i));
      if (inst(i).op == Op::s_delay_alu) // A hint about neighbours that it may not have here.
        continue;
      line(Code::copyOf(inst(i)));
    }
    const auto &ways = block(b).successors;
    if (ways.size() == 1)
      return goOn(ways[0]);
    if (ways.size() != 2) {
      refuse(last.line, "the program ends between the loads and the loop's end");
      return std::nullopt;
    }
    const uint32_t target = targetOf(b), other = ways[0] == target ? ways[1] : ways[0];
    const BranchCondition condition = branchCondition(last.op);
    if (const auto nonzero = facts_.isNonzero(pool_, state_[condition.unit])) {
      ++rewrite_.tests;
      return goOn(isTakenOn(condition, *nonzero) ? target : other);
    }
    // One way stays on the path, the other leaves it.
    const auto leaves = [&](uint32_t way) { return !loop_.contains(way) || way == loop_.header; };
    if (!leaves(target) && !leaves(other)) {
      refuse(last.line, "the way from the loads to the loop's end has a branch");
      return std::nullopt;
    }
    // Of two that leave, the one to the next iteration is taken.
    const bool takesTarget = target == loop_.header || (other != loop_.header && leaves(target));
    const uint32_t taken = takesTarget ? target : other, rest = takesTarget ? other : target;
    jump(takesTarget ? last.op : inverseBranch(last.op), taken);
    return goOn(rest);
  }

  std::optional<uint32_t> goOn(uint32_t next) {
    if (loop_.contains(next) && next != loop_.header)
      return next;
    jump(Op::s_branch, next);
    return std::nullopt;
  }

  /// Executes the guard's block. Compilers compare once for a flag that outlives SCC and once more,
  /// inverted, for the branch.
  void dropSecondTest(const Block &guard) {
    std::optional<uint32_t> test;
    verify::Value before = state_[kScc];
    for (uint32_t i = guard.first; i + 1 < guard.last; ++i) {
      if (inst(i).writesUnit(kScc)) {
        test = i;
        before = state_[kScc];
      } else if (inst(i).readsUnit(kScc)) {
        test.reset();
      }
      values_.execute(state_, inst(i));
    }
    const Instruction &branch = inst(guard.last - 1);
    if (!test || !isScalarCompare(inst(*test).op) || branchCondition(branch.op).unit != kScc ||
        inst(*test).origin == Instruction::Origin::Macro ||
        branch.origin == Instruction::Origin::Macro || before != pool_.inverse(state_[kScc]))
      return;
    const auto live = liveScalars(module_, cfg_);
    for (const uint32_t way : guard.successors)
      if (live[way].test(kScc.index)) // It would see the inverse.
        return;
    rewrite_.edits.push_back(removal(module_, inst(*test)));
    rewrite_.edits.push_back(
        replacement(branch, buildBranch(inverseBranch(branch.op), module_.branchTarget(branch))));
    ++rewrite_.tests;
  }

  /// Names the guarded step, so that a user can look at it by itself.
  void mark(const Block &header) {
    const Instruction &first = inst(header.first);
    const std::string name = loop_.label + ".main";
    if (module_.text().find("RDNA-BEGIN " + name) != std::string_view::npos ||
        !takesLineBefore(module_, first))
      return;
    mark_ = name;
    rewrite_.edits.push_back(lineBefore(module_, first, Code::layout("; RDNA-BEGIN " + name)));
  }

  /// The copy follows the guarded loads, so that it makes one block with them.
  void insertBehind(uint32_t guarded) {
    const Instruction &last = lastOf(guarded);
    if (last.isTerminator()) {
      rewrite_.edits.push_back(replacement(last, out_.take()));
      return;
    }
    if (!takesLineBehind(module_, last)) {
      refuse(last.line, "nothing can be put behind the loads");
      return;
    }
    rewrite_.edits.push_back(lineBehind(module_, last, out_.take()));
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const PeelOptions &options_;
  verify::ExprPool pool_;
  verify::BlockValues values_;
  verify::PathConditions facts_;
  verify::State state_;
  CodeLines out_;
  std::string mark_;
  bool returns_ = false; ///< Has the copy a way to the next iteration?
  DuplicatedTail rewrite_;
  std::optional<CopyObstacle> obstacle_;
};

} // namespace

PeelOutcome duplicateTail(const Module &module, const Cfg &cfg, const Loop &loop,
                          const PeelOptions &options) {
  return Peeler(module, cfg, loop, options).run();
}

} // namespace rdna
