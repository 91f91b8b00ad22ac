#include "Transform/TileStages.h"

#include "Analysis/Dataflow.h"
#include "Analysis/Waits.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Asm/LdsOffsets.h"
#include "Code/Build.h"
#include "Isa/Branch.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"
#include "Transform/LdsShift.h"
#include "Transform/TileCounters.h"
#include "Transform/TileNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace rdna {
namespace {

constexpr unsigned kMoveBytes = 4;

class Stager {
public:
  Stager(const Module &module, const Cfg &cfg, const TileLoop &tile, TileRings rings,
         uint32_t ldsBytes, unsigned freeVgpr)
      : module_(module), cfg_(cfg), loop_(cfg.loops[tile.loop]), tile_(tile), rings_(rings),
        turns_(std::lcm(rings.buffers, rings.sets)), out_(module), outOfLine_(module) {
    unsigned unit = 16; // Offsets of accesses with two addresses count in units.
    for (const uint32_t b : loop_.blocks)
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        if (const LdsOffsets offsets = ldsOffsets(inst(i)); offsets.fields == 2)
          unit = std::max(unit, offsets.unit);
    rewrite_.distance = static_cast<uint32_t>(llvm::alignTo(ldsBytes, unit));
    names_ = nameTiles(module, cfg, tile, rings.sets, freeVgpr);
    rewrite_.registers = names_.registers;
    rewrite_.vgprs = names_.vgprs;
    rewrite_.sgprs = names_.sgprs;
  }

