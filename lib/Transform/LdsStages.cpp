#include "Transform/LdsStages.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/Branch.h"
#include "Transform/UnitSet.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace rdna {

bool accessesLds(const Instruction &inst) {
  return inst.unit == Unit::Lds && inst.memory != MemoryEffect::None;
}

bool storesToLds(const Instruction &inst) {
  return accessesLds(inst) && inst.memory == MemoryEffect::Store;
}

RegUnit ldsAddressUnit(const Instruction &access) {
  return access.operands[static_cast<size_t>(ldsAddressOperand(access))].reg.first;
}

std::vector<uint32_t> barriersWithInvalidations(const Module &module, const StagedLoop &staged) {
  std::vector<uint32_t> found;
  for (const uint32_t barrier : staged.barriers) {
    found.push_back(barrier);
    if (const uint32_t next = barrier + 1;
        next < module.instructions().size() && invalidatesL0(module.instructions()[next]))
      found.push_back(next);
  }
  return found;
}

bool hasBarrier(const Module &module, const Cfg &cfg, const Loop &loop) {
  return llvm::any_of(loopInstructions(cfg, loop),
                      [&](uint32_t i) { return module.instructions()[i].unit == Unit::Barrier; });
}

bool isBufferLabel(std::string_view name) { return name.find(".buffer") != name.npos; }

std::vector<Segment> segmentsOf(const Module &module, const Cfg &cfg,
                                const std::vector<uint32_t> &turns) {
  std::vector<Segment> segments;
  std::vector<uint32_t> firstOf(cfg.blocks.size());
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const Block &block = cfg.blocks[b];
    firstOf[b] = static_cast<uint32_t>(segments.size());
    uint32_t first = block.first;
    for (const uint32_t turn : turns)
      if (turn >= block.first && turn < block.last) {
        segments.push_back({b, first, turn, {}, true});
        first = turn;
      }
    segments.push_back({b, first, block.last, {}});
  }
  for (uint32_t s = 0; s < segments.size(); ++s) {
    Segment &segment = segments[s];
    if (segment.isTurned) {
      segment.next = {s + 1};
      continue;
    }
    const Instruction &last = module.instructions()[cfg.blocks[segment.block].last - 1];
    const auto &ways = cfg.blocks[segment.block].successors;
    std::vector<uint32_t> blocks(ways.begin(), ways.end());
    if (isConditionalBranch(last.op) && blocks.size() == 2) {
      const auto target = module.labelTarget(module.branchTarget(last));
      if (target && cfg.blockOf(*target) == blocks[1])
        std::swap(blocks[0], blocks[1]);
    }
    for (const uint32_t block : blocks)
      segment.next.push_back(firstOf[block]);
  }
  return segments;
}

namespace {

/// What is done to LDS between a barrier and the next ones, or those before it.
struct Between {
  std::optional<uint32_t> load, store; ///< An instruction.
  std::set<uint32_t> firstStores;      ///< On the ways from there.
};

class StagesFinder {
public:
  StagesFinder(const Module &module, const Cfg &cfg, uint32_t loop)
      : module_(module), cfg_(cfg), loop_(cfg.loops[loop]), index_(loop),
        postDominators_(immediatePostDominators(cfg)) {}

  StageOutcome run() {
    for (const uint32_t b : loop_.blocks)
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        if (inst(i).unit == Unit::Barrier)
          barriers_.push_back(i);
        else if (accessesLds(inst(i)))
          (inst(i).memory == MemoryEffect::Load ? loads_ : stores_).push_back(i);
      }
    if (barriers_.empty() || loads_.empty())
      return {};
    if (stores_.empty())
      return leave(loads_.front(), 2, "no step of the loop fills the buffer that this reads");
    if (auto computed = whereComputed())
      return std::move(*computed);
    return findBarrier();
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  StageOutcome leave(uint32_t instruction, unsigned rule, std::string_view reason) const {
    return {.staged = std::nullopt,
            .left =
                StagesLeft{inst(instruction).line, fmt::format("rule {}: {}", rule, reason), rule}};
  }

