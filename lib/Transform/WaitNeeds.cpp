// A function falls into segments (Analysis/Segments.h), which calls cut once more. In one segment
// the operations of a class have numbers (OperationQueue), so what is needed behind a wait is one
// number for each class.

#include "Transform/WaitNeeds.h"

#include "Analysis/Dependence.h"
#include "Analysis/Segments.h"
#include "Asm/Effects.h"

#include <algorithm>

namespace rdna {
namespace {

constexpr int kNoNeed = OperationQueue::kNoLevel;

/// Two loads of one class write a register in order, so the second need not wait for the first.
bool mayOverlap(const Instruction &inst, const RegAccess &access) {
  if (inst.unit == Unit::Flat)
    return false; // It may come by way of LDS, whatever came before by the other.
  return access.writes() ||
         (access.operand >= 0 && inst.operands[static_cast<size_t>(access.operand)].tiedTo >= 0);
}

using Levels = ByClass<int>;
Levels noLevels() {
  Levels levels;
  levels.of.fill(kNoNeed);
  return levels;
}

/// What a count guarantees behind `issued` operations.
int reach(WaitClass cls, int issued, std::optional<unsigned> count) {
  if (!count || (!isInOrder(cls) && *count != 0))
    return kNoNeed;
  return issued - static_cast<int>(*count);
}

class WaitSegment {
public:
  WaitSegment(const Module &module, WaitPlan &plan, const std::vector<uint8_t> &mayChange,
              const std::vector<uint8_t> &flags, PlainSync plain, const std::vector<uint32_t> &code)
      : module_(module), plan_(plan), mayChange_(mayChange), flags_(flags), plain_(plain),
        code_(code) {}

  bool run(const WaitState &atStart, const InFlight &before) {
    before_ = before;
    scalarAtStart_ = atStart.hasScalarLoads();
    if (!collect(atStart))
      return false;
    assign();
    settle();
    return true;
  }

private:
  const Instruction &inst(size_t i) const { return module_.instructions()[code_[i]]; }
  const InFlight::Class &before(WaitClass cls) const {
    return before_.of[static_cast<size_t>(cls)];
  }
  void need(size_t i, WaitClass cls, int level) {
    if (level <= 0 && before(cls).most == 0)
      return; // There is nothing that old.
    needs_[i][cls] = std::max(needs_[i][cls], level);
  }

  /// `isOutside`: the original counts on whoever called if it touches the register this early.
  void needRegister(size_t i, WaitClass cls, int &owner, int level, bool isOutside) {
    if (isOutside && owner > level)
      owner = kNoNeed;
    else
      need(i, cls, owner);
  }

  /// What an acquire or a release needs (docs/design.md, "The memory model"): an access finds
  /// complete what the original's waits had completed of loads that may be acquires, a store of all
  /// LDS accesses, an atomic of everything.
  void orderMemory(size_t i, WaitClass q, int level, const std::vector<int> &flags) {
    const Instruction &it = inst(i);
    const bool isSync = it.memory != MemoryEffect::None && isSynchronising(it);
    if (it.memory == MemoryEffect::None || it.unit == Unit::Scratch ||
        (it.unit == Unit::Smem && !isSync))
      return;
    const bool isRelease =
        it.memory == MemoryEffect::Store && q == WaitClass::Lds && plain_ == PlainSync::Possible;
    if (isSync || isRelease) {
      need(i, q, std::min(level, issued_[i][q]));
      return;
    }
    int last = before(q).mayFlag ? std::min(level, 0) : kNoNeed;
    for (const int flag : flags)
      if (flag <= level)
        last = flag;
    need(i, q, last);
  }

