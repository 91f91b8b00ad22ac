//===- RenamedBlock.h - a block's operations with their new registers ------===//
#pragma once

#include "Asm/Lane.h"
#include "Transform/FunctionWebs.h"

#include <bitset>
#include <vector>

namespace rdna {

/// Does neither write what the other reads?
bool areApart(const LaneOp &a, const LaneOp &b);

/// Found once for each instruction, however many ways to pair it are tried.
class RenamedBlock {
public:
  using Units = std::bitset<kRegUnits>;

  /// Where values are in a function, and what has to stay.
  struct Renaming {
    const FunctionWebs &webs;
    const Registers &registers;
    const std::vector<uint8_t> &fixed; ///< By instruction from `first` on.
    uint32_t first;
  };
  struct Renamed {
    /// Those that may go elsewhere, in a form that VOPD has; none of an instruction that stays.
    std::vector<LaneOp> lanes;
    Units reads, writes;
  };

  RenamedBlock(const Module &module, const Block &block, const Renaming &renaming);

  const Renamed &at(const Instruction &inst) const { return renamed_[inst.index - first_]; }
  /// The lane operation of an instruction with its new registers: sources by their operand.
  LaneOp rename(const Instruction &inst, LaneOp lane) const;
  std::vector<LaneOp> lanesOf(const Instruction &inst) const;
  /// Is one of its registers another one now?
  bool differs(const Instruction &inst) const;

private:
  RegUnit unitOf(const Instruction &inst, const RegAccess &access, unsigned dword) const;
  std::vector<LaneOp> movableLanesOf(const Instruction &inst) const;

  const Renaming renaming_;
  const uint32_t first_;
  std::vector<Renamed> renamed_;
};

/// Registers that an operation reads, its accumulator and scalars included.
RenamedBlock::Units unitsRead(const LaneOp &lane);

} // namespace rdna
