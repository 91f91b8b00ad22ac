#include "Symbolic/BlockValues.h"

#include "Symbolic/Preserved.h"

namespace rdna::verify {

State BlockValues::fresh(uint32_t block) {
  State state;
  for (unsigned i = 0; i < kRegUnits; ++i)
    state.reg[i] = pool_.unknown(Unknown::Register, i, block);
  for (unsigned s = 0; s < kSpaces; ++s)
    state.memory[s] = pool_.unknown(Unknown::Memory, s, block);
  return state;
}

void BlockValues::execute(State &state, const Instruction &inst) {
  Trace ignored;
  Machine(module_, pool_, state, ignored, Indices::MayWrap).execute(inst);
}

const State &BlockValues::atStart(uint32_t block) {
  if (const auto it = starts_.find(block); it != starts_.end())
    return it->second;
  // Dominators first, without recursion: chains are as long as the function.
  std::vector<uint32_t> chain{block};
  while (!starts_.contains(chain.back()) &&
         cfg_.blocks[chain.back()].immediateDominator != chain.back())
    chain.push_back(cfg_.blocks[chain.back()].immediateDominator);
  while (!chain.empty()) {
    const uint32_t b = chain.back();
    chain.pop_back();
    if (starts_.contains(b))
      continue;
    const uint32_t dominator = cfg_.blocks[b].immediateDominator;
    if (dominator == b) {
      starts_.emplace(b, fresh(b));
    } else if (cfg_.blocks[b].predecessors.size() == 1) {
      starts_.emplace(b, atEnd(dominator));
    } else {
      State state = fresh(b);
      const State &end = atEnd(dominator);
      const auto kept = keptBetween(module_, cfg_, dominator, b);
      for (unsigned i = 0; i < kRegUnits; ++i)
        if (kept.test(i))
          state.reg[i] = end.reg[i];
      starts_.emplace(b, state);
    }
  }
  return starts_.at(block);
}

const State &BlockValues::atEnd(uint32_t block) {
  if (const auto it = ends_.find(block); it != ends_.end())
    return it->second;
  State state = atStart(block);
  for (uint32_t i = cfg_.blocks[block].first; i < cfg_.blocks[block].last; ++i)
    execute(state, module_.instructions()[i]);
  return ends_.emplace(block, state).first->second;
}

} // namespace rdna::verify
