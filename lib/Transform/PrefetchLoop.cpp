#include "Transform/PrefetchLoop.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <bitset>

namespace rdna {

bool isAheadLabel(std::string_view name) { return name.find(".ahead") != name.npos; }

bool isBehindAhead(const Module &module, const Loop &loop) {
  return llvm::any_of(module.labels(), [&](const Label &label) {
    return label.name.starts_with(loop.label + ".ahead");
  });
}

namespace {

using Units = std::bitset<kRegUnits>;

Units unitsOf(const Instruction &inst, bool (RegAccess::*isWanted)() const) {
  Units units;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; (access.*isWanted)() && d < access.reg.dwords; ++d)
      units.set(access.reg.first.index + d);
  return units;
}
Units readsOf(const Instruction &inst) { return unitsOf(inst, &RegAccess::reads); }
Units writesOf(const Instruction &inst) { return unitsOf(inst, &RegAccess::writes); }

std::string firstOf(const Units &units) {
  unsigned unit = 0;
  while (!units.test(unit))
    ++unit;
  return toString(RegUnit{static_cast<uint16_t>(unit)});
}

bool isTileLoad(const Instruction &inst) {
  return isVmem(inst.unit) && inst.memory == MemoryEffect::Load;
}

/// Of one step.
class PrefetchFinder {
public:
  /// `starts`: the first blocks of all steps.
  PrefetchFinder(const Module &module, const Cfg &cfg, uint32_t loop, uint32_t start,
                 const std::set<uint32_t> &starts)
      : module_(module), cfg_(cfg), loopIndex_(loop), loop_(cfg.loops[loop]), start_(start),
        starts_(starts) {}

  /// Finds a step, or says why it is none.
  std::optional<StagesLeft> run() {
    if (findAccesses() && findPath() && findBranch() && findGuards() && findUses() &&
        findAdvance() && checkOrder())
      return std::nullopt;
    return std::move(left_);
  }
  const PrefetchStep &step() const { return found_; }
  PrefetchLoop::Form form() const { return form_; }
  const std::set<uint16_t> &carried() const { return carried_; }
  uint32_t next() const { return next_; } ///< The first block of the step behind it.

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  const Block &block(uint32_t b) const { return cfg_.blocks[b]; }

  bool leave(uint32_t instruction, std::string reason) {
    left_ = StagesLeft{inst(instruction).line, std::move(reason)};
    return false;
  }

  bool findAccesses() {
    walkAlong(cfg_.blocks.size(), start_, [&](uint32_t b) {
      own_.insert(b);
      std::vector<uint32_t> next(block(b).successors.begin(), block(b).successors.end());
      llvm::erase_if(next, [&](uint32_t n) { return starts_.contains(n) || !loop_.contains(n); });
      return next;
    });
    for (const uint32_t b : own_)
      for (uint32_t i = block(b).first; i < block(b).last; ++i) {
        const Instruction &at = inst(i);
        if (isTileLoad(at))
          found_.loads.insert(i);
        else if (storesToLds(at))
          stores_.insert(i);
        else if (!invalidatesL0(at) &&
                 (isVmem(at.unit) || at.unit == Unit::Smem || at.unit == Unit::Flat))
          return leave(i, "a step has an access to memory that loads no tile");
        if (at.writesUnit(kExecLo))
          return leave(i, "lanes are switched off in a step");
      }
    if (starts_.size() > 1 && (found_.loads.empty() || stores_.empty()))
      return leave(block(start_).first, "the loop is left in the middle of a step");
    if (found_.loads.empty())
      return leave(block(start_).first, "no step loads a tile from memory");
    if (stores_.empty())
      return leave(*found_.loads.begin(), "rule 2: no step of the loop fills a buffer in LDS");
    return true;
  }

  /// Which way a branch goes in a step that loads: into what is there for loads and stores alone.
  std::optional<uint32_t> decidedWay(uint32_t b) const {
    const auto &successors = block(b).successors;
    const bool leaves = llvm::any_of(successors, [&](uint32_t to) { return !loop_.contains(to); });
    if (successors.size() != 2 || leaves)
      return std::nullopt;
    for (const uint32_t way : block(b).successors)
      if (block(way).predecessors.size() == 1 && loop_.contains(way) &&
          cfg_.loopOf(way) == cfg_.loopOf(loop_.header) &&
          (dominatesAll(way, found_.loads) || dominatesAll(way, stores_)))
        return way;
    return std::nullopt;
  }
  bool dominatesAll(uint32_t b, const std::set<uint32_t> &instructions) const {
    return llvm::all_of(instructions,
                        [&](uint32_t i) { return cfg_.dominates(b, cfg_.blockOf(i)); });
  }

