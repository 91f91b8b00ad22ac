#include "Isa/Branch.h"
#include "Verify/FunctionProof.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace verify {

std::optional<bool> FunctionProof::isTaken(const Path &path, const Side &side,
                                           const Instruction &branch) {
  const BranchCondition condition = branchCondition(branch.op);
  const auto isNonzero = path.facts.isNonzero(pool_, side.state[condition.unit]);
  return isNonzero ? std::optional(isTakenOn(condition, *isNonzero)) : std::nullopt;
}

/// Blocks that no path is cut at must not lie in a cycle.
std::optional<Fault> FunctionProof::checkCycles() const {
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> state(cfg_.blocks.size(), New);
  std::vector<std::pair<uint32_t, unsigned>> stack;
  for (uint32_t root = 0; root < cfg_.blocks.size(); ++root) {
    // No path is walked through what is not reached, which stays as it is (changedUnreachable).
    if (state[root] != New || !cfg_.blocks[root].reachable)
      continue;
    stack.emplace_back(root, 0);
    state[root] = Open;
    while (!stack.empty()) {
      const uint32_t block = stack.back().first;
      const auto &successors = cfg_.blocks[block].successors;
      if (stack.back().second == successors.size()) {
        state[block] = Done;
        stack.pop_back();
        continue;
      }
      const uint32_t next = successors[stack.back().second++];
      if (isCutpoint(next) || next == block) // runOld counts the iterations of a loop of one block.
        continue;
      if (state[next] == Open)
        return Fault{newFunction_.first,
                     fmt::format("the claim has no place to stop at in the loop of the original's "
                                 "line {}",
                                 before_.instructions()[cfg_.blocks[next].first].line)};
      if (state[next] == New) {
        state[next] = Open;
        stack.emplace_back(next, 0);
      }
    }
  }
  return std::nullopt;
}

/// A path that has come back to where it started has taken no branch that was not decided.
bool FunctionProof::meetsAt(Path &path, uint32_t block) const {
  if (!isCutpoint(block))
    return false;
  const bool goesOn = block == path.from && path.arrivals > 1;
  path.arrivals -= goesOn;
  return !goesOn;
}

/// Instructions between two synchronisation points that a proof follows before it gives up.
static constexpr uint32_t kLongestPath = 1u << 22;

std::optional<Fault> FunctionProof::runOld(Path &path, OldStop &stop) {
  Side &side = path.before;
  bool moved = path.from == ~0u;
  pathFacts_ = &path.facts;
  Machine machine(before_, pool_, side.state, side.trace, oldIndices(), &oldObserved_,
                  &path.indexFacts);
  for (uint32_t budget = kLongestPath;; moved = true) {
    if (budget-- == 0)
      return Fault{path.after.last, "the original runs in a cycle"};
    if (side.at >= oldFunction_.last)
      return Fault{path.after.last, "the original runs past its end"};
    const uint32_t block = cfg_.blockOf(side.at);
    if (moved && side.at == cfg_.blocks[block].first && meetsAt(path, block)) {
      stop = {SyncPoint::Cut, block};
      return std::nullopt;
    }
    const Instruction &inst = before_.instructions()[side.at];
    side.last = side.at;
    if (inst.unit == Unit::End)
      stop = {SyncPoint::End};
    else if (isConditionalBranch(inst.op)) {
      if (const auto taken = isTaken(path, side, inst)) {
        side.at = *taken ? *before_.labelTarget(before_.branchTarget(inst)) : side.at + 1;
        continue;
      }
      if (!isCutpoint(block) && llvm::is_contained(cfg_.blocks[block].successors, block))
        return Fault{path.after.last,
                     fmt::format("the claim has no place to stop at in the loop that ends with the "
                                 "original's line {}, and how often that is taken does not follow "
                                 "from constants",
                                 inst.line)};
      stop = {SyncPoint::Branch};
    } else if (inst.op == Op::s_swappc_b64)
      stop = {SyncPoint::Call};
    else if (isRelative(inst))
      stop = {SyncPoint::Choice};
    else if (inst.isSetPc())
      stop = {SyncPoint::Return};
    else if (inst.isJump()) {
      side.at = *before_.labelTarget(before_.branchTarget(inst)); // inside: not opaque
      continue;
    } else {
      execute(machine, side, inst, oldFaults_);
      ++side.at;
      continue;
    }
    leave(side, inst, oldFaults_);
    return std::nullopt;
  }
}

