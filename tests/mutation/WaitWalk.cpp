#include "mutation/WaitWalk.h"

#include "Analysis/Waits.h"
#include "Support/Random.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace rdna::mutation {

namespace {

/// One operation in flight: what it will write, and its place in the walk.
struct Operation {
  std::vector<RegRange> owed;
  unsigned serial = 0;
  Unit unit = Unit::Other;

  bool inOrder() const { return unit != Unit::Smem && unit != Unit::Message; }
};

/// The counters of ISA guide 5.6 as queues.
class Counters {
public:
  void issue(const Instruction &inst, unsigned serial) {
    const auto written = lateWrites(inst);
    const Operation operation{{written.begin(), written.end()}, serial, inst.unit};
    if (inst.unit == Unit::Lds || inst.unit == Unit::Smem || inst.unit == Unit::Flat ||
        (inst.unit == Unit::Message && !written.empty()))
      lgkm_.push_back(operation);
    if (!isVmem(inst.unit))
      return;
    const bool returns =
        inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn;
    (returns ? vm_ : vs_).push_back(operation);
  }

  void wait(const Instruction &inst) {
    if (const auto counts = waitCounts(inst)) {
      if (counts->vm)
        retire(vm_, *counts->vm);
      if (counts->lgkm)
        retire(lgkm_, *counts->lgkm);
      return;
    }
    unsigned count = 0;
    for (const Operand &operand : inst.operands)
      if (operand.kind == Operand::Kind::Immediate)
        count = static_cast<unsigned>(operand.imm);
    if (inst.op == Op::s_waitcnt_vscnt)
      retire(vs_, count);
    else if (inst.op == Op::s_waitcnt_vmcnt)
      retire(vm_, count);
    else if (inst.op == Op::s_waitcnt_lgkmcnt)
      retire(lgkm_, count);
  }

  bool owes(const Instruction &inst) const { return owes(vm_, inst) || owes(lgkm_, inst); }

  bool isPartOf(const Counters &other) const {
    return isPart(vm_, other.vm_) && isPart(vs_, other.vs_) && isPart(lgkm_, other.lgkm_);
  }

private:
  using Queue = std::deque<Operation>;

  static bool owes(const Queue &queue, const Instruction &inst) {
    // Loads of one kind arrive in order, so a later one may write the same register.
    const bool arrivesLater =
        inst.memory == MemoryEffect::Load && (inst.unit == Unit::Lds || inst.unit == Unit::Global);
    for (const Operation &operation : queue)
      for (const RegRange &range : operation.owed)
        for (const RegAccess &access : inst.accesses)
          if (access.reg.overlaps(range) &&
              !(arrivesLater && operation.unit == inst.unit && access.access == Access::Write))
            return true;
    return false;
  }

  static void retire(Queue &queue, unsigned atMost) {
    // With an operation that returns out of order among them, only zero says anything.
    const bool ordered =
        std::all_of(queue.begin(), queue.end(), [](const Operation &o) { return o.inOrder(); });
    if (!ordered && atMost > 0)
      return;
    while (queue.size() > atMost)
      queue.pop_front();
  }

  static bool isPart(const Queue &mine, const Queue &theirs) {
    return std::all_of(mine.begin(), mine.end(), [&](const Operation &o) {
      return std::any_of(theirs.begin(), theirs.end(),
                         [&](const Operation &t) { return t.serial == o.serial; });
    });
  }

  Queue vm_, vs_, lgkm_;
};

struct Walker {
  const Module &module;
  uint32_t at, last;
  Counters counters;

  /// Executes waits and skips what neither computes nor waits, up to the next other instruction.
  const Instruction *next() {
    while (at < last) {
      const Instruction &inst = module.instructions()[at];
      if (inst.unit == Unit::Wait)
        counters.wait(inst);
      else if (inst.op != Op::s_delay_alu)
        return &inst;
      ++at;
    }
    return nullptr;
  }
};

bool isFence(const Instruction &inst) {
  return inst.unit == Unit::Barrier || inst.unit == Unit::Message || inst.unit == Unit::Other ||
         inst.memory == MemoryEffect::Atomic || inst.memory == MemoryEffect::AtomicReturn;
}

/// One path; false if the weaker text does something that the original may not.
bool walkOnce(Walker original, Walker weakened, Random &random) {
  constexpr unsigned kSteps = 20000;
  for (unsigned serial = 0; serial < kSteps; ++serial) {
    const Instruction *a = original.next(), *b = weakened.next();
    if (!a || !b || a->unit == Unit::End)
      return (a == nullptr) == (b == nullptr);
    if (a->op != b->op ||
        original.module.instructionText(*a) != weakened.module.instructionText(*b))
      return false; // they differ in more than waits
    if (weakened.counters.owes(*b))
      return false;
    if (isFence(*b) && !weakened.counters.isPartOf(original.counters))
      return false;
    original.counters.issue(*a, serial);
    weakened.counters.issue(*b, serial);
    ++original.at;
    ++weakened.at;
    if (a->unit != Unit::Branch)
      continue;
    const auto target = original.module.labelTarget(original.module.branchTarget(*a));
    const auto same = weakened.module.labelTarget(weakened.module.branchTarget(*b));
    if (!target || !same)
      return false; // calls and returns are not followed
    if (a->op == Op::s_branch || random.below(2) == 0) {
      original.at = *target;
      weakened.at = *same;
    }
  }
  return true;
}

} // namespace

bool walkWaits(const Module &original, const Module &weakened, uint32_t function, uint64_t seed) {
  constexpr unsigned kWalks = 40;
  Random random(seed);
  const Function &was = original.functions()[function], &now = weakened.functions()[function];
  for (unsigned i = 0; i < kWalks; ++i)
    if (!walkOnce({original, was.first, was.last, {}}, {weakened, now.first, now.last, {}}, random))
      return false;
  return true;
}

} // namespace rdna::mutation
