//===- FragmentModel.h - what a block loads from LDS, and who reads it -----===//
//
// A fragment is what one LDS load brings: a tuple of registers, from the load to its last reader.
// The model says how far up in its block each load may go, and which registers are free from there
// on. (Private to lib/Transform.)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Liveness.h"
#include "Transform/OrderWaits.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rdna {

struct Fragment {
  uint32_t load = 0; ///< Instruction.
  Vgpr home;
  unsigned dwords = 1;
  enum class Scope : uint8_t {
    Internal, ///< All its readers are known and take any register.
    AtHome,   ///< It outlives the block, is updated in place, or is read in a way of its own.
  } scope = Scope::Internal;
  uint32_t firstUse = 0; ///< The first instruction that touches its registers behind the load.
  /// By dword, of Scope::Internal: the last reader; of one that nobody reads `firstUse`, because it
  /// arrives with the others.
  llvm::SmallVector<uint32_t, 4> ends;
  uint32_t limit = 0;    ///< The first instruction that it may stand in front of.
  uint32_t obstacle = 0; ///< What keeps it there; the block's first instruction if nothing does.
  // What the plan decides.
  uint32_t place = 0; ///< In front of which instruction it goes; `load` if it stays.
  Vgpr reg;
  bool isMoved() const { return place != load; }
  bool isRenamed() const { return reg != home; }
};

/// The function's facts that all blocks share.
struct FragmentContext {
  const Module &module;
  const Cfg &cfg;
  const Liveness &liveness;
  const MemoryFacts &memory;
  PlainSync plain = PlainSync::Possible;
  VgprSet usable; ///< Registers that the function may use without losing a wave.
};

class FragmentModel {
public:
  /// Nothing of it can be used if there is a reason to leave the block alone.
  FragmentModel(const FragmentContext &context, uint32_t block);
  struct Obstacle {
    uint32_t instruction = 0;
    std::string reason;
  };
  const std::optional<Obstacle> &leftAlone() const { return leftAlone_; }

  const Instruction &inst(uint32_t i) const { return context_.module.instructions()[i]; }
  const Module &module() const { return context_.module; }
  const Block &block() const { return block_; }
  const VgprSet &usable() const { return context_.usable; }
  std::vector<Fragment> &fragments() { return fragments_; }
  const std::vector<Fragment> &fragments() const { return fragments_; }
  const Fragment *loadAt(uint32_t instruction) const;

  /// The fragment that a VGPR holds where `instruction` reads it.
  const Fragment *readAt(uint32_t instruction, unsigned vgpr) const;
  /// FMACs in front of an instruction of the block; a dual one counts once.
  unsigned fmacsBefore(uint32_t instruction) const { return fmacs_[instruction - block_.first]; }
  const std::map<uint32_t, OrderWait> &orderWaits() const { return orderWaits_; }
  /// Scalar loads or messages may be in flight there, so that lgkmcnt is in no order.
  bool hasScalars(uint32_t instruction) const { return scalars_[instruction - block_.first]; }

  /// Registers that a load in front of `from` must not write if `to` is the last reader.
  VgprSet busy(uint32_t from, uint32_t to) const;
  /// Results of other operations that may be in flight there.
  const VgprSet &pending(uint32_t instruction) const {
    return pending_[instruction - block_.first];
  }
  /// Gives back or takes a fragment's registers, from `place` on.
  void release(const Fragment &fragment) { setLive(fragment, Taken::No); }
  void occupy(const Fragment &fragment) { setLive(fragment, Taken::Yes); }

private:
  void findObstacles();
  void walkForwards();
  void findTouched();
  void trace(Fragment &fragment);
  bool isPlainRead(const Instruction &inst, const RegAccess &access, const Fragment &by) const;
  bool stops(uint32_t i) const;
  void findLimit(Fragment &fragment) const;
  enum class Taken : uint8_t { No, Yes };
  void setLive(const Fragment &fragment, Taken taken);

  FragmentContext context_;
  const Block block_;
  std::optional<Obstacle> leftAlone_;
  std::vector<Fragment> fragments_;
  std::map<uint32_t, OrderWait> orderWaits_;
  std::map<std::pair<uint32_t, unsigned>, size_t> reads_;
  std::vector<unsigned> fmacs_;
  std::vector<uint8_t> scalars_;
  std::vector<VgprSet> live_, touched_; ///< Before each instruction; by it.
  std::vector<VgprSet> pending_;        ///< By other operations than the fragments' loads.
  std::vector<VgprSet> pendingByAll_;
};

/// A load that may move at all, as far as can be seen from itself.
bool isFragmentLoad(const Instruction &inst);

} // namespace rdna