  /// What each instruction needs, and how many operations stand before it.
  bool collect(const WaitState &atStart) {
    ByClass<std::array<int, kRegUnits>> owner;
    for (const WaitClass q : kLoadClasses)
      for (unsigned unit = 0; unit < kRegUnits; ++unit) {
        const uint8_t younger = atStart.younger(q, unit);
        owner[q][unit] = younger == WaitState::kDone ? kNoNeed : -int(younger);
      }
    std::bitset<kRegUnits> outside, flat;
    for (unsigned unit = 0; unit < kRegUnits; ++unit) {
      outside.set(unit, atStart.isOutside(unit));
      flat.set(unit, atStart.isFlat(unit));
    }
    needs_.assign(code_.size() + 1, noLevels());
    issued_.assign(code_.size() + 1, {});
    Levels level = noLevels();
    ByClass<std::vector<int>> flags; // Operations that may be acquires.
    for (size_t i = 0; i < code_.size(); ++i) {
      const Instruction &it = inst(i);
      WaitCounts counts = plannedCounts(plan_, it);
      if ((counts.vm && *counts.vm > 0) || (counts.lgkm && *counts.lgkm > 0))
        outside.reset(); // Some has been waited for, and nobody knows for which.
      const CounterEvents joins = counterEvents(it);
      for (const WaitClass q : kLoadClasses) {
        level[q] = std::max(level[q], reach(q, issued_[i][q], countOf(counts, q)));
        if (isMemoryFence(it))
          need(i, q, level[q]);
        orderMemory(i, q, level[q], flags[q]);
        for (const RegAccess &access : it.accesses)
          for (unsigned d = 0; d < access.reg.dwords; ++d)
            if (!joins[q] || !isInOrder(q) || !mayOverlap(it, access) ||
                flat.test(access.reg.first.index + d))
              needRegister(i, q, owner[q][access.reg.first.index + d], level[q],
                           outside.test(access.reg.first.index + d));
        if (needs_[i][q] > level[q])
          return false;
        issued_[i + 1][q] = issued_[i][q] + (joins[q] != 0);
        for (const RegAccess &access : it.accesses)
          for (unsigned d = 0; joins[q] && access.writes() && d < access.reg.dwords; ++d)
            owner[q][access.reg.first.index + d] = issued_[i + 1][q];
        const bool mayFlag = plain_ == PlainSync::Possible && flags_[code_[i]];
        if (joins[q] && (mayFlag || isSynchronising(it)))
          flags[q].push_back(issued_[i + 1][q]);
      }
      for (const RegAccess &access : it.accesses)
        for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
          if (it.memory != MemoryEffect::None) {
            outside.reset(access.reg.first.index + d);
            flat.set(access.reg.first.index + d, it.unit == Unit::Flat);
          }
    }
    for (const WaitClass q : kLoadClasses)
      need(code_.size(), q, level[q]);
    return true;
  }

  /// Backwards: every need goes to the last wait that can meet it.
  void assign() {
    Levels open = needs_[code_.size()];
    for (size_t i = code_.size(); i-- > 0;) {
      for (const WaitClass q : kLoadClasses)
        open[q] = std::max(open[q], needs_[i][q]);
      needs_[i] = open;
      WaitCounts counts = plannedCounts(plan_, inst(i));
      WaitCounts kept = mayChange_[code_[i]] ? wanted(i, counts, noLevels()) : counts;
      for (const WaitClass q : kLoadClasses)
        if (reach(q, issued_[i][q], countOf(kept, q)) >= open[q])
          open[q] = kNoNeed;
    }
  }

  /// The highest counts that do what of `counts` is needed behind instruction `i` and not done yet.
  WaitCounts wanted(size_t i, WaitCounts counts, const Levels &done) const {
    WaitCounts result;
    result.exp = counts.exp;
    for (const WaitClass q : kLoadClasses) {
      const int level = needs_[i][q], issued = issued_[i][q];
      if (level <= done[q] || reach(q, issued, countOf(counts, q)) < level)
        continue;
      const unsigned most = isInOrder(q) ? std::min(unsigned(issued - level), kHighestCount) : 0;
      std::optional<unsigned> &count = countOf(result, q);
      count = std::min(count.value_or(most), most);
    }
    return result;
  }

