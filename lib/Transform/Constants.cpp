#include "Transform/Constants.h"

#include "Analysis/Dataflow.h"
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
  const bool narrows = inst.op == Op::s_and_saveexec_b32 ||
                       inst.op == Op::s_and_not0_saveexec_b32 || isCompareToExec(inst.op);
  if ((inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi)) && !narrows)
    known.fill(std::nullopt);
}

namespace {

/// A block that is not reached has no state, and agrees with everything.
struct ConstantVgprs : DataflowProblem<std::optional<KnownVgprs>, Direction::Forward> {
  State boundary(uint32_t block) const { return block == 0 ? State(KnownVgprs{}) : State(); }
  void join(State &into, const State &from, Edge) const {
    if (!into)
      into = from;
    else if (from)
      for (unsigned v = 0; v < 256; ++v)
        if ((*into)[v] != (*from)[v])
          (*into)[v].reset();
  }
  void apply(uint32_t block, State &state) const {
    if (state)
      forEach(block, [&](const Instruction &inst) { transfer(inst, *state); });
  }
};

} // namespace

ConstantFacts findConstants(const FunctionContext &context) {
  ConstantVgprs problem{{context.module, context.cfg}};
  const auto states = solve(context.cfg, problem);
  ConstantFacts facts;
  for (size_t b = 0; b < context.cfg.blocks.size(); ++b) {
    facts.in.push_back(states.atStart[b].value_or(KnownVgprs{}));
    facts.out.push_back(states.atEnd[b].value_or(KnownVgprs{}));
  }
  return facts;
}

} // namespace rdna
