#include "Transform/FactorCopies.h"

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

/// A value, and the instructions of the block that are to read its copy, in their order.
struct Copied {
  Vgpr value;
  std::vector<uint32_t> uses;
};

/// An operation that could read a copy of one of its factors.
struct CopyUse {
  LaneOp lane;
  unsigned factor = 0; ///< 0 or 1: src0 or src1, a VGPR.
  VopdSource &source() { return factor == 0 ? lane.src0 : lane.src1; }
  const VopdSource &other() const { return factor == 0 ? lane.src1 : lane.src0; }
};

std::optional<CopyUse> copyUse(const Instruction &inst, CopyOf which) {
  if (which == CopyOf::Negated) {
    const auto negated = asNegatedFmac(inst);
    return negated ? std::optional(CopyUse{negated->lane, negated->factor}) : std::nullopt;
  }
  const auto lanes = laneOps(inst);
  if (inst.isVopd() || lanes.size() != 1 ||
      (lanes[0].op != Op::v_fmac_f32 && lanes[0].op != Op::v_mul_f32) ||
      lanes[0].src0.isVgpr() == lanes[0].src1.isVgpr())
    return std::nullopt;
  return CopyUse{lanes[0], lanes[0].src0.isVgpr() ? 0U : 1U};
}

class BlockCopies {
public:
  BlockCopies(const Module &module, const Cfg &cfg, const Liveness &liveness,
              const CopyRequest &request, FactorCopies &result)
      : module_(module), cfg_(cfg), liveness_(liveness), request_(request), result_(result) {}

