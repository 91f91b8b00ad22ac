// A function falls into segments that are entered at their start and left at their end only: from
// a place where paths meet, a conditional branch or a call to the next one. In one segment the
// operations of a queue have numbers, those that were in flight at its start negative ones, and a
// wait is a level: all up to that number have come back. So what is needed behind a wait is one
// number for each queue.

#include "Transform/WaitNeeds.h"

#include "Analysis/Dataflow.h"
#include "Analysis/Segments.h"
#include "Analysis/Waits.h"
#include "Asm/Effects.h"

#include <algorithm>

namespace rdna {
namespace {

constexpr unsigned kHighestCount = 62; // 63 is how the field says that it waits for nothing.
constexpr int kNoLevel = -1000000;

bool isInOrder(unsigned queue) {
  return queue == unsigned(WaitQueue::Vector) || queue == unsigned(WaitQueue::Lds);
}

std::optional<unsigned> &countOf(WaitCounts &counts, unsigned queue) {
  const bool isVm = queue == unsigned(WaitQueue::Vector) || queue == unsigned(WaitQueue::Image);
  return isVm ? counts.vm : counts.lgkm;
}

std::array<bool, kWaitQueues> queuesOf(const Instruction &inst) {
  std::array<bool, kWaitQueues> joins{};
  const bool returns =
      inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn;
  if (isVmem(inst.unit) && returns)
    joins[unsigned(inst.unit == Unit::Image ? WaitQueue::Image : WaitQueue::Vector)] = true;
  joins[unsigned(WaitQueue::Lds)] =
      inst.unit == Unit::Flat || (inst.unit == Unit::Lds && inst.op != Op::ds_nop);
  joins[unsigned(WaitQueue::Scalar)] = inst.unit == Unit::Smem || inst.unit == Unit::Message;
  return joins;
}

bool isCall(const Instruction &inst) {
  return inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64;
}

/// Where other waves may see what has come back and what has not.
bool isFence(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Barrier:
  case Unit::Message:
  case Unit::Other:
    return true;
  case Unit::Wait:
    return inst.op == Op::s_waitcnt_vscnt || inst.op == Op::s_wait_idle;
  default:
    return (isVmem(inst.unit) || inst.unit == Unit::Smem) && inst.memory == MemoryEffect::None;
  }
}

/// Two loads of one queue write a register in order, so the second need not wait for the first.
bool mayOverlap(const Instruction &inst, const RegAccess &access) {
  if (inst.unit == Unit::Flat)
    return false; // It may come by way of LDS, whatever came before by the other.
  return access.writes() ||
         (access.operand >= 0 && inst.operands[static_cast<size_t>(access.operand)].tiedTo >= 0);
}

using Levels = std::array<int, kWaitQueues>;
Levels noLevels() {
  Levels levels;
  levels.fill(kNoLevel);
  return levels;
}

/// What a count of `queue` guarantees behind `issued` operations.
int reach(unsigned queue, int issued, std::optional<unsigned> count) {
  if (!count || (!isInOrder(queue) && *count != 0))
    return kNoLevel;
  return issued - static_cast<int>(*count);
}

/// The queues of which something may be in flight where a segment starts, and of which an acquire.
struct Before {
  std::array<bool, kWaitQueues> any{}, flag{};
};

class WaitSegment {
public:
  WaitSegment(const Module &module, WaitPlan &plan, const std::vector<uint8_t> &mayChange,
              const std::vector<uint8_t> &flags, PlainSync plain, const std::vector<uint32_t> &code)
      : module_(module), plan_(plan), mayChange_(mayChange), flags_(flags), plain_(plain),
        code_(code) {}

  bool run(const PendingRegisters &atStart, const Before &before) {
    before_ = before;
    scalarAtStart_ = atStart.any(WaitQueue::Scalar);
    if (!collect(atStart))
      return false;
    assign();
    settle();
    return true;
  }

private:
  const Instruction &inst(size_t i) const { return module_.instructions()[code_[i]]; }
  void need(size_t i, unsigned queue, int level) {
    if (level <= 0 && !before_.any[queue])
      return; // There is nothing that old.
    needs_[i][queue] = std::max(needs_[i][queue], level);
  }

