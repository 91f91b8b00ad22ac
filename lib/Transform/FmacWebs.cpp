#include "Transform/FmacWebs.h"

#include "Transform/PairForms.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>

namespace rdna {

namespace {

/// The operands of one instruction.
struct OperandWebs {
  const Module &module;
  llvm::ArrayRef<OperandWeb> entries;

  enum class As : uint8_t { Result, Source };
  /// The web of a register among them.
  WebId webOf(uint32_t reg, As as) const {
    for (const OperandWeb &entry : entries) {
      const Operand &operand = module.instructions()[entry.inst].operands[entry.operand];
      if ((operand.cls == Operand::Class::Def) == (as == As::Result) &&
          operand.reg.first.index + entry.dword == reg)
        return entry.web;
    }
    return kNoWeb;
  }
  WebId webOf(const VopdSource &source) const {
    return source.isVgpr() ? webOf(source.value, As::Source) : kNoWeb;
  }
};

/// Tuples that grow together as instructions name them.
class TupleFinder {
public:
  explicit TupleFinder(const FunctionWebs &webs)
      : tupleOf_(webs.home.size()), root_(webs.home.size()), stays_(webs.pinned) {
    for (WebId w = 0; w < root_.size(); ++w)
      tupleOf_[root_[w] = w] = {w};
  }

  void stay(WebId w) { stays_[w] = 1; }

  /// `second` stands right behind `first`. What does not fit together so stays.
  void join(WebId first, WebId second) {
    const WebId a = root_[first], b = root_[second];
    if (a == b) {
      const auto at = llvm::find(tupleOf_[a], first);
      stays_[a] |= std::next(at) == tupleOf_[a].end() || *std::next(at) != second;
      return;
    }
    if (tupleOf_[a].back() != first || tupleOf_[b].front() != second)
      stays_[first] = stays_[second] = 1;
    for (const WebId w : tupleOf_[b])
      root_[w] = a;
    tupleOf_[a].insert(tupleOf_[a].end(), tupleOf_[b].begin(), tupleOf_[b].end());
    tupleOf_[b].clear();
  }

  std::vector<std::vector<WebId>> take() {
    std::vector<std::vector<WebId>> all;
    for (WebId w = 0; w < root_.size(); ++w)
      if (root_[w] == w && llvm::none_of(tupleOf_[w], [&](WebId m) { return stays_[m] != 0; }))
        all.push_back(std::move(tupleOf_[w]));
    return all;
  }

private:
  std::vector<std::vector<WebId>> tupleOf_; ///< By root.
  std::vector<WebId> root_;
  std::vector<uint8_t> stays_;
};

} // namespace

std::vector<FmacWebs> findFmacs(const FactorSite &site) {
  const Module &module = site.module;
  std::vector<FmacWebs> all;
  const llvm::ArrayRef<OperandWeb> operands(site.webs.operands);
  for (size_t e = 0; e < operands.size();) {
    const Instruction &inst = module.instructions()[operands[e].inst];
    const size_t first = e;
    while (e < operands.size() && operands[e].inst == inst.index)
      ++e;
    const OperandWebs here{module, operands.slice(first, e - first)};
    for (const LaneOp &lane : laneOps(inst))
      if (lane.op == Op::v_fmac_f32 || (lane.op == Op::v_mul_f32 && site.products == Products::All))
        all.push_back({lane, site.cfg.blockOf(inst.index),
                       here.webOf(lane.dst.number, OperandWebs::As::Result), here.webOf(lane.src0),
                       here.webOf(lane.src1)});
  }
  return all;
}

bool isBoundPair(const Instruction &inst) { return inst.isVopd() && !canBeTakenApart(inst); }

std::vector<std::vector<WebId>> findTuples(const Module &module, const FunctionWebs &webs,
                                           llvm::function_ref<bool(const OperandWeb &)> isApart,
                                           BoundPairs boundPairs) {
  TupleFinder finder(webs);
  for (size_t e = 0; e < webs.operands.size(); ++e) {
    const OperandWeb &entry = webs.operands[e];
    const Instruction &inst = module.instructions()[entry.inst];
    if (inst.operands[entry.operand].reg.half != Half::Whole ||
        (boundPairs == BoundPairs::Stay && isBoundPair(inst)))
      finder.stay(entry.web);
    if (entry.dword != 0 && !isApart(entry))
      finder.join(webs.operands[e - 1].web, entry.web);
  }
  return finder.take();
}

void takeCouples(const CoupleCounts &counts, std::vector<uint8_t> &isCoupled,
                 llvm::function_ref<bool(WebId, WebId)> take) {
  std::vector<std::pair<unsigned, std::pair<WebId, WebId>>> byCount;
  for (const auto &[couple, count] : counts)
    byCount.emplace_back(count, couple);
  llvm::stable_sort(byCount, [](const auto &x, const auto &y) { return x.first > y.first; });
  for (const auto &[count, couple] : byCount)
    if (!isCoupled[couple.first] && !isCoupled[couple.second] && take(couple.first, couple.second))
      isCoupled[couple.first] = isCoupled[couple.second] = 1;
}

} // namespace rdna
