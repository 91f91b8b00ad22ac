#include "Generate/LoopSteps.h"

#include "llvm/ADT/bit.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::generate {

/// One element into both registers of a pair: by one load where its offsets have a unit for that.
static void loadTwice(Listing &out, Vgpr to, Vgpr address, unsigned bytes) {
  if (bytes % 4 == 0 && bytes / 4 < 256) {
    out << buildDsLoad2(to, address, bytes / 4, bytes / 4, Stride::One);
  } else if (bytes % 256 == 0 && bytes / 256 < 256) {
    out << buildDsLoad2(to, address, bytes / 256, bytes / 256, Stride::SixtyFour);
  } else {
    out << buildDsLoad(to, 1, address, bytes)
        << buildDsLoad(Vgpr{static_cast<uint8_t>(to.number + 1)}, 1, address, bytes);
  }
}

static void loadSide(Listing &out, const LdsSide &side, unsigned pairs, unsigned at,
                     const std::function<Vgpr(unsigned)> &to) {
  for (unsigned pair = 0; pair < pairs; ++pair) {
    const bool isLast = side.interleave.hasLast() && pair + 1 == pairs;
    const unsigned bytes = at * side.stride + 4 * side.interleave.offset(2 * pair);
    if (isLast)
      loadTwice(out, to(pair), side.lastAddress, bytes);
    else if (side.widest == 4)
      out << buildDsLoad(to(pair++), 4, side.address, bytes);
    else
      out << buildDsLoad(to(pair), 2, side.address, bytes);
  }
}

/// The widest load that ends with the last row; of a buffer one that goes beyond it, if that saves
/// loads: there is room in the set, and what is behind the buffer's end reads 0.
static unsigned scalarLoadSize(unsigned left, unsigned room, ScalarSide::Kind kind) {
  for (const unsigned size : {1u, 2u, 4u, 8u, 16u})
    if (size == left || (size > left && size <= room && kind == ScalarSide::Kind::Buffer))
      return size;
  return std::min(16u, llvm::bit_floor(left));
}

void loadScalars(Listing &out, const TilePlan &plan, const ScalarSide &side, unsigned step,
                 unsigned at) {
  const auto range = [](unsigned first, unsigned dwords) {
    return RegRange{RegUnit::scalar(first), static_cast<uint8_t>(dwords), Half::Whole};
  };
  const auto bufferLoad = [](unsigned dwords) {
    switch (dwords) {
    case 16:
      return Op::s_buffer_load_b512;
    case 8:
      return Op::s_buffer_load_b256;
    case 4:
      return Op::s_buffer_load_b128;
    case 2:
      return Op::s_buffer_load_b64;
    default:
      return Op::s_buffer_load_b32;
    }
  };
  const unsigned rows = plan.spec().rows;
  for (unsigned row = 0; row < rows;) {
    const unsigned to = plan.aScalar(step) + row;
    const unsigned size = scalarLoadSize(rows - row, scalarsPerSet(plan.spec()) - row, side.kind);
    if (side.kind == ScalarSide::Kind::Buffer)
      out << build(bufferLoad(size), {range(to, size), range(side.base, 4), imm(4 * row)});
    else
      out << buildScalarLoad(to, size, side.base, at * side.stride + 4 * row);
    row += size;
  }
  if (side.kind != ScalarSide::Kind::Buffer)
    return;
  out << build(Op::s_add_u32, {sgpr(side.base), sgpr(side.base), sgpr(side.advance)});
  out << build(Op::s_addc_u32, {sgpr(side.base + 1), sgpr(side.base + 1), imm(0)});
}

void loadStep(Listing &out, const TilePlan &plan, const LoopSides &sides, unsigned step,
              unsigned at) {
  if (plan.spec().a == Source::Scalar)
    loadScalars(out, plan, sides.scalarA, step, at);
  if (plan.spec().a == Source::Lds)
    loadSide(out, sides.a, plan.rowPairs(), at, [&](unsigned p) { return plan.aPair(p, step); });
  if (plan.spec().b == Source::Lds)
    loadSide(out, sides.b, plan.columnPairs(), at, [&](unsigned p) { return plan.bPair(p, step); });
}

/// The loads of a step come one step early if there is a second set of registers for them.
void writeSteps(Listing &out, const TilePlan &plan, const LoopSides &sides, unsigned steps,
                CornerAtEnd corner, const BesideStep &beside) {
  const TileSpec &spec = plan.spec();
  const bool loads = spec.a != Source::Vgpr || spec.b != Source::Vgpr;
  const bool isEarly = spec.fragments == 2 || spec.a == Source::Scalar;
  if (loads && isEarly)
    loadStep(out, plan, sides, 0, 0);
  for (unsigned step = 0; step < steps; ++step) {
    out.comment(fmt::format("step {}", step));
    if (loads && !isEarly)
      loadStep(out, plan, sides, step, step);
    if (beside && !isEarly)
      beside(out, step);
    if (loads)
      out << buildWait({.vm = {}, .lgkm = 0, .exp = {}});
    const StepOps ops = plan.ops(step, steps);
    for (const TileOp &op : ops.carried)
      out << instruction(op);
    if (loads && isEarly && step + 1 < steps)
      loadStep(out, plan, sides, step + 1, step + 1);
    if (beside && isEarly)
      beside(out, step);
    for (const TileOp &op : ops.own)
      out << instruction(op);
  }
  if (const auto move = plan.restore(steps); move && corner == CornerAtEnd::Home)
    out << instruction(*move);
}

} // namespace rdna::generate