  /// Rule 1: what is stored comes from memory, as it is or converted on its way.
  std::optional<StageOutcome> whereComputed() const {
    for (const uint32_t store : stores_)
      for (const RegAccess &access : inst(store).accesses) {
        const bool isAddress = access.operand == ldsAddressOperand(inst(store));
        for (unsigned d = 0; access.reads() && !isAddress && d < access.reg.dwords; ++d)
          for (const Half half : halvesOf(readHalf(inst(store), access)))
            if (auto why =
                    whyComputed(store, {{static_cast<uint16_t>(access.reg.first.index + d)}, half}))
              return leave(store, 1, *why);
      }
    return std::nullopt;
  }

  /// A register, or half a VGPR: what keeps the other half has nothing to do with it.
  struct Source {
    RegUnit unit;
    Half half;
    auto operator<=>(const Source &) const = default;
  };
  static llvm::ArrayRef<Half> halvesOf(Half half) {
    static constexpr std::array both{Half::Low, Half::High};
    return half == Half::Whole ? llvm::ArrayRef(both)
                               : llvm::ArrayRef(both).slice(half == Half::Low ? 0 : 1, 1);
  }
  static bool writes(const Instruction &inst, Source to) {
    return llvm::any_of(inst.accesses, [&](const RegAccess &access) {
      return access.writes() && access.reg.overlaps({to.unit, 1, Half::Whole}) &&
             llvm::is_contained(halvesOf(writtenHalf(inst, access.reg)), to.half);
    });
  }

  static bool moves(const Instruction &inst, RegUnit unit) {
    if (inst.op == Op::v_mov_b16)
      return true;
    const auto lanes = laneOps(inst);
    return llvm::any_of(lanes, [&](const LaneOp &lane) {
      return lane.op == Op::v_mov_b32 && RegUnit::vgpr(lane.dst.number) == unit;
    });
  }
  bool loadsMemory(uint32_t i) const {
    return isVmem(inst(i).unit) && inst(i).memory == MemoryEffect::Load;
  }

  /// Instructions of the loop that an instruction may have a register from.
  std::vector<uint32_t> writersFor(uint32_t reader, Source source) const {
    std::vector<uint32_t> writers;
    const auto look = [&](uint32_t b, uint32_t end) {
      for (uint32_t i = end; i-- > cfg_.blocks[b].first;)
        if (writes(inst(i), source)) {
          writers.push_back(i);
          return Walk::Stop;
        }
      return Walk::GoOn;
    };
    const uint32_t here = cfg_.blockOf(reader);
    if (look(here, reader) == Walk::GoOn)
      walkFrom(cfg_, cfg_.blocks[here].predecessors, Direction::Backward, [&](uint32_t b) {
        return loop_.contains(b) ? look(b, cfg_.blocks[b].last) : Walk::Stop;
      });
    return writers;
  }

  /// Lanes that load nothing store something else, so one load that a store may have its register
  /// from is enough. Else it must be arithmetic of what was loaded, and of nothing that is in LDS.
  std::optional<std::string> whyComputed(uint32_t store, Source stored) const {
    std::optional<uint32_t> writer, fromLds;
    for (const uint32_t i : writersFor(store, stored)) {
      if (loadsMemory(i))
        return std::nullopt;
      if (!moves(inst(i), stored.unit))
        writer = i;
    }
    if (!writer)
      return std::nullopt;
    bool isLoaded = false;
    std::set<std::pair<uint32_t, Source>> seen;
    std::vector<std::pair<uint32_t, Source>> open{{store, stored}};
    while (!open.empty()) {
      const auto [reader, read] = open.back();
      open.pop_back();
      for (const uint32_t i : writersFor(reader, read)) {
        isLoaded |= loadsMemory(i);
        if (accessesLds(inst(i)))
          fromLds = i;
        if (inst(i).memory == MemoryEffect::None)
          for (const Source source : readsFor(i, read.unit))
            if (seen.insert({i, source}).second)
              open.emplace_back(i, source);
      }
    }
    if (fromLds == writer)
      return fmt::format("what is stored is loaded from LDS (line {})", inst(*writer).line);
    if (fromLds)
      return fmt::format("what is stored is computed (line {}) of what line {} has from LDS",
                         inst(*writer).line, inst(*fromLds).line);
    if (!isLoaded)
      return fmt::format("what is stored is computed (line {}), not loaded from memory",
                         inst(*writer).line);
    return std::nullopt;
  }

