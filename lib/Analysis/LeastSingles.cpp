#include "Analysis/LeastSingles.h"

#include "Analysis/MostPairs.h"
#include "Asm/Lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace rdna {
namespace {

/// So many FMAs of one block are looked at exactly; of more, only the longest chain: what each
/// needs takes memory by their square.
constexpr unsigned kMostExact = 4096;

/// What a register's value follows from, within the block.
struct OddOrigin {
  llvm::BitVector fmas; ///< Those that it needs, with those that they need.
  unsigned chain = 0;   ///< The most of them that need each other.
  unsigned steps = 0;   ///< Of the sum that it is.
  void add(const OddOrigin &other) {
    fmas |= other.fmas;
    chain = std::max(chain, other.chain);
  }
};

/// The FMAs of one block under one EXEC.
class Meeting {
public:
  void add(const Instruction &inst) {
    if (inst.isVopd()) {
      addHalves(inst);
      return;
    }
    // All results of an instruction depend on all of its sources.
    OddOrigin sources;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d)
        sources.add(origins_[access.reg.first.index + d]);
    if (isFmaFamily(inst)) {
      const auto lanes = laneOps(inst);
      // Without lanes it has a modifier, and adds to itself.
      addFma(sources, lanes.empty() ? inst.operands[0].reg.first.index : addendOf(lanes[0]));
    }
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        origins_[access.reg.first.index + d] = sources;
  }

  void finish(LeastSingles &sum) {
    const unsigned odd = fmas_ % 2;
    const auto leaves = [&](unsigned steps) {
      return 2 * steps > fmas_ ? 2 * steps - fmas_ - odd : 0;
    };
    const unsigned chained = leaves(longestSum_);
    const unsigned all =
        fmas_ > kMostExact ? leaves(longestChain_) : fmas_ - 2 * mostPairs(needs_) - odd;
    sum.odd += odd;
    sum.chained += chained;
    sum.dependent += all - chained;
    *this = {};
  }

private:
  static std::optional<unsigned> addendOf(const LaneOp &lane) {
    if (lane.op == Op::v_fmamk_f32 && lane.src1.isVgpr())
      return lane.src1.value;
    return lane.addend ? std::optional<unsigned>(lane.addend->number) : std::nullopt;
  }

  /// One more FMA, of these sources: they become its result.
  void addFma(OddOrigin &result, std::optional<unsigned> addend) {
    result.steps = 1 + (addend ? origins_[*addend].steps : 0);
    ++result.chain;
    longestSum_ = std::max(longestSum_, result.steps);
    longestChain_ = std::max(longestChain_, result.chain);
    if (fmas_ < kMostExact) {
      needs_.push_back(result.fmas);
      result.fmas.resize(fmas_ + 1);
      result.fmas.set(fmas_);
    }
    ++fmas_;
  }

  /// Both read before either writes, and each depends on its own sources only.
  void addHalves(const Instruction &inst) {
    llvm::SmallVector<std::pair<unsigned, OddOrigin>, 2> results;
    for (const LaneOp &lane : laneOps(inst)) {
      OddOrigin result;
      for (const VopdSource &source : {lane.src0, lane.src1})
        if (source.isVgpr())
          result.add(origins_[source.value]);
      if (lane.addend)
        result.add(origins_[lane.addend->number]);
      if (isVopdFma(lane.op))
        addFma(result, addendOf(lane));
      results.emplace_back(lane.dst.number, std::move(result));
    }
    for (auto &[reg, result] : results)
      origins_[reg] = std::move(result);
  }

  std::array<OddOrigin, kRegUnits> origins_{};
  std::vector<llvm::BitVector> needs_; ///< By FMA.
  unsigned fmas_ = 0, longestSum_ = 0, longestChain_ = 0;
};

} // namespace

std::string toText(const LeastSingles &least) {
  std::string text;
  const auto add = [&](uint64_t count, const char *what) {
    if (count != 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(least.odd, "of an odd number in a block");
  add(least.chained, "in a row on one accumulator");
  add(least.dependent, "in other chains");
  return text;
}

LeastSingles leastSingles(const Module &module, const Cfg &cfg,
                          llvm::ArrayRef<uint32_t> instructions) {
  LeastSingles sum;
  Meeting meeting;
  std::optional<uint32_t> block;
  for (const uint32_t index : instructions) {
    const Instruction &inst = module.instructions()[index];
    const uint32_t here = cfg.blockOf(index);
    if (block != here || inst.writesUnit(kExecLo))
      meeting.finish(sum);
    block = here;
    meeting.add(inst);
  }
  meeting.finish(sum);
  return sum;
}

} // namespace rdna