  std::vector<uint32_t> waysOf(uint32_t b) const {
    if (const auto it = ways_.find(b); it != ways_.end())
      return {it->second};
    return {block(b).successors.begin(), block(b).successors.end()};
  }
  /// Blocks that a step that loads goes through, but for one.
  std::set<uint32_t> reachedWithout(std::optional<uint32_t> hole) const {
    std::set<uint32_t> seen;
    if (hole == start_)
      return seen;
    walkAlong(cfg_.blocks.size(), start_, [&](uint32_t b) {
      seen.insert(b);
      std::vector<uint32_t> next = waysOf(b);
      llvm::erase_if(
          next, [&](uint32_t n) { return starts_.contains(n) || !loop_.contains(n) || n == hole; });
      return next;
    });
    return seen;
  }

  bool findPath() {
    for (const uint32_t b : own_)
      if (const auto way = decidedWay(b))
        ways_[b] = *way;
    reached_ = reachedWithout(std::nullopt);
    // In other blocks there may be more stores: of steps that nothing was loaded in.
    std::erase_if(stores_, [&](uint32_t i) { return !reached_.contains(cfg_.blockOf(i)); });
    return true;
  }

  /// One way back, and one way out: in the same block, or in the header.
  bool findBranch() {
    std::optional<uint32_t> back, out;
    for (const uint32_t b : reached_)
      for (const uint32_t next : waysOf(b)) {
        const bool isNextStep = starts_.contains(next);
        if (!isNextStep && loop_.contains(next))
          continue;
        std::optional<uint32_t> &way = isNextStep ? back : out;
        if (way)
          return leave(block(b).last - 1, "a step is left in several places");
        way = b;
        (isNextStep ? next_ : found_.exit) = next;
      }
    if (!back || !out || (*out != *back && *out != start_))
      return leave(block(start_).first,
                   "a step asks neither at its begin nor at its end whether there is another");
    using Form = PrefetchLoop::Form;
    form_ = *out == *back ? Form::AsksLast : Form::AsksFirst;
    found_.latch = *back;
    found_.branch = block(*out).last - 1;
    const Instruction &branch = inst(found_.branch);
    if (!isConditionalBranch(branch.op) || block(*out).successors.size() != 2)
      return leave(found_.branch, "the block that leaves the loop does not decide whether to");
    const auto target = module_.labelTarget(module_.branchTarget(branch));
    found_.staysIfTaken = target && cfg_.blockOf(*target) != found_.exit;
    for (const bool isBehind : {true, false})
      for (const uint32_t b : own_)
        if ((b >= start_) == isBehind && reached_.contains(b) && b != found_.latch)
          found_.path.push_back(b);
    found_.path.push_back(found_.latch);
    return true;
  }

  bool findGuards() {
    for (const std::set<uint32_t> *accesses : {&found_.loads, &stores_})
      for (const uint32_t i : *accesses)
        if (!isAlways(cfg_.blockOf(i)))
          return leave(i, "a step may load or store parts of a tile only");
    for (const auto &[b, way] : ways_) {
      const uint32_t branch = block(b).last - 1;
      if (!reached_.contains(b) || branch == found_.branch)
        continue;
      if (!dominatesAll(way, found_.loads)) {
        found_.decided[branch] = way;
        continue;
      }
      if (b != start_)
        return leave(branch, "what decides whether there is a next tile does not stand at a step's "
                             "begin");
      found_.guard = branch;
      const auto target = module_.labelTarget(module_.branchTarget(inst(branch)));
      found_.loadsIfTaken = target && cfg_.blockOf(*target) == way;
    }
    return true;
  }

  /// In every step that loads, once.
  bool isAlways(uint32_t b) const {
    return cfg_.loopOf(b) == loopIndex_ &&
           (b == found_.latch || !reachedWithout(b).contains(found_.latch));
  }

  /// Instructions of the path.
  template <typename Function> void forPath(Function function) const {
    for (const uint32_t b : found_.path)
      for (uint32_t i = block(b).first; i < block(b).last; ++i)
        function(i);
  }

