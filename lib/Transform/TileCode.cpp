#include "Transform/TileCode.h"

#include "Analysis/Waits.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Code/Build.h"
#include "Isa/Branch.h"
#include "Transform/LdsShift.h"
#include "Transform/TileCounters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

static constexpr unsigned kMoveBytes = 4;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

std::string TileCode::labelFor(std::string_view what) const {
  return newLabel(module_, fmt::format("{}.buffer.{}", loop_.label, what));
}

void TileCode::copy(uint32_t first, uint32_t last, unsigned b, std::optional<unsigned> tile) {
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

std::optional<unsigned> TileCode::nameIn(uint32_t first, uint32_t last, unsigned tile,
                                         uint16_t unit) const {
  return names_.nameIn(tile_, first, last, tile % rings_.sets, unit);
}

RegUnit TileCode::keptIn(unsigned tile, size_t place) const {
  return names_.keptLanes[tile % rings_.sets].at(place);
}

WaitCounts TileCode::counted(uint32_t i) const {
  WaitCounts counts = waitCounts(inst(i)).value_or(WaitCounts{});
  if (counts.vm && *counts.vm + *waits_ < kNoVmWait)
    counts.vm = *counts.vm + *waits_;
  else
    counts.vm.reset();
  return counts;
}

bool TileCode::isLeftOut(uint32_t i) const {
  return i == tile_.used || i == tile_.branch || invalidatesL0(inst(i)) ||
         (tile_.advance.contains(i) && !isOfPath(i) && !tile_.advancingHalf.contains(i) &&
          !tile_.counters.ofLatch.contains(i));
}

//===----------------------------------------------------------------------===//
// Parts of a step
//===----------------------------------------------------------------------===//

void TileCode::advance(const std::string &out) {
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

void TileCode::load(unsigned tile) {
  isRenamed_ = [](const Operand &operand) { return operand.cls == Operand::Class::Def; };
  ++jumpsWritten_;
  const auto all = [](size_t) { return true; };
  const std::string otherWay = labelFor(fmt::format("otherway{}", jumpsWritten_));
  if (names_.isOnPath)
    decideWay(otherWay);
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
  if (names_.isOnPath)
    label(otherWay);
}

void TileCode::decideWay(const std::string &otherWay) {
  made(build(Op::s_mov_b32, {*names_.isOnPath, imm(0)}));
  for (const auto &[unit, saved] : names_.carriedByPath)
    move(saved, ownOf(RegUnit{unit}));
  for (size_t p = 0; p <= tile_.path.size(); ++p) {
    for (const TilePath::Departure &departure : tile_.path.departures)
      if (departure.place == p) {
        const Op op = inst(departure.branch).op;
        const bool isIfTaken = departure.when == TilePath::Departure::If::Taken;
        made(buildBranch(isIfTaken ? op : inverseBranch(op), otherWay));
      }
    if (tile_.deciding.contains(p))
      ahead(tile_.path.instructions[p], {});
  }
  for (const auto &[unit, saved] : names_.carriedByPath) // The path counts once more.
    if (llvm::any_of(tile_.deciding, [&](size_t p) {
          return inst(tile_.path.instructions[p]).writesUnit(RegUnit{unit});
        }))
      move(ownOf(RegUnit{unit}), saved);
  made(build(Op::s_mov_b32, {*names_.isOnPath, imm(-1)}));
}

void TileCode::move(RegUnit to, RegUnit from) {
  made(build(to.isVgpr() ? Op::v_mov_b32 : Op::s_mov_b32, {to, from}));
}

std::string TileCode::goOtherWays(unsigned tile) {
  const std::string other = labelFor(fmt::format("allways{}", jumpsWritten_)),
                    join = labelFor(fmt::format("stored{}", jumpsWritten_));
  made(build(Op::s_cmp_eq_u32, {*names_.isOnPath, imm(0)}));
  made(buildBranch(Op::s_cbranch_scc1, other));
  to_ = &outOfLine_;
  label(other);
  for (const auto &[unit, saved] : names_.carriedByPath)
    move(RegUnit{unit}, saved);
  ++copies_;
  copyBlocks(tile_.path.allWays, Part::AllWays, tile);
  for (const auto &[unit, own] : names_.own) // The next loads go on from here.
    move(own, RegUnit{unit});
  line(buildBranch(Op::s_branch, join));
  to_ = &out_;
  return join;
}

void TileCode::keep(size_t place, unsigned tile, Kept way) {
  const auto &kept = names_.kept[tile % rings_.sets];
  for (auto it = kept.lower_bound({place, 0}); it != kept.end() && it->first.first == place; ++it) {
    const RegUnit unit{it->first.second};
    if (way == Kept::In)
      move(it->second, unit);
    else
      move(unit, it->second);
  }
}

void TileCode::made(const Code &code) {
  line(code);
  ++rewrite_.instructions;
  rewrite_.bytes += kMoveBytes;
}

void TileCode::jumps(size_t place, llvm::function_ref<bool(size_t)> isWanted) {
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

bool TileCode::namesOwn(uint32_t i) const {
  return !names_.own.empty() && llvm::any_of(inst(i).operands, [&](const Operand &operand) {
    for (unsigned d = 0; operand.isReg() && d < operand.reg.dwords; ++d)
      if (names_.own.contains(static_cast<uint16_t>(operand.reg.first.index + d)))
        return true;
    return false;
  });
}

void TileCode::ahead(uint32_t i, std::optional<unsigned> tile) {
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

LaneOp TileCode::withOwn(const LaneOp &lane) const {
  return renamedLane(lane, [&](RegUnit unit) { return ownOf(unit); });
}

void TileCode::halvesOf(uint32_t i, uint8_t halves, std::optional<unsigned> tile) {
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

void TileCode::apart(uint32_t i, Halves lanes, uint8_t halves) {
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

void TileCode::convert(uint32_t i, uint8_t halves, unsigned tile) {
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

Code TileCode::copyOf(uint32_t i) {
  auto code = copyWithoutHazard(module_, inst(i));
  if (!code)
    leave(inst(i).line, std::string(kHazardStays));
  if (hasHazard(inst(i)))
    rewrite_.bytes += kMoveBytes; // A word more than the pair.
  return code.value_or(Code());
}

void TileCode::store(unsigned tile, unsigned younger, Wait wait) {
  std::string stored; // Behind this tile's stores.
  if (names_.isOnPath)
    stored = goOtherWays(tile);
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
  if (!stored.empty())
    label(stored);
}

void TileCode::waitForAll(unsigned younger) {
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

void TileCode::keptMask(const Instruction &opens, RegUnit kept) {
  if (opens.op == Op::s_and_saveexec_b32)
    made(build(Op::s_and_saveexec_b32, {opens.operands[0].reg, kept}));
  else
    made(build(Op::s_and_b32, {kExecLo, kExecLo, kept}));
}

void TileCode::storeMask(uint32_t i, uint8_t halves) {
  if (!inst(i).isVopd() || halves == 3)
    return copy(i, i + 1, 0, {});
  line(halfOf(i, halves == 1 ? 0 : 1));
  ++rewrite_.instructions;
  rewrite_.bytes += inst(i).sizeBytes;
}

unsigned TileCode::loads() const {
  unsigned count = 0;
  for (size_t p = 0; p < tile_.path.size(); ++p)
    count += isVmem(inst(tile_.path.instructions[p]).unit) && tile_.path.guards[p] == 0 ? 1 : 0;
  return count;
}

bool TileCode::isOfPath(uint32_t i) const { return llvm::is_contained(tile_.path.instructions, i); }
bool TileCode::buildsHalves(uint32_t i) const { return laneOps(inst(i)).size() == 2; }
Code TileCode::halfOf(uint32_t i, unsigned half) const {
  return Code(buildLane(laneOps(inst(i))[half]));
}
void TileCode::barrier() { line(build(Op::s_barrier)); }

void TileCode::again(llvm::ArrayRef<uint32_t> instructions) {
  for (const uint32_t i : instructions) {
    line(copyOf(i));
    ++rewrite_.instructions;
    rewrite_.bytes += inst(i).sizeBytes;
  }
}

void TileCode::prepare() {
  again(tile_.prepare);
  again(tile_.counters.conditions);
}

void TileCode::use(unsigned b, Use which) {
  prepare();
  ++copies_;
  const llvm::ArrayRef<uint32_t> blocks(tile_.useBlocks);
  const auto inLine = static_cast<size_t>(llvm::find(blocks, tile_.latch) - blocks.begin()) + 1;
  copyBlocks(blocks.take_front(inLine), Part::Use, b);
  to_ = &outOfLine_;
  copyBlocks(blocks.drop_front(inLine), Part::Use, b);
  to_ = &out_;
  if (which == Use::Other) // For that of another tile, behind one that has advanced.
    again(tile_.counters.ofPath);
}

uint32_t TileCode::endOf(Part part) const {
  return part == Part::Use ? tile_.latch : cfg_.blockOf(tile_.filled);
}

std::string TileCode::labelIn(uint32_t block) const {
  const auto old = labelOf(module_, cfg_.blocks[block]);
  const std::string base =
      old && old->starts_with(".L")
          ? *old
          : fmt::format(".L{}_{}", module_.functions()[cfg_.functionIndex].name, block);
  return newLabel(module_, fmt::format("{}.buffer{}", base, copies_));
}

void TileCode::copyBlocks(llvm::ArrayRef<uint32_t> blocks, Part part, unsigned b) {
  for (size_t n = 0; n < blocks.size(); ++n) {
    const Block &block = cfg_.blocks[blocks[n]];
    const bool isFilled = blocks[n] == cfg_.blockOf(tile_.filled);
    const bool isBehind = isFilled && part == Part::Use;
    const uint32_t first = isBehind ? tile_.filled + 1 : block.first;
    const uint32_t last = isFilled && part == Part::AllWays ? tile_.filled : block.last;
    if (!isBehind && (isTarget(blocks[n]) || isJumpedTo(blocks[n], part)))
      label(labelIn(blocks[n]));
    const Instruction &end = inst(block.last - 1);
    const bool isBranch = end.isTerminator() && blocks[n] != endOf(part) && block.last - 1 >= first;
    copy(first, std::max(first, last - (isBranch ? 1 : 0)), b);
    if (isBranch) {
      const auto target = module_.labelTarget(module_.branchTarget(end));
      if (!target || !loop_.contains(cfg_.blockOf(*target)))
        return leave(end.line, "a step is left in several places");
      const uint32_t to = cfg_.blockOf(*target);
      const bool isNext = n + 1 < blocks.size() && blocks[n + 1] == to;
      if (!end.isJump() || !isNext)
        line(buildBranch(end.op, labelIn(to)));
    }
    if (const auto next = fallsTo(blocks[n], part);
        next && (n + 1 == blocks.size() || blocks[n + 1] != *next))
      line(buildBranch(Op::s_branch, labelIn(*next)));
  }
}

std::optional<uint32_t> TileCode::fallsTo(uint32_t block, Part part) const {
  if (block == endOf(part) || inst(cfg_.blocks[block].last - 1).isJump())
    return std::nullopt;
  return block + 1;
}

bool TileCode::isJumpedTo(uint32_t block, Part part) const {
  const std::vector<uint32_t> &blocks = part == Part::Use ? tile_.useBlocks : tile_.path.allWays;
  return llvm::any_of(llvm::seq<size_t>(0, blocks.size()), [&](size_t n) {
    const bool isNext = n + 1 < blocks.size() && blocks[n + 1] == block;
    return fallsTo(blocks[n], part) == block && !isNext;
  });
}

bool TileCode::isTarget(uint32_t block) const {
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

} // namespace rdna
