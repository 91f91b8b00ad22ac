//===- TileNames.h - registers of the tiles that are on their way -----------===//
#pragma once

#include "Transform/TileLoop.h"

#include <map>
#include <string_view>

namespace rdna {

/// Registers of each set of tiles for what the loads bring, and of the loads' own.
struct TileNames {
  std::vector<std::vector<std::map<uint16_t, unsigned>>> values; ///< By set and value.
  std::vector<std::map<size_t, RegUnit>> keptLanes;              ///< By set and place.
  /// By set, and by place and register.
  std::vector<std::map<std::pair<size_t, uint16_t>, RegUnit>> kept;
  std::map<uint16_t, RegUnit> own; ///< Counters of the loads, by those of the use.
  /// Where a step may go another way: whether it does not, and what the step has begun with.
  std::optional<RegUnit> isOnPath;
  std::map<uint16_t, RegUnit> carriedByPath;
  unsigned vgprs = 0;            ///< Highest VGPR that is named, plus one.
  unsigned sgprs = 0;            ///< The same of the kernel's SGPRs; 0 if none are new.
  unsigned registers = 0;        ///< VGPRs of all sets.
  std::string_view missing = {}; ///< What there is no register for; empty: nothing.

  /// What a tile's value is called that these instructions have in a register: it is one for all.
  std::optional<unsigned> nameIn(const TileLoop &tile, uint32_t first, uint32_t last, unsigned set,
                                 uint16_t unit) const;
  /// What the loads call a register.
  RegUnit ownOf(RegUnit unit) const {
    const auto found = own.find(unit.index);
    return found == own.end() ? unit : found->second;
  }
};

/// Neighbours stay neighbours. Registers that hold nothing in the loop cost nothing; `freeVgpr` is
/// the first that the kernel does not name.
TileNames nameTiles(const Module &module, const Cfg &cfg, const TileLoop &tile, unsigned sets,
                    unsigned freeVgpr);

} // namespace rdna
