//===- AddressSplit.h - what lanes share of global addresses ---------------===//
//
// Finds, for the accesses of a block that have 64-bit addresses in VGPRs, how each is a scalar
// pointer, a 32-bit divergent offset with a shift, and a constant.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/BlockValues.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace rdna {

/// One access that may get a scalar base.
struct WideAccess {
  uint32_t instruction = 0;
  verify::Value address = 0; ///< 64 bits, indices as integers where they are.
};

/// A VGPR that may become the divergent offset: at the block's start, or what an instruction of it
/// writes.
struct DivergentOffset {
  unsigned vgpr = 0;
  verify::Value value = 0;
  std::optional<uint32_t> definition;
};

/// How one access can be split: base + ((lane + loopVariant) << shift) + offset.
struct AddressSplit {
  const DivergentOffset *lane = nullptr;
  unsigned shift = 0;
  verify::Value loopVariant = 0; ///< 32 bits; changes in the loop.
  verify::Value base = 0;        ///< 64 bits.
  std::optional<unsigned> pair;  ///< Holds the base in the block; otherwise it is an invariant.
  int64_t offset = 0;
  unsigned cost = 0; ///< Roughly: instructions before the loop and in it.
};

/// A VGPR offset and the accesses that share it.
struct AccessGroup {
  AddressSplit offset;
  std::vector<std::pair<const WideAccess *, AddressSplit>> members;
};

class AddressSplitter {
public:
  AddressSplitter(const Module &module, const Cfg &cfg, verify::ExprPool &pool,
                  verify::BlockValues &values, verify::Indices indices)
      : module_(module), cfg_(cfg), pool_(pool), values_(values), indices_(indices) {}

  /// Those up to the first change of EXEC: offsets are made under the mask that the block starts
  /// with.
  std::vector<WideAccess> accessesOf(uint32_t block);
  /// What may be a divergent offset before the instruction `end` of the block.
  std::vector<DivergentOffset> divergentOffsetsOf(uint32_t block, uint32_t end);
  /// Accesses of one block that share an offset, the largest group first. `entry`: where invariants
  /// would be computed. Points to what it was given.
  std::vector<AccessGroup> group(const std::vector<WideAccess> &accesses,
                                 const std::vector<DivergentOffset> &lanes,
                                 const verify::State &entry, uint32_t block);

  /// What lanes share of a pointer at one place, where `state` is: the pointer is that plus the
  /// difference of the lower halves. Nothing if it is not, or if scalar code cannot make it.
  std::optional<verify::Value> sharedPart(verify::Value pointer, const verify::State &state);

private:
  struct SteppingBase {
    verify::Value value;
    unsigned pair;
    int64_t offset;
  };
  /// What may be said of the offsets that are made.
  verify::Indices made() const {
    return indices_ == verify::Indices::MayWrap ? indices_ : verify::Indices::AssumeOriginals;
  }
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  verify::Value minus(verify::Value a, verify::Value b) {
    return pool_.wideSum(a, pool_.wideNegated(b));
  }
  verify::Value integer(verify::Value offset);
  verify::Value scaled(const DivergentOffset &lane, unsigned shift);
  verify::Value laneTerms(verify::Value wide, const std::set<verify::Value> &uniform);
  std::set<verify::Value> uniformAtoms(const verify::State &state);
  bool isExact(const WideAccess &access, const AddressSplit &s);
  std::optional<SteppingBase> steppingBase(const WideAccess &access, verify::Value shared,
                                           const verify::State &start);
  void collectPointers(const verify::State &state);
  verify::Value bestPointer(verify::Value shared, const verify::State &entry);
  std::optional<AddressSplit> split(const WideAccess &access, const DivergentOffset &lane,
                                    unsigned shift, const verify::State &entry,
                                    const verify::State &start);

  const Module &module_;
  const Cfg &cfg_;
  verify::ExprPool &pool_;
  verify::BlockValues &values_;
  verify::Indices indices_;
  verify::ExprPool::IndexFacts facts_; ///< Of all accesses that were looked at.
  verify::Value exec_ = 0;             ///< Of the last one.
  std::map<verify::Value, std::vector<verify::Value>> pointers_; ///< By atom.
  std::map<verify::Value, std::vector<unsigned>>
      stepping_;                                        ///< Pairs at the block's start, by atom.
  std::map<verify::Value, verify::Value> bestPointers_; ///< What was asked before.
};

} // namespace rdna
