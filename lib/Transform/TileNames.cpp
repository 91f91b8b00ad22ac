#include "Transform/TileNames.h"

#include "Analysis/Liveness.h"
#include "Transform/FreeVgprs.h"
#include "Transform/TileCounters.h"

namespace rdna {

static VgprSet vgprsOf(const Module &module, const Cfg &cfg, const Loop &loop) {
  const Liveness liveness = computeLiveness(module, cfg);
  VgprSet taken;
  for (const uint32_t b : loop.blocks) {
    taken |= liveness.liveIn[b] | liveness.liveOut[b];
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      taken |= vgprReads(module.instructions()[i]) | vgprWrites(module.instructions()[i]);
  }
  return taken;
}

static void nameOtherWays(const TileLoop &tile, TileNames &names, FreeSgprs &sgprs, VgprSet &taken,
                          unsigned &freeVgpr) {
  const auto takeSgpr = [&]() -> std::optional<RegUnit> {
    if (const auto sgpr = sgprs.take())
      return RegUnit::scalar(*sgpr);
    names.missing = "no SGPR is left for which way a step goes";
    return std::nullopt;
  };
  names.isOnPath = takeSgpr();
  for (const RegUnit unit : tile.carriedByPath)
    if (const auto name =
            unit.isVgpr() ? RegUnit::vgpr(takeFreeVgprs(taken, 1, freeVgpr)) : takeSgpr()) {
      names.carriedByPath[unit.index] = *name;
      names.registers += unit.isVgpr() ? 1 : 0;
    }
}

TileNames nameTiles(const Module &module, const Cfg &cfg, const TileLoop &tile, unsigned sets,
                    unsigned freeVgpr) {
  TileNames names;
  VgprSet taken = vgprsOf(module, cfg, cfg.loops[tile.loop]);
  names.values.resize(sets);
  for (auto &values : names.values)
    for (const std::set<uint16_t> &units : tile.values.carried) {
      const std::vector<uint16_t> carried(units.begin(), units.end());
      values.emplace_back();
      for (const llvm::ArrayRef<uint16_t> run : runsOf(carried))
        nameRun(run, takeFreeVgprs(taken, run.size(), freeVgpr), values.back());
      names.registers += static_cast<unsigned>(carried.size());
    }
  FreeSgprs sgprs(module, module.functions()[cfg.functionIndex]);
  if (auto own = nameCounters(tile.counters, sgprs, taken, freeVgpr))
    names.own = std::move(*own);
  else
    names.missing = "no SGPR is left for a counter of the loads' own";
  if (!tile.path.departures.empty())
    nameOtherWays(tile, names, sgprs, taken, freeVgpr);
  names.kept.resize(sets);
  for (auto &kept : names.kept)
    for (const auto &[place, unit] : tile.values.kept) {
      std::optional<RegUnit> name;
      if (!RegUnit{unit}.isVgpr()) {
        if (const auto sgpr = sgprs.take())
          name = RegUnit::scalar(*sgpr);
      } else {
        name = RegUnit::vgpr(takeFreeVgprs(taken, 1, freeVgpr));
        ++names.registers;
      }
      if (name)
        kept[{place, unit}] = *name;
      else
        names.missing = "no SGPR is left for what is stored is made of";
    }
  names.keptLanes.resize(sets);
  for (auto &kept : names.keptLanes)
    for (const size_t place : tile.keptLanes)
      if (const auto sgpr = sgprs.take())
        kept[place] = RegUnit::scalar(*sgpr);
      else
        names.missing = "no SGPR is left for the lanes that store a tile";
  names.vgprs = freeVgpr;
  names.sgprs = sgprs.count();
  return names;
}

std::optional<unsigned> TileNames::nameIn(const TileLoop &tile, uint32_t first, uint32_t last,
                                          unsigned set, uint16_t unit) const {
  for (auto it = tile.values.names.lower_bound(first);
       it != tile.values.names.end() && it->first < last; ++it) {
    const auto value = it->second.find(unit);
    if (value == it->second.end() || value->second >= tile.values.carried.size())
      continue;
    const auto &names = values[set][value->second];
    const auto name = names.find(unit);
    return name == names.end() ? std::nullopt : std::optional(name->second);
  }
  return std::nullopt;
}

} // namespace rdna
