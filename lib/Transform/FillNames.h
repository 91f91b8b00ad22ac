//===- FillNames.h - registers of their own for what one way of an `if` stores -===//
//
// For FillArms. Lanes that load nothing get a constant in the register that the others store. Where
// that register is an address before, or somebody else's in the lanes of the first way, what the
// second way makes for its stores gets another one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Code.h"
#include "Transform/LdsStages.h"
#include "Transform/TwoWays.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace rdna {

/// Where a dword is stored: register and bytes behind it.
struct FillPlace {
  RegUnit base;
  uint32_t bytes;
  std::optional<RegUnit> mask; ///< Of the lanes that store, if not all of the way do.
  auto operator<=>(const FillPlace &) const = default;
};
/// What is stored there, and by which instruction.
struct FillCell {
  uint32_t store;
  RegUnit data;
};
using FillCells = std::map<FillPlace, FillCell>;

class FillNames {
public:
  /// `isLiveBehind`: of a register behind the join. New VGPRs begin at `firstFree`.
  FillNames(const Module &module, const TwoWays &ways, std::function<bool(RegUnit)> isLiveBehind,
            unsigned firstFree)
      : module_(module), ways_(ways), isLiveBehind_(std::move(isLiveBehind)), nextFree_(firstFree),
        firstFree_(firstFree) {}

  /// Cells of the second way, which then say the new names; why not, if it cannot be.
  std::optional<StagesLeft> name(FillCells &cells);
  /// Instructions that take new names, besides stores.
  std::set<uint32_t> renamed() const;
  /// One of these or a store; nothing if it cannot have such names.
  std::optional<Code> codeOf(uint32_t instruction) const;
  bool isNew(RegUnit unit) const {
    return unit.isVgpr() && unit.number() >= firstFree_ && unit.number() < nextFree_;
  }
  /// How many VGPRs there are then; 0 if no new one was needed.
  unsigned vgprs() const { return nextFree_ != firstFree_ ? nextFree_ : 0; }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool isDefinition(uint32_t i) const;
  std::optional<uint32_t> loadOf(const FillCell &cell) const;
  bool nameWrites(FillCell &cell);
  std::pair<std::set<size_t>, bool> reaching(size_t place, RegUnit unit) const;
  bool isReadByOthers(uint32_t load, RegUnit old) const;

  const Module &module_;
  const TwoWays &ways_;
  const std::function<bool(RegUnit)> isLiveBehind_;
  std::map<uint32_t, unsigned> newBases_;                       ///< By load: its first register.
  std::map<std::pair<uint32_t, uint16_t>, RegUnit> storeNames_; ///< By store and old register.
  std::map<std::pair<uint32_t, uint16_t>, RegUnit> writeNames_; ///< Of those in front of it.
  unsigned nextFree_;
  const unsigned firstFree_;
};

} // namespace rdna