  /// What a register that is written there is made of.
  std::vector<Source> readsFor(uint32_t i, RegUnit written) const {
    std::vector<Source> sources;
    const auto add = [&](RegUnit unit, Half half) {
      if (unit != kExecLo)
        for (const Half one : halvesOf(half))
          sources.push_back({unit, one});
    };
    Units reads;
    for (const LaneOp &lane : inst(i).isVopd() ? laneOps(inst(i)) : llvm::SmallVector<LaneOp, 2>())
      if (RegUnit::vgpr(lane.dst.number) == written)
        addUnits(lane, &reads, nullptr);
    for (uint16_t u = 0; u < kRegUnits; ++u)
      if (reads.test(u))
        add({u}, Half::Whole);
    for (const RegAccess &access : inst(i).accesses) {
      const bool isRead = !inst(i).isVopd() && access.reads() && !isKept(inst(i), access);
      for (unsigned d = 0; isRead && d < access.reg.dwords; ++d)
        add({static_cast<uint16_t>(access.reg.first.index + d)}, readHalf(inst(i), access));
    }
    return sources;
  }

  /// From a barrier to the next ones, in the loop.
  Between lookAhead(uint32_t barrier) const {
    Between found;
    const auto look = [&](uint32_t b, uint32_t i) {
      bool hasStored = false;
      for (; i < cfg_.blocks[b].last && inst(i).unit != Unit::Barrier; ++i) {
        note(i, found);
        if (!hasStored && storesToLds(inst(i))) {
          found.firstStores.insert(i);
          hasStored = true;
        }
      }
      return i < cfg_.blocks[b].last ? Walk::Stop : Walk::GoOn;
    };
    const uint32_t here = cfg_.blockOf(barrier);
    if (look(here, barrier + 1) == Walk::GoOn)
      walkFrom(cfg_, cfg_.blocks[here].successors, Direction::Forward, [&](uint32_t b) {
        return loop_.contains(b) ? look(b, cfg_.blocks[b].first) : Walk::Stop;
      });
    return found;
  }

  /// The other way round.
  Between lookBack(uint32_t barrier) const {
    Between found;
    const auto look = [&](uint32_t b, uint32_t end) {
      while (end > cfg_.blocks[b].first && inst(end - 1).unit != Unit::Barrier)
        note(--end, found);
      return end > cfg_.blocks[b].first ? Walk::Stop : Walk::GoOn;
    };
    const uint32_t here = cfg_.blockOf(barrier);
    if (look(here, barrier) == Walk::GoOn)
      walkFrom(cfg_, cfg_.blocks[here].predecessors, Direction::Backward, [&](uint32_t b) {
        return loop_.contains(b) ? look(b, cfg_.blocks[b].last) : Walk::Stop;
      });
    return found;
  }

  void note(uint32_t i, Between &found) const {
    if (accessesLds(inst(i)))
      (inst(i).memory == MemoryEffect::Load ? found.load : found.store) = i;
  }

  /// The one store in front of all others behind a barrier, or where the ways to them part; of
  /// stores that waves without lanes jump over what is in front of the jump, because all waves take
  /// turns. There a step may go that stores nothing, but then it may load nothing that was stored
  /// before: the proof sees to that.
  std::optional<uint32_t> turnBehind(const Between &behind) const {
    const auto dominatesAll = [&](uint32_t block) {
      return llvm::all_of(behind.firstStores, [&](uint32_t store) {
        return cfg_.dominates(block, cfg_.blockOf(store));
      });
    };
    for (const uint32_t store : behind.firstStores)
      if (dominatesAll(cfg_.blockOf(store)))
        return inFrontOfGuards(cfg_.blockOf(store), withClause(store));
    uint32_t block = cfg_.blockOf(*behind.firstStores.begin());
    while (!dominatesAll(block))
      block = cfg_.blocks[block].immediateDominator;
    if (!loop_.contains(block) || !inst(cfg_.blocks[block].last - 1).isTerminator())
      return std::nullopt;
    return inFrontOfGuards(block, whereLanesPart(block).value_or(cfg_.blocks[block].last - 1));
  }

