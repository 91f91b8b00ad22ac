#include "Transform/TilePath.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace rdna {

bool TilePath::isWithin(unsigned inner, unsigned wanted) const {
  while (inner != wanted && inner != 0)
    inner = outer[inner];
  return inner == wanted;
}

namespace {

/// Each condition doubles them; two operands that are whole or not are four.
constexpr unsigned kMostWays = 16;

class Walker {
public:
  Walker(const Module &module, const Cfg &cfg, uint32_t loop)
      : module_(module), cfg_(cfg), index_(loop), loop_(cfg.loops[loop]),
        at_(cfg.blocks[loop_.header].first) {}

  /// Where a step goes several ways, each is followed.
  static TilePathOutcome run(Walker first) {
    std::vector<Walker> open{std::move(first)}, ended;
    std::optional<StagesLeft> left;
    for (unsigned ways = 1; !open.empty();) {
      Walker next = std::move(open.back());
      open.pop_back();
      const Way how = next.walk();
      if (how == Way::Parts && ++ways > kMostWays) {
        next.leave(next.at_, "a step goes too many ways before its tile is stored");
      } else if (how == Way::Parts) {
        using If = TilePath::Departure::If;
        open.push_back(next.leavingOut(If::Taken));
        open.push_back(next.leavingOut(If::NotTaken));
        continue;
      }
      if (how == Way::Ends && next.findAllWays())
        ended.push_back(std::move(next));
      else if (!left)
        left = std::move(next.left_);
    }
    if (ended.empty())
      return {.path = std::nullopt, .left = std::move(left)};
    const auto best = llvm::min_element(
        ended, [](const Walker &a, const Walker &b) { return a.rank() < b.rank(); });
    return {.path = std::move(best->path_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool leave(uint32_t instruction, std::string reason) {
    left_ = StagesLeft{inst(instruction).line, std::move(reason)};
    return false;
  }

  enum class Way : uint8_t { Ends, Parts, Fails };
  /// To the barrier, or to where it depends on a condition which way that is.
  Way walk() {
    if (left_)
      return Way::Fails;
    const auto fail = [&](std::string reason) {
      leave(at_, std::move(reason));
      return Way::Fails;
    };
    for (;;) {
      const uint32_t block = cfg_.blockOf(at_);
      for (const size_t from : joins_[at_])
        path_.jumps.emplace_back(from, path_.size());
      joins_.erase(at_);
      if (at_ == cfg_.blocks[block].first) {
        if (cfg_.loopOf(block) != index_)
          return fail(loop_.contains(block) ? "the tile is stored by a loop of its own"
                                            : "a step is left in several places");
        if (!path_.blocks.insert(block).second)
          return fail("no barrier stands behind the tile's stores");
      }
      const Instruction &next = inst(at_);
      if (next.unit == Unit::Barrier) {
        path_.barrier = at_;
        return joins_.empty() && guard_ == 0
                   ? Way::Ends
                   : fail("lanes are switched off at the barrier behind the tile's stores");
      }
      if (next.isJump() || next.op == Op::s_cbranch_execz) {
        const auto target = module_.labelTarget(module_.branchTarget(next));
        if (!target)
          return fail("a branch goes to a place that is not known");
        if (!next.isJump())
          joins_[*target].push_back(path_.size());
        at_ = next.isJump() ? *target : at_ + 1;
        continue;
      }
      if (next.isTerminator()) {
        if (!isConditionalBranch(next.op) || guard_ != 0)
          return fail("a step goes different ways before its tile is stored");
        if (const auto isTaken = knownBranch(next); !isTaken)
          return Way::Parts;
        else if (!go(*isTaken ? To::Target : To::Next))
          return Way::Fails;
        continue;
      }
      if (!step(at_))
        return Way::Fails;
      ++at_;
    }
  }

  enum class To : uint8_t { Target, Next };
  bool go(To to) {
    const auto target = module_.labelTarget(module_.branchTarget(inst(at_)));
    if (!target)
      return leave(at_, "a branch goes to a place that is not known");
    at_ = to == To::Target ? *target : at_ + 1;
    return true;
  }
  Walker leavingOut(TilePath::Departure::If when) const {
    Walker other = *this;
    other.path_.departures.push_back({.place = path_.size(), .branch = at_, .when = when});
    other.go(when == TilePath::Departure::If::Taken ? To::Next : To::Target);
    return other;
  }

  /// The least is the best: a tile that is loaded and stored before anything else, then as few
  /// guards as there may be, then as many loads.
  auto rank() const -> std::tuple<bool, size_t, int64_t> {
    const auto count = [&](auto is) {
      return llvm::count_if(path_.instructions, [&](uint32_t i) { return is(inst(i)); });
    };
    const auto stores = count([](const Instruction &next) { return storesToLds(next); });
    const auto loads = count([](const Instruction &next) { return isVmem(next.unit); });
    return {stores == 0 || loads == 0, path_.outer.size(), -loads};
  }

  /// The other ways end at the same barrier.
  bool findAllWays() {
    if (path_.departures.empty())
      return true;
    const uint32_t last = cfg_.blockOf(path_.barrier);
    std::set<uint32_t> found;
    std::optional<uint32_t> astray;
    walkFrom(cfg_, {loop_.header}, Direction::Forward, [&](uint32_t b) {
      found.insert(b);
      const uint32_t end = b == last ? path_.barrier : cfg_.blocks[b].last;
      for (uint32_t i = cfg_.blocks[b].first; i < end; ++i)
        if (inst(i).unit == Unit::Barrier)
          astray = i;
      if (!loop_.contains(b))
        astray = cfg_.blocks[b].first;
      return b == last || astray ? Walk::Stop : Walk::GoOn;
    });
    if (astray)
      return leave(path_.departures.front().branch,
                   "a step goes different ways before its tile is stored");
    found.erase(loop_.header);
    found.erase(last);
    path_.allWays = {loop_.header};
    path_.allWays.insert(path_.allWays.end(), found.begin(), found.end());
    path_.allWays.push_back(last);
    return true;
  }

  /// Of conditions that the way here has set to a number, as code does in which compilers had to
  /// bring several ways together.
  std::optional<bool> knownBranch(const Instruction &branch) const {
    if (branch.op == Op::s_cbranch_execnz) // Nobody has switched lanes off.
      return true;
    const auto vcc = numbers_.find(kVccLo.index);
    if (vcc == numbers_.end())
      return std::nullopt;
    if (branch.op == Op::s_cbranch_vccz)
      return vcc->second == 0;
    if (branch.op == Op::s_cbranch_vccnz)
      return vcc->second != 0;
    return std::nullopt;
  }
  /// 0, or -1: all lanes.
  void noteNumber(const Instruction &next) {
    const auto numberOf = [&](const Operand &operand) -> std::optional<int64_t> {
      if (operand.kind == Operand::Kind::Immediate && (operand.imm == 0 || operand.imm == -1))
        return operand.imm;
      if (!operand.isReg())
        return std::nullopt;
      if (operand.reg.first == kExecLo && guard_ == 0)
        return -1;
      const auto known = numbers_.find(operand.reg.first.index);
      return known == numbers_.end() ? std::nullopt : std::optional(known->second);
    };
    std::optional<int64_t> number;
    if (next.op == Op::s_mov_b32) {
      number = numberOf(next.operands[1]);
    } else if (next.op == Op::s_and_b32 || next.op == Op::s_and_not1_b32) {
      const auto a = numberOf(next.operands[1]), b = numberOf(next.operands[2]);
      if (a && b)
        number = *a & (next.op == Op::s_and_b32 ? *b : ~*b);
    }
    for (const RegAccess &access : next.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        numbers_.erase(static_cast<uint16_t>(access.reg.first.index + d));
    if (number && next.operands[0].reg.first != kExecLo)
      numbers_[next.operands[0].reg.first.index] = *number;
  }

  bool step(uint32_t at) {
    const Instruction &next = inst(at);
    const unsigned before = guard_;
    noteNumber(next);
    if (next.writesUnit(kExecLo) && !switchLanes(next))
      return leave(at, "lanes are switched in another way than around the tile's loads");
    path_.instructions.push_back(at);
    path_.guards.push_back(next.isValu() ? before : guard_);
    if (next.op == Op::s_mov_b32 && next.operands[1].isReg() &&
        next.operands[1].reg.first == kExecLo)
      saved_[next.operands[0].reg.first.index] = guard_;
    else if (next.op == Op::s_mov_b32 && next.operands[1].kind == Operand::Kind::Immediate &&
             next.operands[1].imm == 0) // Lanes that leave a loop are gathered in it.
      saved_[next.operands[0].reg.first.index] = guard_;
    else if (const auto others = findOthers(next, before))
      others_[*others] = before;
    else if (!narrowsAndSaves(next.op) && !gathersLanes(next))
      for (const RegAccess &access : next.accesses)
        for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
          forget(static_cast<uint16_t>(access.reg.first.index + d));
    return true;
  }

  void forget(uint16_t unit) {
    for (auto *masks : {&saved_, &others_, &rest_})
      masks->erase(unit);
  }

  /// Where it puts the lanes that a guard leaves out: EXEC ^ what it was in front of the guard.
  std::optional<uint16_t> findOthers(const Instruction &next, unsigned guard) {
    if (next.op != Op::s_xor_b32 || guard == 0 || next.operands[0].reg.first == kExecLo)
      return std::nullopt;
    for (const size_t n : {1, 2}) {
      const Operand &exec = next.operands[n], &whole = next.operands[3 - n];
      if (!exec.isReg() || exec.reg.first != kExecLo || !whole.isReg())
        continue;
      const auto known = saved_.find(whole.reg.first.index);
      if (known == saved_.end() || known->second != path_.outer[guard])
        continue;
      forget(next.operands[0].reg.first.index);
      return next.operands[0].reg.first.index;
    }
    return std::nullopt;
  }

  static bool narrowsAndSaves(Op op) {
    return op == Op::s_and_saveexec_b32 || op == Op::s_and_not0_saveexec_b32 ||
           op == Op::s_and_not1_saveexec_b32;
  }
  /// Those that leave, and those that have left.
  static bool gathersLanes(const Instruction &next) {
    return next.op == Op::s_or_b32 && llvm::any_of(next.operands, [&](const Operand &operand) {
             return operand.cls == Operand::Class::Source && operand.isReg() &&
                    operand.reg.first == next.operands[0].reg.first;
           });
  }

  /// Lanes are switched off, or those that were switched off last are switched on.
  bool switchLanes(const Instruction &next) {
    const auto readsExec = [&](size_t n) {
      return next.operands.size() > n && next.operands[n].isReg() &&
             next.operands[n].reg.first == kExecLo;
    };
    const auto off = [&] {
      path_.outer.push_back(guard_);
      path_.opens.push_back(path_.size());
      path_.closes.push_back(path_.size());
      guard_ = static_cast<unsigned>(path_.outer.size() - 1);
      return true;
    };
    switch (next.op) {
    case Op::s_and_saveexec_b32:
    case Op::s_and_not0_saveexec_b32:
      forget(next.operands[0].reg.first.index);
      saved_[next.operands[0].reg.first.index] = guard_;
      return off();
    case Op::s_and_not1_saveexec_b32: { // Those that a guard has left out, where it ends.
      const auto others =
          next.operands[1].isReg() ? others_.find(next.operands[1].reg.first.index) : others_.end();
      if (others == others_.end() || others->second != guard_)
        return false;
      path_.closes[guard_] = path_.size();
      const unsigned first = std::exchange(guard_, path_.outer[guard_]);
      forget(next.operands[0].reg.first.index);
      rest_[next.operands[0].reg.first.index] = first;
      return off();
    }
    case Op::s_and_b32:
    case Op::s_and_not1_b32:
      return (readsExec(1) || (next.op == Op::s_and_b32 && readsExec(2))) && off();
    case Op::s_xor_b32: // The others of those that there were.
      for (size_t n = 1; n < 3; ++n) {
        const auto known =
            next.operands[n].isReg() ? saved_.find(next.operands[n].reg.first.index) : saved_.end();
        if (!readsExec(3 - n) || known == saved_.end() || guard_ == 0 ||
            path_.outer[guard_] != known->second)
          continue;
        path_.closes[guard_] = path_.size();
        guard_ = known->second;
        return off();
      }
      return false;
    case Op::s_or_b32:
    case Op::s_mov_b32:
      for (const Operand &operand : next.operands) {
        const auto rest = operand.isReg() ? rest_.find(operand.reg.first.index) : rest_.end();
        if (rest != rest_.end() && next.op == Op::s_or_b32 && guard_ != 0 &&
            path_.outer[guard_] == path_.outer[rest->second]) {
          path_.closes[guard_] = path_.size();
          guard_ = path_.outer[guard_];
          return true;
        }
        const auto known = operand.isReg() ? saved_.find(operand.reg.first.index) : saved_.end();
        if (known == saved_.end() || !path_.isWithin(guard_, known->second))
          continue;
        for (; guard_ != known->second; guard_ = path_.outer[guard_])
          path_.closes[guard_] = path_.size();
        return true;
      }
      return false;
    default:
      return isCompareToExec(next.op) && off();
    }
  }

  const Module &module_;
  const Cfg &cfg_;
  const uint32_t index_;
  const Loop &loop_;
  uint32_t at_; ///< Where the way has come to.
  TilePath path_;
  std::map<uint32_t, std::vector<size_t>> joins_; ///< By where waves without lanes jump to.
  unsigned guard_ = 0;
  std::map<uint16_t, int64_t> numbers_; ///< Registers that hold 0 or -1, on this way.
  std::map<uint16_t, unsigned> saved_;  ///< Registers with the EXEC that a guard has.
  std::map<uint16_t, unsigned> others_; ///< With the lanes that it leaves out.
  std::map<uint16_t, unsigned> rest_;   ///< With its lanes, while those that it left out are on.
  std::optional<StagesLeft> left_;
};

} // namespace

TilePathOutcome findTilePath(const Module &module, const Cfg &cfg, uint32_t loop) {
  return Walker::run(Walker(module, cfg, loop));
}

/// Which halves of a VGPR an instruction replaces, as bits; 0 if it keeps something else.
static unsigned halvesOf(const Instruction &def, RegUnit unit) {
  for (const RegAccess &access : def.accesses)
    if (access.writes() && access.reg.overlaps({unit, 1, Half::Whole})) {
      if (const Half half = writtenHalf(def, access.reg); half != Half::Whole)
        return half == Half::Low ? 1 : 2;
      return keepsDestination(def.op) || def.isDpp() || access.reads() ? 0 : 3;
    }
  return 0;
}

TileDefs definitionsAt(const Module &module, const TilePath &path, size_t place, RegUnit unit,
                       Half wanted) {
  TileDefs defs;
  std::set<unsigned> known; // Guards whose lanes have all been written.
  // Halves that have not, of all lanes.
  unsigned open = wanted == Half::Low ? 1 : wanted == Half::High ? 2 : 3;
  const unsigned here = place < path.size() ? path.guards[place] : 0;
  for (size_t p = place; p-- > 0;) {
    const unsigned guard = path.guards[p];
    const auto covers = [&](unsigned outer) { return path.isWithin(guard, outer); };
    const Instruction &def = module.instructions()[path.instructions[p]];
    if (!def.writesUnit(unit) || llvm::any_of(known, covers))
      continue;
    const unsigned halves = halvesOf(def, unit);
    if (halves != 0 && (halves & open) == 0)
      continue;
    defs.places.push_back(p);
    // Scalar registers are written whatever lanes there are.
    const bool isOfAll = !unit.isVgpr() || path.isWithin(here, guard);
    if (isOfAll)
      open &= ~halves;
    else if ((halves & open) == open)
      known.insert(guard);
    if (open == 0) {
      defs.areAll = true;
      break;
    }
  }
  return defs;
}

} // namespace rdna
