#include "Transform/DeadCode.h"

#include "Analysis/ScalarFlow.h"
#include "Asm/Lane.h"
#include "Code/Build.h"
#include "Transform/Hints.h"

#include <algorithm>

namespace rdna {
namespace {

/// Scalars that hardware or other instructions read without saying so.
bool isMachineState(RegUnit unit) {
  return unit == kExecLo || unit == kExecHi || unit == kM0 || unit == kMode ||
         unit == kFlatScratch || unit.index > kMode.index;
}

class Cleaner {
public:
  Cleaner(const Module &module, const Cfg &cfg)
      : module_(module), cfg_(cfg), liveness_(computeLiveness(module, cfg)),
        scalars_(liveScalars(module, cfg)) {}

  DeadCode run() {
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (cfg_.blocks[b].reachable)
        cleanBlock(b);
    return std::move(result_);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  bool isRemovable(const Instruction &instruction) const {
    if (instruction.origin == Instruction::Origin::Macro || instruction.op == Op::unknown ||
        (!instruction.isValu() && instruction.unit != Unit::Salu))
      return false;
    // One of a series (s_getpc_b64 and what adds to it), or with an effect of its own.
    switch (instruction.op) {
    case Op::s_getpc_b64:
    case Op::s_setreg_b32:
    case Op::s_setreg_imm32_b32:
    case Op::s_getreg_b32:
      return false;
    default:
      break;
    }
    bool writes = false;
    for (const RegAccess &access : instruction.accesses)
      for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d) {
        writes = true;
        if (isMachineState({static_cast<uint16_t>(access.reg.first.index + d)}))
          return false;
      }
    return writes && std::none_of(instruction.operands.begin(), instruction.operands.end(),
                                  [](const Operand &operand) {
                                    return operand.kind == Operand::Kind::Expression;
                                  });
  }

  void cleanBlock(uint32_t b) {
    const Block &block = cfg_.blocks[b];
    LiveWalk walk(liveness_, b);
    std::bitset<kRegUnits> live;
    for (const uint32_t s : block.successors)
      live |= scalars_[s];
    const unsigned before = result_.instructions;
    for (uint32_t i = block.last; i-- > block.first;) {
      const Instruction &instruction = inst(i);
      const VgprSet vgprs = walk.live();
      const auto isLive = [&](RegUnit unit) {
        return unit.isVgpr() ? vgprs.test(unit.index) : live.test(unit.index) && !unit.isNull();
      };
      bool needed = !isRemovable(instruction);
      for (const RegAccess &access : instruction.accesses)
        for (unsigned d = 0; d < access.reg.dwords && access.writes() && !needed; ++d)
          needed = isLive({static_cast<uint16_t>(access.reg.first.index + d)});
      if (!needed) {
        result_.edits.push_back(removal(module_, instruction));
        ++result_.instructions;
        continue;
      }
      halve(instruction, vgprs);
      walk.stepOver(instruction);
      stepOverScalars(instruction, live);
    }
    if (result_.instructions != before)
      repairHints(module_, block, clauseLength, result_.edits);
  }

  /// Leaves the half of a pair that somebody reads.
  void halve(const Instruction &instruction, const VgprSet &live) {
    const auto lanes = laneOps(instruction);
    if (!instruction.isVopd() || lanes.size() != 2 ||
        instruction.origin == Instruction::Origin::Macro)
      return;
    for (unsigned n = 0; n < 2; ++n)
      if (!live.test(lanes[n].dst.number) && live.test(lanes[1 - n].dst.number)) {
        result_.edits.push_back(replacement(instruction, buildLane(lanes[1 - n])));
        ++result_.instructions;
      }
  }

  const Module &module_;
  const Cfg &cfg_;
  const Liveness liveness_;
  const std::vector<std::bitset<kRegUnits>> scalars_;
  DeadCode result_;
};

} // namespace

DeadCode removeDeadCode(const Module &module, const Cfg &cfg) { return Cleaner(module, cfg).run(); }

} // namespace rdna
