// What a cutpoint keeps of its immediate dominator. All paths from the entry pass the dominator's
// end, and none that goes on to the cutpoint writes these registers, so they have the same values
// at both. Values are made of unknowns of cutpoints that dominate this one, so they mean the same
// on every path that arrives. That is checked of the rewritten code whenever one does, because its
// graph was not proven to be the original's.

#include "Symbolic/Preserved.h"
#include "Verify/FunctionProof.h"

namespace rdna::verify {

/// Both sides meet at the end of a block of the original. One that is no cutpoint has one
/// predecessor, and a round comes by once, or once for each way of a branch to the very next
/// instruction: the rewritten code may have done something else on the second, so what the first
/// one had stays.
void FunctionProof::recordEnd(const Path &path) {
  const uint32_t block = cfg_.blockOf(path.before.last);
  if (path.before.last + 1 == cfg_.blocks[block].last && pointAt(block).arrivals == 1)
    ends_.try_emplace(block,
                      Ends{path.before.state, path.after.state, newCfg_.blockOf(path.after.last)});
}

const FunctionProof::Kept &FunctionProof::keptAt(uint32_t block) {
  const auto [it, isNew] = kept_.try_emplace(block);
  Kept &kept = it->second;
  if (!isNew)
    return kept;
  const uint32_t dominator = cfg_.blocks[block].immediateDominator;
  const auto end = ends_.find(dominator);
  if (dominator == block || end == ends_.end() || notKept_[block].all())
    return kept;
  kept.ends = &end->second;
  kept.old = keptBetween(before_, cfg_, dominator, block);
  kept.now = keptBetween(after_, newCfg_, end->second.newBlock, newCfg_.blockOf(newStart_[block]));
  kept.now &= ~notKept_[block];
  return kept;
}

/// Drops what does not hold; the proof has to start again then, because it may have used it.
void FunctionProof::checkKept(const Path &path, uint32_t block) {
  const Kept &kept = keptAt(block);
  for (unsigned i = 0; i < kRegUnits && kept.ends; ++i) {
    if (kept.now.test(i) && path.after.state.reg[i] != kept.ends->after.reg[i]) {
      notKept_[block].set(i);
      hintFailed_ = true;
    }
    if (kept.old.test(i) && path.before.state.reg[i] != kept.ends->before.reg[i]) {
      notKept_[block].set(); // A call, M0, or a graph that is not understood.
      hintFailed_ = true;
    }
  }
}

} // namespace rdna::verify
