#include "Transform/DeeperPrefetch.h"

#include "Analysis/Liveness.h"
#include "Analysis/Waits.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Isa/Branch.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"
#include "Transform/FreeVgprs.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace rdna {
namespace {

class Deepener {
public:
  Deepener(const Module &module, const Cfg &cfg, const PrefetchLoop &prefetch, unsigned sets,
           unsigned freeVgpr)
      : module_(module), cfg_(cfg), loop_(cfg.loops[prefetch.loop]), prefetch_(prefetch),
        sets_(sets), turns_(std::lcm(sets, static_cast<unsigned>(prefetch.steps.size()))),
        carried_(prefetch.carried.begin(), prefetch.carried.end()), out_(module) {
    chooseRegisters(freeVgpr);
  }

  DeeperPrefetchOutcome run() {
    check();
    if (!left_)
      writeEntry();
    for (unsigned b = 0; b < turns_ && !left_; ++b)
      writeStep(b);
    // Every drain that somebody goes to.
    for (unsigned m = sets_ - 1; m >= 1 && !left_; --m)
      for (unsigned b = 0; b < turns_ && !left_; ++b)
        writeDrain(b, m);
    if (!left_)
      edit();
    if (left_)
      return {.rewrite = std::nullopt, .left = std::move(left_)};
    return {.rewrite = std::move(rewrite_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  const Block &block(uint32_t b) const { return cfg_.blocks[b]; }
  const PrefetchStep &stepAt(unsigned b) const {
    return prefetch_.steps[b % prefetch_.steps.size()];
  }

  void leave(uint32_t line, std::string reason) {
    if (!left_)
      left_ = StagesLeft{line, std::move(reason)};
  }

  //===--------------------------------------------------------------------===//
  // Registers
  //===--------------------------------------------------------------------===//

  /// Set 0 keeps the registers that nobody else names in the loop; all others are free throughout
  /// the loop, neighbours beside each other.
  void chooseRegisters(unsigned freeVgpr) {
    const Liveness liveness = computeLiveness(module_, cfg_);
    VgprSet taken, others;
    std::set<uint32_t> loads, uses;
    for (const PrefetchStep &step : prefetch_.steps) {
      loads.insert(step.loads.begin(), step.loads.end());
      for (const auto &[use, units] : step.uses)
        uses.insert(use);
    }
    for (const uint32_t b : loop_.blocks) {
      taken |= liveness.liveIn[b] | liveness.liveOut[b];
      for (uint32_t i = block(b).first; i < block(b).last; ++i) {
        taken |= vgprReads(inst(i)) | vgprWrites(inst(i));
        if (!loads.contains(i))
          others |= vgprWrites(inst(i));
        if (!uses.contains(i))
          others |= vgprReads(inst(i));
      }
    }
    names_.resize(sets_);
    for (const llvm::ArrayRef<uint16_t> run : runsOf(carried_)) {
      const bool keeps =
          llvm::none_of(run, [&](uint16_t unit) { return others.test(RegUnit{unit}.number()); });
      for (unsigned set = 0; set < sets_; ++set)
        nameRun(run,
                set == 0 && keeps ? RegUnit{run.front()}.number()
                                  : takeFreeVgprs(taken, run.size(), freeVgpr),
                names_[set]);
    }
    rewrite_.registers = static_cast<unsigned>(carried_.size());
    rewrite_.vgprs = freeVgpr;
  }
  void check() {
    for (const PrefetchStep &step : prefetch_.steps)
      for (const uint32_t b : step.path) {
        if (const auto obstacle = obstacleToCopy(module_, block(b), Alignment::MayGo))
          return leave(obstacle->line, obstacle->reason);
        if (const auto obstacle = hazardToCopy(module_, block(b), {}))
          return leave(obstacle->line, obstacle->reason);
      }
    const uint32_t line = inst(*stepAt(0).loads.begin()).line;
    if (rewrite_.vgprs > 256)
      leave(line,
            fmt::format("the tiles on their way would need VGPRs up to v{}", rewrite_.vgprs - 1));
    const Function &function = module_.functions()[cfg_.functionIndex];
    const Instruction &last = inst(function.last - 1);
    if (!last.isTerminator() || isConditionalBranch(last.op) || !takesLineBehind(module_, last))
      leave(last.line, "nothing can be put behind the function's last instruction");
  }

  //===--------------------------------------------------------------------===//
  // Lines
  //===--------------------------------------------------------------------===//

  void line(const Code &code) { out_.line(code); }
  void label(const std::string &name) { out_.label(name); }
  std::string labelFor(std::string_view what) const {
    return newLabel(module_, fmt::format("{}.ahead.{}", loop_.label, what));
  }
  std::string stepLabel(unsigned b) const { return labelFor(fmt::format("step{}", b % turns_)); }
  std::string drainLabel(unsigned b, unsigned m) const {
    return labelFor(fmt::format("drain{}.{}", b % turns_, m));
  }
  std::string overLabel(unsigned b) const {
    const size_t steps = prefetch_.steps.size();
    return labelFor(steps == 1 ? "over" : fmt::format("over{}", b % steps));
  }

  //===--------------------------------------------------------------------===//
  // Parts of a step
  //===--------------------------------------------------------------------===//

  void copy(uint32_t i, const RenameFn &rename) {
    const Instruction &from = inst(i);
    if (from.op == Op::s_delay_alu || from.op == Op::s_clause)
      return; // About neighbours, which may not be copied.
    auto code = rename ? renamed(module_, from, rename) : std::optional(Code::copyOf(from));
    if (!code)
      return leave(from.line, "registers that belong together cannot be renamed together");
    line(*code);
    ++rewrite_.instructions;
    rewrite_.bytes += from.sizeBytes;
  }
  void copyLoad(uint32_t i, unsigned set) {
    copy(i, [&](const Operand &operand, int, Vgpr old) {
      return operand.cls == Operand::Class::Def ? nameOf(set, old) : old;
    });
  }
  Vgpr nameOf(unsigned set, Vgpr old) const {
    return Vgpr{static_cast<uint8_t>(names_[set % sets_].at(RegUnit::vgpr(old.number).index))};
  }

  /// On to another step's place; out if there is none.
  void advance(const PrefetchStep &step, const std::string &out) {
    if (isAskedFirst())
      return; // A step does it where it always has.
    for (const uint32_t i : step.advance)
      copy(i, {});
    line(branchOut(step, out));
  }
  Code branchOut(const PrefetchStep &step, const std::string &out) const {
    const Op op = inst(step.branch).op;
    return buildBranch(step.staysIfTaken ? inverseBranch(op) : op, out);
  }
  void guard(const PrefetchStep &step, const std::string &out) {
    const Op op = inst(*step.guard).op;
    line(buildBranch(step.loadsIfTaken ? inverseBranch(op) : op, out));
  }

  /// What a step does for its loads, alone; out if there is no next tile.
  void loadAlone(unsigned set, const std::string &out) {
    const PrefetchStep &step = stepAt(set);
    for (const uint32_t b : step.path)
      for (uint32_t i = block(b).first; i < block(b).last; ++i) {
        if (step.guard == i)
          guard(step, out);
        else if (i == step.branch && isAskedFirst())
          line(branchOut(step, out));
        else if (step.loads.contains(i))
          copyLoad(i, set);
        else if (step.advance.contains(i) ? isAskedFirst() : slice_.contains(i))
          copy(i, {});
      }
  }
  bool isAskedFirst() const { return prefetch_.form == PrefetchLoop::Form::AsksFirst; }

  /// A wait for loads, with those in flight that there are more of now. The original has issued
  /// `issued` loads of this step.
  std::optional<Code> wait(uint32_t i, unsigned issued, int more) const {
    auto counts = waitCounts(inst(i));
    if (!counts || !counts->vm)
      return Code::copyOf(inst(i));
    const int count = static_cast<int>(*counts->vm) + more;
    if (*counts->vm >= issued || count >= static_cast<int>(kNoVmWait))
      counts->vm.reset();
    else
      counts->vm = static_cast<unsigned>(count);
    return counts->any() ? std::optional<Code>(buildWait(*counts)) : std::nullopt;
  }

  /// A step's code, which stores from a set. `loadInto`: which is loaded, if one is.
  struct Body {
    const PrefetchStep &step;
    unsigned stores;
    std::optional<unsigned> loads;
    unsigned inFlight; ///< Tiles, with its own and without what it loads.
    std::string out;   ///< Where the guard goes.
  };
  void body(const Body &wanted, const std::string &next) {
    ++bodies_;
    const PrefetchStep &step = wanted.step;
    const auto size = static_cast<unsigned>(step.loads.size());
    unsigned issued = 0;
    for (size_t n = 0; n < step.path.size(); ++n) {
      const uint32_t b = step.path[n];
      if (b != step.path.front() && isTarget(step, b))
        label(labelIn(b));
      const bool isEnded = inst(block(b).last - 1).isTerminator();
      for (uint32_t i = block(b).first; i < block(b).last - (isEnded ? 1 : 0); ++i) {
        if (step.advance.contains(i) && !(isAskedFirst() && wanted.loads))
          continue;
        if (step.loads.contains(i)) {
          ++issued;
          if (wanted.loads)
            copyLoad(i, *wanted.loads);
        } else if (inst(i).unit == Unit::Wait) {
          const int more = wanted.loads ? static_cast<int>(wanted.inFlight * size)
                                        : static_cast<int>(wanted.inFlight * size) - int(issued);
          if (const auto code = wait(i, issued, more))
            line(*code);
        } else {
          copyUse(step, i, wanted.stores);
        }
      }
      end(n, wanted, next);
    }
  }
  void copyUse(const PrefetchStep &step, uint32_t i, unsigned set) {
    const auto uses = step.uses.find(i);
    if (uses == step.uses.end())
      return copy(i, {});
    copy(i, [&](const Operand &operand, int, Vgpr old) {
      const bool isValue = operand.cls == Operand::Class::Source &&
                           uses->second.contains(RegUnit::vgpr(old.number).index);
      return isValue ? nameOf(set, old) : old;
    });
  }

  /// How a block of a step goes on.
  void end(size_t place, const Body &wanted, const std::string &next) {
    const PrefetchStep &step = wanted.step;
    const uint32_t b = step.path[place];
    if (b == step.latch) {
      line(buildBranch(Op::s_branch, next));
      return;
    }
    const uint32_t i = block(b).last - 1;
    const std::optional<uint32_t> behind =
        place + 1 < step.path.size() ? std::optional(step.path[place + 1]) : std::nullopt;
    const auto on = [&](uint32_t to) {
      if (to != behind)
        line(buildBranch(Op::s_branch, labelIn(to)));
    };
    if (step.guard == i) {
      if (wanted.loads)
        guard(step, wanted.out);
      const auto &ways = block(b).successors;
      const auto way =
          llvm::find_if(ways, [&](uint32_t to) { return isTargetOf(i, to) == step.loadsIfTaken; });
      return on(*way);
    }
    if (step.branch == i) {
      if (wanted.loads)
        line(branchOut(step, wanted.out));
      for (const uint32_t to : block(b).successors)
        if (to != step.exit)
          on(to);
      return;
    }
    if (const auto decided = step.decided.find(i); decided != step.decided.end())
      return on(decided->second);
    if (isConditionalBranch(inst(i).op)) {
      for (const uint32_t to : block(b).successors)
        if (isTargetOf(i, to))
          line(buildBranch(inst(i).op, labelIn(to)));
      for (const uint32_t to : block(b).successors)
        if (!isTargetOf(i, to))
          on(to);
      return;
    }
    on(block(b).successors.front());
  }
  bool isTargetOf(uint32_t branch, uint32_t b) const {
    const auto target = module_.labelTarget(module_.branchTarget(inst(branch)));
    return target && cfg_.blockOf(*target) == b;
  }
  /// Does anybody in a step jump there?
  bool isTarget(const PrefetchStep &step, uint32_t b) const {
    for (size_t n = 0; n < step.path.size(); ++n) {
      const uint32_t from = step.path[n];
      const bool isBehind = n + 1 < step.path.size() && step.path[n + 1] == b;
      const bool isNear = !isConditionalBranch(inst(block(from).last - 1).op) && isBehind;
      if (llvm::is_contained(block(from).successors, b) && !isNear)
        return true;
    }
    return false;
  }
  std::string labelIn(uint32_t b) const { return labelFor(fmt::format("{}.{}", b, bodies_)); }

  //===--------------------------------------------------------------------===//
  // The loop
  //===--------------------------------------------------------------------===//

  /// What loads are computed of, in a step.
  void findSlice(const PrefetchStep &step) {
    std::vector<uint32_t> path;
    for (const uint32_t b : step.path)
      for (uint32_t i = block(b).first; i < block(b).last; ++i)
        path.push_back(i);
    std::bitset<kRegUnits> needed;
    for (const uint32_t i : llvm::reverse(path)) {
      bool isOf = step.loads.contains(i) || step.guard == i;
      if (!step.advance.contains(i))
        for (const RegAccess &access : inst(i).accesses)
          for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
            isOf |= needed.test(access.reg.first.index + d);
      if (!isOf || step.advance.contains(i))
        continue;
      slice_.insert(i);
      for (const bool isWrite : {true, false})
        for (const RegAccess &access : inst(i).accesses)
          for (unsigned d = 0; d < access.reg.dwords; ++d)
            if (isWrite ? access.writes() : access.reads())
              needed.set(access.reg.first.index + d, !isWrite);
    }
  }

  void writeEntry() {
    for (const PrefetchStep &step : prefetch_.steps)
      findSlice(step);
    out_.leaveLine();
    label(labelFor("enter"));
    loadAlone(0, isAskedFirst() ? exitLabel(stepAt(0)) : loop_.label);
    for (unsigned set = 1; set + 1 < sets_ && !left_; ++set) {
      advance(stepAt(set - 1), drainLabel(0, set));
      loadAlone(set, drainLabel(0, set));
    }
  }

  void writeStep(unsigned b) {
    label(stepLabel(b));
    const std::string out = drainLabel(b, sets_ - 1);
    advance(stepAt(b), out);
    body({stepAt(b), b, b + sets_ - 1, sets_ - 1, out}, stepLabel(b + 1));
  }

  void writeDrain(unsigned b, unsigned m) {
    // From the entry the first ones only are gone to, from the steps all.
    label(drainLabel(b, m));
    if (m > 1)
      return body({stepAt(b), b, std::nullopt, m, ""}, drainLabel(b + 1, m - 1));
    body({stepAt(b), b, std::nullopt, 1, ""}, overLabel(b));
  }

  /// Is there another step? Where no guard says that it loads nothing, there is none.
  void writeOver(unsigned s) {
    const PrefetchStep &step = stepAt(s);
    label(overLabel(s));
    if (isAskedFirst())
      return line(buildBranch(Op::s_branch, exitLabel(step)));
    for (const uint32_t i : step.test)
      copy(i, {});
    const Op op = inst(step.branch).op;
    const uint32_t next = stepAt(s + 1).path.front();
    line(buildBranch(step.staysIfTaken ? op : inverseBranch(op),
                     next == loop_.header ? loop_.label : labelAt(next)));
    line(buildBranch(Op::s_branch, exitLabel(step)));
  }
  std::string exitLabel(const PrefetchStep &step) { return labelAt(step.exit); }
  /// A block's label, or a new one.
  std::string labelAt(uint32_t b) {
    const auto [it, isNew] = labels_.try_emplace(b);
    if (!isNew)
      return it->second;
    if (const auto name = labelOf(module_, block(b)))
      return it->second = *name;
    it->second = labelFor(prefetch_.steps.size() == 1 ? "done" : fmt::format("block{}", b));
    const Instruction &first = inst(block(b).first);
    if (!takesLineBefore(module_, first))
      leave(first.line, "the loop goes on in a place that cannot get a label");
    else
      rewrite_.edits.push_back(lineBefore(module_, first, Code::label(it->second)));
    return it->second;
  }

  void edit() {
    for (unsigned s = 0; s < prefetch_.steps.size(); ++s)
      writeOver(s);
    const std::string enter = labelFor("enter");
    for (const uint32_t b : block(loop_.header).predecessors) {
      if (loop_.contains(b))
        continue;
      const Instruction &last = inst(block(b).last - 1);
      if (last.isTerminator() && isTargetOf(block(b).last - 1, loop_.header))
        rewrite_.edits.push_back(replacement(last, redirected(last, enter)));
      else if (takesLineBehind(module_, last))
        rewrite_.edits.push_back(lineBehind(module_, last, buildBranch(Op::s_branch, enter)));
      else
        leave(last.line, "nothing can be put in front of the loop");
    }
    const Function &function = module_.functions()[cfg_.functionIndex];
    rewrite_.edits.push_back(lineBehind(module_, inst(function.last - 1), out_.take()));
    for (const uint32_t b : loop_.blocks) // Nobody goes there any more.
      for (uint32_t i = block(b).first; i < block(b).last && isAskedFirst(); ++i)
        rewrite_.edits.push_back(removal(module_, inst(i)));
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const PrefetchLoop &prefetch_;
  const unsigned sets_;
  const unsigned turns_; ///< Steps until both sets and steps of an iteration come round.
  const std::vector<uint16_t> carried_;             ///< Registers that loads bring tiles to.
  std::vector<std::map<uint16_t, unsigned>> names_; ///< By set.
  std::set<uint32_t> slice_;
  unsigned bodies_ = 0;
  std::map<uint32_t, std::string> labels_; ///< By block.
  CodeLines out_;
  DeeperPrefetch rewrite_;
  std::optional<StagesLeft> left_;
};

} // namespace

DeeperPrefetchOutcome prefetchDeeper(const Module &module, const Cfg &cfg, const PrefetchLoop &loop,
                                     unsigned sets, unsigned freeVgpr) {
  return Deepener(module, cfg, loop, sets, freeVgpr).run();
}

} // namespace rdna