  TileStagesOutcome run() {
    check();
    writePrologue();
    for (unsigned b = 0; b < turns_ && !left_; ++b)
      writeStep(b);
    for (unsigned rest = rings_.loadedAhead(); rest >= 1 && !left_; --rest)
      for (unsigned b = 0; b < turns_; ++b)
        if (b != 0 || rest != 1)
          writeRest(b, rest);
    out_.append(outOfLine_.take());
    label(restLabel(0, 1)); // The code that is there.
    prepare();
    if (!left_)
      edit();
    if (left_)
      return {.rewrite = std::nullopt, .left = std::move(left_)};
    return {.rewrite = std::move(rewrite_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  void leave(uint32_t line, std::string reason) {
    if (!left_)
      left_ = StagesLeft{line, std::move(reason)};
  }

  void check() {
    if (!names_.missing.empty())
      return leave(inst(tile_.filled).line, std::string(names_.missing));
    if (rings_.order == StepOrder::LoadStoreUse && rings_.buffers == 1)
      return leave(inst(tile_.filled).line,
                   "with one buffer a tile cannot be stored in front of the use of another");
    for (const uint32_t b : loop_.blocks) {
      if (const auto obstacle = obstacleToCopy(module_, cfg_.blocks[b], Alignment::MayGo))
        return leave(obstacle->line, obstacle->reason);
    }
    for (const auto &[i, half] : tile_.advancingHalf)
      if (!buildsHalves(i))
        return leave(inst(i).line, "a dual instruction's half is part of what advances");
    if (!takesLineBehind(module_, inst(tile_.filled)))
      leave(inst(tile_.filled).line, "nothing can be put behind the barrier");
    if (rewrite_.vgprs > 256)
      leave(inst(tile_.filled).line,
            fmt::format("the tiles on their way would need VGPRs up to v{}", rewrite_.vgprs - 1));
    for (const std::set<uint16_t> &units : tile_.values.carried)
      for (const uint16_t unit : units)
        if (!RegUnit{unit}.isVgpr())
          leave(inst(tile_.filled).line, "what is stored is not in VGPRs");
  }

  //===--------------------------------------------------------------------===//
  // Lines
  //===--------------------------------------------------------------------===//

  void line(const Code &code) { to_->line(code); }
  void label(const std::string &name) { to_->label(name); }
  std::string labelFor(std::string_view what) const {
    return newLabel(module_, fmt::format("{}.buffer.{}", loop_.label, what));
  }
  std::string stepLabel(unsigned b) { return labelFor(fmt::format("step{}", b)); }
  std::string restLabel(unsigned b, unsigned rest) {
    return labelFor(fmt::format("rest{}.{}", b, rest));
  }

  /// A stretch of the loop in buffer `b`; of a tile: a load, or stores with no load in between.
  void copy(uint32_t first, uint32_t last, unsigned b, std::optional<unsigned> tile = {}) {
    const auto leaveOut = [&](uint32_t i) {
      return isLeftOut(i) || (waits_ && !counted(i).any() && waitCounts(inst(i)));
    };
    LdsShiftRequest request{.distance = b % rings_.buffers * rewrite_.distance,
                            .leaveOut = leaveOut,
                            .rename = {},
                            .hints = LdsShiftRequest::Hints::LeaveOut,
                            .instead = {}};
    request.instead = [&](uint32_t i) -> std::optional<Code> {
      if (waits_ && waitCounts(inst(i)))
        return buildWait(counted(i));
      if (const auto half = tile_.advancingHalf.find(i); half != tile_.advancingHalf.end())
        return Code(halfOf(i, 1 - half->second));
      return hasHazard(inst(i)) ? std::optional(copyOf(i)) : std::nullopt;
    };
    if (tile)
      request.rename = [&](const Operand &operand, int, Vgpr old) {
        // A load's result, or what a store stores.
        const auto name = nameIn(first, last, *tile, RegUnit::vgpr(old.number).index);
        const bool isValue = isRenamed_ && isRenamed_(operand);
        return name && isValue ? Vgpr{static_cast<uint8_t>(*name)} : old;
      };
    LdsShiftOutcome copied = shiftLds(module_, first, last, request);
    if (copied.left)
      return leave(copied.left->line, std::move(copied.left->reason));
    for (const Code &code : copied.shift->lines)
      line(code);
    rewrite_.instructions += copied.shift->instructions;
    rewrite_.bytes += copied.shift->bytes;
    rewrite_.offsets += copied.shift->offsets;
    rewrite_.additions += copied.shift->additions;
  }
  std::optional<unsigned> nameIn(uint32_t first, uint32_t last, unsigned tile,
                                 uint16_t unit) const {
    return names_.nameIn(tile_, first, last, tile % rings_.sets, unit);
  }
  RegUnit keptIn(unsigned tile, size_t place) const {
    return names_.keptLanes[tile % rings_.sets].at(place);
  }
  /// What a wait for the tile's loads waits for with so many younger ones in flight.
  WaitCounts counted(uint32_t i) const {
    WaitCounts counts = waitCounts(inst(i)).value_or(WaitCounts{});
    if (counts.vm && *counts.vm + *waits_ < kNoVmWait)
      counts.vm = *counts.vm + *waits_;
    else
      counts.vm.reset();
    return counts;
  }
  bool isLeftOut(uint32_t i) const {
    return i == tile_.used || i == tile_.branch || invalidatesL0(inst(i)) ||
           (tile_.advance.contains(i) && !isOfPath(i) && !tile_.advancingHalf.contains(i) &&
            !tile_.counters.ofLatch.contains(i));
  }

  //===--------------------------------------------------------------------===//
  // Parts of a step
  //===--------------------------------------------------------------------===//

  /// The test; out if there is no other tile.
  void advance(const std::string &out) {
    for (const uint32_t i : tile_.advance) {
      const auto half = tile_.advancingHalf.find(i);
      if (namesOwn(i))
        ahead(i, {});
      else
        line(half == tile_.advancingHalf.end() ? copyOf(i) : halfOf(i, half->second));
    }
    const Op branch = inst(tile_.branch).op;
    line(buildBranch(tile_.branchesBack ? inverseBranch(branch) : branch, out));
  }

  void load(unsigned tile) {
    isRenamed_ = [](const Operand &operand) { return operand.cls == Operand::Class::Def; };
    ++jumpsWritten_;
    const auto all = [](size_t) { return true; };
    for (size_t p = 0; p < tile_.path.size(); ++p) {
      const uint32_t i = tile_.path.instructions[p];
      jumps(p, all);
      const uint8_t late = tile_.values.lateHalves(inst(i));
      if (tile_.storing.contains(i) || late == allHalves(inst(i)))
        continue;
      if (late != 0 || (inst(i).isVopd() && (namesOwn(i) || tile_.values.names.contains(i))))
        halvesOf(i, static_cast<uint8_t>(3 & ~late), tile);
      else if (namesOwn(i))
        ahead(i, tile);
      else
        copy(i, i + 1, 0, tile);
      if (tile_.keptLanes.contains(p))
        made(build(Op::s_mov_b32, {keptIn(tile, p), kExecLo}));
      keep(p, tile, Kept::In);
    }
    jumps(tile_.path.size(), all);
  }
  /// What conversions need of a tile: from the registers that it has to others, or back.
  enum class Kept : uint8_t { In, Back };
  void keep(size_t place, unsigned tile, Kept way) {
    const auto &kept = names_.kept[tile % rings_.sets];
    for (auto it = kept.lower_bound({place, 0}); it != kept.end() && it->first.first == place;
         ++it) {
      const RegUnit unit{it->first.second};
      const Op move = unit.isVgpr() ? Op::v_mov_b32 : Op::s_mov_b32;
      made(way == Kept::In ? build(move, {it->second, unit}) : build(move, {unit, it->second}));
    }
  }
  void made(const Code &code) {
    line(code);
    ++rewrite_.instructions;
    rewrite_.bytes += kMoveBytes;
  }
  /// Of waves that have no lanes left, from here or to here.
  void jumps(size_t place, llvm::function_ref<bool(size_t)> isWanted) {
    const auto labelOfJump = [&](size_t n) {
      return labelFor(fmt::format("lanes{}.{}", jumpsWritten_, n));
    };
    for (size_t n = 0; n < tile_.path.jumps.size(); ++n)
      if (tile_.path.jumps[n].second == place && isWanted(tile_.path.jumps[n].first))
        label(labelOfJump(n));
    for (size_t n = 0; n < tile_.path.jumps.size(); ++n)
      if (tile_.path.jumps[n].first == place && isWanted(place))
        line(buildBranch(Op::s_cbranch_execz, labelOfJump(n)));
  }
  bool namesOwn(uint32_t i) const {
    return !names_.own.empty() && llvm::any_of(inst(i).operands, [&](const Operand &operand) {
      for (unsigned d = 0; operand.isReg() && d < operand.reg.dwords; ++d)
        if (names_.own.contains(static_cast<uint16_t>(operand.reg.first.index + d)))
          return true;
      return false;
    });
  }
  RegUnit ownOf(RegUnit unit) const { return names_.ownOf(unit); }
  /// One that counts for tiles that are made ahead, or reads what does; of the loads of a tile.
  void ahead(uint32_t i, std::optional<unsigned> tile) {
    if (const auto half = tile_.advancingHalf.find(i); half != tile_.advancingHalf.end()) {
      line(Code(buildLane(withOwn(laneOps(inst(i))[half->second]))));
    } else if (inst(i).isVopd()) {
      return halvesOf(i, 3, tile);
    } else {
      const auto code = renamedUnits(module_, inst(i), [&](const Operand &operand, RegUnit old) {
        const auto name = tile && operand.cls == Operand::Class::Def
                              ? nameIn(i, i + 1, *tile, old.index)
                              : std::nullopt;
        return name ? RegUnit::vgpr(*name) : ownOf(old);
      });
      if (!code)
        return leave(inst(i).line, "registers that belong together cannot have other names");
      line(*code);
    }
    ++rewrite_.instructions;
    rewrite_.bytes += inst(i).sizeBytes;
  }
  LaneOp withOwn(const LaneOp &lane) const {
    return renamedLane(lane, [&](RegUnit unit) { return ownOf(unit); });
  }

  /// Of the loads, some of its halves. With other names the two may be no legal pair.
  void halvesOf(uint32_t i, uint8_t halves, std::optional<unsigned> tile) {
    Halves lanes = laneOps(inst(i));
    for (LaneOp &lane : lanes) {
      const uint16_t dst = RegUnit::vgpr(lane.dst.number).index;
      const auto name = tile ? nameIn(i, i + 1, *tile, dst) : std::nullopt;
      lane = withOwn(lane);
      if (name)
        lane.dst = Vgpr{static_cast<uint8_t>(*name)};
    }
    apart(i, std::move(lanes), halves);
  }
  void apart(uint32_t i, Halves lanes, uint8_t halves) {
    Halves wanted;
    for (unsigned half = 0; half < lanes.size(); ++half)
      if ((halves & 1u << half) != 0)
        wanted.push_back(lanes[half]);
    const auto inTurn = wanted.size() < 2 ? std::optional(wanted) : inOrder(wanted);
    if (!inTurn)
      return leave(inst(i).line, "this dual instruction cannot be taken apart");
    for (const LaneOp &lane : *inTurn) {
      line(buildLane(lane));
      ++rewrite_.instructions;
      rewrite_.bytes += inst(i).sizeBytes; // At most.
    }
  }
  /// With the stores; of a tile's registers.
  void convert(uint32_t i, uint8_t halves, unsigned tile) {
    if (!inst(i).isVopd())
      return copy(i, i + 1, 0, tile);
    Halves lanes = laneOps(inst(i));
    for (LaneOp &lane : lanes)
      lane = renamedLane(lane, [&](RegUnit unit) {
        const auto name = nameIn(i, i + 1, tile, unit.index);
        return name ? RegUnit::vgpr(*name) : unit;
      });
    apart(i, std::move(lanes), halves);
  }
  /// A pair with a parity hazard stays single.
  Code copyOf(uint32_t i) {
    auto code = copyWithoutHazard(module_, inst(i));
    if (!code)
      leave(inst(i).line, std::string(kHazardStays));
    if (hasHazard(inst(i)))
      rewrite_.bytes += kMoveBytes; // A word more than the pair.
    return code.value_or(Code());
  }
  bool isOfPath(uint32_t i) const { return llvm::is_contained(tile_.path.instructions, i); }
  bool buildsHalves(uint32_t i) const { return laneOps(inst(i)).size() == 2; }
  Code halfOf(uint32_t i, unsigned half) const { return Code(buildLane(laneOps(inst(i))[half])); }

  /// From a tile's registers into its buffer, with so many younger tiles on their way.
  enum class Wait : uint8_t { Here, Later };
  void store(unsigned tile, unsigned younger, Wait wait) {
    isRenamed_ = [](const Operand &) { return true; };
    const std::vector<uint32_t> &path = tile_.path.instructions;
    size_t last = path.size();
    if (wait == Wait::Later) // What stands behind the last store waits for the stores.
      while (last > tile_.stores && !accessesLds(inst(path[last - 1])))
        --last;
    if (younger > 0)
      waits_ = younger * loads();
    const bool areGuarded = !tile_.aroundStores.empty() || !tile_.keptLanes.empty();
    if (areGuarded) { // Waits at the end and all.
      last = path.size();
      ++jumpsWritten_;
      waitForAll(younger);
    }
    for (size_t p = 0; p < last; ++p) {
      if (areGuarded)
        jumps(p, [&](size_t place) {
          const unsigned guard = tile_.path.guards[place];
          const size_t opens = tile_.path.opens[guard];
          return guard != 0 &&
                 (tile_.aroundStores.contains(opens) || tile_.keptLanes.contains(opens));
        });
      if (tile_.keptLanes.contains(p)) {
        keptMask(inst(path[p]), keptIn(tile, p));
        continue;
      }
      if (const auto around = tile_.aroundStores.find(p); around != tile_.aroundStores.end())
        storeMask(path[p], around->second);
      keep(p, tile, Kept::Back);
      if (const uint8_t late = tile_.values.lateHalves(inst(path[p])); late != 0)
        convert(path[p], late, tile);
      if (!tile_.storing.contains(path[p]))
        continue;
      size_t end = p + 1; // Together they need an address once.
      while (end < last && path[end] == path[end - 1] + 1 && tile_.storing.contains(path[end]))
        ++end;
      copy(path[p], path[end - 1] + 1, tile, tile);
      p = end - 1;
    }
    waits_.reset();
  }
  /// A wave that jumps over a guard's stores would not wait for its loads. In the original they
  /// stand behind the same jump.
  void waitForAll(unsigned younger) {
    const std::vector<uint32_t> &path = tile_.path.instructions;
    bool isJumped = false;
    for (size_t p = 0; p < path.size(); ++p)
      isJumped |= tile_.path.guards[p] != 0 && tile_.storing.contains(path[p]) &&
                  waitCounts(inst(path[p])).value_or(WaitCounts{}).vm.has_value();
    if (!isJumped || tile_.path.jumps.empty())
      return;
    WaitCounts counts;
    counts.vm = std::min(younger * loads(), kNoVmWait - 1);
    made(buildWait(counts));
  }
  /// Switches lanes off by what was kept.
  void keptMask(const Instruction &opens, RegUnit kept) {
    if (opens.op == Op::s_and_saveexec_b32)
      made(build(Op::s_and_saveexec_b32, {opens.operands[0].reg, kept}));
    else
      made(build(Op::s_and_b32, {kExecLo, kExecLo, kept}));
  }
  /// Of what masks and addresses of stores are made of, these halves.
  void storeMask(uint32_t i, uint8_t halves) {
    if (!inst(i).isVopd() || halves == 3)
      return copy(i, i + 1, 0, {});
    line(halfOf(i, halves == 1 ? 0 : 1));
    ++rewrite_.instructions;
    rewrite_.bytes += inst(i).sizeBytes;
  }
  /// That every wave makes.
  unsigned loads() const {
    unsigned count = 0;
    for (size_t p = 0; p < tile_.path.size(); ++p)
      count += isVmem(inst(tile_.path.instructions[p]).unit) && tile_.path.guards[p] == 0 ? 1 : 0;
    return count;
  }
  /// With more than two buffers the next step loads what the step before has stored: whoever has
  /// used his tile since has waited for that.
  void storeInStep(unsigned tile, unsigned younger) {
    if (rings_.buffers == 1)
      barrier(); // Nobody loads from it any more.
    store(tile, younger, rings_.buffers > 2 ? Wait::Later : Wait::Here);
    barrier();
  }

  void again(llvm::ArrayRef<uint32_t> instructions) {
    for (const uint32_t i : instructions) {
      line(copyOf(i));
      ++rewrite_.instructions;
      rewrite_.bytes += inst(i).sizeBytes;
    }
  }
  void prepare() {
    again(tile_.prepare);
    again(tile_.counters.conditions);
  }

  enum class Use : uint8_t { Last, Other };
  /// All blocks from behind the barrier to the latch, with labels of their own.
  void use(unsigned b, Use which) {
    prepare();
    ++uses_;
    const auto labelIn = [&](uint32_t block) {
      const auto old = labelOf(module_, cfg_.blocks[block]);
      const std::string base =
          old && old->starts_with(".L")
              ? *old
              : fmt::format(".L{}_{}", module_.functions()[cfg_.functionIndex].name, block);
      return newLabel(module_, fmt::format("{}.buffer{}", base, uses_));
    };
    const llvm::ArrayRef<uint32_t> blocks(tile_.useBlocks);
    const auto inLine = static_cast<size_t>(llvm::find(blocks, tile_.latch) - blocks.begin()) + 1;
    useOf(blocks.take_front(inLine), b, labelIn);
    to_ = &outOfLine_;
    useOf(blocks.drop_front(inLine), b, labelIn);
    to_ = &out_;
    if (which == Use::Other) // For that of another tile, behind one that has advanced.
      again(tile_.counters.ofPath);
  }
  /// Blocks that stand behind each other in the copy.
  void useOf(llvm::ArrayRef<uint32_t> blocks, unsigned b,
             llvm::function_ref<std::string(uint32_t)> labelIn) {
    for (size_t n = 0; n < blocks.size(); ++n) {
      const Block &block = cfg_.blocks[blocks[n]];
      const bool isFilled = blocks[n] == cfg_.blockOf(tile_.filled);
      const uint32_t first = isFilled ? tile_.filled + 1 : block.first;
      if (!isFilled && (isTarget(blocks[n]) || isJumpedTo(blocks[n])))
        label(labelIn(blocks[n]));
      const Instruction &end = inst(block.last - 1);
      const bool isLatch = blocks[n] == tile_.latch;
      const bool isBranch = end.isTerminator() && !isLatch && block.last - 1 >= first;
      copy(first, std::max(first, block.last - (isBranch ? 1 : 0)), b);
      if (isBranch) {
        const auto target = module_.labelTarget(module_.branchTarget(end));
        if (!target || !loop_.contains(cfg_.blockOf(*target)))
          return leave(end.line, "a step is left in several places");
        const uint32_t to = cfg_.blockOf(*target);
        const bool isNext = n + 1 < blocks.size() && blocks[n + 1] == to;
        if (!end.isJump() || !isNext)
          line(buildBranch(end.op, labelIn(to)));
      }
      if (const auto next = fallsTo(blocks[n]);
          next && (n + 1 == blocks.size() || blocks[n + 1] != *next))
        line(buildBranch(Op::s_branch, labelIn(*next)));
    }
  }
  /// Where a block of the use goes on without a branch.
  std::optional<uint32_t> fallsTo(uint32_t block) const {
    if (block == tile_.latch || inst(cfg_.blocks[block].last - 1).isJump())
      return std::nullopt;
    return block + 1;
  }
  /// In the copy, where blocks stand in another order?
  bool isJumpedTo(uint32_t block) const {
    return llvm::any_of(llvm::seq<size_t>(0, tile_.useBlocks.size()), [&](size_t n) {
      const uint32_t from = tile_.useBlocks[n];
      const bool isNext = n + 1 < tile_.useBlocks.size() && tile_.useBlocks[n + 1] == block;
      return fallsTo(from) == block && !isNext;
    });
  }
  bool isTarget(uint32_t block) const {
    for (const uint32_t b : loop_.blocks) {
      const Instruction &end = inst(cfg_.blocks[b].last - 1);
      if (!end.isTerminator() || end.unit == Unit::End)
        continue;
      const auto target = module_.labelTarget(module_.branchTarget(end));
      if (target && cfg_.blockOf(*target) == block)
        return true;
    }
    return false;
  }

  void barrier() { line(build(Op::s_barrier)); }

  //===--------------------------------------------------------------------===//
  // The loop
  //===--------------------------------------------------------------------===//

  /// Behind the first tile, which the code that is there stores: as many more as there are buffers
  /// for but one.
  void writePrologue() {
    for (auto it = names_.own.begin(); it != names_.own.end() && !left_; ++it) {
      const Op move = it->second.isVgpr() ? Op::v_mov_b32 : Op::s_mov_b32;
      made(build(move, {it->second, RegUnit{it->first}}));
    }
    const unsigned stored = rings_.storedAhead();
    for (unsigned tile = 1; tile < stored && !left_; ++tile) {
      advance(restLabel(0, tile));
      load(tile);
      store(tile, 0, Wait::Here);
      barrier();
    }
    for (unsigned tile = stored; tile < rings_.loadedAhead() && !left_; ++tile) {
      advance(restLabel(0, tile));
      load(tile);
    }
  }

  void writeStep(unsigned b) {
    label(stepLabel(b));
    advance(restLabel(b, rings_.loadedAhead()));
    if (rings_.order == StepOrder::UseLoadStore)
      use(b, Use::Other);
    load(b + rings_.loadedAhead());
    if (rings_.order == StepOrder::LoadStoreUse) {
      // Whoever loads from LDS behind the stores waits for them, too.
      store(b + rings_.storedAhead(), rings_.sets - 1, Wait::Later);
      use(b, Use::Other);
      barrier();
    } else {
      if (rings_.order == StepOrder::LoadUseStore)
        use(b, Use::Other);
      storeInStep(b + rings_.storedAhead(), rings_.sets - 1);
    }
    if (b + 1 == turns_)
      line(buildBranch(Op::s_branch, stepLabel(0)));
  }

  void writeRest(unsigned b, unsigned rest) {
    label(restLabel(b, rest));
    use(b, rest == 1 ? Use::Last : Use::Other);
    if (rest == 1) {
      if (isUsedBehind())
        barrier();
      line(buildBranch(Op::s_branch, exitLabel()));
      return;
    }
    if (rest > rings_.storedAhead())
      storeInStep(b + rings_.storedAhead(), rest - rings_.storedAhead() - 1);
    else
      barrier();
    line(buildBranch(Op::s_branch, restLabel((b + 1) % turns_, rest - 1)));
  }

  /// Is LDS accessed behind the loop, before there is a barrier? Then the last use needs one as
  /// well. So it does if it loads from memory, where other waves may store behind it.
  bool isUsedBehind() const {
    for (const uint32_t i : loopInstructions(cfg_, loop_))
      if (tile_.isInUse(cfg_, i) && inst(i).memory == MemoryEffect::Load && !accessesLds(inst(i)) &&
          !invalidatesL0(inst(i)))
        return true;
    std::vector<uint32_t> exits;
    for (const uint32_t next : cfg_.blocks[tile_.latch].successors)
      if (!loop_.contains(next))
        exits.push_back(next);
    bool isUsed = false;
    walkFrom(cfg_, exits, Direction::Forward, [&](uint32_t b) {
      const Block &block = cfg_.blocks[b];
      for (uint32_t i = block.first; i < block.last; ++i) {
        isUsed |= accessesLds(inst(i));
        if (isUsed || inst(i).unit == Unit::Barrier)
          return Walk::Stop;
      }
      return Walk::GoOn;
    });
    return isUsed;
  }

  /// Behind the loop.
  std::string exitLabel() {
    if (!exit_.empty())
      return exit_;
    if (!tile_.branchesBack)
      return std::string(module_.branchTarget(inst(tile_.branch)));
    return exit_ = labelFor("done");
  }

  /// The code of the first step stays where it is, for the last tile in the first buffer.
  void edit() {
    rewrite_.edits.push_back(lineBehind(module_, inst(tile_.filled), out_.take()));
    for (const uint32_t i : tile_.advance) {
      const auto half = tile_.advancingHalf.find(i);
      if (half != tile_.advancingHalf.end())
        rewrite_.edits.push_back(replacement(inst(i), halfOf(i, 1 - half->second)));
      else if (!isOfPath(i) && !tile_.counters.ofLatch.contains(i))
        rewrite_.edits.push_back(removal(module_, inst(i)));
    }
    if (!isUsedBehind()) {
      rewrite_.edits.push_back(removal(module_, inst(tile_.used)));
      if (invalidatesL0(inst(tile_.used + 1)))
        rewrite_.edits.push_back(removal(module_, inst(tile_.used + 1)));
    }
    if (tile_.branchesBack)
      rewrite_.edits.push_back(removal(module_, inst(tile_.branch)));
    else
      rewrite_.edits.push_back(
          replacement(inst(tile_.branch), buildBranch(Op::s_branch, exitLabel())));
    if (!exit_.empty())
      rewrite_.edits.push_back(lineBehind(module_, inst(tile_.branch), Code::label(exit_)));
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const TileLoop &tile_;
  const TileRings rings_;
  const unsigned turns_; ///< Steps until buffers and sets are the first ones again.
  TileNames names_;
  std::optional<unsigned> waits_; ///< Loads in flight that a wait is not for.
  std::function<bool(const Operand &)> isRenamed_;
  std::string exit_;
  unsigned uses_ = 0, jumpsWritten_ = 0;
  CodeLines out_;
  CodeLines outOfLine_; ///< Of all uses, what stands behind the latch.
  CodeLines *to_ = &out_;
  TileStages rewrite_;
  std::optional<StagesLeft> left_;
};

} // namespace

TileStagesOutcome stageTiles(const Module &module, const Cfg &cfg, const TileLoop &tile,
                             TileRings rings, uint32_t ldsBytes, unsigned freeVgpr) {
  return Stager(module, cfg, tile, rings, ldsBytes, freeVgpr).run();
}

} // namespace rdna