  /// Or a place in one of the blocks that lead there, if only waves with lanes come to `turn`.
  uint32_t inFrontOfGuards(uint32_t block, uint32_t turn) const {
    for (uint32_t above = block; above != loop_.header;) {
      above = cfg_.blocks[above].immediateDominator;
      if (comesThrough(above, block))
        continue;
      const auto place = whereLanesPart(above);
      if (!place)
        break;
      block = above;
      turn = *place;
    }
    return turn;
  }
  /// Does every way from there go through that block?
  bool comesThrough(uint32_t from, uint32_t block) const {
    for (std::optional<uint32_t> next = from; next; next = postDominators_[*next])
      if (next == block)
        return true;
    return false;
  }
  /// In front of what switches lanes off for a branch of waves that have none left.
  std::optional<uint32_t> whereLanesPart(uint32_t block) const {
    const uint32_t last = cfg_.blocks[block].last - 1;
    if (inst(last).op != Op::s_cbranch_execz && inst(last).op != Op::s_cbranch_execnz)
      return std::nullopt;
    for (uint32_t i = last; i > cfg_.blocks[block].first; --i) {
      const Instruction &next = inst(i - 1);
      if (next.unit == Unit::Barrier || accessesLds(next))
        break;
      if (next.writesUnit(kExecLo))
        return i - 1;
    }
    return last;
  }

  /// An s_clause stays with its members.
  uint32_t withClause(uint32_t store) const {
    const uint32_t first = cfg_.blocks[cfg_.blockOf(store)].first;
    return store > first && inst(store - 1).op == Op::s_clause ? store - 1 : store;
  }

  /// Rule 3: the barriers are one behind the stores and one behind the loads.
  StageOutcome findBarrier() const {
    StagedLoop staged{index_, {}, {}, static_cast<unsigned>(barriers_.size())};
    for (const uint32_t barrier : barriers_) {
      const Between before = lookBack(barrier), behind = lookAhead(barrier);
      if (!behind.store || behind.load || !before.load || before.store)
        continue;
      const auto turn = turnBehind(behind);
      staged.barriers.push_back(barrier);
      if (!turn)
        staged.noTurn =
            leave(barrier, 3, "the ways to the next step's stores part in front of the loop").left;
      else if (!llvm::is_contained(staged.turns, *turn))
        staged.turns.push_back(*turn);
    }
    if (staged.barriers.empty() && turnsAddresses())
      return leave(barriers_.front(), 3,
                   "its buffers take turns already, by an exclusive or of addresses");
    if (staged.barriers.empty())
      return leave(barriers_.front(), 3,
                   "no barrier of the loop stands between loads of one step and stores of "
                   "the next alone; it has several buffers already, or needs them all");
    llvm::sort(staged.turns);
    return {.staged = std::move(staged), .left = std::nullopt};
  }

  bool turnsAddresses() const {
    std::set<RegUnit> addresses, turned;
    for (const uint32_t b : cfg_.loops[index_].blocks)
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i)
        for (const RegAccess &access : inst(i).accesses) {
          if (accessesLds(inst(i)) && access.operand == ldsAddressOperand(inst(i)))
            addresses.insert(access.reg.first);
          if (inst(i).op == Op::v_xor_b32 && access.writes())
            turned.insert(access.reg.first);
        }
    return llvm::any_of(turned, [&](RegUnit unit) { return addresses.contains(unit); });
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const uint32_t index_;
  const std::vector<std::optional<uint32_t>> postDominators_; ///< By block.
  std::vector<uint32_t> barriers_, loads_, stores_;
};

} // namespace

StageOutcome findStages(const Module &module, const Cfg &cfg, uint32_t loop) {
  return StagesFinder(module, cfg, loop).run();
}

} // namespace rdna
