#include "Transform/NegatedFactors.h"

#include "Asm/Lane.h"
#include "Code/Build.h"
#include "Code/Derive.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rdna {
namespace {

constexpr uint32_t kSignBit = 0x80000000;

/// A value and the FMAs of the block that negate it, in their order.
struct Negation {
  Vgpr value;
  std::vector<uint32_t> uses;
};

class BlockNegations {
public:
  BlockNegations(const Module &module, const Cfg &cfg, const Liveness &liveness,
                 const NegationRequest &request, NegatedFactors &result)
      : module_(module), cfg_(cfg), liveness_(liveness), request_(request), result_(result) {}

  void run(uint32_t block) {
    const Block &range = cfg_.blocks[block];
    std::vector<Negation> found = find(range);
    llvm::erase_if(found, [&](const Negation &n) { return n.uses.size() < request_.leastUses; });
    if (found.empty())
      return;
    walk(range, block);
    for (const Negation &negation : found) {
      const auto home = homeOf(negation);
      if (!home)
        continue;
      ++result_.values;
      result_.turns.push_back(negation.uses.front());
      result_.vgprs = std::max(result_.vgprs, home->number + 1U);
      for (const uint32_t use : negation.uses)
        result_.edits.push_back(replacement(
            inst(use),
            written(use, *home, use == negation.uses.front() ? Turn::Here : Turn::Done)));
    }
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  /// A value is as good as its register's last write; EXEC is the same at all of its uses.
  std::vector<Negation> find(const Block &block) const {
    std::vector<Negation> found;
    std::array<std::optional<size_t>, 256> open;
    for (uint32_t i = block.first; i < block.last; ++i) {
      const auto negated = asNegatedFmac(inst(i));
      if (negated && inst(i).origin != Instruction::Origin::Macro) {
        auto &at = open[negated->negated().number];
        if (!at || liveness_.epochOf(found[*at].uses.front()) != liveness_.epochOf(i)) {
          at = found.size();
          found.push_back({negated->negated(), {}});
        }
        found[*at].uses.push_back(i);
      }
      const VgprSet writes = vgprWrites(inst(i));
      for (unsigned v = 0; v < writes.size(); ++v)
        if (writes[v])
          open[v].reset();
    }
    return found;
  }

  /// What is read behind each instruction of the block, and in front of the first.
  void walk(const Block &block, uint32_t index) {
    first_ = block.first;
    live_.assign(block.last - block.first + 1, {});
    busy_.assign(live_.size(), {});
    LiveWalk walk(liveness_, index);
    for (uint32_t i = block.last; i > block.first; --i) {
      live_[i - block.first] = walk.live();
      walk.stepOver(inst(i - 1));
    }
    live_[0] = walk.live();
  }
  const VgprSet &liveBefore(uint32_t i) const { return live_[i - first_]; }
  const VgprSet &liveBehind(uint32_t i) const { return live_[i - first_ + 1]; }

  std::optional<Vgpr> homeOf(const Negation &negation) {
    const uint32_t first = negation.uses.front(), last = negation.uses.back();
    VgprSet taken = liveBefore(first);
    bool isOwn = !liveBehind(last)[negation.value.number];
    for (uint32_t i = first; i <= last; ++i) {
      taken |= liveBehind(i) | busy_[i - first_];
      taken |= vgprWrites(inst(i));
      if (vgprReads(inst(i))[negation.value.number])
        isOwn &= llvm::is_contained(negation.uses, i) && readsOnlyNegated(i, negation.value);
    }
    std::optional<Vgpr> home;
    if (isOwn)
      home = negation.value;
    unsigned fewest = ~0U;
    for (unsigned v = 0; !isOwn && v < request_.budget; ++v)
      if (!taken[v]) {
        const unsigned cost = 2 * conflictsAt(v, negation) + (v % 2 == request_.parity ? 0 : 1);
        if (cost < fewest) {
          fewest = cost;
          home = Vgpr{static_cast<uint8_t>(v)};
        }
      }
    for (uint32_t i = first; home && i <= last; ++i)
      busy_[i - first_].set(home->number);
    return home;
  }

  /// FMAs whose other factor is in the register's bank.
  unsigned conflictsAt(unsigned reg, const Negation &negation) const {
    return static_cast<unsigned>(llvm::count_if(negation.uses, [&](uint32_t use) {
      const NegatedFmac fmac = *asNegatedFmac(inst(use));
      const VopdSource &other = fmac.factor == 0 ? fmac.lane.src1 : fmac.lane.src0;
      return other.isVgpr() && other.value % 4 == reg % 4;
    }));
  }

  bool readsOnlyNegated(uint32_t i, Vgpr value) const {
    const auto fmac = asNegatedFmac(inst(i));
    const VopdSource &other = fmac->factor == 0 ? fmac->lane.src1 : fmac->lane.src0;
    return fmac->lane.dst != value && !(other.isVgpr() && other.value == value.number);
  }

  /// The FMAC, behind the negation if it is the value's first.
  enum class Turn : uint8_t { Here, Done };
  Code written(uint32_t use, Vgpr home, Turn turn) const {
    const NegatedFmac fmac = *asNegatedFmac(inst(use));
    Code code;
    if (turn == Turn::Here) {
      LaneOp negation;
      negation.op = Op::v_add_nc_u32;
      negation.dst = home;
      negation.src0 = {VopdSource::Kind::Literal, kSignBit};
      negation.src1 = {VopdSource::Kind::Vgpr, fmac.negated().number};
      code = buildLane(negation);
      (code += lineEnding(module_)) += "\t";
    }
    LaneOp lane = fmac.lane;
    (fmac.factor == 0 ? lane.src0 : lane.src1).value = home.number;
    return code + buildLane(lane);
  }

  const Module &module_;
  const Cfg &cfg_;
  const Liveness &liveness_;
  const NegationRequest &request_;
  NegatedFactors &result_;
  uint32_t first_ = 0;
  std::vector<VgprSet> live_; ///< By instruction of the block, in front of it; one more at the end.
  std::vector<VgprSet> busy_; ///< By instruction: homes of negated values.
};

} // namespace

std::optional<uint32_t> NegatedFactors::oldOf(uint32_t instruction) const {
  const auto turn = llvm::lower_bound(turns, instruction);
  if (turn != turns.end() && *turn == instruction)
    return std::nullopt;
  return instruction - static_cast<uint32_t>(turn - turns.begin());
}

std::optional<NegatedFactors> separateNegations(const Module &module, const Cfg &cfg,
                                                const Liveness &liveness,
                                                const NegationRequest &request) {
  NegatedFactors result;
  for (const uint32_t b : request.blocks)
    if (cfg.blocks[b].reachable)
      BlockNegations(module, cfg, liveness, request, result).run(b);
  if (result.values == 0)
    return std::nullopt;
  auto derived = derive(module, result.edits);
  if (!derived) { // It was worth a try.
    llvm::consumeError(derived.takeError());
    return std::nullopt;
  }
  result.module = std::move(*derived);
  result.cfg = buildCfg(*result.module, cfg.functionIndex);
  llvm::sort(result.turns);
  for (uint32_t n = 0; n < result.turns.size(); ++n)
    result.turns[n] += n; // As many stand in front of it.
  return result;
}

} // namespace rdna
