#include "Transform/Schedule.h"

#include "Isa/Vopd.h"

namespace rdna {

std::vector<Slot> slotsAsWritten(const RegionModel &region) {
  std::vector<Slot> slots;
  for (uint32_t n = 0; n < region.nodes.size(); ++n) {
    const bool isLane = region.nodes[n].kind == Node::Kind::Lane;
    if (isLane && n > 0 && region.nodes[n - 1].kind == Node::Kind::Lane &&
        region.nodes[n - 1].inst == region.nodes[n].inst) {
      slots.back().kind = Slot::Kind::Pair;
      slots.back().y = n;
    } else {
      slots.push_back({isLane ? Slot::Kind::Single : Slot::Kind::Other, n, 0});
    }
  }
  return slots;
}

static VopdHalf halfAtHome(const WebOp &op, Slot::Sources sources) {
  VopdHalf half{op.lane.op, op.lane.dst, op.lane.src0, op.lane.src1, op.lane.constant};
  if (sources == Slot::Sources::Swapped) {
    std::swap(half.src0, half.src1);
    if (swapKind(half.op) == Swap::OtherOp)
      half.op = half.op == Op::v_sub_f32 ? Op::v_subrev_f32 : Op::v_sub_f32;
  }
  return half;
}

std::optional<Schedule> repairInPlace(const RegionModel &region) {
  Schedule result;
  for (const Web &web : region.webs)
    result.bank.push_back(static_cast<int8_t>(web.home.number & 3));
  const auto reads = [&](uint32_t reader, uint32_t writer) {
    const Vgpr written = region.nodes[writer].op.lane.dst;
    const WebOp &op = region.nodes[reader].op;
    for (const WebId w : {op.src0, op.src1})
      if (w != kNoWeb && region.webs[w].home == written)
        return true;
    return false;
  };
  for (uint32_t n = 0; n < region.nodes.size(); ++n) {
    const Node &node = region.nodes[n];
    const bool pair = node.kind == Node::Kind::Lane && n + 1 < region.nodes.size() &&
                      region.nodes[n + 1].inst == node.inst;
    if (!pair) {
      result.slots.push_back(
          {node.kind == Node::Kind::Lane ? Slot::Kind::Single : Slot::Kind::Other, n, 0});
      result.cost.issues += node.kind == Node::Kind::Lane;
      continue;
    }
    const WebOp &x = node.op, &y = region.nodes[n + 1].op;
    std::optional<Slot> found;
    for (const auto xs : {Slot::Sources::AsIs, Slot::Sources::Swapped})
      for (const auto ys : {Slot::Sources::AsIs, Slot::Sources::Swapped}) {
        if (found || (xs == Slot::Sources::Swapped && !canSwap(x)) ||
            (ys == Slot::Sources::Swapped && !canSwap(y)))
          continue;
        const VopdHalf hx = halfAtHome(x, xs), hy = halfAtHome(y, ys);
        if (!whyNotDual(hx, hy) && !hasParityHazard(hx, hy))
          found = Slot{Slot::Kind::Pair, n, n + 1, xs, ys};
      }
    if (found) {
      result.slots.push_back(*found);
      ++result.cost.issues;
    } else {
      // Both read before either writes: the one whose result the other still reads comes last.
      const bool yFirst = reads(n + 1, n);
      if (yFirst && reads(n, n + 1))
        return std::nullopt;
      result.slots.push_back({Slot::Kind::Single, yFirst ? n + 1 : n, 0});
      result.slots.push_back({Slot::Kind::Single, yFirst ? n : n + 1, 0});
      result.cost.issues += 2;
    }
    ++n;
  }
  return result;
}

} // namespace rdna
