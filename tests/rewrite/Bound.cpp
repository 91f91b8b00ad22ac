#include "Bound.h"

#include "Asm/Lane.h"
#include "Matching.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

namespace rdna::rewrite {

namespace {

using NodeSet = std::vector<uint64_t>;

/// Values by number: everything that has to stay in one register, because an FMAC updates it in
/// place, has one number.
using ValueId = uint32_t;

struct Half {
  LaneOp op;
  ValueId dst = 0, src0 = 0, src1 = 0; ///< 0: no VGPR.
};

struct Node {
  uint32_t instruction = 0;
  std::optional<Half> half;
  std::vector<uint32_t> preds;
  NodeSet ancestors;
};

bool isFma(Op op) { return op == Op::v_fmac_f32 || op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32; }

/// A lane operation that a VOPD slot can hold in some choice of registers: its addend is its
/// destination, and one of its two sources is a VGPR.
bool fitsSlot(LaneOp op) {
  if (op.addend && *op.addend != op.dst)
    return false;
  return asVopdHalf(op).has_value() || (swapped(op) && asVopdHalf(*swapped(op)));
}

/// True dependences of one block, from the operands alone.
class Graph {
public:
  Graph(const Module &module, const Block &block) : module_(module) {
    for (ValueId &value : value_)
      value = ++values_;
    for (uint32_t i = block.first; i < block.last; ++i)
      add(module.instructions()[i]);
    const size_t words = (nodes_.size() + 63) / 64;
    for (Node &node : nodes_) {
      node.ancestors.assign(words, 0);
      for (const uint32_t p : node.preds) {
        for (size_t w = 0; w < words; ++w)
          node.ancestors[w] |= nodes_[p].ancestors[w];
        node.ancestors[p / 64] |= uint64_t{1} << (p % 64);
      }
    }
  }

  const std::vector<Node> &nodes() const { return nodes_; }
  bool independent(uint32_t a, uint32_t b) const {
    const auto has = [&](uint32_t node, uint32_t ancestor) {
      return (nodes_[node].ancestors[ancestor / 64] >> (ancestor % 64) & 1) != 0;
    };
    return !has(a, b) && !has(b, a);
  }

private:
  void add(const Instruction &inst) {
    const auto lanes = laneOps(inst);
    if (lanes.empty() || (lanes.size() == 1 && !fitsSlot(lanes[0]))) {
      addWhole(inst);
      return;
    }
    // Both halves read before either writes.
    const auto first = static_cast<uint32_t>(nodes_.size());
    for (const LaneOp &lane : lanes) {
      Half half{lane, 0, 0, 0};
      if (lane.src0.isVgpr())
        half.src0 = value_[lane.src0.value];
      if (lane.op != Op::v_mov_b32 && lane.src1.isVgpr())
        half.src1 = value_[lane.src1.value];
      const uint32_t n = newNode(inst);
      nodes_[n].half = half;
      readLane(n, lane);
      orderVector(n);
    }
    for (uint32_t n = first; n < nodes_.size(); ++n) {
      Half &half = *nodes_[n].half;
      const unsigned reg = half.op.dst.number;
      if (!half.op.addend)
        value_[reg] = ++values_;
      half.dst = value_[reg];
      writer_[reg] = n;
    }
  }

  void readLane(uint32_t n, const LaneOp &lane) {
    for (const VopdSource &source : {lane.src0, lane.src1}) {
      if (source.isVgpr())
        read(n, RegUnit::vgpr(source.value));
      if (source.kind == VopdSource::Kind::Scalar)
        readScalar(n, source.value == 253 ? kScc : RegUnit::scalar(source.value));
    }
    if (lane.addend)
      read(n, RegUnit::vgpr(lane.addend->number));
    if (lane.op == Op::v_cndmask_b32)
      readScalar(n, kVccLo);
  }

