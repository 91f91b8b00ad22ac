#include "Transform/TileValues.h"

#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/OpTraits.h"
#include "Transform/UnitSet.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

bool isHighOfAddend(const Instruction &inst, RegUnit unit) {
  if (inst.op != Op::v_mad_u64_u32)
    return false;
  unsigned others = 0;
  bool isHigh = false;
  for (const Operand &operand : inst.operands) {
    if (operand.cls != Operand::Class::Source || !operand.isReg())
      continue;
    const bool isAddend = operand.reg.dwords == 2;
    isHigh |= isAddend && unit.index == operand.reg.first.index + 1;
    others += !isAddend && unit == operand.reg.first ? 1 : 0;
  }
  return isHigh && others == 0;
}

uint8_t TileValues::lateHalves(const Instruction &inst) const {
  const auto found = converting.find(inst.index);
  return found == converting.end() ? 0 : found->second;
}

bool TileValues::converts(const Instruction &inst, RegUnit unit) const {
  Units writes;
  if (const uint8_t halves = lateHalves(inst); halves != 0)
    addUnits(inst, halves, nullptr, &writes);
  return writes.test(unit.index);
}

namespace {

/// A register where an instruction of the path writes it, or where it reads it.
using ValueNode = std::pair<size_t, uint16_t>;

class ValueFinder {
public:
  ValueFinder(const Module &module, const TilePath &path, AroundStores &around)
      : module_(module), path_(path), around_(around) {}

  TileValuesOutcome run() {
    if (findConversions() && findReads() && findOthers() && areStoredOnly() && name())
      return {.values = std::move(values_), .left = std::nullopt};
    return {.values = std::nullopt, .left = std::move(left_)};
  }

private:
  const Instruction &at(size_t place) const {
    return module_.instructions()[path_.instructions[place]];
  }
  bool leave(size_t place, std::string reason) {
    left_ = StagesLeft{at(place).line, std::move(reason)};
    return false;
  }
  bool isLoad(size_t place) const { return isVmem(at(place).unit); }
  /// What a place reads of a register.
  TileDefs definitions(size_t place, RegUnit unit) const {
    return definitionsAt(module_, path_, place, unit, halfRead(place, unit).value_or(Half::Whole));
  }
  /// Nothing, if it only leaves what the other half of its result holds.
  std::optional<Half> halfRead(size_t place, RegUnit unit) const {
    std::optional<Half> half;
    for (const RegAccess &access : at(place).accesses) {
      if (!access.reads() || isKept(at(place), access) ||
          !access.reg.overlaps({unit, 1, Half::Whole}))
        continue;
      const Half more = readHalf(at(place), access);
      half = half && half != more ? Half::Whole : more;
    }
    return half;
  }

  /// Registers that it reads, but for EXEC, which stores and conversions get again.
  template <typename Function> bool forReads(size_t place, uint8_t halves, Function function) {
    Units reads;
    addUnits(at(place), halves, &reads, nullptr);
    reads.reset(kExecLo.index);
    for (unsigned u = 0; u < kRegUnits; ++u) {
      const RegUnit unit{static_cast<uint16_t>(u)};
      if (reads.test(u) && !isHighOfAddend(at(place), unit) && isReadThere(place, unit) &&
          !function(unit))
        return false;
    }
    return true;
  }

  bool isReadThere(size_t place, RegUnit unit) const {
    return !unit.isVgpr() || at(place).isVopd() || halfRead(place, unit);
  }

  /// Is what it writes there loaded, or made of that?
  bool isMade(size_t place, RegUnit unit) const {
    return isLoad(place) || values_.converts(at(place), unit);
  }
  bool readsMade(size_t place, uint8_t halves) {
    bool takes = false;
    forReads(place, halves, [&](RegUnit unit) {
      takes |= llvm::any_of(definitions(place, unit).places,
                            [&](size_t def) { return isMade(def, unit); });
      return !takes;
    });
    return takes;
  }

  /// Than the other half of a register.
  static bool keepsMore(const Instruction &load) {
    return keepsDestination(load.op) && writtenHalf(load, load.operands[0].reg) == Half::Whole;
  }
  bool findConversions() {
    for (size_t p = 0; p < path_.size(); ++p) {
      const Instruction &next = at(p);
      if (isVmem(next.unit) && (next.memory != MemoryEffect::Load || keepsMore(next)))
        return leave(p, "the tile's head does more with memory than load from it");
      if (accessesLds(next))
        continue;
      const bool isArithmetic =
          (next.isValu() || next.unit == Unit::Salu) && !next.writesUnit(kExecLo);
      for (const uint8_t half : {uint8_t{1}, uint8_t{2}}) {
        if ((allHalves(next) & half) == 0 || !readsMade(p, half))
          continue;
        if (!isArithmetic)
          return leave(p, fmt::format("{} is used before it is in LDS", madeRead(p, half)));
        values_.converting[next.index] |= half;
      }
    }
    return true;
  }
  std::string madeRead(size_t place, uint8_t halves) {
    std::string found;
    forReads(place, halves, [&](RegUnit unit) {
      if (llvm::none_of(definitions(place, unit).places,
                        [&](size_t def) { return isMade(def, unit); }))
        return true;
      found = toString(unit);
      return false;
    });
    return found;
  }

