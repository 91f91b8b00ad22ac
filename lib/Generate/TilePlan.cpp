#include "Generate/TilePlan.h"

#include "Code/Build.h"

#include <fmt/format.h>

namespace rdna::generate {

Inst instruction(const TileOp &op) {
  if (const auto *pair = std::get_if<FmacPair>(&op))
    return buildVopd(pair->x, pair->y);
  if (const auto *move = std::get_if<CornerMove>(&op))
    return buildMove(move->to, move->from);
  const VopdHalf &half = std::get<SingleFmac>(op).half;
  return buildLane({half.op, half.dst, half.src0, half.src1, half.dst, std::nullopt});
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Cells of 2 x 2, row by row of cells and back and forth; then what an odd last row and column
/// leave. A new cell of the same rows starts with the diagonal and so keeps A's registers in their
/// slots; one of the same columns starts as the one before has ended, and keeps B's.
void TilePlan::walk() {
  const unsigned rows = spec_.rows, columns = spec_.columns;
  enum class Kind { Diagonal, Other } last = Kind::Other;
  const auto add = [&](unsigned r, unsigned c, Kind kind) {
    if (kind == Kind::Diagonal)
      places_.push_back({r, c, r + 1, c + 1});
    else
      places_.push_back({r, c + 1, r + 1, c});
    last = kind;
  };
  const auto columnAt = [&](unsigned p, unsigned q) {
    return 2 * (p % 2 == 0 ? q : columns / 2 - 1 - q);
  };
  for (unsigned p = 0; p < rows / 2; ++p)
    for (unsigned q = 0; q < columns / 2; ++q) {
      const Kind first = q == 0 && p > 0 ? last : Kind::Diagonal;
      add(2 * p, columnAt(p, q), first);
      add(2 * p, columnAt(p, q), first == Kind::Diagonal ? Kind::Other : Kind::Diagonal);
    }
  if (rows % 2 == 1)
    for (unsigned q = 0; q < columns / 2; ++q) {
      const unsigned c = columnAt(rows / 2, q);
      places_.push_back({rows - 1, c, rows - 1, c + 1});
    }
  if (columns % 2 == 1)
    for (unsigned p = 0; p < rows / 2; ++p)
      places_.push_back({2 * p, columns - 1, 2 * p + 1, columns - 1});
}

bool TilePlan::takeFragments(RegisterPool &pool) {
  const bool inFours = spec_.together == 4;
  const auto takeSets = [&](Source source, unsigned pairs, unsigned bank,
                            std::vector<std::vector<Vgpr>> &sets) {
    if (source == Source::Scalar)
      return true;
    const unsigned full = source == Source::Vgpr ? spec_.steps : spec_.fragments;
    // The corner's factors have to last until the next step.
    const unsigned all = hasCorner() && source == Source::Lds && full == 1 ? 2 : full;
    for (unsigned set = 0; set < all; ++set) {
      sets.emplace_back();
      for (unsigned pair = 0; pair < pairs; ++pair) {
        if (set >= full && pair + 1 < pairs) {
          sets.back().push_back({});
          continue;
        }
        if (inFours && pair % 2 == 1) {
          sets.back().push_back(Vgpr{static_cast<uint8_t>(sets.back().back().number + 2)});
          continue;
        }
        const auto taken = pool.take(inFours ? 4 : 2, 4, bank);
        if (!taken)
          return false;
        sets.back().push_back(*taken);
      }
    }
    return true;
  };
  return takeSets(spec_.b, columnPairs(), 0, b_) && takeSets(spec_.a, rowPairs(), 2, a_);
}

bool TilePlan::takeAccumulators(RegisterPool &pool) {
  c_.resize(size_t{spec_.rows} * spec_.columns);
  unsigned turn = 0;
  for (const Place &place : places_) {
    const unsigned bank = turn++ % 2 * 2;
    const auto one = [&](unsigned parity) {
      auto taken = pool.take(1, 4, bank + parity);
      return taken ? taken : pool.take(1, 2, parity);
    };
    const auto even = one(0), odd = one(1);
    if (!even || !odd)
      return false;
    c_[place.row0 * spec_.columns + place.column0] = *even;
    c_[place.row1 * spec_.columns + place.column1] = *odd;
  }
  if (hasCorner())
    for (unsigned parity : {0u, 1u}) {
      const auto taken = pool.take(1, 2, parity);
      if (!taken)
        return false;
      corner_[parity] = *taken;
    }
  return true;
}

llvm::Expected<TilePlan> TilePlan::make(const TileSpec &spec, RegisterPool &pool) {
  TilePlan plan(spec);
  plan.walk();
  if (!plan.takeFragments(pool) || !plan.takeAccumulators(pool))
    return makeError(Failure::BadInput, "",
                     fmt::format("a tile of {}x{} takes {} VGPRs in pairs of neighbouring banks, "
                                 "which are not free",
                                 spec.rows, spec.columns, tileVgprs(spec)));
  return plan;
}

void TilePlan::releaseFragments(RegisterPool &pool) const {
  const auto release = [&](Source source, const std::vector<std::vector<Vgpr>> &sets) {
    for (size_t set = 0; set < sets.size(); ++set)
      for (size_t pair = 0; pair < sets[set].size(); ++pair)
        if (source == Source::Vgpr || set < std::max(spec_.fragments, 1u) ||
            pair + 1 == sets[set].size())
          pool.release(sets[set][pair], 2);
  };
  release(spec_.a, a_);
  release(spec_.b, b_);
}

unsigned TilePlan::aSet(unsigned pair, unsigned step) const {
  if (spec_.a == Source::Vgpr)
    return step % spec_.steps;
  if (hasCorner() && pair + 1 == rowPairs())
    return step % 2;
  return step % spec_.fragments;
}

unsigned TilePlan::bSet(unsigned pair, unsigned step) const {
  if (spec_.b == Source::Vgpr)
    return step % spec_.steps;
  if (hasCorner() && pair + 1 == columnPairs())
    return step % 2;
  return step % spec_.fragments;
}

unsigned TilePlan::aScalar(unsigned step) const {
  return spec_.firstScalar + step % 2 * scalarsPerSet(spec_);
}

VopdSource TilePlan::a(unsigned row, unsigned parity, unsigned step) const {
  if (spec_.a == Source::Scalar)
    return {VopdSource::Kind::Scalar, aScalar(step) + row};
  const bool isCopied = row + 1 == spec_.rows && spec_.rows % 2 == 1;
  return {VopdSource::Kind::Vgpr, aPair(row / 2, step).number + (isCopied ? parity : row % 2)};
}

Vgpr TilePlan::b(unsigned column, unsigned parity, unsigned step) const {
  const bool isCopied = column + 1 == spec_.columns && spec_.columns % 2 == 1;
  return {static_cast<uint8_t>(bPair(column / 2, step).number + (isCopied ? parity : column % 2))};
}

//===----------------------------------------------------------------------===//
// FMACs
//===----------------------------------------------------------------------===//

VopdHalf TilePlan::half(Vgpr c, VopdSource a, Vgpr b) const {
  return {Op::v_fmac_f32, c, a, {VopdSource::Kind::Vgpr, b.number}, std::nullopt};
}

unsigned TilePlan::cornerAt(unsigned step, unsigned steps) const {
  // It moves in the second of two steps; what is left of an odd number has none.
  const unsigned moves = std::min(step, steps / 2 * 2) / 2;
  return moves % 2;
}

Vgpr TilePlan::accumulator(unsigned row, unsigned column, unsigned step, unsigned steps) const {
  if (hasCorner() && row + 1 == spec_.rows && column + 1 == spec_.columns)
    return corner_[cornerAt(step, steps)];
  return c_[row * spec_.columns + column];
}

std::optional<CornerMove> TilePlan::restore(unsigned steps) const {
  if (!hasCorner() || cornerAt(steps, steps) == 0)
    return std::nullopt;
  return CornerMove{corner_[0], corner_[1]};
}

FmacPair TilePlan::pair(const Place &p, unsigned step, unsigned steps) const {
  // An element that is there twice goes by the parity of the half's other factor's column (row).
  const unsigned b0 = p.column0 == p.column1 ? 0 : p.column0 % 2, b1 = 1 - b0;
  const unsigned a0 = p.row0 == p.row1 ? 0 : p.row0 % 2, a1 = 1 - a0;
  return {half(accumulator(p.row0, p.column0, step, steps), a(p.row0, a0, step),
               b(p.column0, b0, step)),
          half(accumulator(p.row1, p.column1, step, steps), a(p.row1, a1, step),
               b(p.column1, b1, step))};
}

VopdHalf TilePlan::corner(unsigned step, unsigned steps, unsigned parity) const {
  // In the second of two steps it is where the next two steps find it.
  const unsigned at = cornerAt(step % 2 == 1 ? step + 1 : step, steps);
  return half(corner_[at], a(spec_.rows - 1, parity, step), b(spec_.columns - 1, parity, step));
}

/// In a double step the corner of the first pairs with one FMAC of the second, and that of the
/// second with the partner of this one: both of the last row's first place.
StepOps TilePlan::ops(unsigned step, unsigned steps) const {
  StepOps result;
  const bool isSecond = hasCorner() && step % 2 == 1;
  std::optional<TileOp> last;
  for (const Place &place : places_) {
    const FmacPair whole = pair(place, step, steps);
    const bool isPartner = isSecond && place.row0 + 1 == spec_.rows && !last;
    if (!isPartner) {
      result.own.push_back(whole);
      continue;
    }
    // Its halves are of column parity 0 and 1, and so are their accumulators and factors.
    const unsigned at = cornerAt(step - 1, steps);
    const VopdHalf &first = at == 0 ? whole.y : whole.x, &second = at == 0 ? whole.x : whole.y;
    result.carried = {FmacPair{first, corner(step - 1, steps, at)},
                      CornerMove{corner_[1 - at], corner_[at]}};
    last = FmacPair{second, corner(step, steps, 1 - at)};
  }
  if (last)
    result.own.push_back(*last);
  if (hasCorner() && step % 2 == 0 && step + 1 == steps)
    result.own.push_back(SingleFmac{corner(step, steps, 0)});
  return result;
}

} // namespace rdna::generate
