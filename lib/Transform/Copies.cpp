#include "Transform/Copies.h"

#include "Asm/GlobalAddress.h"
#include "Asm/Lane.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Symbolic/BlockValues.h"

#include <map>

namespace rdna {

/// The VGPRs that single registers are copied from anywhere, by destination.
static std::map<unsigned, std::vector<unsigned>> copiesOf(const Module &module, const Cfg &cfg) {
  std::map<unsigned, std::vector<unsigned>> copies;
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i)
      for (const LaneOp &lane : laneOps(module.instructions()[i]))
        if (lane.op == Op::v_mov_b32 && lane.src0.isVgpr() && lane.src0.value != lane.dst.number)
          copies[lane.dst.number].push_back(lane.src0.value);
  return copies;
}

/// The operand that holds a one-dword address.
static std::optional<unsigned> addressOperand(const Instruction &inst) {
  if (inst.origin != Instruction::Origin::Text)
    return std::nullopt;
  if (const auto global = globalAddress(inst))
    return global->base ? std::optional(global->vector) : std::nullopt;
  if (inst.unit != Unit::Lds || inst.memory == MemoryEffect::None)
    return std::nullopt;
  for (unsigned k = 0; k < inst.operands.size(); ++k)
    if (inst.operands[k].cls == Operand::Class::Source) // The first one.
      return inst.operands[k].isReg() && inst.operands[k].reg.dwords == 1 &&
                     inst.operands[k].reg.first.isVgpr()
                 ? std::optional(k)
                 : std::nullopt;
  return std::nullopt;
}

std::vector<TextEdit> forwardAddressCopies(const Module &module, const Cfg &cfg) {
  std::vector<TextEdit> edits;
  const auto copies = copiesOf(module, cfg);
  if (copies.empty())
    return edits;
  verify::ExprPool pool;
  verify::BlockValues values(module, cfg, pool);
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const Block &block = cfg.blocks[b];
    if (!block.reachable)
      continue;
    verify::State state = values.atStart(b);
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      const auto operand = addressOperand(inst);
      const auto it = operand ? copies.find(inst.operands[*operand].reg.first.index) : copies.end();
      const verify::Value exec = state[kExecLo];
      if (it != copies.end())
        for (const unsigned source : it->second)
          if (pool.within(state.reg[source], exec) == pool.within(state.reg[it->first], exec)) {
            auto changed = renamed(module, inst, [&](const Operand &, int index, Vgpr old) {
              return index == int(*operand) ? Vgpr{static_cast<uint8_t>(source)} : old;
            });
            if (changed)
              edits.push_back(replacement(inst, std::move(*changed)));
            break;
          }
      values.execute(state, inst);
    }
  }
  return edits;
}

} // namespace rdna