  /// What stores and conversions read.
  bool findReads() {
    for (size_t p = 0; p < path_.size(); ++p) {
      if (isLoad(p))
        joinWrites(p, 1);
      if (const uint8_t halves = values_.lateHalves(at(p)); halves != 0) {
        joinWrites(p, halves);
        if (!around_.addGuards(p)) {
          left_ = around_.left();
          return false;
        }
        if (!forReads(p, halves, [&](RegUnit unit) { return addRead(p, unit); }))
          return false;
      }
      if (accessesLds(at(p)) && !forReads(p, 1, [&](RegUnit unit) {
            return !unit.isVgpr() || unit == ldsAddressUnit(at(p)) || addRead(p, unit);
          }))
        return false;
      joinReads(p);
    }
    const auto stores = [&](uint32_t i) { return accessesLds(module_.instructions()[i]); };
    const auto first = llvm::find_if(path_.instructions, stores) - path_.instructions.begin();
    return isStored_ ||
           leave(static_cast<size_t>(first), "what is stored does not come from the tile's loads");
  }
  /// Registers that belong together stay together.
  void joinWrites(size_t place, uint8_t halves) {
    joinHalves(place);
    Units writes;
    addUnits(at(place), halves, nullptr, &writes);
    std::optional<ValueNode> first;
    for (uint16_t u = RegUnit::vgpr(0).index; u < kRegUnits && RegUnit{u}.isVgpr(); ++u) {
      if (!writes.test(u))
        continue;
      if (first && !at(place).isVopd())
        webs_.unionSets(*first, {place, u});
      else
        webs_.insert({place, u});
      first = first.value_or(ValueNode{place, u});
    }
  }
  /// Both halves of a register that are written one by one.
  void joinHalves(size_t place) {
    for (const RegAccess &access : at(place).accesses) {
      const Half half = access.writes() ? writtenHalf(at(place), access.reg) : Half::Whole;
      if (half == Half::Whole)
        continue;
      const RegUnit unit = access.reg.first;
      const Half other = half == Half::Low ? Half::High : Half::Low;
      for (const size_t def : definitionsAt(module_, path_, place, unit, other).places)
        if (isMade(def, unit) && isReadBehind(place, unit, other, def))
          webs_.unionSets({place, unit.index}, {def, unit.index});
    }
  }
  /// Does anything behind that place read the half that `def` has written?
  bool isReadBehind(size_t place, RegUnit unit, Half half, size_t def) const {
    for (size_t p = place + 1; p < path_.size(); ++p)
      if (const auto read = halfRead(p, unit);
          read && (*read == Half::Whole || *read == half) &&
          llvm::is_contained(definitionsAt(module_, path_, p, unit, half).places, def))
        return true;
    return false;
  }
  void joinReads(size_t place) {
    for (const RegAccess &access : at(place).accesses)
      for (unsigned d = 1; access.reads() && d < access.reg.dwords; ++d) {
        const ValueNode last{place, static_cast<uint16_t>(access.reg.first.index + d - 1)};
        const ValueNode next{place, static_cast<uint16_t>(access.reg.first.index + d)};
        if (webs_.contains(last) && webs_.contains(next))
          webs_.unionSets(last, next);
      }
  }
  bool addRead(size_t place, RegUnit unit) {
    const TileDefs defs = definitions(place, unit);
    const bool isOfTile = llvm::any_of(defs.places, [&](size_t def) { return isMade(def, unit); });
    if (!isOfTile) {
      if (at(place).writesUnit(unit))
        mixed_.insert({place, unit.index});
      if (around_.addRead(place, unit)) // What is the same in every step is made once more.
        return true;
      if (!accessesLds(at(place)) && defs.areAll && keep(defs, unit))
        return true;
      return leave(
          place,
          accessesLds(at(place))
              ? fmt::format("{}, which the stores need, is computed in every step", toString(unit))
              : fmt::format("what is stored is computed of {}, which differs from step to step",
                            toString(unit)));
    }
    if (!unit.isVgpr())
      return defs.places.size() == 1 ||
             leave(place, fmt::format("{} has several values", toString(unit)));
    if (!defs.areAll)
      return leave(place, fmt::format("{} is stored by lanes that have not loaded it in this step",
                                      toString(unit)));
    isStored_ |= accessesLds(at(place));
    for (const size_t def : defs.places) {
      webs_.unionSets({place, unit.index}, {def, unit.index});
      if (!isMade(def, unit))
        others_.insert({def, unit.index});
    }
    return true;
  }

