#include "Transform/TileLoop.h"

#include "Asm/Effects.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

namespace rdna {
namespace {

using Units = std::bitset<kRegUnits>;

void addUnits(const Instruction &inst, Units *reads, Units *writes) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const unsigned unit = access.reg.first.index + d;
      if (reads && access.reads())
        reads->set(unit);
      if (writes && access.writes())
        writes->set(unit);
    }
}

class Finder {
public:
  Finder(const Module &module, const Cfg &cfg, const StagedLoop &staged)
      : module_(module), cfg_(cfg), loop_(cfg.loops[staged.loop]), staged_(staged) {}

  TileLoopOutcome run() {
    tile_.loop = staged_.loop;
    tile_.header = loop_.header;
    if (findShape() && findHead() && findAdvance() && checkHead() && checkUse() && findPrepare())
      return {.tile = std::move(tile_), .left = std::nullopt, .shape = shape_};
    return {.tile = std::nullopt, .left = std::move(left_), .shape = shape_};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  bool leave(uint32_t instruction, std::string reason) {
    left_ = StagesLeft{inst(instruction).line, std::move(reason)};
    return false;
  }

  /// One way in, one way back, one way out.
  bool findShape() {
    const Block &header = cfg_.blocks[tile_.header];
    for (uint32_t i = header.first; i < header.last && inst(i).unit != Unit::Barrier; ++i)
      if (accessesLds(inst(i)) && inst(i).memory == MemoryEffect::Store)
        return findBarriers();
    shape_ = TileLoopOutcome::Shape::Ahead;
    return leave(
        staged_.barriers.front(),
        "a step does not begin with a tile's loads and stores: it is a step ahead already, "
        "and --pipeline gives it a second buffer");
  }
  bool findBarriers() {
    if (staged_.barriers.size() != 1 || staged_.allBarriers != 2)
      return leave(staged_.barriers.front(), "a step has other barriers than two");
    tile_.used = staged_.barriers.front();
    tile_.latch = cfg_.blockOf(tile_.used);
    const Block &latch = cfg_.blocks[tile_.latch];
    tile_.branch = latch.last - 1;
    if (!isConditionalBranch(inst(tile_.branch).op) || latch.successors.size() != 2 ||
        !llvm::is_contained(latch.successors, tile_.header))
      return leave(tile_.used, "the barrier behind the use is not in the block that goes back");
    const auto target = module_.labelTarget(module_.branchTarget(inst(tile_.branch)));
    tile_.branchesBack = target && cfg_.blockOf(*target) == tile_.header;
    if (!tile_.branchesBack)
      return leave(tile_.branch, "the loop is left by a branch, not by what stands behind it");
    for (const uint32_t b : loop_.blocks)
      for (const uint32_t next : cfg_.blocks[b].successors)
        if ((next == tile_.header || !loop_.contains(next)) && b != tile_.latch)
          return leave(cfg_.blocks[b].last - 1, "a step is left in several places");
    return true;
  }

  /// The header, up to the barrier behind its stores.
  bool findHead() {
    const Block &header = cfg_.blocks[tile_.header];
    tile_.head = header.first;
    for (tile_.filled = header.first; tile_.filled < header.last; ++tile_.filled)
      if (inst(tile_.filled).unit == Unit::Barrier)
        break;
    if (tile_.filled == header.last || tile_.filled == tile_.used)
      return leave(header.first, "the tile is not loaded and stored where a step begins");
    bool loads = false;
    tile_.stores = tile_.filled;
    for (uint32_t i = tile_.head; i < tile_.filled; ++i) {
      if (accessesLds(inst(i)) && inst(i).memory == MemoryEffect::Load)
        return leave(i, "LDS is loaded from in front of the barrier behind the stores");
      if (accessesLds(inst(i)))
        tile_.stores = std::min(tile_.stores, i);
      else if (isVmem(inst(i).unit))
        loads = true;
      if (inst(i).unit == Unit::Smem || inst(i).writesUnit(kExecLo))
        return leave(i, "the tile's loads need more than arithmetic");
    }
    shape_ = loads ? TileLoopOutcome::Shape::OneStep : TileLoopOutcome::Shape::Ahead;
    if (!loads)
      return leave(tile_.head, "a step stores a tile that the step before has loaded: it is a step "
                               "ahead already, and --pipeline gives it a second buffer");
    while (tile_.stores > tile_.head && isBetween(inst(tile_.stores - 1)))
      --tile_.stores;
    for (uint32_t i = tile_.stores; i < tile_.filled; ++i)
      if (accessesLds(inst(i)) || isBetween(inst(i)))
        tile_.storing.insert(i);
    return true;
  }
  static bool isBetween(const Instruction &inst) {
    return inst.unit == Unit::Wait || inst.op == Op::s_delay_alu || inst.op == Op::s_clause ||
           inst.op == Op::s_nop;
  }

  /// The instructions of the latch from which the test follows, and what the tile's loads go on
  /// with.
  bool findAdvance() {
    Units needed;
    for (uint32_t i = tile_.head; i < tile_.filled; ++i)
      addUnits(inst(i), &needed, nullptr);
    needed.set(branchCondition(inst(tile_.branch).op).unit.index);
    const Block &latch = cfg_.blocks[tile_.latch];
    const uint32_t first = tile_.latch == tile_.header ? tile_.filled + 1 : latch.first;
    for (uint32_t i = tile_.branch; i-- > first;) {
      Units writes, reads;
      addUnits(inst(i), &reads, &writes);
      if (inst(i).unit != Unit::Salu || (writes & needed).none())
        continue;
      // SCC belongs to whoever sets it last.
      Units others = writes;
      others.reset(kScc.index);
      const bool isTest = writes.test(kScc.index) && needed.test(kScc.index);
      if (!isTest && (others & needed).none())
        continue;
      tile_.advance.insert(i);
      if (isTest)
        needed.reset(kScc.index);
      needed |= reads;
    }
    if (tile_.advance.empty() && !findTestInHead())
      return leave(tile_.branch, "what decides whether there is another tile is not in the block "
                                 "that goes back");
    return true;
  }

  /// A comparison that nothing of a step comes behind which changes what it compares: it can be
  /// made once more.
  bool findTestInHead() {
    const RegUnit condition = branchCondition(inst(tile_.branch).op).unit;
    Units written;
    for (uint32_t i = tile_.filled; i-- > tile_.head;) {
      Units reads, writes;
      addUnits(inst(i), &reads, &writes);
      if (writes.test(condition.index)) {
        const bool isTest = condition == kScc && isScalarCompare(inst(i).op);
        if (isTest && (reads & written).none())
          tile_.advance.insert(i);
        return isTest && !tile_.advance.empty();
      }
      written |= writes;
    }
    return false;
  }

  bool isOfUse(uint32_t i) const {
    return i > tile_.filled ? !tile_.advance.contains(i) && i != tile_.branch : i < tile_.head;
  }
  template <typename Function> void forUse(Function function) const {
    for (const uint32_t b : loop_.blocks)
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i)
        if ((b != tile_.header || i > tile_.filled) && isOfUse(i))
          function(i);
  }

