//===- TileValues.h - what a tile's stores take from its loads --------------===//
//
// A tile that is made ahead is loaded early and stored late. What is loaded waits in registers of
// its own; what is made of it on its way to LDS (bytes turned into floats, a scale, the greater of
// it and 0) is made late, with the stores: there it is in nobody's way, and the wait for the loads
// stands in front of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/AroundStores.h"
#include "Transform/TilePath.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace rdna {

struct TileValues {
  /// What makes of loaded values what is stored, and goes with the stores: instructions of the
  /// path. Of a dual instruction which halves, as bits.
  std::map<uint32_t, uint8_t> converting;
  /// What conversions read that differs from step to step and is nothing loaded: places of the path
  /// and registers that these write. It is kept from there to the stores.
  std::set<std::pair<size_t, uint16_t>> kept;
  /// Registers that the tile's loads write and that are stored or converted: they are what a second
  /// tile needs another of. One may hold several values of a tile, one after the other; by value.
  std::vector<std::set<uint16_t>> carried;
  /// By load, conversion or store, and by what else gives lanes a value to store: which value of a
  /// register it writes or reads. What is not here keeps its name.
  std::map<uint32_t, std::map<uint16_t, unsigned>> names;

  /// Which halves of an instruction are made with the stores; 0: it is made with the loads.
  uint8_t lateHalves(const Instruction &inst) const;
  /// Is what it writes there made with the stores?
  bool converts(const Instruction &inst, RegUnit unit) const;
};

struct TileValuesOutcome {
  std::optional<TileValues> values;
  std::optional<StagesLeft> left;
};

/// `around` gets what conversions need besides.
TileValuesOutcome findTileValues(const Module &module, const TilePath &path, AroundStores &around);

/// Compilers add 32 bits by an addition of 64: what is in the addend's high half goes to the high
/// half of a sum that nobody reads. (If somebody does, the proof refuses.)
bool isHighOfAddend(const Instruction &inst, RegUnit unit);

} // namespace rdna