  /// Who reads what a load has brought, until something else is written there.
  bool findUses() {
    std::map<uint16_t, uint32_t> holds; // By register: the load.
    std::optional<uint32_t> bad;
    forPath([&](uint32_t i) {
      for (const RegAccess &access : inst(i).accesses)
        for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d) {
          const auto unit = static_cast<uint16_t>(access.reg.first.index + d);
          if (!holds.contains(unit))
            continue;
          found_.uses[i].insert(unit);
          if (!storesToLds(inst(i)) || access.operand < 0)
            bad = i;
        }
      const bool isLoad = found_.loads.contains(i);
      for (const RegAccess &access : inst(i).accesses)
        for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
          const auto unit = static_cast<uint16_t>(access.reg.first.index + d);
          if (isLoad)
            holds[unit] = i;
          else
            holds.erase(unit);
          if (isLoad && (!RegUnit{unit}.isVgpr() || access.reads() ||
                         access.reg.half != Half::Whole || keepsDestination(inst(i).op)))
            bad = i;
          if (isLoad)
            carried_.insert(unit);
        }
    });
    if (bad)
      return leave(*bad, found_.loads.contains(*bad)
                             ? "this load leaves a part of its registers as it was"
                             : "rule 1: what is loaded is used before it is in LDS");
    for (const uint32_t store : stores_)
      if (!found_.uses.contains(store))
        return leave(store, "rule 1: what is stored is not what the step has loaded: it was loaded "
                            "in another step, or computed");
    return true;
  }

  /// What the test and the loads go on with, back to what the loop is entered with.
  bool findAdvance() {
    Units needed;
    needed.set(branchCondition(inst(found_.branch).op).unit.index);
    const Units test = needed;
    std::vector<uint32_t> path;
    forPath([&](uint32_t i) { path.push_back(i); });
    // The comparison, and what is written for it in the latch.
    const auto asks = llvm::find(path, found_.branch);
    slice({path.begin(), asks}, needed, found_.advance);
    for (const uint32_t i : found_.advance)
      if ((writesOf(inst(i)) & test).any() && isScalarCompare(inst(i).op))
        found_.test.insert(i);
    if (found_.test.size() != 1 && form_ == PrefetchLoop::Form::AsksLast)
      return leave(found_.branch,
                   "what decides whether there is another step is no comparison that "
                   "can be made again");
    // What loads, guard and advance need of the step before.
    for (size_t size = 0; size != found_.advance.size();) {
      size = found_.advance.size();
      const Units carriedIn = fromStepBefore(path);
      for (const uint32_t i : path)
        if ((writesOf(inst(i)) & carriedIn).any() && !found_.loads.contains(i))
          found_.advance.insert(i);
      addProducers(path);
    }
    for (const uint32_t i : found_.advance)
      if (!isAlways(cfg_.blockOf(i)) || !(inst(i).unit == Unit::Salu || inst(i).isValu()))
        return leave(i, "what the next tile's place follows from is no arithmetic that every step "
                        "does once");
    return true;
  }
  /// Backwards from the end of a step.
  void slice(const std::vector<uint32_t> &path, Units needed, std::set<uint32_t> &into) const {
    for (const uint32_t i : llvm::reverse(path)) {
      const Units writes = writesOf(inst(i));
      if (inst(i).unit != Unit::Salu || (writes & needed).none() || inst(i).isTerminator())
        continue;
      into.insert(i);
      needed &= ~writes;
      needed |= readsOf(inst(i));
    }
  }
  /// What the advance is computed of in the same step: conditions of selections, and what is
  /// selected.
  void addProducers(const std::vector<uint32_t> &path) {
    Units needed;
    for (const uint32_t i : llvm::reverse(path)) {
      const Units writes = writesOf(inst(i));
      if ((writes & needed).any() && !inst(i).isTerminator())
        found_.advance.insert(i);
      if (!found_.advance.contains(i))
        continue;
      needed &= ~writes;
      needed |= readsOf(inst(i));
      needed.reset(kExecLo.index);
    }
  }
  /// Compilers leave anything in the high half of what a product of 64 bits is added to, where they
  /// need the low half of the sum alone.
  static Units readsFor(const Instruction &inst, const Units &needed) {
    Units reads = readsOf(inst);
    if (inst.op != Op::v_mad_u64_u32 || !inst.operands[0].isReg() ||
        needed.test(inst.operands[0].reg.first.index + 1u))
      return reads;
    const Operand *addend = nullptr;
    for (const Operand &operand : inst.operands)
      if (operand.cls == Operand::Class::Source)
        addend = &operand;
    if (addend && addend->isReg() && addend->reg.dwords == 2)
      reads.reset(addend->reg.first.index + 1u);
    return reads;
  }
  /// What loads, guard and advance, and what they are computed of, read that a step writes later.
  Units fromStepBefore(const std::vector<uint32_t> &path) const {
    Units needed, written;
    for (const uint32_t i : llvm::reverse(path)) {
      const bool isRoot =
          found_.loads.contains(i) || found_.guard == i || found_.advance.contains(i);
      const Units writes = writesOf(inst(i));
      written |= writes;
      if (!isRoot && (writes & needed).none())
        continue;
      const Units reads = readsFor(inst(i), needed);
      needed &= ~writes;
      needed |= reads;
    }
    needed &= written;
    needed.reset(kScc.index);
    needed.reset(kExecLo.index);
    return needed;
  }

  /// The advance goes in front of the step: nobody in between may notice, and behind the loads
  /// nobody may read what it writes.
  bool checkOrder() {
    Units written, reads, done;
    for (const uint32_t i : found_.advance) {
      written |= writesOf(inst(i));
      reads |= readsOf(inst(i));
    }
    reads |= written;
    for (Units *units : {&written, &reads})
      units->reset(kScc.index);
    std::optional<uint32_t> bad;
    Units clash;
    size_t loadsLeft = found_.loads.size();
    bool isSccAdvance = false;
    forPath([&](uint32_t i) {
      const Units writes = writesOf(inst(i));
      if (found_.advance.contains(i)) {
        done |= writes;
        isSccAdvance |= writes.test(kScc.index);
        return;
      }
      if (i == found_.branch)
        return;
      const bool isMoved = form_ == PrefetchLoop::Form::AsksLast;
      Units own;
      if (loadsLeft == 0)
        own = readsOf(inst(i)) & written;
      else if (isMoved)
        own = readsOf(inst(i)) & done & written;
      own |= writes & reads;
      if (isSccAdvance && isMoved && inst(i).readsUnit(kScc))
        own.set(kScc.index);
      if (writes.test(kScc.index))
        isSccAdvance = false;
      if (own.any() && !bad) {
        bad = i;
        clash = own;
      }
      loadsLeft -= found_.loads.contains(i) ? 1 : 0;
    });
    if (bad)
      return leave(*bad,
                   fmt::format("{} is used where the tile is, and decides what the next one is",
                               firstOf(clash)));
    return true;
  }

  const Module &module_;
  const Cfg &cfg_;
  const uint32_t loopIndex_;
  const Loop &loop_;
  const uint32_t start_;
  const std::set<uint32_t> &starts_;
  std::set<uint32_t> own_; ///< Blocks of the step.
  std::set<uint32_t> stores_;
  std::map<uint32_t, uint32_t> ways_; ///< By block.
  std::set<uint32_t> reached_;        ///< Blocks of a step that loads.
  PrefetchStep found_;
  PrefetchLoop::Form form_ = PrefetchLoop::Form::AsksLast;
  std::set<uint16_t> carried_;
  uint32_t next_ = 0;
  std::optional<StagesLeft> left_;
};