  /// What the stores take from the loads.
  bool checkHead() {
    struct Held {
      bool isLoaded = false;
      unsigned value = 0;
    };
    std::map<uint16_t, Held> held;       // What the head has written so far.
    std::map<uint16_t, unsigned> values; // How many were loaded into each register.
    std::set<uint32_t> stored;           // Loads.
    std::map<std::pair<uint16_t, unsigned>, uint32_t> loadOf;
    for (uint32_t i = tile_.head; i < tile_.filled; ++i) {
      const bool isLoad = isVmem(inst(i).unit), isStore = accessesLds(inst(i));
      if (isLoad && (inst(i).memory != MemoryEffect::Load || keepsDestination(inst(i).op)))
        return leave(i, "the tile's head does more with memory than load from it");
      for (const RegAccess &access : inst(i).accesses)
        for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d) {
          const auto unit = static_cast<uint16_t>(access.reg.first.index + d);
          const auto it = held.find(unit);
          if (it == held.end() || (!it->second.isLoaded && !isStore))
            continue;
          if (!isStore)
            return leave(i, fmt::format("{} is used before it is in LDS", toString(RegUnit{unit})));
          if (!it->second.isLoaded)
            return leave(i, fmt::format("{}, which the stores need, is computed in every step",
                                        toString(RegUnit{unit})));
          tile_.values[i][unit] = it->second.value;
          stored.insert(loadOf.at({unit, it->second.value}));
        }
      for (const RegAccess &access : inst(i).accesses)
        for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
          const auto unit = static_cast<uint16_t>(access.reg.first.index + d);
          held[unit] = {isLoad, isLoad ? values[unit]++ : 0};
          if (!isLoad)
            continue;
          loadOf[{unit, held[unit].value}] = i;
          tile_.values[i][unit] = held[unit].value;
        }
    }
    for (const uint32_t load : stored)
      for (const auto &[unit, value] : tile_.values[load]) {
        tile_.carried.resize(std::max<size_t>(tile_.carried.size(), value + 1));
        tile_.carried[value].insert(unit);
      }
    return !tile_.carried.empty() ||
           leave(tile_.stores, "what is stored does not come from the tile's loads");
  }

  /// The use goes by itself: between its tile's stores and the next barrier comes another tile's
  /// head.
  bool checkUse() {
    Units useReads, useWrites, headReads, headWrites, advanceReads, advanceWrites;
    std::optional<uint32_t> foreign;
    forUse([&](uint32_t i) {
      if (inst(i).unit == Unit::Barrier && i != tile_.used)
        foreign = i;
      if ((isVmem(inst(i).unit) && !invalidatesL0(inst(i))) || inst(i).unit == Unit::Smem ||
          (accessesLds(inst(i)) && inst(i).memory != MemoryEffect::Load))
        foreign = i;
      addUnits(inst(i), &useReads, &useWrites);
    });
    if (foreign)
      return leave(*foreign, "where the tile is used stands another access to memory");
    for (uint32_t i = tile_.head; i < tile_.filled; ++i)
      addUnits(inst(i), &headReads, &headWrites);
    for (const uint32_t i : tile_.advance)
      addUnits(inst(i), &advanceReads, &advanceWrites);
    const auto firstOf = [](const Units &units) {
      unsigned unit = 0;
      while (!units.test(unit))
        ++unit;
      return toString(RegUnit{static_cast<uint16_t>(unit)});
    };
    Units clash = advanceWrites & (useReads | useWrites);
    clash |= advanceReads & useWrites;
    clash.reset(kScc.index);
    if (clash.any())
      return leave(*tile_.advance.begin(),
                   fmt::format("{} is used where the tile is, and decides what the next one is",
                               firstOf(clash)));
    // Registers that the head writes and nobody reads from there on may be used for anything.
    Units taken = headReads & useWrites & ~writtenFirst(tile_.head, tile_.filled);
    taken.reset(kScc.index);
    if (taken.any())
      return leave(tile_.head, fmt::format("{}, which the tile's loads need, is written where the "
                                           "last one is used",
                                           firstOf(taken)));
    return true;
  }

  /// What the use goes on with, and so spoils for the next one.
  bool findPrepare() {
    Units needed, useWrites;
    forUse([&](uint32_t i) {
      Units reads;
      addUnits(inst(i), &reads, nullptr);
      needed |= reads & ~useWrites;
      addUnits(inst(i), nullptr, &useWrites);
    });
    const Units read = needed;
    needed &= useWrites;
    Units written = useWrites, headWrites, spoilt;
    for (uint32_t i = tile_.head; i < tile_.filled; ++i)
      addUnits(inst(i), nullptr, &headWrites);
    needed &= headWrites;
    needed.reset(kExecLo.index);
    written |= headWrites;
    for (const uint32_t i : tile_.advance)
      addUnits(inst(i), nullptr, &written);
    for (uint32_t i = tile_.filled; i-- > tile_.head;) {
      Units reads, writes;
      addUnits(inst(i), &reads, &writes);
      if ((writes & needed).none())
        continue;
      if (inst(i).unit != Unit::Salu && !inst(i).isValu())
        return leave(i, "the use goes on with what the tile's loads bring");
      tile_.prepare.push_back(i);
      spoilt |= writes & ~needed;
      needed &= ~writes;
      needed |= reads;
    }
    std::reverse(tile_.prepare.begin(), tile_.prepare.end());
    needed.reset(kExecLo.index);
    if (tile_.prepare.empty() || ((needed & written).none() && (spoilt & read).none()))
      return true;
    return leave(tile_.prepare.front(),
                 "what the use goes on with is computed of what differs from step to step");
  }

  /// Registers that a stretch writes before it reads them.
  Units writtenFirst(uint32_t first, uint32_t last) const {
    Units read, result;
    for (uint32_t i = first; i < last; ++i) {
      Units writes;
      addUnits(inst(i), &read, nullptr);
      addUnits(inst(i), nullptr, &writes);
      result |= writes & ~read;
    }
    return result;
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const StagedLoop &staged_;
  TileLoop tile_;
  TileLoopOutcome::Shape shape_ = TileLoopOutcome::Shape::OneStep;
  std::optional<StagesLeft> left_;
};

} // namespace

TileLoopOutcome findTileLoop(const Module &module, const Cfg &cfg, const StagedLoop &staged) {
  return Finder(module, cfg, staged).run();
}

} // namespace rdna
