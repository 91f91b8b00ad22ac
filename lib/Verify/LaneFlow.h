//===- LaneFlow.h - lane masks at each point of a function -----------------===//
//
// What EXEC and the scalars are as boolean functions of masks that have a name: what a function is
// entered with, what an instruction writes that is no function of other masks (a comparison, a
// load), what meets where paths do. A name stands for what the place that it belongs to has made
// last: no value keeps it that comes from before that place, because a value that arrives at a
// block names nothing but what dominates it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Symbolic/LaneFunctions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <vector>

namespace rdna::verify {

class LaneFlow {
public:
  using Function = LaneFunctions::Function;
  static constexpr unsigned kMasks = 128; ///< By scalar encoding.
  using Masks = std::array<Function, kMasks>;

  LaneFlow(const Module &module, const Cfg &cfg);

  LaneFunctions &functions() { return functions_; }
  bool isReached(uint32_t block) const { return start_[block].has_value(); }
  const Masks &atStart(uint32_t block) const { return *start_[block]; }
  /// EXEC in front of an instruction.
  Function execAt(uint32_t instruction) const { return exec_[instruction - first_]; }
  Function execAtEnd(uint32_t block) const {
    return end_[block] ? (*end_[block])[126] : LaneFunctions::kAll;
  }
  /// Makes of functions that are true behind an instruction what is sure in front of it.
  void acrossInstruction(llvm::MutableArrayRef<Function> all, uint32_t instruction);
  /// ... of functions at the start of `to` the same at the end of `from`, which is in front of it.
  void acrossEdge(llvm::MutableArrayRef<Function> all, uint32_t from, uint32_t to);

private:
  Function variable(uint32_t place, unsigned unit, uint32_t block);
  void step(const Instruction &inst, uint32_t block, Masks &masks);
  LaneFunctions::Result resultOf(const Instruction &inst, uint32_t block, const Masks &masks);
  Function sourceOf(const Instruction &inst, unsigned source, uint32_t block, const Masks &masks);
  void run();
  bool enter(uint32_t block);
  void meet(uint32_t block, Masks &into);
  bool isStale(Function f, uint32_t block);
  uint32_t phiPlace(uint32_t block) const { return count_ + block; }

  const Module &module_;
  const Cfg &cfg_;
  const uint32_t first_, count_; ///< Instructions of the function.
  LaneFunctions functions_;
  std::map<std::pair<uint32_t, unsigned>, uint32_t> variables_; ///< By place and register.
  std::vector<uint32_t> madeIn_, unitOf_; ///< By variable: its block and its register.
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> named_; ///< By place.
  std::vector<std::optional<Masks>> start_, end_;
  std::vector<std::bitset<kMasks>> phi_; ///< By block: registers whose incoming values differ.
  std::vector<Function> exec_;
};

} // namespace rdna::verify