  void addWhole(const Instruction &inst) {
    const uint32_t n = newNode(inst);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
        if (!access.reads())
          continue;
        if (unit.isVgpr())
          read(n, unit);
        else
          readScalar(n, unit);
      }
    if (inst.isValu() || inst.memory != MemoryEffect::None)
      orderVector(n);
    if (inst.memory != MemoryEffect::None || inst.unit == Unit::Barrier)
      orderMemory(n, inst);
    // What changes the meaning of all vector instructions stays where it is.
    if (inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi) || inst.writesUnit(kMode) ||
        inst.op == Op::unknown) {
      for (uint32_t p = fence_.value_or(0); p < n; ++p)
        nodes_[n].preds.push_back(p);
      fence_ = n;
    }
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
        if (!access.writes() || unit.isNull())
          continue;
        if (!unit.isVgpr())
          writeScalar(n, unit);
        else if (access.access == Access::Write && !isTied(inst, access))
          value_[unit.index] = ++values_;
        writer_[unit.index] = n;
      }
  }

  static bool isTied(const Instruction &inst, const RegAccess &access) {
    return std::any_of(inst.operands.begin(), inst.operands.end(), [&](const Operand &operand) {
      return access.operand >= 0 && operand.tiedTo == access.operand;
    });
  }

  uint32_t newNode(const Instruction &inst) {
    nodes_.push_back({inst.index, {}, {}, {}});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  void after(uint32_t n, std::optional<uint32_t> p) {
    if (p && *p != n)
      nodes_[n].preds.push_back(*p);
  }
  void read(uint32_t n, RegUnit unit) { after(n, writer_[unit.index]); }
  /// Scalar registers are not renamed: a write waits for the readers of the old value.
  void readScalar(uint32_t n, RegUnit unit) {
    read(n, unit);
    readers_[unit.index].push_back(n);
  }
  void writeScalar(uint32_t n, RegUnit unit) {
    after(n, writer_[unit.index]);
    for (const uint32_t reader : readers_[unit.index])
      after(n, reader);
    readers_[unit.index].clear();
  }
  void orderVector(uint32_t n) { after(n, fence_); }

  /// Loads may pass loads; nothing else passes a store, an atomic or a barrier. One memory for all
  /// address spaces but LDS: FLAT is both.
  void orderMemory(uint32_t n, const Instruction &inst) {
    const bool barrier = inst.unit == Unit::Barrier || inst.unit == Unit::Flat;
    for (const size_t space : {0, 1}) {
      if (!barrier && (space == 0) != (inst.unit == Unit::Lds))
        continue;
      after(n, stores_[space]);
      if (inst.memory == MemoryEffect::Load) {
        loads_[space].push_back(n);
        continue;
      }
      for (const uint32_t load : loads_[space])
        after(n, load);
      loads_[space].clear();
      stores_[space] = n;
    }
  }

  const Module &module_;
  std::vector<Node> nodes_;
  std::array<ValueId, 256> value_{};
  ValueId values_ = 0;
  std::array<std::optional<uint32_t>, kRegUnits> writer_;
  std::array<std::vector<uint32_t>, kRegUnits> readers_; ///< Scalars, since the last write.
  std::optional<uint32_t> fence_;
  std::array<std::optional<uint32_t>, 2> stores_;
  std::array<std::vector<uint32_t>, 2> loads_;
};

/// May two operations share an instruction in some choice of slots, source order and registers,
/// without conflict and hazard?
class PairLaw {
public:
  bool allows(const Half &a, const Half &b) {
    const std::string key = signature(a, b);
    const auto [it, isNew] = known_.try_emplace(key, false);
    if (isNew)
      it->second = tryAll(a, b);
    return it->second;
  }

private:
  static std::string signature(const Half &a, const Half &b) {
    std::string key;
    const auto number = [&](uint32_t value) {
      key.append(reinterpret_cast<const char *>(&value), sizeof value);
    };
    std::array<ValueId, 6> ids{a.dst, a.src0, a.src1, b.dst, b.src0, b.src1};
    for (size_t i = 0; i < ids.size(); ++i)
      key +=
          ids[i] == 0
              ? 'x'
              : static_cast<char>('0' + (std::find(ids.begin(), ids.end(), ids[i]) - ids.begin()));
    for (const Half *half : {&a, &b}) {
      number(static_cast<uint32_t>(half->op.op));
      for (const VopdSource &source : {half->op.src0, half->op.src1}) {
        number(static_cast<uint32_t>(source.kind));
        number(source.isVgpr() ? 0 : source.value);
      }
      number(half->op.constant.value_or(0));
    }
    return key;
  }

