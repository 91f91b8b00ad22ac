#include "Transform/TileCounters.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

class Counters {
public:
  Counters(const Module &module, const Cfg &cfg, const TileLoop &tile)
      : module_(module), cfg_(cfg), tile_(tile) {}

  TileCountersOutcome run() {
    const auto [used, usesWrite] = unitsOfUse(module_, cfg_, tile_);
    Units pathWrites;
    for (const uint32_t i : path())
      addUnits(inst(i), nullptr, &pathWrites);
    pathWrites.reset(kExecLo.index).reset(kScc.index);
    Units differing = findDiffering(pathWrites);
    if (tile_.prepare.empty()) // What it writes over, it has to compute again.
      differing |= usesWrite & pathWrites;
    Units wanted = used & differing;
    wanted.reset(kVccLo.index).reset(kScc.index);
    for (unsigned unit = 0; unit < kRegUnits; ++unit)
      if (wanted.test(unit) && isPrepared({static_cast<uint16_t>(unit)}))
        wanted.reset(unit);
    for (const RegUnit condition : {kVccLo, kScc})
      if (used.test(condition.index))
        findCondition(condition, differing, wanted);
    if (!left_ && wanted.any() && find(wanted, differing))
      check();
    if (left_)
      return {.counters = {}, .left = std::move(left_)};
    return {.counters = std::move(result_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  const std::vector<uint32_t> &path() const { return tile_.path.instructions; }

  bool leave(uint32_t instruction, std::string reason) {
    if (!left_)
      left_ = StagesLeft{inst(instruction).line, std::move(reason)};
    return false;
  }

  /// Does the use get it by what is made again in front of it, whatever the path has there before?
  bool isPrepared(RegUnit unit) const {
    const TileDefs defs = definitionsAt(module_, tile_.path, path().size(), unit);
    return defs.areAll && llvm::all_of(defs.places, [&](size_t place) {
             return llvm::is_contained(tile_.prepare, path()[place]);
           });
  }

  /// What is not the same in all steps, of what the path and the advance write.
  Units findDiffering(const Units &pathWrites) const {
    Units differing = neededByPath(module_, tile_.path) & pathWrites;
    for (const uint32_t i : tile_.advance)
      addAdvance(module_, tile_, i, nullptr, &differing);
    for (size_t before = ~size_t{0}; before != differing.count();) {
      before = differing.count();
      bool sccDiffers = false; // Whoever reads it, reads what was compared last.
      for (const uint32_t i : path()) {
        Units reads, writes;
        addUnits(inst(i), &reads, &writes);
        const bool readsScc = reads.test(kScc.index);
        reads.reset(kScc.index).reset(kExecLo.index);
        const bool differs =
            isVmem(inst(i).unit) || (reads & differing).any() || (readsScc && sccDiffers);
        if (writes.test(kScc.index))
          sccDiffers = differs;
        if (differs)
          differing |= writes;
      }
      differing.reset(kExecLo.index);
    }
    return differing;
  }

  /// Where the path sets a condition last.
  void findCondition(RegUnit condition, const Units &differing, Units &wanted) {
    Units changed; // Behind that.
    for (size_t p = path().size(); p-- > 0;) {
      const Instruction &next = inst(path()[p]);
      Units reads, writes;
      addUnits(next, &reads, &writes);
      if (!writes.test(condition.index)) {
        changed |= writes;
        continue;
      }
      reads.reset(kExecLo.index);
      Units others = writes;
      others.reset(condition.index);
      if (tile_.path.guards[p] != 0 || others.any() || (reads & changed).any() ||
          reads.test(kVccLo.index) || reads.test(kScc.index)) {
        leave(next.index, fmt::format("the use reads {} of the tile's loads", toString(condition)));
        return;
      }
      wanted |= reads & differing;
      result_.conditions.push_back(next.index);
      return;
    }
  }

  /// Backwards from the use: the path, the latch of the step before, its path.
  bool find(const Units &wanted, const Units &differing) {
    if (wanted.test(kM0.index))
      return leave(path().front(), "the use reads M0 of the tile's loads");
    std::set<size_t> places;
    Units carried;
    for (size_t before = ~size_t{0}; before != carried.count();) {
      before = carried.count();
      Units needed = wanted | carried;
      for (size_t p = path().size(); p-- > 0;)
        if (takes(path()[p], differing, needed))
          places.insert(p);
      for (const uint32_t i : llvm::reverse(tile_.advance))
        if (!llvm::is_contained(path(), i) && takes(i, differing, needed))
          result_.ofLatch.insert(i);
      carried |= needed;
    }
    for (const size_t p : places) {
      if (tile_.path.guards[p] != 0)
        return leave(path()[p], "what the use reads is computed by some of the lanes");
      result_.ofPath.push_back(path()[p]);
    }
    return true;
  }
  /// Does it write what is needed? Then what it reads is needed instead.
  bool takes(uint32_t i, const Units &differing, Units &needed) const {
    Units reads, writes;
    addUnits(inst(i), &reads, &writes);
    if ((writes & needed).none())
      return false;
    needed &= ~writes;
    needed |= reads & differing;
    return true;
  }

  void check() {
    Units written;
    const auto add = [&](uint32_t i) {
      if (isVmem(inst(i).unit))
        return leave(i, "the use reads what the tile's loads bring");
      if ((inst(i).unit != Unit::Salu && !inst(i).isValu()) || tile_.advancingHalf.contains(i))
        return leave(i, "what the use reads is no arithmetic of what differs from tile to tile");
      addUnits(inst(i), nullptr, &written);
      return true;
    };
    if (!llvm::all_of(result_.ofPath, add) || !llvm::all_of(result_.ofLatch, add))
      return;
    // Nobody keeps those from one piece of code to the next.
    for (const RegUnit unit : {kScc, kVccLo, RegUnit{static_cast<uint16_t>(kVccLo.index + 1)}})
      written.reset(unit.index);
    addNeighbours(written);
    for (unsigned unit = 0; unit < kRegUnits; ++unit)
      if (written.test(unit))
        result_.units.insert(static_cast<uint16_t>(unit));
    Units others;
    for (const auto &[p, halves] : tile_.aroundStores)
      addUnits(inst(path()[p]), halves, &others, &others);
    for (const uint32_t i : tile_.prepare)
      addUnits(inst(i), &others, &others);
    for (const auto &[i, halves] : tile_.values.converting)
      addUnits(inst(i), halves, nullptr, &others);
    for (const auto &[place, unit] : tile_.values.kept)
      others.set(unit);
    for (const uint16_t unit : result_.units)
      if (others.test(unit) || (!RegUnit{unit}.isVgpr() && unit >= kVccLo.index)) {
        leave(result_.ofPath.empty() ? *result_.ofLatch.begin() : result_.ofPath.front(),
              fmt::format("the use reads {}, which differs from tile to tile",
                          toString(RegUnit{unit})));
        return;
      }
  }

  /// What the path reads together with them, as the upper half of an index that has 64 bits, has to
  /// stand beside them under their other names as well: copied once, where no step changes it.
  void addNeighbours(Units &written) const {
    Units changed = written;
    for (const uint32_t i : path())
      addUnits(inst(i), nullptr, &changed);
    for (const uint32_t i : tile_.advance)
      addUnits(inst(i), nullptr, &changed);
    for (const uint32_t i : path())
      for (const Operand &operand : inst(i).operands) {
        Units range;
        for (unsigned d = 0; operand.isReg() && d < operand.reg.dwords; ++d)
          range.set(operand.reg.first.index + d);
        if (operand.cls == Operand::Class::Source && (range & written).any() &&
            (range & changed & ~written).none())
          written |= range;
      }
  }

  const Module &module_;
  const Cfg &cfg_;
  const TileLoop &tile_;
  TileCounters result_;
  std::optional<StagesLeft> left_;
};

} // namespace

TileCountersOutcome findTileCounters(const Module &module, const Cfg &cfg, const TileLoop &tile) {
  return Counters(module, cfg, tile).run();
}

std::optional<std::map<uint16_t, RegUnit>>
nameCounters(const TileCounters &counters, FreeSgprs &sgprs, VgprSet &taken, unsigned &freeVgpr) {
  std::map<uint16_t, RegUnit> own;
  std::vector<uint16_t> vgprs;
  for (const uint16_t unit : counters.units) {
    const auto next = static_cast<uint16_t>(unit + 1);
    if (RegUnit{unit}.isVgpr()) {
      vgprs.push_back(unit);
    } else if (!own.contains(unit)) {
      const bool isPair = RegUnit{unit}.number() % 2 == 0 && counters.units.contains(next);
      const auto first = isPair ? sgprs.takePair() : sgprs.take();
      if (!first)
        return std::nullopt;
      own[unit] = RegUnit::scalar(*first);
      if (isPair)
        own[next] = RegUnit::scalar(*first + 1);
    }
  }
  std::map<uint16_t, unsigned> names;
  for (const llvm::ArrayRef<uint16_t> run : runsOf(vgprs))
    nameRun(run, takeFreeVgprs(taken, run.size(), freeVgpr), names);
  for (const auto &[unit, name] : names)
    own[unit] = RegUnit::vgpr(name);
  return own;
}

LaneOp renamedLane(LaneOp lane, llvm::function_ref<RegUnit(RegUnit)> rename) {
  const auto vgpr = [&](Vgpr old) {
    return Vgpr{static_cast<uint8_t>(rename(RegUnit::vgpr(old.number)).number())};
  };
  for (VopdSource *source : {&lane.src0, &lane.src1})
    if (source->kind == VopdSource::Kind::Vgpr)
      source->value = rename(RegUnit::vgpr(source->value)).number();
    else if (source->kind == VopdSource::Kind::Scalar)
      source->value = rename(RegUnit::scalar(source->value)).number();
  lane.dst = vgpr(lane.dst);
  if (lane.addend)
    lane.addend = vgpr(*lane.addend);
  return lane;
}

} // namespace rdna
