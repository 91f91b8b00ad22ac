// What the halves of an instruction read and write, and which operations may be halves of one.

#include "Transform/Schedule.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace rdna {

HalfPorts portsOf(const WebOp &op, Slot::Sources sources) {
  HalfPorts ports;
  ports.dst = op.dst;
  ports.src0 = op.src0;
  ports.src1 = op.src1;
  if (sources == Slot::Sources::Swapped)
    std::swap(ports.src0, ports.src1);
  if (op.lane.op == Op::v_fmamk_f32) {
    ports.src2 = ports.src1;
    ports.src1 = kNoWeb;
  } else if (op.addend != kNoWeb) {
    ports.src2 = op.dst;
  }
  return ports;
}

bool canSwap(const WebOp &op) {
  return op.src0 != kNoWeb && op.src1 != kNoWeb && op.src0 != op.src1 &&
         swapKind(op.lane.op) != Swap::Never;
}

constexpr int8_t kAnyPort = BankPlan::kAny;

static bool differ(int8_t a, int8_t b) {
  return a == kAnyPort || b == kAnyPort || ((a ^ b) & 1) != 0;
}

bool PortBanks::sourcesFit(const HalfPorts &x, const HalfPorts &y) const {
  const auto fits = [&](WebId a, WebId b) {
    if (a == kNoWeb || b == kNoWeb)
      return true;
    return a != b && bank(a) != kAnyPort && bank(b) != kAnyPort && ((bank(a) ^ bank(b)) & 1) != 0;
  };
  return fits(x.src0, y.src0) && fits(x.src1, y.src1);
}

bool PortBanks::destinationsFit(const HalfPorts &x, const HalfPorts &y) const {
  if (x.dst == y.dst || !differ(bank(x.dst), bank(y.dst)))
    return false;
  return x.src2 == kNoWeb || y.src2 == kNoWeb ||
         (x.src2 != y.src2 && differ(bank(x.src2), bank(y.src2)));
}

unsigned PortBanks::conflicts(const HalfPorts &x, const HalfPorts &y) const {
  std::array<WebId, 4> webs{};
  unsigned count = 0, conflicts = 0;
  for (const WebId w : {x.src0, x.src1, y.src0, y.src1})
    if (w != kNoWeb && std::find(webs.begin(), webs.begin() + count, w) == webs.begin() + count)
      webs[count++] = w;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j)
      conflicts += bank(webs[i]) == bank(webs[j]);
  return conflicts;
}

/// Checked with registers that satisfy all other rules.
bool ScalarPairs::find(uint32_t x, uint32_t y) const {
  const auto half = [&](uint32_t n, uint8_t parity) {
    const LaneOp &lane = region_.nodes[n].op.lane;
    VopdHalf h{lane.op, Vgpr{parity}, lane.src0, lane.src1, lane.constant};
    if (h.src0.isVgpr())
      h.src0.value = parity;
    if (h.src1.isVgpr())
      h.src1.value = parity;
    return h;
  };
  return !whyNotDual(half(x, 0), half(y, 1));
}

ScalarPairs::ScalarPairs(const RegionModel &region) : region_(region) {
  std::vector<uint32_t> lanes;
  for (uint32_t n = 0; n < region.nodes.size(); ++n)
    if (region.nodes[n].kind == Node::Kind::Lane)
      lanes.push_back(n);
  if (lanes.size() > kSmallBlock)
    return;
  known_.resize(region.nodes.size() * region.nodes.size());
  for (const uint32_t x : lanes)
    for (const uint32_t y : lanes)
      known_[x * region.nodes.size() + y] = find(x, y);
}

unsigned conflictsOfOthers(const RegionModel &region, const Module &module,
                           llvm::function_ref<Vgpr(WebId)> registerOf) {
  unsigned conflicts = 0;
  for (const Node &node : region.nodes) {
    const Instruction &inst = module.instructions()[node.inst];
    if (node.kind != Node::Kind::Other || !isFmaFamily(inst))
      continue;
    llvm::SmallVector<Vgpr, 2> factors;
    for (unsigned o = 0; o < inst.operands.size() && factors.size() < 2; ++o)
      if (inst.operands[o].cls == Operand::Class::Source)
        if (const WebId w = region.webAt(node.inst, o, 0); w != kNoWeb)
          factors.push_back(registerOf(w));
    conflicts +=
        factors.size() == 2 && factors[0] != factors[1] && bankOf(factors[0]) == bankOf(factors[1]);
  }
  return conflicts;
}

} // namespace rdna
