// The LDS operations of the block have numbers in the order of the queue (OperationQueue), which no
// move changes.

#include "Transform/FragmentWaits.h"

#include "Analysis/Waits.h"
#include "Transform/Hints.h"

#include <algorithm>
#include <array>

namespace rdna {
namespace {

constexpr int kNoLevel = OperationQueue::kNoLevel;
/// A use that many FMACs behind a wait gets one of its own.
constexpr unsigned nearUse = 4;

class Placer {
public:
  Placer(const FragmentModel &model, const FragmentPlan &plan) : model_(model), plan_(plan) {}

  FragmentWaits run() {
    number();
    owner_.fill(kNoLevel);
    const Block &block = model_.block();
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = model_.inst(i);
      const auto counts = waitCounts(inst);
      if (counts) {
        keep(i, *counts);
      } else if (const int level = needAt(i); level > queue_.level()) {
        wait(result_.inserted[i], std::max(level, needNear(i)));
      }
      issueAt(i);
    }
    return std::move(result_);
  }

private:
  /// Queue numbers, and what each wait of the original stands for.
  void number() {
    const Block &block = model_.block();
    OperationQueue queue;
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = model_.inst(i);
      if (const auto counts = waitCounts(inst);
          counts && counts->lgkm && (!model_.hasScalars(i) || *counts->lgkm == 0)) {
        levels_[i] = queue.levelOf(*counts->lgkm);
        queue.wait(*counts->lgkm);
      }
      doneBefore_.push_back(queue.level());
      if (isLdsOperation(inst)) {
        queue.issue();
        if (const Fragment *load = model_.loadAt(i))
          loads_[queue.issued()] = load;
      }
    }
  }

  /// Where nothing may be less complete than it was.
  bool isBorder(uint32_t i) const {
    const Instruction &inst = model_.inst(i);
    if (i + 1 == model_.block().last)
      return true;
    switch (inst.unit) {
    case Unit::Valu:
    case Unit::Trans:
    case Unit::Salu:
    case Unit::Control:
      return false;
    case Unit::Lds:
      return !isFragmentLoad(inst);
    case Unit::Global:
    case Unit::Buffer:
    case Unit::Scratch:
      return inst.memory != MemoryEffect::Load;
    default:
      return true;
    }
  }

  /// The level that an instruction needs in front of it.
  int needAt(uint32_t i) const {
    int level = isBorder(i) ? doneBefore_[i - model_.block().first] : kNoLevel;
    const Instruction &inst = model_.inst(i);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.reg.first.isVgpr() && d < access.reg.dwords; ++d) {
        unsigned vgpr = access.reg.first.index + d;
        if (access.writes() && isFragmentLoad(inst))
          continue; // Loads write in order.
        if (const Fragment *read = model_.readAt(i, vgpr); read && !access.writes())
          vgpr = read->reg.number + (vgpr - read->home.number);
        level = std::max(level, owner_[vgpr]);
      }
    return level;
  }

  /// What the next few FMACs need of what is in flight, so that one wait does.
  int needNear(uint32_t i) const {
    int level = kNoLevel;
    const unsigned fmacs = model_.fmacsBefore(i);
    for (; i < model_.block().last && model_.fmacsBefore(i) < fmacs + nearUse; ++i)
      if (waitCounts(model_.inst(i)))
        break;
      else if (isFmac(model_.inst(i)))
        level = std::max(level, needAt(i));
    return level;
  }

  void wait(WaitCounts &counts, int level) {
    counts.lgkm = queue_.countFor(level);
    queue_.completeTo(level);
    for (int &owner : owner_)
      if (owner <= level)
        owner = kNoLevel;
  }

  /// A wait of the original.
  void keep(uint32_t i, WaitCounts counts) {
    const auto it = levels_.find(i);
    if (it == levels_.end())
      return; // It says nothing of LDS.
    const WaitCounts was = counts;
    int level = it->second;
    if (model_.hasScalars(i)) {
      wait(counts, queue_.issued()); // No load has passed it.
      return;
    }
    if (!model_.orderWaits().contains(i))
      while (level > std::max(queue_.level(), 0) && isLate(level, i))
        --level;
    counts.lgkm.reset();
    if (level > queue_.level())
      wait(counts, level);
    if (counts != was)
      result_.changed[i] = counts;
  }

  /// Was it issued too near for this wait, and is its first use a good way behind it?
  bool isLate(int number, uint32_t wait) const {
    const auto it = loads_.find(number);
    if (it == loads_.end() || it->second->firstUse == model_.block().last)
      return false;
    const Fragment &load = *it->second;
    const unsigned at = model_.fmacsBefore(wait);
    const unsigned latency = plan_.latency[static_cast<size_t>(&load - model_.fragments().data())];
    return load.isMoved() && at < model_.fmacsBefore(load.place) + latency &&
           model_.fmacsBefore(load.firstUse) >= at + nearUse;
  }

  /// The loads that go in front of the instruction, and itself.
  void issueAt(uint32_t i) {
    for (const Fragment &load : model_.fragments())
      if (load.place == i)
        issue(load.reg.number, load.dwords);
    const Instruction &inst = model_.inst(i);
    if (!isLdsOperation(inst) || model_.loadAt(i))
      return;
    queue_.issue();
    for (const RegAccess &access : inst.accesses)
      if (access.writes() && access.reg.first.isVgpr())
        own(access.reg.first.index, access.reg.dwords);
  }

  void issue(unsigned first, unsigned dwords) {
    queue_.issue();
    own(first, dwords);
  }
  void own(unsigned first, unsigned dwords) {
    for (unsigned d = 0; d < dwords; ++d)
      owner_[first + d] = queue_.issued();
  }

  const FragmentModel &model_;
  const FragmentPlan &plan_;
  FragmentWaits result_;
  std::map<uint32_t, int> levels_;
  std::map<int, const Fragment *> loads_;
  std::vector<int> doneBefore_;
  std::array<int, 256> owner_{}; ///< The load that is to write a register.
  OperationQueue queue_;
};

} // namespace

FragmentWaits placeWaits(const FragmentModel &model, const FragmentPlan &plan) {
  return Placer(model, plan).run();
}

} // namespace rdna
