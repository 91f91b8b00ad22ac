#include "Transform/TileLoop.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"
#include "Transform/AroundStores.h"
#include "Transform/TileCounters.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rdna {
namespace {

class TileFinder {
public:
  TileFinder(const Module &module, const Cfg &cfg, const StagedLoop &staged)
      : module_(module), cfg_(cfg), loop_(cfg.loops[staged.loop]), staged_(staged) {}

  TileLoopOutcome run() {
    tile_.loop = staged_.loop;
    tile_.header = loop_.header;
    if (findShape() && findHead() && findAdvance() && findValues() && checkUse() && findPrepare() &&
        findAroundStores() && findCounters() && checkOtherWays())
      return {.tile = std::move(tile_), .left = std::nullopt, .shape = shape_};
    return {.tile = std::nullopt, .left = std::move(left_), .shape = shape_};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  const Instruction &onPath(size_t place) const { return inst(tile_.path.instructions[place]); }

  bool leave(uint32_t instruction, std::string reason) {
    left_ = StagesLeft{inst(instruction).line, std::move(reason)};
    return false;
  }

  /// One way in, one way back, one way out.
  bool findShape() {
    TilePathOutcome found = findTilePath(module_, cfg_, tile_.loop);
    const auto isStore = [&](uint32_t i) { return storesToLds(inst(i)); };
    if (found.left && storesFirst()) {
      left_ = std::move(found.left);
      return false;
    }
    if (!found.path || llvm::none_of(found.path->instructions, isStore)) {
      shape_ = TileLoopOutcome::Shape::Ahead;
      return leave(
          staged_.barriers.front(),
          "a step does not begin with a tile's loads and stores: it is a step ahead already, "
          "and --pipeline gives it a second buffer");
    }
    tile_.path = std::move(*found.path);
    tile_.filled = tile_.path.barrier;
    return findBarriers();
  }
  /// Where a step goes several ways: do they store to LDS, on one of them, before a barrier?
  bool storesFirst() const {
    bool stores = false;
    walkFrom(cfg_, {tile_.header}, Direction::Forward, [&](uint32_t b) {
      const Block &block = cfg_.blocks[b];
      for (uint32_t i = block.first; i < block.last && loop_.contains(b); ++i) {
        const bool isAccess = accessesLds(inst(i));
        stores |= isAccess && inst(i).memory == MemoryEffect::Store;
        if (isAccess || inst(i).unit == Unit::Barrier)
          return Walk::Stop;
      }
      return loop_.contains(b) ? Walk::GoOn : Walk::Stop;
    });
    return stores;
  }
  bool findBarriers() {
    if (staged_.barriers.size() != 1 || staged_.allBarriers != 2)
      return leave(staged_.barriers.front(), "a step has other barriers than two");
    tile_.used = staged_.barriers.front();
    if (tile_.filled == tile_.used)
      return leave(tile_.used, "the tile is not loaded and stored where a step begins");
    tile_.latch = cfg_.blockOf(tile_.used);
    const Block &latch = cfg_.blocks[tile_.latch];
    tile_.branch = latch.last - 1;
    if (!isConditionalBranch(inst(tile_.branch).op) || latch.successors.size() != 2 ||
        !llvm::is_contained(latch.successors, tile_.header))
      return leave(tile_.used, "the barrier behind the use is not in the block that goes back");
    const auto target = module_.labelTarget(module_.branchTarget(inst(tile_.branch)));
    if (!target)
      return leave(tile_.branch, "a branch goes to a place that is not known");
    tile_.branchesBack = cfg_.blockOf(*target) == tile_.header;
    for (const uint32_t b : loop_.blocks)
      for (const uint32_t next : cfg_.blocks[b].successors)
        if ((next == tile_.header || !loop_.contains(next)) && b != tile_.latch)
          return leave(cfg_.blocks[b].last - 1, "a step is left in several places");
    findUseBlocks();
    return true;
  }
  void findUseBlocks() {
    const uint32_t filled = cfg_.blockOf(tile_.filled);
    std::vector<uint32_t> blocks(loop_.blocks.begin(), loop_.blocks.end());
    llvm::sort(blocks);
    std::rotate(blocks.begin(), llvm::find(blocks, filled), blocks.end());
    llvm::erase_if(blocks, [&](uint32_t b) {
      return b != filled &&
             (tile_.path.blocks.contains(b) || llvm::is_contained(tile_.path.allWays, b));
    });
    tile_.useBlocks = std::move(blocks);
  }

  /// What the path may do, and which of it stores.
  bool findHead() {
    const TilePath &path = tile_.path;
    bool loads = false;
    for (size_t p = 0; p < path.size(); ++p) {
      const Instruction &next = onPath(p);
      if (accessesLds(next) && next.memory == MemoryEffect::Load)
        return leave(next.index, "LDS is loaded from in front of the barrier behind the stores");
      loads |= isVmem(next.unit);
      if (next.unit == Unit::Smem)
        return leave(next.index, "the tile's loads need more than arithmetic");
    }
    shape_ = loads ? TileLoopOutcome::Shape::OneStep : TileLoopOutcome::Shape::Ahead;
    if (!loads)
      return leave(path.instructions.front(),
                   "a step stores a tile that the step before has loaded: it is a step ahead "
                   "already, and --pipeline gives it a second buffer");
    return true;
  }
  static bool isBetween(const Instruction &inst) {
    return inst.unit == Unit::Wait || inst.op == Op::s_delay_alu || inst.op == Op::s_clause ||
           inst.op == Op::s_nop;
  }

  /// The instructions of the latch from which the test follows, and what the tile's loads go on
  /// with.
  bool findAdvance() {
    Units needed = neededByPath(module_, tile_.path);
    needed.set(branchCondition(inst(tile_.branch).op).unit.index);
    const uint32_t first = tile_.latch == cfg_.blockOf(tile_.filled)
                               ? tile_.filled + 1
                               : cfg_.blocks[tile_.latch].first;
    for (uint32_t i = tile_.branch; i-- > first;) {
      if (inst(i).isVopd()) {
        addHalves(i, needed);
        continue;
      }
      Units writes, reads;
      addUnits(inst(i), &reads, &writes);
      reads.reset(kExecLo.index);
      if ((inst(i).unit != Unit::Salu && !inst(i).isValu()) || (writes & needed).none())
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
      for (unsigned u = RegUnit::kScalarBase; u < kRegUnits; ++u)
        if (others.test(u)) // Of a VGPR lanes may be left that somebody else has written.
          needed.reset(u);
      needed |= reads;
    }
    if (tile_.advance.empty() && !findTestInHead())
      return leave(tile_.branch, "what decides whether there is another tile is not in the block "
                                 "that goes back");
    return true;
  }
  void addHalves(uint32_t i, Units &needed) {
    const auto lanes = laneOps(inst(i));
    std::vector<unsigned> halves;
    Units reads;
    for (unsigned half = 0; half < lanes.size(); ++half)
      if (needed.test(RegUnit::vgpr(lanes[half].dst.number).index)) {
        halves.push_back(half);
        addUnits(lanes[half], &reads, nullptr);
      }
    if (halves.empty())
      return;
    tile_.advance.insert(i);
    if (halves.size() < lanes.size())
      tile_.advancingHalf[i] = halves.front();
    needed |= reads;
  }

  /// A comparison that nothing of a step comes behind which changes what it compares: it can be
  /// made once more.
  bool findTestInHead() {
    const RegUnit condition = branchCondition(inst(tile_.branch).op).unit;
    Units written;
    for (const uint32_t i : llvm::reverse(tile_.path.instructions)) {
      Units reads, writes;
      addUnits(inst(i), &reads, &writes);
      if (writes.test(condition.index)) {
        if (condition != kScc || !isScalarCompare(inst(i).op) || (reads & written).any())
          return false;
        tile_.advance.insert(i);
        return true;
      }
      written |= writes;
    }
    return false;
  }

  template <typename Function> void forUse(Function function) const {
    llvm::for_each(tile_.use(cfg_), function);
  }
  void addUse(uint32_t i, Units *reads, Units *writes) const {
    rdna::addUse(module_, tile_, i, reads, writes);
  }
  void addAdvance(uint32_t i, Units *reads, Units *writes) const {
    rdna::addAdvance(module_, tile_, i, reads, writes);
  }

  //===--------------------------------------------------------------------===//
  // What the stores take from the loads
  //===--------------------------------------------------------------------===//

  bool findValues() {
    Units changed;
    for (const uint32_t i : tile_.path.instructions)
      addUnits(inst(i), nullptr, &changed);
    for (const uint32_t i : tile_.advance)
      addAdvance(i, nullptr, &changed);
    forUse([&](uint32_t i) { addUse(i, nullptr, &changed); });
    around_.emplace(module_, tile_.path, changed);
    TileValuesOutcome found = findTileValues(module_, tile_.path, *around_);
    left_ = std::move(found.left);
    if (left_)
      return false;
    tile_.values = std::move(*found.values);
    findStoring();
    return true;
  }

  /// From the first that stores or converts, with its wait.
  void findStoring() {
    const TilePath &path = tile_.path;
    const auto isLate = [&](uint32_t i) {
      return accessesLds(inst(i)) || tile_.values.converting.contains(i);
    };
    tile_.stores =
        static_cast<size_t>(llvm::find_if(path.instructions, isLate) - path.instructions.begin());
    // Arithmetic in between reads nothing that was loaded, else it would be late, and need not
    // wait.
    for (size_t p = tile_.stores; p-- > 0;)
      if (isBetween(onPath(p)))
        tile_.stores = p;
      else if ((onPath(p).unit != Unit::Salu && !onPath(p).isValu()) ||
               onPath(p).writesUnit(kExecLo))
        break;
    for (size_t p = tile_.stores; p < path.size(); ++p)
      if (accessesLds(onPath(p)) || isBetween(onPath(p)))
        tile_.storing.insert(path.instructions[p]);
  }

  //===--------------------------------------------------------------------===//
  // The use
  //===--------------------------------------------------------------------===//

  static bool accessesMemory(const Instruction &inst) {
    return (isVmem(inst.unit) && !invalidatesL0(inst)) || inst.unit == Unit::Smem ||
           accessesLds(inst);
  }
  static std::string firstOf(const Units &units) {
    unsigned unit = 0;
    while (!units.test(unit))
      ++unit;
    return toString(RegUnit{static_cast<uint16_t>(unit)});
  }
  /// The use goes by itself: between its tile's stores and the next barrier comes another tile's
  /// head.
  bool checkUse() {
    Units useWrites, advanceReads, advanceWrites; // Reads of what is from before.
    std::optional<uint32_t> foreign;
    forUse([&](uint32_t i) {
      if (inst(i).unit == Unit::Barrier && i != tile_.used)
        foreign = i;
      if (accessesMemory(inst(i)) &&
          (inst(i).memory != MemoryEffect::Load || isSynchronising(inst(i))))
        foreign = i;
      addUse(i, nullptr, &useWrites);
    });
    if (foreign)
      return leave(*foreign, "where the tile is used memory is stored to");
    for (const uint32_t i : tile_.advance) {
      Units reads;
      addAdvance(i, &reads, nullptr);
      advanceReads |= reads & ~advanceWrites;
      addAdvance(i, nullptr, &advanceWrites);
    }
    Units clash = advanceReads & useWrites;
    clash.reset(kScc.index);
    if (clash.any())
      return leave(
          *tile_.advance.begin(),
          fmt::format("{} is written where the tile is used, and decides what the next one is",
                      firstOf(clash)));
    // What advances stands directly in front of the loads.
    Units taken = neededByPath(module_, tile_.path) & useWrites & ~advanceWrites;
    taken.reset(kScc.index);
    if (taken.any())
      return leave(tile_.path.instructions.front(),
                   fmt::format("{}, which the tile's loads need, is written where the last one is "
                               "used",
                               firstOf(taken)));
    return true;
  }

  /// What the use goes on with, and so spoils for the next one.
  bool findPrepare() {
    const auto [read, useWrites] = unitsOfUse(module_, cfg_, tile_);
    Units needed = read;
    if (!checkConverted(read))
      return false;
    needed &= useWrites;
    Units written = useWrites, headWrites, spoilt;
    for (const uint32_t i : tile_.path.instructions)
      addUnits(inst(i), nullptr, &headWrites);
    needed &= headWrites;
    needed.reset(kExecLo.index);
    written |= headWrites;
    for (const uint32_t i : tile_.advance)
      addAdvance(i, nullptr, &written);
    for (const uint32_t i : llvm::reverse(tile_.path.instructions)) {
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
    tile_.prepare.clear(); // It differs from step to step, so that the use has to count.
    return true;
  }

  /// What is made with the stores is not there yet when the tile before is used.
  bool checkConverted(const Units &read) {
    for (unsigned u = 0; u < kRegUnits && !tile_.values.converting.empty(); ++u) {
      const RegUnit unit{static_cast<uint16_t>(u)};
      if (!read.test(u) || unit == kExecLo)
        continue;
      for (const size_t def : definitionsAt(module_, tile_.path, tile_.path.size(), unit).places)
        if (tile_.values.converts(onPath(def), unit))
          return leave(
              onPath(def).index,
              fmt::format("the use reads {}, which is made of what was loaded", toString(unit)));
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Stores of some of the lanes
  //===--------------------------------------------------------------------===//

  bool findAroundStores() {
    for (size_t p = 0; p < tile_.path.size(); ++p)
      if (accessesLds(onPath(p)) &&
          (!around_->addRead(p, ldsAddressUnit(onPath(p))) || !around_->addGuards(p))) {
        left_ = around_->left();
        return false;
      }
    tile_.aroundStores = around_->made();
    tile_.keptLanes = around_->kept();
    return true;
  }

  /// What the use reads of what differs from tile to tile.
  bool findCounters() {
    TileCountersOutcome found = findTileCounters(module_, cfg_, tile_);
    left_ = std::move(found.left);
    tile_.counters = std::move(found.counters);
    if (left_ || tile_.counters.units.empty() || isTestedInLatch())
      return !left_;
    // What counts for the next use stands between the head's test and the branch.
    return findTestInHead() ||
           leave(tile_.branch, "the use counts for itself between the test and the branch");
  }
  bool isTestedInLatch() const {
    const RegUnit condition = branchCondition(inst(tile_.branch).op).unit;
    return llvm::any_of(tile_.advance, [&](uint32_t i) { return inst(i).writesUnit(condition); });
  }

  //===--------------------------------------------------------------------===//
  // Other ways to the barrier
  //===--------------------------------------------------------------------===//

  /// They are gone when the tile before has been used, with what the step begins with.
  bool checkOtherWays() {
    const TilePath &path = tile_.path;
    if (path.departures.empty())
      return true;
    Units pathWrites;
    for (const uint32_t i : path.instructions)
      addUnits(inst(i), nullptr, &pathWrites);
    // What the use needs of the path is made again in front of it, whichever way was gone.
    Units apart = unitsOfUse(module_, cfg_, tile_).needed & pathWrites & writtenApart();
    apart.reset(kExecLo.index);
    if (apart.any())
      return leave(
          path.departures.front().branch,
          fmt::format("the use reads {}, which a step sets on different ways", firstOf(apart)));
    Units carried = neededByPath(module_, path) & pathWrites;
    for (unsigned unit = 0; unit < kRegUnits; ++unit)
      if (const RegUnit carries{static_cast<uint16_t>(unit)};
          carried.test(unit) && carries != kExecLo && carries != kScc)
        tile_.carriedByPath.push_back(carries);
    return findDeciding();
  }
  /// What may hold something else behind the path than behind other ways.
  Units writtenApart() const {
    const TilePath &path = tile_.path;
    Units others; // Of code that is not on the path.
    for (const uint32_t b : path.allWays)
      for (uint32_t i = cfg_.blocks[b].first; i < std::min(cfg_.blocks[b].last, path.barrier); ++i)
        if (!llvm::is_contained(path.instructions, i))
          addUnits(inst(i), nullptr, &others);
    Units apart;
    for (size_t p = 0; p < path.size(); ++p) {
      if (p == path.departures.front().place)
        apart |= others;
      Units reads, writes;
      addUnits(onPath(p), &reads, &writes);
      reads.reset(kExecLo.index);
      const bool isOnAllWays =
          cfg_.dominates(cfg_.blockOf(path.instructions[p]), cfg_.blockOf(tile_.filled));
      if (isOnAllWays && path.guards[p] == 0 && (reads & apart).none())
        apart &= ~writes;
      else if (p >= path.departures.front().place)
        apart |= writes;
    }
    return apart;
  }
  /// A step that leaves the path loads all of its tile on the other way.
  bool findDeciding() {
    const TilePath &path = tile_.path;
    Units needed;
    for (size_t p = path.size() + 1; p-- > 0;) {
      for (const TilePath::Departure &departure : path.departures)
        if (departure.place == p)
          needed.set(branchCondition(inst(departure.branch).op).unit.index);
      Units reads, writes;
      if (p > 0)
        addUnits(onPath(p - 1), &reads, &writes);
      if ((writes & needed).none())
        continue;
      const Instruction &next = onPath(p - 1);
      if ((next.unit != Unit::Salu && !next.isValu()) || path.guards[p - 1] != 0 ||
          next.writesUnit(kExecLo))
        return leave(next.index, "which way a step goes depends on what it has loaded");
      tile_.deciding.insert(p - 1);
      needed &= ~writes;
      needed |= reads.reset(kExecLo.index); // No lanes are switched off here.
    }
    return true;
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const StagedLoop &staged_;
  TileLoop tile_;
  std::optional<AroundStores> around_;
  TileLoopOutcome::Shape shape_ = TileLoopOutcome::Shape::OneStep;
  std::optional<StagesLeft> left_;
};

} // namespace

TileLoopOutcome findTileLoop(const Module &module, const Cfg &cfg, const StagedLoop &staged) {
  return TileFinder(module, cfg, staged).run();
}

} // namespace rdna
