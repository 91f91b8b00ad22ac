#include "Analysis/LeastSingles.h"

#include "Asm/Lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace rdna {
namespace {

/// The FMAs of one block under one EXEC.
class Meeting {
public:
  void add(const Instruction &inst) {
    // All results of an instruction depend on all of its sources.
    unsigned before = 0;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d)
        before = std::max(before, chains_[access.reg.first.index + d]);
    llvm::SmallVector<std::pair<unsigned, unsigned>, 2> sums; // register and steps of its sum
    if (inst.isVopd() || isFmaFamily(inst)) {
      const auto lanes = laneOps(inst);
      for (const LaneOp &lane : lanes)
        if (isVopdFma(lane.op) || !inst.isVopd())
          sums.emplace_back(lane.dst.number, 1 + stepsOf(addendOf(lane)));
      if (lanes.empty() && !inst.isVopd()) { // It has a modifier, and adds to itself.
        const unsigned sum = inst.operands[0].reg.first.index;
        sums.emplace_back(sum, 1 + stepsOf(sum));
      }
    }
    const unsigned chain = before + (sums.empty() ? 0 : 1);
    if (inst.isVopd())
      addHalves(inst);
    else
      write(inst, chain);
    for (const auto &[sum, steps] : sums) {
      steps_[sum] = steps;
      longestSum_ = std::max(longestSum_, steps);
      ++fmas_;
    }
  }

  void finish(LeastSingles &sum) {
    const unsigned odd = fmas_ % 2;
    const auto leaves = [&](unsigned steps) {
      return 2 * steps > fmas_ ? 2 * steps - fmas_ - odd : 0;
    };
    sum.odd += odd;
    sum.chained += leaves(longestSum_);
    sum.dependent += leaves(longestChain_) - leaves(longestSum_);
    *this = {};
  }

private:
  static std::optional<unsigned> addendOf(const LaneOp &lane) {
    if (lane.op == Op::v_fmamk_f32 && lane.src1.isVgpr())
      return lane.src1.value;
    return lane.addend ? std::optional<unsigned>(lane.addend->number) : std::nullopt;
  }
  unsigned stepsOf(std::optional<unsigned> reg) const { return reg ? steps_[*reg] : 0; }

  void write(const Instruction &inst, unsigned chain) {
    longestChain_ = std::max(longestChain_, chain);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
        const unsigned reg = access.reg.first.index + d;
        chains_[reg] = chain;
        if (reg < steps_.size())
          steps_[reg] = 0;
      }
  }

  /// Both read before either writes, and each depends on its own sources only.
  void addHalves(const Instruction &inst) {
    llvm::SmallVector<std::pair<unsigned, unsigned>, 2> results;
    for (const LaneOp &lane : laneOps(inst)) {
      unsigned before = 0;
      for (const VopdSource &source : {lane.src0, lane.src1})
        if (source.isVgpr())
          before = std::max(before, chains_[source.value]);
      if (lane.addend)
        before = std::max(before, chains_[lane.addend->number]);
      results.emplace_back(lane.dst.number, before + (isVopdFma(lane.op) ? 1 : 0));
    }
    write(inst, 0);
    for (const auto &[reg, chain] : results) {
      chains_[reg] = chain;
      longestChain_ = std::max(longestChain_, chain);
    }
  }

  std::array<unsigned, 256> steps_{};        ///< By VGPR: of the sum that it holds, so far.
  std::array<unsigned, kRegUnits> chains_{}; ///< FMAs behind each other that it needs.
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