  bool keep(const TileDefs &defs, RegUnit unit) {
    if (unit == kScc || unit == kM0 || !llvm::all_of(defs.places, [&](size_t def) {
          return (at(def).isValu() || at(def).unit == Unit::Salu) && around_.addGuards(def);
        }))
      return false;
    for (const size_t def : defs.places)
      values_.kept.insert({def, unit.index});
    return true;
  }

  struct Web {
    bool isLoaded = false;
    std::optional<size_t> converted; ///< The first place.
    std::set<ValueNode> nodes;
    std::set<uint16_t> units;
  };
  std::vector<Web> webs() const {
    std::vector<Web> webs;
    for (const auto &leader : webs_) {
      if (!leader->isLeader())
        continue;
      Web web{.isLoaded = false, .converted = {}, .nodes = {}, .units = {}};
      bool isRead = false;
      for (const ValueNode &node : webs_.members(*leader)) {
        web.nodes.insert(node);
        web.units.insert(node.second);
        web.isLoaded |= isLoad(node.first);
        isRead |= !isLoad(node.first);
        if (values_.converts(at(node.first), RegUnit{node.second}))
          web.converted = std::min(web.converted.value_or(node.first), node.first);
      }
      if (isRead)
        webs.push_back(std::move(web));
    }
    llvm::sort(webs, [](const Web &a, const Web &b) { return a.nodes < b.nodes; });
    return webs;
  }

  /// Registers of lanes that load nothing: with the loads, or with the conversions if there is
  /// nothing to load to or they stand behind one.
  bool findOthers() {
    for (const auto &[place, unit] : others_)
      if (!at(place).isValu() || (laneOps(at(place)).empty() && at(place).op != Op::v_mov_b16))
        return leave(place, "what is stored where nothing is loaded is no move");
    std::vector<ValueNode> late;
    for (const Web &web : webs())
      for (const ValueNode &node : web.nodes)
        if (others_.contains(node) &&
            (!web.isLoaded || (web.converted && *web.converted < node.first)))
          late.push_back(node);
    for (const auto &[place, unit] : late) {
      uint8_t half = 1;
      if (at(place).isVopd() && laneOps(at(place))[0].dst.number != RegUnit{unit}.number())
        half = 2;
      values_.converting[at(place).index] |= half;
      values_.kept.erase({place, unit}); // It is made late now.
      if (!around_.addGuards(place)) {
        left_ = around_.left();
        return false;
      }
      if (!forReads(place, half, [&](RegUnit read) { return addRead(place, read); }))
        return false;
    }
    return true;
  }

  /// Nobody else reads them, because they will be called something else, or be there later.
  bool areStoredOnly() {
    for (size_t p = 0; p < path_.size(); ++p) {
      const uint8_t others = allHalves(at(p)) & static_cast<uint8_t>(~values_.lateHalves(at(p)));
      if (accessesLds(at(p)) || others == 0)
        continue;
      const bool areOthers = forReads(p, others, [&](RegUnit unit) {
        for (const size_t def : definitions(p, unit).places)
          if (isLoad(def) || others_.contains({def, unit.index}))
            return leave(p, fmt::format("{} is used before it is in LDS", toString(unit)));
        return true;
      });
      if (!areOthers)
        return false;
    }
    return true;
  }

  /// Several values of a tile may be in one register, one after the other. A conversion's result
  /// needs no other name, unless something loaded may be there by then.
  bool name() {
    std::vector<Web> all = webs();
    std::set<uint16_t> loaded;
    for (const Web &web : all)
      if (web.isLoaded)
        loaded.insert(web.units.begin(), web.units.end());
    std::map<uint16_t, unsigned> next;
    for (const Web &web : all) {
      if (!web.isLoaded &&
          llvm::none_of(web.units, [&](uint16_t unit) { return loaded.contains(unit); }))
        continue;
      unsigned number = 0;
      for (const uint16_t unit : web.units)
        number = std::max(number, next[unit]);
      values_.carried.resize(std::max<size_t>(values_.carried.size(), number + 1));
      for (const uint16_t unit : web.units) {
        next[unit] = number + 1;
        values_.carried[number].insert(unit);
      }
      for (const auto &[place, unit] : web.nodes) {
        if (mixed_.contains({place, unit}))
          return leave(place, fmt::format("{} holds a tile's value and something else",
                                          toString(RegUnit{unit})));
        values_.names[at(place).index][unit] = number;
      }
    }
    return true;
  }

  const Module &module_;
  const TilePath &path_;
  AroundStores &around_;
  TileValues values_;
  llvm::EquivalenceClasses<ValueNode> webs_;
  std::set<ValueNode> others_; ///< Values of lanes that load nothing.
  std::set<ValueNode> mixed_;  ///< Read as something else, and written by a conversion.
  bool isStored_ = false;      ///< Is anything of the tile?
  std::optional<StagesLeft> left_;
};

} // namespace

TileValuesOutcome findTileValues(const Module &module, const TilePath &path, AroundStores &around) {
  return ValueFinder(module, path, around).run();
}

} // namespace rdna
