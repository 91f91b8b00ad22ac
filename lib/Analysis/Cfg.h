//===- Cfg.h - basic blocks, dominators and natural loops -----------------===//
#pragma once

#include "Asm/Module.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdna {

/// Instructions [first, last) of the module that execute one after the other.
struct Block {
  uint32_t first = 0, last = 0;
  llvm::SmallVector<uint32_t, 2> successors;
  llvm::SmallVector<uint32_t, 2> predecessors;
  uint32_t immediateDominator = 0; ///< The entry block dominates itself.
  bool reachable = false;
};

/// A natural loop: the header dominates the source of every back edge. Loops that share a header
/// are one loop.
struct Loop {
  uint32_t header = 0;            ///< Block index.
  std::string label;              ///< A label of the header block; empty if it has none.
  std::vector<uint32_t> blocks;   ///< Sorted.
  std::optional<uint32_t> parent; ///< Index of the enclosing loop.
  unsigned depth = 1;             ///< 1 for an outermost loop.
  std::vector<uint32_t> children;
  bool contains(uint32_t block) const;
  bool isInnermost() const { return children.empty(); }
};

struct Cfg {
  uint32_t functionIndex = 0;
  std::vector<Block> blocks; ///< In text order; block 0 is the entry.
  std::vector<Loop> loops;   ///< Outer loops before inner ones, else by header position.
  /// A jump whose target is in a register (not a call, not a device function's return), or a
  /// branch to a number: the graph is incomplete and no pass may rewrite the function.
  std::optional<uint32_t> indirectJump; ///< Instruction index.
  /// Where execution may arrive from elsewhere (Function::enteredAt): no pass may rewrite it.
  std::optional<uint32_t> enteredAt;
  std::vector<uint32_t> calls; ///< Instruction indices.

  /// Does the graph hold every way through the function?
  bool isComplete() const { return !indirectJump && !enteredAt; }

  uint32_t blockOf(uint32_t instruction) const;
  bool dominates(uint32_t a, uint32_t b) const;
  /// Innermost loop of a block.
  std::optional<uint32_t> loopOf(uint32_t block) const;

private:
  friend Cfg buildCfg(const Module &module, uint32_t functionIndex);
  uint32_t first_ = 0;
  std::vector<uint32_t> blockOf_;
  std::vector<std::optional<uint32_t>> loopOf_;
  /// Visit interval of each block in the dominator tree: an ancestor's interval contains it.
  std::vector<std::pair<uint32_t, uint32_t>> dominated_;
};

/// The control-flow graph of one function. Labels that no branch names start no block.
Cfg buildCfg(const Module &module, uint32_t functionIndex);

/// For each block the next one that every way from it to the function's end comes through; nothing
/// if there is none. Ways that go round for ever are left out of account.
std::vector<std::optional<uint32_t>> immediatePostDominators(const Cfg &cfg);

/// Is no lane active whenever control goes from `block` to `successor`?
bool goesWithoutLane(const Module &module, const Cfg &cfg, uint32_t block, uint32_t successor);

/// Why a function that is entered there is left alone: "may be entered at label 'x' from
/// elsewhere".
std::string howEntered(const Module &module, uint32_t instruction);

/// Instructions of a loop in text order.
std::vector<uint32_t> loopInstructions(const Cfg &cfg, const Loop &loop);

} // namespace rdna