std::optional<Fault> FunctionProof::runNew(Path &path, const OldStop *stop) {
  Side &side = path.after;
  Machine machine(after_, pool_, side.state, side.trace, newIndices(), &newObserved_,
                  &path.indexFacts);
  // Every path to a synchronisation point is shorter than this unless it runs in a cycle.
  uint32_t budget = newFunction_.last - newFunction_.first + 1;
  for (bool moved = false;; moved = true) {
    const bool arrived = stop && stop->point == SyncPoint::Cut &&
                         side.at == newStart_[stop->block] && (moved || path.from != stop->block);
    if (arrived)
      return std::nullopt;
    if (side.at < newFunction_.first || side.at >= newFunction_.last)
      return Fault{side.last, "the rewritten code leaves its function here"};
    const Instruction &inst = after_.instructions()[side.at];
    if (budget-- == 0)
      return Fault{side.at, "the rewritten code runs in a cycle that the original does not have"};
    side.last = side.at;
    if (inst.isJump()) {
      const auto target = after_.labelTarget(after_.branchTarget(inst));
      if (!target)
        return Fault{side.at, "jumps to a place that is not known"};
      side.at = *target;
      continue;
    }
    if (isConditionalBranch(inst.op) && stop)
      if (const auto taken = isTaken(path, side, inst)) {
        const auto target = after_.labelTarget(after_.branchTarget(inst));
        if (!target)
          return Fault{side.at, "branches to a place that is not known"};
        side.at = *taken ? *target : side.at + 1;
        continue;
      }
    const bool leaves = inst.unit == Unit::Branch || inst.unit == Unit::End || isRelative(inst);
    if (!leaves) {
      execute(machine, side, inst, newFaults_);
      ++side.at;
      continue;
    }
    if (!stop)
      return isConditionalBranch(inst.op)
                 ? std::nullopt
                 : std::optional(Fault{side.at, "a branch of its own is missing "
                                                "in front of this"});
    const bool matches = (stop->point == SyncPoint::End && inst.unit == Unit::End) ||
                         (stop->point == SyncPoint::Branch && isConditionalBranch(inst.op)) ||
                         (stop->point == SyncPoint::Call && inst.op == Op::s_swappc_b64) ||
                         (stop->point == SyncPoint::Choice && isRelative(inst)) ||
                         (stop->point == SyncPoint::Return && inst.isSetPc());
    if (matches) {
      leave(side, inst, newFaults_);
      return std::nullopt;
    }
    return Fault{side.at, fmt::format("the original does something else at this point (its line "
                                      "{})",
                                      before_.instructions()[path.before.last].line)};
  }
}

/// A branch that the rewritten code has and the original has not: both ways are ways of the
/// original, each with what it says.
std::optional<Fault> FunctionProof::passOwnBranch(Path path) {
  --path.ownBranches;
  if (auto fault = runNew(path, nullptr))
    return fault;
  const Instruction &branch = after_.instructions()[path.after.at];
  const auto target = after_.labelTarget(after_.branchTarget(branch));
  if (!target)
    return Fault{path.after.at, "branches to a place that is not known"};
  const auto known = isTaken(path, path.after, branch);
  const BranchCondition condition = branchCondition(branch.op);
  const bool ifNonzero = isTakenOn(condition, true);
  for (const bool taken : {true, false}) {
    if (known && *known != taken)
      continue;
    Path way = path;
    way.facts.learn(pool_, path.after.state[condition.unit], taken == ifNonzero);
    way.after.at = taken ? *target : path.after.at + 1;
    paths_.push_back(std::move(way));
  }
  return std::nullopt;
}

/// Has the rewritten code the opposite in SCC of what the original's branch looks at?
bool FunctionProof::looksAtInverse(const Path &path, const Instruction &branch) {
  return branchCondition(branch.op).unit == kScc &&
         path.after.state[kScc] == pool_.inverse(path.before.state[kScc]);
}

/// Do both sides hold the same values where they meet?
std::optional<Fault> FunctionProof::compareValues(const Path &path, const OldStop &stop) {
  const Instruction &was = before_.instructions()[path.before.last];
  const Instruction &now = after_.instructions()[path.after.last];
  switch (stop.point) {
  case SyncPoint::Cut:
    return compareAtCutpoint(path, stop.block);
  case SyncPoint::Return:
    if (was.operands[0].reg != now.operands[0].reg)
      return Fault{path.after.last, "returns to another address"};
    return compareAll(path, "where the function returns");
  case SyncPoint::End:
    if (was.op != now.op)
      return Fault{path.after.last, "ends differently"};
    return compareMemory(path);
  case SyncPoint::Call:
    if (before_.instructionText(was) != after_.instructionText(now))
      return Fault{path.after.last, "the call differs"};
    return compareAll(path, "at a call");
  case SyncPoint::Choice:
    return compareAtChoice(path);
  case SyncPoint::Branch:
    break;
  }
  if (was.op != now.op && now.op != inverseBranch(was.op))
    return Fault{path.after.last,
                 fmt::format("branches on another condition: the original has {}", opName(was.op))};
  std::bitset<kRegUnits> condition;
  condition.set(kExecLo.index);
  for (const RegAccess &access : was.accesses)
    condition.set(access.reg.first.index);
  if (looksAtInverse(path, was))
    condition.reset(kScc.index);
  if (auto fault = compareScalars(path, condition)) {
    fault->instruction = path.after.last;
    return fault;
  }
  return compareMemory(path);
}

