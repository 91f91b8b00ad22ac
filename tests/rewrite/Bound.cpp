#include "Bound.h"

#include "Dependences.h"
#include "Exhaustive.h"
#include "Matching.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace rdna::rewrite {

namespace {

bool isFmaOp(Op op) {
  return op == Op::v_fmac_f32 || op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32;
}

/// May two operations share an instruction in some choice of slots, source order and registers,
/// without conflict and hazard?
class PairLaw {
public:
  explicit PairLaw(const Dependences &graph) : graph_(graph) {}
  bool allows(const Half &a, const Half &b) {
    const auto [it, isNew] = known_.try_emplace(signature(a, b), false);
    if (isNew)
      it->second = tryAll(a, b);
    return it->second;
  }

private:
  static constexpr uint32_t kNoTuple = ~0u;
  struct Register {
    uint32_t tuple = kNoTuple; ///< Index among the pair's tuples.
    unsigned offset = 0;
  };
  using Registers = std::array<Register, 6>;

  /// The tuples that the values of the pair belong to, numbered as they appear.
  Registers registersOf(const Half &a, const Half &b, uint32_t &count) const {
    Registers result;
    std::vector<uint32_t> tuples;
    const std::array<ValueId, 6> values{a.dst, a.src0, a.src1, b.dst, b.src0, b.src1};
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] == kNoValue)
        continue;
      const Dependences::Place place = graph_.place(values[i]);
      const auto at = std::find(tuples.begin(), tuples.end(), place.tuple);
      result[i] = {static_cast<uint32_t>(at - tuples.begin()), place.offset};
      if (at == tuples.end())
        tuples.push_back(place.tuple);
    }
    count = static_cast<uint32_t>(tuples.size());
    return result;
  }

  /// Everything that the answer depends on.
  std::string signature(const Half &a, const Half &b) const {
    std::string key;
    const auto number = [&](uint32_t value) {
      key.append(reinterpret_cast<const char *>(&value), sizeof value);
    };
    uint32_t count = 0;
    for (const Register &reg : registersOf(a, b, count)) {
      number(reg.tuple);
      number(reg.offset);
    }
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

  bool tryAll(const Half &a, const Half &b) const {
    uint32_t tuples = 0;
    const Registers registers = registersOf(a, b, tuples);
    for (uint32_t banks = 0; banks < 1u << (2 * tuples); ++banks) {
      const auto registerOf = [&](size_t i) {
        const auto [tuple, offset] = registers[i];
        return static_cast<uint8_t>(32 * tuple + (banks >> (2 * tuple) & 3) + offset);
      };
      const auto renamed = [&](const Half &half, size_t first) {
        LaneOp op = half.op;
        op.dst.number = registerOf(first);
        if (op.addend)
          op.addend = op.dst;
        if (half.src0 != kNoValue)
          op.src0.value = registerOf(first + 1);
        if (half.src1 != kNoValue)
          op.src1.value = registerOf(first + 2);
        return op;
      };
      if (tryRegisters(renamed(a, 0), renamed(b, 3)))
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

  const Dependences &graph_;
  std::map<std::string, bool> known_;
};

/// Which lane operations may share an instruction.
class Pairing {
public:
  Pairing(const Dependences &graph, std::vector<uint32_t> lanes)
      : graph_(graph), lanes_(std::move(lanes)), legal_(lanes_.size() * lanes_.size()) {
    PairLaw law(graph);
    for (size_t i = 0; i < lanes_.size(); ++i)
      for (size_t j = i + 1; j < lanes_.size(); ++j)
        legal_[i * lanes_.size() + j] = legal_[j * lanes_.size() + i] =
            graph.independent(lanes_[i], lanes_[j]) && law.allows(half(i), half(j));
  }

  /// Counts of a matching that is best in one and as good as possible in the other.
  IssueCounts match(Priority priority) const {
    const auto many = static_cast<int64_t>(lanes_.size()) + 1;
    PairGraph pairs(static_cast<uint32_t>(lanes_.size()));
    for (uint32_t i = 0; i < lanes_.size(); ++i)
      for (uint32_t j = i + 1; j < lanes_.size(); ++j) {
        const bool fmacs = isFma(i) && isFma(j);
        if (legal(i, j))
          pairs.connect(i, j, priority == Priority::Issues ? many + fmacs : 1 + fmacs * many);
      }
    IssueCounts counts{static_cast<unsigned>(lanes_.size()), 0};
    for (size_t i = 0; i < lanes_.size(); ++i)
      counts.singles += isFma(i) ? 1 : 0;
    for (const auto &[i, j] : heaviestMatching(pairs)) {
      --counts.issues;
      counts.singles -= isFma(i) && isFma(j) ? 2 : 0;
    }
    return counts;
  }

  std::vector<SearchNode> searchNodes() const {
    std::vector<SearchNode> nodes(lanes_.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].costAlone = isFma(i) ? 1 : 0;
      for (size_t j = 0; j < nodes.size(); ++j) {
        const uint64_t bit = uint64_t{1} << j;
        if (i == j)
          continue;
        if (graph_.mustPrecede(lanes_[j], lanes_[i]))
          nodes[i].before |= bit;
        if (graph_.mustNotFollow(lanes_[j], lanes_[i]))
          nodes[i].notAfter |= bit;
        if (legal(i, j))
          nodes[i].partners |= bit;
        if (legal(i, j) && isFma(i) && isFma(j))
          nodes[i].fmacPartners |= bit;
      }
    }
    return nodes;
  }

private:
  const Half &half(size_t i) const { return *graph_.nodes()[lanes_[i]].half; }
  bool isFma(size_t i) const { return isFmaOp(half(i).op.op); }
  bool legal(size_t i, size_t j) const { return legal_[i * lanes_.size() + j] != 0; }

  const Dependences &graph_;
  std::vector<uint32_t> lanes_;
  std::vector<uint8_t> legal_;
};

/// Steps of the search; a fraction of a second.
constexpr uint64_t kSearchSteps = 400'000;

BestCounts best(const Pairing &pairing, unsigned lanes, Priority priority) {
  IssueCounts counts = pairing.match(priority);
  BestCounts result;
  if (lanes <= 64)
    if (const auto found = fewestIssues(pairing.searchNodes(), counts, priority, kSearchSteps)) {
      counts = *found;
      result.method = BestCounts::Method::Search;
    }
  result.valu = counts.issues;
  result.singleFmac = counts.singles;
  return result;
}

} // namespace

BlockBound boundOf(const Module &module, const Cfg &cfg, uint32_t block) {
  const Dependences graph(module, cfg, block);
  BlockBound bound;
  std::vector<uint32_t> lanes;
  unsigned others = 0, otherFmas = 0;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node &node = graph.nodes()[n];
    const Instruction &inst = module.instructions()[node.instruction];
    if (node.half) {
      lanes.push_back(n);
      bound.fmas += isFmaOp(node.half->op.op) ? 1 : 0;
    } else {
      otherFmas += isFmaFamily(inst) ? 1 : 0;
      others += inst.isValu() ? 1 : 0;
    }
  }
  bound.fmas += otherFmas;
  bound.laneOperations = static_cast<unsigned>(lanes.size());
  const Pairing pairing(graph, lanes);
  bound.fewestValu = best(pairing, bound.laneOperations, Priority::Issues);
  bound.fewestSingles = best(pairing, bound.laneOperations, Priority::Singles);
  for (BestCounts *counts : {&bound.fewestValu, &bound.fewestSingles}) {
    counts->valu += others;
    counts->singleFmac += otherFmas;
  }
  return bound;
}

} // namespace rdna::rewrite
