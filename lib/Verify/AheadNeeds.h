//===- AheadNeeds.h - which registers of a text are still needed ------------===//
//
// For AheadProof: dead registers hold what steps long ago have left there, and no state would ever
// be an instance of an earlier one. That too little is needed here can refuse a rewrite, but let
// none through.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/Demand.h"

#include <bitset>
#include <map>
#include <vector>

namespace rdna::verify {

class AheadNeeds {
public:
  AheadNeeds(const Module &module, uint32_t function);
  /// In front of an instruction.
  const std::bitset<kRegUnits> &at(uint32_t instruction);
  /// Of what addresses in LDS may be made from there on. States that differ in the numbers of other
  /// registers need not stay apart, as counters that are compared with an argument.
  const std::bitset<kRegUnits> &ofPlaces(uint32_t instruction);
  bool isInLoop(uint32_t instruction) const {
    return cfg_.loopOf(cfg_.blockOf(instruction)).has_value();
  }
  /// How many selections of scalars the loop has that has most, those of numbers aside.
  unsigned mostSelections() const;
  /// Do ways of this text meet there?
  bool isJoin(uint32_t instruction) const {
    const Block &block = cfg_.blocks[cfg_.blockOf(instruction)];
    return block.first == instruction && block.predecessors.size() > 1;
  }

private:
  using Units = std::bitset<kRegUnits>;
  std::vector<Units> placesAtStart() const;
  void placesBefore(const Instruction &inst, Units &units) const;

  const Module &module_;
  const Cfg cfg_;
  const std::vector<Needs> atStart_;
  const std::vector<Units> placesAtStart_; ///< By block.
  std::map<uint32_t, Units> known_, places_;
};

} // namespace rdna::verify
