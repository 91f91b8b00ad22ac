#include "Transform/OrderWaits.h"

#include "Analysis/LookedAt.h"
#include "Analysis/NoLane.h"
#include "Analysis/Waits.h"
#include "Asm/Effects.h"

#include <algorithm>
#include <array>

namespace rdna {

MemoryFacts memoryFacts(const Module &module, const Cfg &cfg, const Liveness &liveness) {
  MemoryFacts facts;
  facts.flags = loadsLookedAt(module, cfg, liveness);
  for (const Block &block : cfg.blocks) // Nobody else stores to scratch.
    for (uint32_t i = block.first; i < block.last; ++i)
      if (module.instructions()[i].unit == Unit::Scratch)
        facts.flags[i - cfg.blocks.front().first] = 0;
  facts.mayBeEmpty = mayHaveNoLane(module, cfg, liveness);
  facts.inFlight = computeInFlight(module, cfg, facts.flags);
  return facts;
}

bool isSharedAccess(const Instruction &inst) {
  return inst.memory != MemoryEffect::None && inst.unit != Unit::Scratch &&
         (inst.unit != Unit::Smem || isSynchronising(inst));
}

namespace {

/// Which accesses stand behind a place.
struct Behind {
  bool access = false, store = false, sync = false;
};

class WaitFinder {
public:
  WaitFinder(const Module &module, const Cfg &cfg, uint32_t block, const MemoryFacts &facts,
             PlainSync plain)
      : module_(module), block_(cfg.blocks[block]), facts_(facts), plain_(plain),
        first_(cfg.blocks.front().first), start_(facts.inFlight[block]) {}

  std::map<uint32_t, OrderWait> run() {
    std::map<uint32_t, OrderWait> result;
    const std::vector<Behind> behind = findBehind();
    for (uint32_t i = block_.first; i < block_.last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      if (const auto wait = waitOf(inst)) {
        if (auto order = orderOf(*wait, behind[i - block_.first]))
          if (loadWait(inst))
            result.emplace(i, std::move(*order));
        continue;
      }
      const CounterEvents events = counterEvents(inst);
      for (unsigned cls = 0; cls < kWaitClasses; ++cls)
        if (events.weight[cls])
          issued_[cls].issue(i, events.weight[cls]);
    }
    return result;
  }

private:
  /// Operations of one class in the block.
  struct Issued {
    OperationQueue queue;
    std::vector<std::pair<uint32_t, int>> operations; ///< Instructions, and their numbers.
    size_t outstanding = 0;                           ///< The first of them that is.
    void issue(uint32_t instruction, unsigned weight) {
      queue.issue(weight);
      operations.emplace_back(instruction, queue.issued());
    }
  };

  std::vector<Behind> findBehind() const {
    std::vector<Behind> behind(block_.last - block_.first);
    Behind now;
    for (uint32_t i = block_.last; i-- > block_.first;) {
      behind[i - block_.first] = now;
      const Instruction &inst = module_.instructions()[i];
      if (!isSharedAccess(inst))
        continue;
      now.access = true;
      now.store |= inst.memory == MemoryEffect::Store;
      now.sync |= isSynchronising(inst);
    }
    return behind;
  }

  /// What the wait completes, if anything behind it may need that.
  std::optional<OrderWait> orderOf(const Wait &wait, Behind behind) {
    OrderWait order;
    bool forAll = false, forStores = false;
    for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
      const auto kind = static_cast<WaitClass>(cls);
      const auto atMost = wait.atMost[static_cast<size_t>(counterOf(kind))];
      if (!atMost || (!isInOrder(kind) && *atMost != 0))
        continue;
      Issued &issued = issued_[cls];
      const bool mayInherit = start_.of[cls].most > 0 && issued.queue.inherited() > 0;
      issued.queue.wait(*atMost);
      const bool isLds = kind == WaitClass::Lds;
      for (size_t &n = issued.outstanding; n < issued.operations.size(); ++n) {
        const auto [i, number] = issued.operations[n];
        if (number > issued.queue.level())
          break;
        const Instruction &inst = module_.instructions()[i];
        order.covered.push_back(i);
        forAll |= isFlag(inst);
        forStores |= isLds && inst.memory != MemoryEffect::None;
        forAll |= behind.sync;
      }
      // Nothing from before the block is left if all that the wait leaves is newer.
      if (mayInherit && issued.queue.inherited() == 0) {
        (counterOf(kind) == WaitCounter::Vm ? order.vmBefore : order.lgkmBefore) |=
            kind != WaitClass::Store;
        const bool mayFlag =
            plain_ == PlainSync::Possible ? start_.of[cls].mayFlag : start_.of[cls].maySync;
        forAll |= mayFlag || behind.sync;
        forStores |= isLds;
      }
    }
    if (plain_ == PlainSync::Excluded)
      forStores = false;
    if (forAll && behind.access)
      order.orders = OrderWait::Orders::Accesses;
    else if (!(forStores && behind.store))
      return std::nullopt;
    return order;
  }

  bool isFlag(const Instruction &inst) const {
    if (inst.memory != MemoryEffect::None && isSynchronising(inst))
      return true;
    return plain_ == PlainSync::Possible && facts_.flags[inst.index - first_];
  }

  const Module &module_;
  const Block &block_;
  const MemoryFacts &facts_;
  const PlainSync plain_;
  const uint32_t first_;
  const InFlight &start_;
  std::array<Issued, kWaitClasses> issued_;
};

} // namespace

std::map<uint32_t, OrderWait> orderWaits(const Module &module, const Cfg &cfg, uint32_t block,
                                         const MemoryFacts &facts, PlainSync plain) {
  return WaitFinder(module, cfg, block, facts, plain).run();
}

} // namespace rdna
