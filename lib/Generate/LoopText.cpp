#include "Generate/LoopText.h"

#include "Generate/KernelText.h"
#include "Generate/LoopSteps.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace rdna::generate {

namespace {

class LoopWriter {
public:
  LoopWriter(const LoopSpec &spec, TilePlan plan, RegisterPool &pool)
      : spec_(spec), plan_(std::move(plan)) {
    placeSide(sides_.a, spec.tile.a, {spec.tile.rows, spec.laneRows}, spec.aStride, 'A', pool);
    placeSide(sides_.b, spec.tile.b, {spec.tile.columns, spec.laneColumns}, spec.bStride, 'B',
              pool);
    if (spec.tile.a == Source::Scalar) {
      sides_.scalarA = {*spec.aStride, spec.tile.firstScalar - 2};
      map_.addresses.push_back(
          {"first row of A", {RegUnit::scalar(sides_.scalarA.base), 2, Half::Whole}});
    }
  }

  llvm::Expected<LoopText> write() {
    fillMap();
    Listing steps;
    writeSteps(steps, plan_, sides_, spec_.tile.steps, CornerAtEnd::Stays, nullptr);
    count(steps);
    Listing out;
    header(out);
    if (spec_.syntax == Syntax::Macro)
      out.raw(fmt::format(".macro {}\n", spec_.name));
    auto text = finishSteps(steps.text(), spec_.name);
    if (!text)
      return text.takeError();
    out.raw(*text);
    if (spec_.syntax == Syntax::Macro)
      out.raw(".endm\n");
    return LoopText{out.text(), map_};
  }

private:
  void placeSide(LdsSide &side, Source source, Interleave interleave,
                 std::optional<unsigned> stride, char name, RegisterPool &pool) {
    if (source != Source::Lds)
      return;
    side.interleave = interleave;
    side.stride = *stride;
    // Registers were counted with the specification.
    side.address = pool.take().value_or(Vgpr{});
    const auto add = [&](Vgpr reg, unsigned first, unsigned lane) {
      map_.addresses.push_back({fmt::format("LDS address of {} + {} + {} * the lane's {}", name,
                                            first, lane, name == 'A' ? "row" : "column"),
                                {RegUnit::vgpr(reg.number), 1, Half::Whole}});
    };
    add(side.address, 0, 4 * interleave.group());
    if (!interleave.hasLast())
      return;
    side.lastAddress = pool.take().value_or(Vgpr{});
    add(side.lastAddress, 4 * interleave.lastBase(), 4);
  }

  std::vector<RegUnit> pairOf(Vgpr first, unsigned element, unsigned elements) const {
    const bool isTwice = elements % 2 == 1 && element + 1 == elements;
    if (isTwice)
      return {RegUnit::vgpr(first.number), RegUnit::vgpr(first.number + 1)};
    return {RegUnit::vgpr(first.number + element % 2)};
  }

  void fillMap() {
    const TileSpec &tile = spec_.tile;
    std::set<RegUnit> clobbers;
    for (unsigned step = 0; step < tile.steps; ++step) {
      for (unsigned row = 0; row < tile.rows; ++row)
        map_.a.push_back({step, row, 0,
                          tile.a == Source::Scalar
                              ? std::vector{RegUnit::scalar(plan_.aScalar(step) + row)}
                              : pairOf(plan_.aPair(row / 2, step), row, tile.rows)});
      for (unsigned column = 0; column < tile.columns; ++column)
        map_.b.push_back(
            {step, 0, column, pairOf(plan_.bPair(column / 2, step), column, tile.columns)});
    }
    for (unsigned row = 0; row < tile.rows; ++row)
      for (unsigned column = 0; column < tile.columns; ++column) {
        const auto at = [&](unsigned step) {
          const Vgpr c = plan_.accumulator(row, column, step, tile.steps);
          return std::vector{RegUnit::vgpr(c.number)};
        };
        map_.before.push_back({0, row, column, at(0)});
        map_.behind.push_back({0, row, column, at(tile.steps)});
        if (at(0) != at(tile.steps))
          clobbers.insert(at(0).front());
      }
    for (const auto &[source, places] : {std::pair(tile.a, &map_.a), std::pair(tile.b, &map_.b)})
      if (source != Source::Vgpr)
        for (const ElementPlace &place : *places)
          clobbers.insert(place.registers.begin(), place.registers.end());
    if (plan_.hasCorner() && tile.steps >= 2)
      for (unsigned step : {0u, 2u}) // Both of its registers.
        if (const RegUnit c = RegUnit::vgpr(
                plan_.accumulator(tile.rows - 1, tile.columns - 1, step, tile.steps).number);
            c != map_.behind.back().registers.front())
          clobbers.insert(c);
    map_.clobbers.assign(clobbers.begin(), clobbers.end());
  }

