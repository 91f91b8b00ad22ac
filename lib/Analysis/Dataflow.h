//===- Dataflow.h - data-flow problems over blocks, and their one solver ---===//
//
// A problem is a class with
//
// - `State`, an element of its lattice; `State()` is the bottom: no path comes here;
//
// - `direction`, Forward or Backward;
//
// - `State boundary(block)`: what is so whatever comes over edges, mostly `State()`;
//
// - `void join(State &into, const State &from, Edge edge)`;
//
// - `void apply(block, State &state)`: the whole block, in the problem's direction.
//
// What a problem asks about "every path" has a state for "not reached", which join() passes over.
// For passes. The proof has loops of its own, on purpose.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace rdna {

enum class Direction : uint8_t { Forward, Backward };

/// As the graph has it, whatever the direction of a problem.
struct Edge {
  uint32_t from = 0, to = 0;
};

/// What most problems have in common: a function, and nothing that is so whatever comes over edges.
template <typename S, Direction D> struct DataflowProblem {
  using State = S;
  static constexpr Direction direction = D;
  const Module &module;
  const Cfg &cfg;

  State boundary(uint32_t) const { return {}; }
  /// Calls `step(instruction)` for those of a block, in the problem's direction.
  void forEach(uint32_t block, auto step) const {
    const Block &body = cfg.blocks[block];
    for (uint32_t n = 0; n < body.last - body.first; ++n)
      step(module.instructions()[D == Direction::Forward ? body.first + n : body.last - 1 - n]);
  }
};

template <typename State> struct BlockStates {
  std::vector<State> atStart, atEnd; ///< By block.
};

/// Blocks wait in the order of the text (or against it), which for compilers' code is nearly the
/// best one. States only grow where join() and apply() are monotone, so that the end is the same in
/// any order; whoever cannot promise that says how many visits are enough.
template <typename Problem>
BlockStates<typename Problem::State> solve(const Cfg &cfg, Problem &problem,
                                           size_t mostVisits = ~size_t(0)) {
  using State = typename Problem::State;
  constexpr bool isForward = Problem::direction == Direction::Forward;
  const auto count = static_cast<uint32_t>(cfg.blocks.size());
  BlockStates<State> states{std::vector<State>(count), std::vector<State>(count)};
  std::vector<State> &joined = isForward ? states.atStart : states.atEnd;
  std::vector<State> &applied = isForward ? states.atEnd : states.atStart;
  const auto turned = [&](uint32_t n) { return isForward ? n : count - 1 - n; };
  std::set<uint32_t> work;
  for (uint32_t n = 0; n < count; ++n)
    work.insert(work.end(), n);
  for (; !work.empty() && mostVisits > 0; --mostVisits) {
    const uint32_t b = turned(*work.begin());
    work.erase(work.begin());
    const Block &block = cfg.blocks[b];
    State state = problem.boundary(b);
    for (const uint32_t other : isForward ? block.predecessors : block.successors)
      problem.join(state, applied[other], isForward ? Edge{other, b} : Edge{b, other});
    joined[b] = state;
    problem.apply(b, state);
    if (state == applied[b])
      continue;
    applied[b] = std::move(state);
    for (const uint32_t next : isForward ? block.successors : block.predecessors)
      work.insert(turned(next));
  }
  return states;
}

/// Do paths go on behind a block?
enum class Walk : uint8_t { GoOn, Stop };

/// Goes once to each of `starts` and to the blocks that `next(block)` names, from there on.
template <typename Next> void walkAlong(size_t blocks, llvm::ArrayRef<uint32_t> starts, Next next) {
  std::vector<uint8_t> seen(blocks, 0);
  std::vector<uint32_t> open;
  const auto push = [&](llvm::ArrayRef<uint32_t> found) {
    for (const uint32_t b : found)
      if (!std::exchange(seen[b], 1))
        open.push_back(b);
  };
  push(starts);
  while (!open.empty()) {
    const uint32_t b = open.back();
    open.pop_back();
    push(next(b));
  }
}

/// Asks `visit(block)`, once, of each of `starts` and of what the paths from there lead to.
template <typename Visit>
void walkFrom(const Cfg &cfg, llvm::ArrayRef<uint32_t> starts, Direction direction, Visit visit) {
  walkAlong(cfg.blocks.size(), starts, [&](uint32_t b) -> llvm::ArrayRef<uint32_t> {
    if (visit(b) == Walk::Stop)
      return {};
    const Block &block = cfg.blocks[b];
    return direction == Direction::Forward ? block.successors : block.predecessors;
  });
}

} // namespace rdna