  /// `isOutside`: the original counts on whoever called if it touches the register this early.
  void needRegister(size_t i, unsigned queue, int &owner, int level, bool isOutside) {
    if (isOutside && owner > level)
      owner = kNoLevel;
    else
      need(i, queue, owner);
  }

  /// What an acquire or a release needs (docs/design.md, "The memory model"): an access finds
  /// complete what the original's waits had completed of loads that may be acquires, a store of all
  /// LDS accesses, an atomic of everything.
  void orderMemory(size_t i, unsigned q, int level, const std::vector<int> &flags) {
    const Instruction &it = inst(i);
    const bool isSync = it.memory != MemoryEffect::None && isSynchronising(it);
    if (it.memory == MemoryEffect::None || it.unit == Unit::Scratch ||
        (it.unit == Unit::Smem && !isSync))
      return;
    const bool isRelease = it.memory == MemoryEffect::Store && q == unsigned(WaitQueue::Lds) &&
                           plain_ == PlainSync::Possible;
    if (isSync || isRelease) {
      need(i, q, std::min(level, issued_[i][q]));
      return;
    }
    int last = before_.flag[q] ? std::min(level, 0) : kNoLevel;
    for (const int flag : flags)
      if (flag <= level)
        last = flag;
    need(i, q, last);
  }