/// Where steps begin if each ends with a way out.
std::set<uint32_t> startsOf(const Cfg &cfg, const Loop &loop) {
  std::set<uint32_t> starts{loop.header};
  for (const uint32_t b : loop.blocks)
    for (const uint32_t next : cfg.blocks[b].successors) {
      const bool leaves = llvm::any_of(cfg.blocks[b].successors,
                                       [&](uint32_t other) { return !loop.contains(other); });
      if (leaves && loop.contains(next) && cfg.blocks[next].predecessors.size() == 1)
        starts.insert(next);
    }
  return starts;
}

PrefetchLoopOutcome findSteps(const Module &module, const Cfg &cfg, uint32_t loop,
                              const std::set<uint32_t> &starts) {
  const auto left = [](StagesLeft why) {
    return PrefetchLoopOutcome{.prefetch = std::nullopt, .left = std::move(why)};
  };
  const uint32_t header = cfg.loops[loop].header;
  PrefetchLoop found;
  found.loop = loop;
  uint32_t start = header;
  do {
    PrefetchFinder finder(module, cfg, loop, start, starts);
    if (auto why = finder.run())
      return left(std::move(*why));
    const uint32_t line = module.instructions()[cfg.blocks[start].first].line;
    found.steps.push_back(finder.step());
    found.form = finder.form();
    found.carried.insert(finder.carried().begin(), finder.carried().end());
    if (starts.size() > 1 && found.form == PrefetchLoop::Form::AsksFirst)
      return left({line, "an iteration is several steps, which ask before their tiles are used"});
    if (finder.step().loads.size() != found.steps.front().loads.size())
      return left({line, "the steps of an iteration load in different numbers of instructions"});
    start = finder.next();
  } while (start != header && found.steps.size() < starts.size());
  if (start != header || found.steps.size() != starts.size())
    return left({module.instructions()[cfg.blocks[start].first].line,
                 "the steps of an iteration do not follow each other"});
  return {.prefetch = std::move(found), .left = std::nullopt};
}

} // namespace

PrefetchLoopOutcome findPrefetchLoop(const Module &module, const Cfg &cfg, uint32_t loop) {
  const Loop &whole = cfg.loops[loop];
  const auto ways = llvm::count_if(whole.blocks, [&](uint32_t b) {
    return llvm::any_of(cfg.blocks[b].successors, [&](uint32_t to) { return !whole.contains(to); });
  });
  return findSteps(module, cfg, loop, ways > 1 ? startsOf(cfg, whole) : std::set{whole.header});
}

} // namespace rdna
