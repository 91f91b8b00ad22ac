//===- Pairing.h - which operations of a block share a VOPD ----------------===//
//
// Everything but the lane operations that VOPD knows stays where it is. An operation waits for a
// partner as long as nothing that it could not be exchanged with stands in between, and moves down
// to it; destinations of a pair are even and odd, so partners are found by matching in a bipartite
// graph. Time is linear in the length of the block, times the square of how many may wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/WaitCounts.h"
#include "Transform/BankChoice.h"

#include <vector>

namespace rdna {

class RenamedBlock;

/// A lane operation with its new registers.
struct PairedOp {
  uint32_t inst = 0; ///< Where it stood.
  LaneOp lane;
};

/// What stands in the place of one instruction now.
struct PlacedOps {
  struct Slot {
    PairedOp x;
    std::optional<PairedOp> y; ///< Of a VOPD. Both in the form in which they are paired.
    WaitCounts wait;           ///< In front of it, for what came up past a wait.
  };
  std::vector<Slot> slots;
};

/// How a block is gone through; no way is the best for all.
struct PairingStyle {
  /// May an operation wait behind one that waits? Chains that the text has one after another pair
  /// with each other only so, but what does not wait leaves its partner to the next.
  enum class Chains : uint8_t { GoOn, Wait } chains = Chains::GoOn;
  /// Who finds a partner first: those with the fewest that fit, or those whose chains have the most
  /// steps left in the block, so that no chain is left over.
  enum class First : uint8_t { Choosy, Long } first = First::Choosy;
  /// What becomes of pairs that the text has with conflicts or hazards: taken apart, or left where
  /// its halves would find no partners. The second finds worse pairs, but never fewer than there
  /// are.
  enum class BadPairs : uint8_t { Part, MayStay } badPairs = BadPairs::Part;
};

struct Pairing {
  std::optional<PairingStyle> style; ///< None if it stands as it was.
  /// By instruction: those whose operations are others than in the old text, or in another order;
  /// registers alone do not count. Without slots it is gone.
  std::map<uint32_t, PlacedOps> changed;
  /// Of all lane operations of these blocks.
  unsigned issues = 0, singleFmas = 0, conflicts = 0, hazards = 0;
  /// VOPDs that stay as they are and that no encoding has with their new registers.
  unsigned illegal = 0;
  unsigned cost() const { return 4 * (issues + conflicts) + singleFmas; }
};

/// What the block costs as it is.
void countBlock(const Module &module, const Block &block, Pairing &result);
/// What an instruction costs that stays as it is but for its registers.
void countRenamed(const Instruction &inst, const RenamedBlock &renamed, Pairing &result);
/// Nothing goes to a partner across it.
bool isPairingFence(const Instruction &inst);
/// No way to pair the block's operations costs less: destinations of a pair are even and odd.
unsigned leastCost(const Module &module, const Block &block, const RenamedBlock &renamed);

/// What it costs with other registers and no other pairs.
Pairing asItStands(const Module &module, const Block &block, const RenamedBlock &renamed);

/// Pairs the operations of a block that may go elsewhere, in the style that is best, or in one.
Pairing pairBlock(const Module &module, const Cfg &cfg, uint32_t block,
                  const RenamedBlock &renamed);
Pairing pairBlockAs(const PairingStyle &style, const Module &module, const Cfg &cfg, uint32_t block,
                    const RenamedBlock &renamed);

} // namespace rdna