  void run(uint32_t block) {
    const Block &range = cfg_.blocks[block];
    std::vector<Copied> found = find(range);
    llvm::erase_if(found, [&](const Copied &c) { return c.uses.size() < request_.leastUses; });
    if (found.empty())
      return;
    walk(range, block);
    for (Copied &copied : found) {
      if (request_.which == CopyOf::Scaled)
        copied.uses = everyOther(copied.uses);
      const auto home = homeOf(copied);
      if (!home)
        continue;
      ++result_.values;
      result_.producers.push_back(copied.uses.front());
      result_.vgprs = std::max(result_.vgprs, home->number + 1U);
      for (const uint32_t use : copied.uses)
        result_.edits.push_back(replacement(
            inst(use), written(use, *home, use == copied.uses.front() ? Copy::Here : Copy::Done)));
    }
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  CopyUse use(uint32_t i) const { return *copyUse(inst(i), request_.which); }

  /// Those that are to read the copy, so that half of them do: destinations of one parity, if there
  /// are both, because partners have different ones.
  std::vector<uint32_t> everyOther(const std::vector<uint32_t> &uses) const {
    std::vector<uint32_t> odd, second;
    for (size_t n = 0; n < uses.size(); ++n) {
      if (use(uses[n]).lane.dst.number % 2 != 0)
        odd.push_back(uses[n]);
      if (n % 2 != 0)
        second.push_back(uses[n]);
    }
    const bool hasBoth = 4 * odd.size() >= uses.size() && 4 * odd.size() <= 3 * uses.size();
    return hasBoth ? odd : second;
  }

  /// A value is as good as its register's last write; EXEC is the same at all of its uses.
  std::vector<Copied> find(const Block &block) const {
    std::vector<Copied> found;
    std::array<std::optional<size_t>, 256> open;
    for (uint32_t i = block.first; i < block.last; ++i) {
      auto here = copyUse(inst(i), request_.which);
      if (here && inst(i).origin != Instruction::Origin::Macro) {
        const Vgpr value{static_cast<uint8_t>(here->source().value)};
        auto &at = open[value.number];
        if (!at || liveness_.epochOf(found[*at].uses.front()) != liveness_.epochOf(i)) {
          at = found.size();
          found.push_back({value, {}});
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

  std::optional<Vgpr> homeOf(const Copied &copied) {
    const uint32_t first = copied.uses.front(), last = copied.uses.back();
    const bool isNegated = request_.which == CopyOf::Negated;
    const unsigned parity = isNegated ? request_.parity : 1U - copied.value.number % 2U;
    VgprSet taken = liveBefore(first);
    bool isOwn = isNegated && !liveBehind(last)[copied.value.number];
    for (uint32_t i = first; i <= last; ++i) {
      taken |= liveBehind(i) | busy_[i - first_];
      taken |= vgprWrites(inst(i));
      if (vgprReads(inst(i))[copied.value.number])
        isOwn = isOwn && llvm::is_contained(copied.uses, i) && readsOnlyCopy(i, copied.value);
    }
    std::optional<Vgpr> home;
    if (isOwn)
      home = copied.value;
    unsigned fewest = ~0U;
    for (unsigned v = 0; !isOwn && v < request_.budget; ++v)
      if (!taken[v] && (isNegated || v % 2 == parity)) {
        const unsigned cost = 2 * conflictsAt(v, copied) + (v % 2 == parity ? 0 : 1);
        if (cost < fewest) {
          fewest = cost;
          home = Vgpr{static_cast<uint8_t>(v)};
        }
      }
    for (uint32_t i = first; home && i <= last; ++i)
      busy_[i - first_].set(home->number);
    return home;
  }

  /// Uses whose other factor is in the register's bank.
  unsigned conflictsAt(unsigned reg, const Copied &copied) const {
    return static_cast<unsigned>(llvm::count_if(copied.uses, [&](uint32_t i) {
      const CopyUse here = use(i);
      return here.other().isVgpr() && here.other().value % 4 == reg % 4;
    }));
  }

  bool readsOnlyCopy(uint32_t i, Vgpr value) const {
    const CopyUse here = use(i);
    return here.lane.dst != value && !(here.other().isVgpr() && here.other().value == value.number);
  }

  /// The operation, behind what makes the copy if it is the value's first.
  enum class Copy : uint8_t { Here, Done };
  Code written(uint32_t i, Vgpr home, Copy copy) const {
    CopyUse here = use(i);
    Code code;
    if (copy == Copy::Here) {
      LaneOp producer;
      producer.dst = home;
      if (request_.which == CopyOf::Negated) {
        producer.op = Op::v_add_nc_u32;
        producer.src0 = {VopdSource::Kind::Literal, kSignBit};
        producer.src1 = here.source();
      } else {
        producer.op = Op::v_mov_b32;
        producer.src0 = here.source();
      }
      code = buildLane(producer);
      (code += lineEnding(module_)) += "\t";
    }
    here.source().value = home.number;
    return code + buildLane(here.lane);
  }

  const Module &module_;
  const Cfg &cfg_;
  const Liveness &liveness_;
  const CopyRequest &request_;
  FactorCopies &result_;
  uint32_t first_ = 0;
  std::vector<VgprSet> live_; ///< By instruction of the block, in front of it; one more at the end.
  std::vector<VgprSet> busy_; ///< By instruction: homes of copies.
};

} // namespace

std::optional<uint32_t> FactorCopies::oldOf(uint32_t instruction) const {
  const auto producer = llvm::lower_bound(producers, instruction);
  if (producer != producers.end() && *producer == instruction)
    return std::nullopt;
  return instruction - static_cast<uint32_t>(producer - producers.begin());
}

std::optional<FactorCopies> copyFactors(const Module &module, const Cfg &cfg,
                                        const Liveness &liveness, const CopyRequest &request) {
  FactorCopies result;
  for (const uint32_t b : request.blocks)
    if (cfg.blocks[b].reachable)
      BlockCopies(module, cfg, liveness, request, result).run(b);
  if (result.values == 0)
    return std::nullopt;
  auto derived = derive(module, result.edits);
  if (!derived) { // It was worth a try.
    llvm::consumeError(derived.takeError());
    return std::nullopt;
  }
  result.module = std::move(*derived);
  result.cfg = buildCfg(*result.module, cfg.functionIndex);
  llvm::sort(result.producers);
  for (uint32_t n = 0; n < result.producers.size(); ++n)
    result.producers[n] += n; // As many stand in front of it.
  return result;
}

} // namespace rdna
