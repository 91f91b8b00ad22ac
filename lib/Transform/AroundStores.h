//===- AroundStores.h - what the stores of a tile need besides its values ---===//
//
// A tile that is made ahead is stored later than it is loaded. The masks of the lanes that store it
// and the addresses are made once more there, if they follow from what is the same in all steps. Of
// other masks it is kept which lanes they have.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/TilePath.h"
#include "Transform/UnitSet.h"

#include <map>
#include <set>

namespace rdna {

class AroundStores {
public:
  /// `changed` is what a step writes.
  AroundStores(const Module &module, const TilePath &path, const Units &changed)
      : module_(module), path_(path), changed_(changed) {}

  /// What gives a register the value that a place of the path reads. False, with a reason, if that
  /// differs from step to step.
  bool addRead(size_t place, RegUnit unit);
  /// What switches lanes off and on around a place.
  bool addGuards(size_t place);

  /// Places; of a dual instruction which halves, as bits.
  const std::map<size_t, uint8_t> &made() const { return made_; }
  /// Places that switch lanes off by what differs from step to step.
  const std::set<size_t> &kept() const { return kept_; }
  /// Why the last one was not added.
  const StagesLeft &left() const { return left_; }

private:
  /// What a place does, or one of the registers that it writes.
  struct Needed {
    size_t place = 0;
    std::optional<RegUnit> unit = {}; ///< Nothing: all.
    enum class What : uint8_t { Lanes, Place };
    What what() const { return unit && unit->isVgpr() ? What::Place : What::Lanes; }
  };
  const Instruction &at(size_t place) const {
    return module_.instructions()[path_.instructions[place]];
  }
  bool addGuard(unsigned guard);
  bool add(std::vector<Needed> open);
  bool need(size_t by, RegUnit unit, std::vector<Needed> &open);
  bool leave(size_t place, Needed::What what);

  const Module &module_;
  const TilePath &path_;
  const Units changed_;
  std::map<size_t, uint8_t> made_;
  std::set<size_t> kept_;
  StagesLeft left_;
};

} // namespace rdna