  static bool tryAll(const Half &a, const Half &b) {
    std::vector<ValueId> values;
    for (const Half *half : {&a, &b})
      for (const ValueId value : {half->dst, half->src0, half->src1})
        if (value != 0 && std::find(values.begin(), values.end(), value) == values.end())
          values.push_back(value);
    for (uint32_t choice = 0; choice < 1u << (2 * values.size()); ++choice) {
      const auto registerOf = [&](ValueId value) {
        const auto index =
            static_cast<uint32_t>(std::find(values.begin(), values.end(), value) - values.begin());
        return static_cast<uint8_t>(4 * index + (choice >> (2 * index) & 3));
      };
      const auto renamed = [&](const Half &half) {
        LaneOp op = half.op;
        op.dst.number = registerOf(half.dst);
        if (op.addend)
          op.addend = op.dst;
        if (half.src0 != 0)
          op.src0.value = registerOf(half.src0);
        if (half.src1 != 0)
          op.src1.value = registerOf(half.src1);
        return op;
      };
      if (tryRegisters(renamed(a), renamed(b)))
        return true;
    }
    return false;
  }

  static std::vector<VopdHalf> forms(const LaneOp &op) {
    std::vector<VopdHalf> result;
    if (const auto half = asVopdHalf(op))
      result.push_back(*half);
    if (const auto other = swapped(op))
      if (const auto half = asVopdHalf(*other))
        result.push_back(*half);
    return result;
  }

  static bool tryRegisters(const LaneOp &a, const LaneOp &b) {
    for (const VopdHalf &x : forms(a))
      for (const VopdHalf &y : forms(b))
        if (fits(x, y) || fits(y, x))
          return true;
    return false;
  }

  static bool fits(const VopdHalf &x, const VopdHalf &y) {
    return !whyNotDual(x, y) && !hasParityHazard(x, y) && sourceBankConflicts(x, y) == 0;
  }

  std::map<std::string, bool> known_;
};

struct Pairs {
  unsigned all = 0, fmacs = 0;
};

/// Most pairs, and among the choices that reach that, most pairs of two FMACs.
Pairs mostPairs(const Graph &graph, PairLaw &law, const std::vector<uint32_t> &nodes) {
  const auto isFmac = [&](uint32_t index) {
    return graph.nodes()[nodes[index]].half->op.op == Op::v_fmac_f32;
  };
  const int64_t pair = static_cast<int64_t>(nodes.size()) + 1;
  PairGraph pairs(static_cast<uint32_t>(nodes.size()));
  for (uint32_t i = 0; i < nodes.size(); ++i)
    for (uint32_t j = i + 1; j < nodes.size(); ++j)
      if (graph.independent(nodes[i], nodes[j]) &&
          law.allows(*graph.nodes()[nodes[i]].half, *graph.nodes()[nodes[j]].half))
        pairs.connect(i, j, pair + (isFmac(i) && isFmac(j) ? 1 : 0));
  Pairs result;
  for (const auto &[i, j] : heaviestMatching(pairs)) {
    ++result.all;
    result.fmacs += isFmac(i) && isFmac(j) ? 1 : 0;
  }
  return result;
}

} // namespace

BlockBound boundOf(const Module &module, const Block &block) {
  const Graph graph(module, block);
  PairLaw law;
  BlockBound bound;
  std::vector<uint32_t> lanes, fmacs;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node &node = graph.nodes()[n];
    const Instruction &inst = module.instructions()[node.instruction];
    if (!node.half) {
      bound.fmas += isFmaFamily(inst) ? 1 : 0;
      bound.valu += inst.isValu() ? 1 : 0;
      continue;
    }
    lanes.push_back(n);
    bound.fmas += isFma(node.half->op.op) ? 1 : 0;
    if (node.half->op.op == Op::v_fmac_f32)
      fmacs.push_back(n);
  }
  bound.laneOperations = static_cast<unsigned>(lanes.size());
  bound.dualFmac = mostPairs(graph, law, fmacs).all;
  const Pairs best = mostPairs(graph, law, lanes);
  bound.singleFmac = bound.fmas - 2 * best.fmacs;
  bound.valu += bound.laneOperations - best.all;
  return bound;
}

} // namespace rdna::rewrite
