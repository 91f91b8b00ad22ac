//===- PairedFunction.h - what a function costs with other registers -------===//
#pragma once

#include "Transform/DualIssueEdits.h"
#include "Transform/RenamedBlock.h"

#include "llvm/ADT/ArrayRef.h"

#include <limits>

namespace rdna {

/// Executions of a block for one of the function, as far as that is guessed.
uint64_t weightOf(const Cfg &cfg, uint32_t block);

/// Is something worse, in the function or in one iteration of a loop? A gain in one count does not
/// pay for a loss in another; of loads in more parts there are no more than slots and conflicts
/// that they gain.
bool isWorse(const Candidate &now, const Candidate &was);

/// Operations that have to stay where they are, by instruction from the function's first on.
struct FixedOps {
  std::vector<uint8_t> atHome, moving; ///< While registers stay; if they do not.
};

/// Pairs the operations of a function whose values are in these registers or those.
class PairedFunction {
public:
  PairedFunction(const Module &module, const Cfg &cfg, const FunctionWebs &webs, FixedOps fixed)
      : module_(module), cfg_(cfg), webs_(webs), fixed_(std::move(fixed)) {}

  static constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

  /// The text as it is.
  Candidate asItIs() const;
  /// With values in these registers, or nothing if that costs `limit` at least: what each block
  /// costs at the least says so without pairing most of them.
  std::optional<Candidate> pairAll(Registers registers, uint64_t limit = kNoLimit) const;
  /// The same where only `blocks` have others than in `was`; these are gone through in the style
  /// that was the best then.
  std::optional<Candidate> pairSome(const Candidate &was, Registers registers,
                                    llvm::ArrayRef<uint32_t> blocks, uint64_t limit) const;
  /// Instructions of the text whose operations are single FMAs or in pairs with conflicts, hazards
  /// or no second FMA; those of inner loops first.
  std::vector<uint32_t> wanting(const Candidate &candidate) const;

private:
  RenamedBlock renamed(uint32_t block, const Registers &registers,
                       const std::vector<uint8_t> &fixed) const {
    return {module_, cfg_.blocks[block], {webs_, registers, fixed, cfg_.blocks.front().first}};
  }
  Pairing pairMoved(uint32_t block, const RenamedBlock &now, const Registers &registers,
                    const std::optional<PairingStyle> &style) const;
  void splitLoads(Candidate &candidate) const;
  void sumUp(Candidate &candidate) const;
  void findWanting(const Candidate &candidate, uint32_t block, std::vector<uint32_t> &found) const;

  const Module &module_;
  const Cfg &cfg_;
  const FunctionWebs &webs_;
  const FixedOps fixed_;
};

} // namespace rdna
