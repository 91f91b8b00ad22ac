#include "Transform/Constants.h"

#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

namespace rdna {

static void transfer(const Instruction &inst, KnownVgprs &known) {
  llvm::SmallVector<std::pair<unsigned, std::optional<uint32_t>>, 2> values;
  for (const LaneOp &lane : laneOps(inst)) {
    if (lane.op != Op::v_mov_b32)
      continue;
    std::optional<uint32_t> value;
    if (lane.src0.isVgpr())
      value = known[lane.src0.value];
    else if (lane.src0.kind == VopdSource::Kind::Inline ||
             lane.src0.kind == VopdSource::Kind::Literal)
      value = lane.src0.value;
    values.emplace_back(lane.dst.number, value);
  }
  const VgprSet written = vgprWrites(inst);
  for (unsigned v = 0; v < 256; ++v)
    if (written.test(v))
      known[v].reset();
  for (const auto &[reg, value] : values)
    known[reg] = value;
  // What is known holds in the lanes that are active; a wider EXEC adds lanes that nobody wrote.
  const bool narrows = inst.op == Op::s_and_saveexec_b32 || isCompareToExec(inst.op);
  if ((inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi)) && !narrows)
    known.fill(std::nullopt);
}

ConstantFacts findConstants(const FunctionContext &context) {
  const size_t count = context.cfg.blocks.size();
  ConstantFacts facts;
  facts.in.resize(count);
  facts.out.resize(count);
  std::vector<uint8_t> reached(count, 0);
  if (count == 0)
    return facts;
  // Optimistic: a block not reached yet agrees with everything.
  reached[0] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < count; ++b) {
      if (!reached[b])
        continue;
      KnownVgprs state = facts.in[b];
      for (uint32_t i = context.cfg.blocks[b].first; i < context.cfg.blocks[b].last; ++i)
        transfer(context.module.instructions()[i], state);
      facts.out[b] = state;
      for (const uint32_t s : context.cfg.blocks[b].successors) {
        if (!reached[s]) {
          reached[s] = 1;
          facts.in[s] = state;
          changed = true;
          continue;
        }
        // (Block 0 starts with nothing known, and stays so.)
        for (unsigned v = 0; v < 256; ++v)
          if (facts.in[s][v] && facts.in[s][v] != state[v]) {
            facts.in[s][v].reset();
            changed = true;
          }
      }
    }
  }
  return facts;
}

} // namespace rdna