std::optional<Fault> FunctionProof::meet(Path &path, const OldStop &stop) {
  if (stop.point == SyncPoint::Branch || stop.point == SyncPoint::Cut)
    recordEnd(path);
  if (auto fault = compareValues(path, stop))
    return fault;
  if (auto fault = compareEvents(path))
    return fault;
  proof_.loads += static_cast<unsigned>(path.after.trace.loads.size());
  ++proof_.blockPairs;
  path.before.trace = path.after.trace = {};
  path.from = ~0u;
  if (stop.point == SyncPoint::End || stop.point == SyncPoint::Return)
    return std::nullopt;
  if (stop.point == SyncPoint::Cut) {
    if (!queued_[stop.block]) {
      queued_[stop.block] = 1;
      cutpoints_.push_back(stop.block);
    }
    return std::nullopt;
  }
  if (stop.point == SyncPoint::Branch) {
    const Instruction &was = before_.instructions()[path.before.at];
    const Instruction &now = after_.instructions()[path.after.at];
    const auto target = after_.labelTarget(after_.branchTarget(now));
    if (!target)
      return Fault{path.after.at, "branches to a place that is not known"};
    const uint32_t next = path.after.at + 1;
    // Of two inversions nothing is left.
    const bool isInverse = (was.op != now.op) != looksAtInverse(path, was);
    const BranchCondition condition = branchCondition(was.op);
    const Value value = path.before.state[condition.unit];
    Path taken = path;
    taken.facts.learn(pool_, value, isTakenOn(condition, true));
    path.facts.learn(pool_, value, !isTakenOn(condition, true));
    taken.before.at = *before_.labelTarget(before_.branchTarget(was)); // inside: not opaque
    taken.after.at = isInverse ? next : *target;
    paths_.push_back(std::move(taken));
    path.after.at = isInverse ? *target : next;
  } else {
    stop.point == SyncPoint::Call ? afterCall(path) : afterChoice(path);
    ++path.after.at;
  }
  ++path.before.at;
  paths_.push_back(std::move(path));
  return std::nullopt;
}

std::optional<Fault> FunctionProof::follow(Path start) {
  paths_.push_back(std::move(start));
  while (!paths_.empty()) {
    Path path = std::move(paths_.back());
    paths_.pop_back();
    if (path.ownBranches > 0) {
      if (auto fault = passOwnBranch(std::move(path)))
        return fault;
      continue;
    }
    OldStop stop{SyncPoint::End};
    startSegment(path);
    if (auto fault = runOld(path, stop))
      return fault;
    if (auto fault = runNew(path, &stop))
      return fault;
    if (auto fault = meet(path, stop))
      return fault;
  }
  return std::nullopt;
}

std::optional<Fault> FunctionProof::runOnce() {
  queued_.assign(cfg_.blocks.size(), 0);
  cutpoints_.clear();
  paths_.clear();
  pool_.clear();
  ends_.clear();
  kept_.clear();
  if (indexBounds_)
    indexBounds_->startAtEntry(scope_);
  if (auto fault = follow(startAtEntry()))
    return fault;
  while (!cutpoints_.empty()) {
    const uint32_t block = cutpoints_.back();
    cutpoints_.pop_back();
    if (auto fault = follow(startAtCutpoint(block)))
      return fault;
  }
  return std::nullopt;
}

std::optional<Fault> FunctionProof::run() {
  if (cfg_.blocks.empty())
    return std::nullopt;
  if (auto fault = findCutpoints())
    return fault;
  if (auto fault = checkCycles())
    return fault;
  if (auto fault = readClaim())
    return fault;
  findNeeds();
  findHints();
  if (assumesIndices()) {
    indexBounds_ = std::make_unique<IndexBounds>(before_, cfg_);
    pool_.setIndexJudge([this](const ExprPool::IndexFact &fact) { return isIndexFact(fact); });
  }
  const Proof soFar = proof_;
  while (true) {
    hintFailed_ = false;
    auto fault = runOnce();
    if (!hintFailed_) // each round drops at least one hint
      return fault;
    proof_ = soFar;
  }
}

} // namespace verify

} // namespace rdna