  void count(const Listing &steps) {
    map_.fmacs = spec_.tile.rows * spec_.tile.columns * spec_.tile.steps;
    for (unsigned step = 0; step < spec_.tile.steps; ++step) {
      const StepOps ops = plan_.ops(step, spec_.tile.steps);
      for (const auto *list : {&ops.carried, &ops.own})
        for (const TileOp &op : *list) {
          map_.pairs += std::holds_alternative<FmacPair>(op);
          map_.singles += std::holds_alternative<SingleFmac>(op);
          map_.moves += std::holds_alternative<CornerMove>(op);
        }
      Listing loads;
      loadStep(loads, plan_, sides_, step, step);
      map_.loads += loads.instructions();
    }
    map_.instructions = steps.instructions();
  }

  static std::string names(const std::vector<RegUnit> &registers) {
    std::vector<std::string> names;
    for (const RegUnit unit : registers)
      names.push_back(toString(unit));
    return fmt::format("{}", fmt::join(names, "="));
  }

  void header(Listing &out) const {
    const TileSpec &tile = spec_.tile;
    out.comment(fmt::format("{}x{} tile, {} steps: {} FMACs in {} pairs, {} single; {} loads",
                            tile.rows, tile.columns, tile.steps, map_.fmacs, map_.pairs,
                            map_.singles, map_.loads));
    for (const LoopMap::Address &address : map_.addresses)
      out.comment(fmt::format("in {}: {}", toString(address.reg), address.what));
    const auto line = [&](std::string_view what, llvm::ArrayRef<ElementPlace> places) {
      std::vector<std::string> all;
      for (const ElementPlace &place : places)
        all.push_back(names(place.registers));
      out.comment(fmt::format("{}: {}", what, fmt::join(all, " ")));
    };
    const auto rowOf = [&](const std::vector<ElementPlace> &places, unsigned row) {
      return llvm::ArrayRef(places).slice(size_t{row} * tile.columns, tile.columns);
    };
    const unsigned sets =
        std::min(tile.steps, tile.a == Source::Vgpr || tile.b == Source::Vgpr ? tile.steps : 2);
    for (unsigned step = 0; step < sets; ++step) {
      line(fmt::format("A of step {}", step),
           llvm::ArrayRef(map_.a).slice(size_t{step} * tile.rows, tile.rows));
      line(fmt::format("B of step {}", step),
           llvm::ArrayRef(map_.b).slice(size_t{step} * tile.columns, tile.columns));
    }
    for (unsigned row = 0; row < tile.rows; ++row)
      line(fmt::format("C, row {}", row), rowOf(map_.before, row));
    if (map_.before.back().registers != map_.behind.back().registers)
      out.comment(fmt::format("behind the last step the last element of C is in {}",
                              names(map_.behind.back().registers)));
    std::vector<std::string> clobbers;
    for (const RegUnit unit : map_.clobbers)
      clobbers.push_back(fmt::format("\"{}\"", toString(unit)));
    out.comment(fmt::format("clobbers: {}", fmt::join(clobbers, ", ")));
  }

  const LoopSpec &spec_;
  TilePlan plan_;
  LoopSides sides_;
  LoopMap map_;
};

} // namespace

llvm::Expected<LoopText> generateLoop(const LoopSpec &asked) {
  auto spec = checked(asked);
  if (!spec)
    return spec.takeError();
  RegisterPool pool(spec->firstVgpr, spec->lastVgpr);
  auto plan = TilePlan::make(spec->tile, pool);
  if (!plan)
    return plan.takeError();
  return LoopWriter(*spec, std::move(*plan), pool).write();
}

} // namespace rdna::generate