  /// Forwards: what an earlier wait has done as well needs no second one.
  void settle() {
    Levels done = noLevels();
    for (size_t i = 0; i < code_.size(); ++i) {
      WaitCounts counts = plannedCounts(plan_, inst(i));
      if (mayChange_[code_[i]]) {
        WaitCounts raised = wanted(i, counts, done);
        // LDS operations would still be in order among themselves, but that is not how compilers
        // use the counter (a scalar load in flight forces 0).
        const int scalars = issued_[i][WaitClass::Scalar];
        const bool scalarInFlight =
            done[WaitClass::Scalar] < scalars && (scalars > 0 || scalarAtStart_);
        if (raised.lgkm && counts.lgkm == 0u && scalarInFlight)
          raised.lgkm = 0;
        plan_[code_[i]] = counts = raised;
      }
      for (const WaitClass q : kLoadClasses)
        done[q] = std::max(done[q], reach(q, issued_[i][q], countOf(counts, q)));
    }
  }

  const Module &module_;
  WaitPlan &plan_;
  const std::vector<uint8_t> &mayChange_;
  const std::vector<uint8_t> &flags_; ///< By instruction of the module.
  const PlainSync plain_;
  const std::vector<uint32_t> &code_;
  std::vector<Levels> needs_;
  std::vector<Levels> issued_; ///< Operations in front of each instruction.
  bool scalarAtStart_ = false;
  InFlight before_;
};

/// Where a segment starts: with what the paths to its block leave in flight, or with nothing.
enum class Entry : uint8_t { Block, BehindCall };

/// Calls `visit(block, entry, code)` for every segment, which calls cut once more.
template <typename Visit>
void forEachSegment(const Module &module, const Cfg &cfg, const Visit &visit) {
  for (const std::vector<uint32_t> &segment : straightSegments(module, cfg)) {
    Entry entry = Entry::Block;
    std::vector<uint32_t> code;
    for (const uint32_t b : segment)
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i) {
        code.push_back(i);
        if (!isCall(module.instructions()[i]))
          continue;
        visit(segment.front(), entry, code);
        code.clear();
        entry = Entry::BehindCall;
      }
    visit(segment.front(), entry, code);
  }
}

} // namespace

std::vector<uint8_t> changeableWaits(const Module &module, const Cfg &cfg,
                                     const std::vector<uint32_t> &blocks) {
  const auto &insts = module.instructions();
  std::vector<uint8_t> wanted(cfg.blocks.size(), 0), result(insts.size(), 0);
  for (const uint32_t b : blocks)
    wanted[b] = 1;
  forEachSegment(module, cfg, [&](uint32_t, Entry, const std::vector<uint32_t> &code) {
    for (const uint32_t i : code)
      result[i] = wanted[cfg.blockOf(i)] && waitCounts(insts[i]) &&
                  insts[i].origin == Instruction::Origin::Text;
  });
  return result;
}

bool raiseCounts(const Module &module, const Cfg &cfg, const std::vector<uint8_t> &mayChange,
                 PlainSync plain, WaitPlan &plan) {
  WaitPlan raised = plan;
  bool understood = true;
  const std::vector<WaitState> pending = computeWaits(module, cfg, plan);
  std::vector<uint8_t> flags(module.instructions().size(), 0);
  const MemoryFacts facts = memoryFacts(module, cfg, computeLiveness(module, cfg));
  std::copy(facts.flags.begin(), facts.flags.end(),
            flags.begin() + static_cast<std::ptrdiff_t>(cfg.blocks.front().first));
  forEachSegment(module, cfg, [&](uint32_t block, Entry entry, const std::vector<uint32_t> &code) {
    const WaitState atStart = entry == Entry::Block ? pending[block] : WaitState::unknown();
    const InFlight inFlight = entry == Entry::Block ? facts.inFlight[block] : InFlight::unknown();
    understood &= WaitSegment(module, raised, mayChange, flags, plain, code).run(atStart, inFlight);
  });
  if (understood)
    plan = std::move(raised);
  return understood;
}

} // namespace rdna