  /// What each instruction needs, and how many operations stand before it.
  bool collect(const PendingRegisters &atStart) {
    std::array<std::array<int, kRegUnits>, kWaitQueues> owner;
    for (unsigned q = 0; q < kWaitQueues; ++q)
      for (unsigned unit = 0; unit < kRegUnits; ++unit) {
        const uint8_t younger = atStart.younger(q, unit);
        owner[q][unit] = younger == PendingRegisters::kNone ? kNoLevel : -int(younger);
      }
    std::bitset<kRegUnits> outside, flat;
    for (unsigned unit = 0; unit < kRegUnits; ++unit) {
      outside.set(unit, atStart.isOutside(unit));
      flat.set(unit, atStart.isFlat(unit));
    }
    needs_.assign(code_.size() + 1, noLevels());
    issued_.assign(code_.size() + 1, {});
    Levels level = noLevels();
    std::array<std::vector<int>, kWaitQueues> flags; // Operations that may be acquires.
    for (size_t i = 0; i < code_.size(); ++i) {
      const Instruction &it = inst(i);
      WaitCounts counts = plannedCounts(plan_, it);
      if ((counts.vm && *counts.vm > 0) || (counts.lgkm && *counts.lgkm > 0))
        outside.reset(); // Some has been waited for, and nobody knows for which.
      const auto joins = queuesOf(it);
      for (unsigned q = 0; q < kWaitQueues; ++q) {
        level[q] = std::max(level[q], reach(q, issued_[i][q], countOf(counts, q)));
        if (isFence(it))
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
        issued_[i + 1][q] = issued_[i][q] + joins[q];
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
    for (unsigned q = 0; q < kWaitQueues; ++q)
      need(code_.size(), q, level[q]);
    return true;
  }

  /// Backwards: every need goes to the last wait that can meet it.
  void assign() {
    Levels open = needs_[code_.size()];
    for (size_t i = code_.size(); i-- > 0;) {
      for (unsigned q = 0; q < kWaitQueues; ++q)
        open[q] = std::max(open[q], needs_[i][q]);
      needs_[i] = open;
      WaitCounts counts = plannedCounts(plan_, inst(i));
      WaitCounts kept = mayChange_[code_[i]] ? wanted(i, counts, noLevels()) : counts;
      for (unsigned q = 0; q < kWaitQueues; ++q)
        if (reach(q, issued_[i][q], countOf(kept, q)) >= open[q])
          open[q] = kNoLevel;
    }
  }

  /// The highest counts that do what of `counts` is needed behind instruction `i` and not done yet.
  WaitCounts wanted(size_t i, WaitCounts counts, const Levels &done) const {
    WaitCounts result;
    result.exp = counts.exp;
    for (unsigned q = 0; q < kWaitQueues; ++q) {
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
        const auto scalar = unsigned(WaitQueue::Scalar);
        const bool scalarInFlight =
            done[scalar] < issued_[i][scalar] && (issued_[i][scalar] > 0 || scalarAtStart_);
        if (raised.lgkm && counts.lgkm == 0u && scalarInFlight)
          raised.lgkm = 0;
        plan_[code_[i]] = counts = raised;
      }
      for (unsigned q = 0; q < kWaitQueues; ++q)
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
  std::vector<std::array<int, kWaitQueues>> issued_;
  bool scalarAtStart_ = false;
  Before before_;
};

Before before(const InFlight &inFlight) {
  const auto of = [&](WaitClass cls) { return inFlight.of[static_cast<size_t>(cls)]; };
  Before result;
  const auto set = [&](WaitQueue queue, std::initializer_list<WaitClass> classes) {
    for (const WaitClass cls : classes) {
      result.any[static_cast<size_t>(queue)] |= of(cls).most > 0;
      result.flag[static_cast<size_t>(queue)] |= of(cls).mayFlag;
    }
  };
  set(WaitQueue::Vector, {WaitClass::Vector});
  set(WaitQueue::Image, {WaitClass::Vector, WaitClass::Sampler});
  set(WaitQueue::Lds, {WaitClass::Lds});
  set(WaitQueue::Scalar, {WaitClass::Scalar});
  return result;
}

/// Where a segment starts: with what the paths to its block leave in flight, or with nothing.
enum class Entry : uint8_t { Block, BehindCall };

/// Calls `visit(block, entry, code)` for every segment, which calls cut once more.
template <typename Visit>
void forEachSegment(const Module &module, const Cfg &cfg, const Visit &visit) {
  for (const std::vector<uint32_t> &segment : segmentsOf(module, cfg)) {
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

PendingRegisters::PendingRegisters() {
  for (auto &queue : younger_)
    queue.fill(kNone);
}

void PendingRegisters::step(const Instruction &inst, const WaitCounts &counts) {
  if (isCall(inst)) {
    *this = unknown();
    return;
  }
  counted_ |=
      outside_.any() && ((counts.vm && *counts.vm > 0) || (counts.lgkm && *counts.lgkm > 0));
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (const unsigned unit = access.reg.first.index + d; isOutside(unit)) {
        outside_.reset(unit);
        for (auto &queue : younger_)
          queue[unit] = kNone;
      }
  WaitCounts limits = counts;
  const auto joins = queuesOf(inst);
  for (unsigned q = 0; q < kWaitQueues; ++q) {
    if (const auto limit = countOf(limits, q); limit && (isInOrder(q) || *limit == 0))
      for (uint8_t &younger : younger_[q])
        if (younger != kNone && younger >= *limit)
          younger = kNone;
    if (!joins[q])
      continue;
    for (uint8_t &younger : younger_[q])
      if (younger < 64)
        ++younger;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        younger_[q][access.reg.first.index + d] = 0;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        flat_.set(access.reg.first.index + d, inst.unit == Unit::Flat);
  }
}

PendingRegisters PendingRegisters::unknown() {
  PendingRegisters result;
  for (unsigned unit = 0; unit < RegUnit::scalar(108).index; ++unit) {
    result.outside_.set(unit);
    for (auto &queue : result.younger_)
      queue[unit] = 0;
  }
  return result;
}

void PendingRegisters::join(const PendingRegisters &other) {
  const auto isPending = [](const PendingRegisters &state, unsigned unit) {
    return !state.outside_.test(unit) &&
           std::any_of(state.younger_.begin(), state.younger_.end(),
                       [&](const auto &queue) { return queue[unit] != kNone; });
  };
  flat_ |= other.flat_;
  counted_ |= other.counted_;
  // Pending by a load on one path and from outside on the other: there is a load to wait for.
  if (outside_.any() || other.outside_.any())
    for (unsigned unit = 0; unit < kRegUnits; ++unit) {
      const bool outside = (outside_.test(unit) || other.outside_.test(unit)) &&
                           !isPending(*this, unit) && !isPending(other, unit);
      outside_.set(unit, outside);
    }
  for (unsigned q = 0; q < kWaitQueues; ++q)
    for (unsigned unit = 0; unit < kRegUnits; ++unit)
      younger_[q][unit] = std::min(younger_[q][unit], other.younger_[q][unit]);
}

bool PendingRegisters::any(WaitQueue queue) const {
  const auto &units = younger_[static_cast<size_t>(queue)];
  return std::any_of(units.begin(), units.end(), [](uint8_t y) { return y != kNone; });
}

WaitCounts plannedCounts(const WaitPlan &plan, const Instruction &inst) {
  WaitCounts counts;
  const bool isPlain =
      inst.operands.size() == 2 && inst.operands[0].isReg() && inst.operands[0].reg.first.isNull();
  switch (inst.op) {
  case Op::s_waitcnt:
    if (const auto it = plan.find(inst.index); it != plan.end())
      counts = it->second;
    break;
  case Op::s_waitcnt_vmcnt:
    if (isPlain)
      counts.vm = unsigned(inst.operands[1].imm) & 63;
    break;
  case Op::s_waitcnt_lgkmcnt:
    if (isPlain)
      counts.lgkm = unsigned(inst.operands[1].imm) & 63;
    break;
  case Op::s_wait_idle:
    counts.vm = counts.lgkm = 0;
    break;
  default:
    break;
  }
  return counts;
}

namespace {

class Pending {
public:
  using State = PendingRegisters;
  static constexpr Direction direction = Direction::Forward;

  Pending(const Module &module, const Cfg &cfg, const WaitPlan &plan)
      : module_(module), cfg_(cfg), plan_(plan) {}
  PendingRegisters boundary(uint32_t block) const {
    const Function &function = module_.functions()[cfg_.functionIndex];
    return block == 0 && function.entry == Function::Entry::Unknown ? PendingRegisters::unknown()
                                                                    : PendingRegisters();
  }
  void join(PendingRegisters &into, const PendingRegisters &from, Edge) const { into.join(from); }
  void apply(uint32_t block, PendingRegisters &state) const {
    for (uint32_t i = cfg_.blocks[block].first; i < cfg_.blocks[block].last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      state.step(inst, plannedCounts(plan_, inst));
    }
  }

private:
  const Module &module_;
  const Cfg &cfg_;
  const WaitPlan &plan_;
};

} // namespace

std::vector<PendingRegisters> pendingRegisters(const Module &module, const Cfg &cfg,
                                               const WaitPlan &plan) {
  Pending problem(module, cfg, plan);
  return solve(cfg, problem).atStart;
}

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
  const std::vector<PendingRegisters> pending = pendingRegisters(module, cfg, plan);
  std::vector<uint8_t> flags(module.instructions().size(), 0);
  const MemoryFacts facts = memoryFacts(module, cfg, computeLiveness(module, cfg));
  std::copy(facts.flags.begin(), facts.flags.end(),
            flags.begin() + static_cast<std::ptrdiff_t>(cfg.blocks.front().first));
  forEachSegment(module, cfg, [&](uint32_t block, Entry entry, const std::vector<uint32_t> &code) {
    const PendingRegisters atStart =
        entry == Entry::Block ? pending[block] : PendingRegisters::unknown();
    const InFlight inFlight = entry == Entry::Block ? facts.inFlight[block] : InFlight::unknown();
    understood &=
        WaitSegment(module, raised, mayChange, flags, plain, code).run(atStart, before(inFlight));
  });
  if (understood)
    plan = std::move(raised);
  return understood;
}

} // namespace rdna
