#include "Emu/Check/Hazards.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

// Beyond these, the result has arrived (LLVM fixVALUTransUseHazard).
constexpr unsigned mostValus = 5, mostTranscendentals = 1;

RegSet registersOfOperand(const Instruction &inst, size_t operand) {
  RegSet set;
  if (operand < inst.operands.size() && inst.operands[operand].isReg())
    set.add(inst.operands[operand].reg);
  return set;
}

/// The sources of an instruction, in order.
std::vector<const rdna::Operand *> sources(const Instruction &inst) {
  std::vector<const rdna::Operand *> list;
  for (const rdna::Operand &operand : inst.operands)
    if (operand.cls == rdna::Operand::Class::Source)
      list.push_back(&operand);
  return list;
}

} // namespace

void HazardCheck::before(Record &record) {
  const Wave &w = record.wave();
  const InstPlan &plan = *record.plan();
  WaveState &state = waves_[w.number];
  if (plan.is(traitDrains))
    state.pending.clear();
  if (!plan.is(traitValu))
    return;
  if (plan.is(traitVopdParity)) [[unlikely]]
    report(w, plan, "vopd-parity", nullptr,
           "two sources of one slot are different VGPRs of the same parity: hardware can lose an "
           "interlock and read stale data",
           "vgpr-remap --repair-hazards");
  if (!state.pending.empty() || plan.is(traitTrans))
    stepTrans(w, plan, state);
  constexpr uint16_t rare = traitMad64 | traitPermlane | traitWmma;
  if (plan.traits & rare)
    stepPairs(w, plan, state.lastValu ? *state.lastValu : plan);
  state.lastValu = &plan;
}

void HazardCheck::stepTrans(const Wave &w, const InstPlan &plan, WaveState &state) {
  for (Pending &p : state.pending)
    if (const int unit = p.plan->writes.firstCommon(plan.reads); unit >= 0 && unit < 256)
      report(w, plan, "trans-use", p.plan,
             fmt::format("reads {} too soon after a transcendental wrote it",
                         toString(RegUnit{uint16_t(unit)})),
             "s_waitcnt_depctr 0xf9f before it");
  const bool trans = plan.is(traitTrans);
  for (Pending &p : state.pending) {
    ++p.valus;
    p.transcendentals += trans;
  }
  std::erase_if(state.pending, [&](const Pending &p) {
    return p.valus > mostValus || p.transcendentals > mostTranscendentals ||
           p.plan->writes.intersects(plan.writes);
  });
  if (trans)
    state.pending.push_back({&plan, 0, 0});
}

void HazardCheck::stepPairs(const Wave &w, const InstPlan &plan, const InstPlan &before) {
  if (plan.is(traitMad64)) {
    const RegSet destination = registersOfOperand(plan.facts(), 0);
    for (const rdna::Operand *source : sources(plan.facts())) {
      RegSet read;
      if (source->isReg())
        read.add(source->reg);
      if (read.intersects(destination))
        report(w, plan, "mad64-overlap", nullptr,
               fmt::format("destination {} overlaps source {}: wrong on gfx11 if that part of the "
                           "source counts",
                           toString(plan.facts().operands[0].reg), toString(source->reg)),
               "another destination");
    }
  } else if (plan.is(traitPermlane)) {
    if (before.is(traitCmpx))
      report(w, plan, "cmpx-permlane", &before,
             "depends on a v_cmpx through EXEC without a VALU instruction in between",
             "any VALU instruction between the two, such as v_mov_b32 of a register to itself");
  } else if (plan.is(traitWmma) && before.is(traitWmma) && &before != &plan) {
    const auto list = sources(plan.facts());
    for (size_t k = 0; k < std::min<size_t>(list.size(), 2); ++k) {
      RegSet factor;
      if (list[k]->isReg())
        factor.add(list[k]->reg);
      if (factor.intersects(before.writes))
        report(w, plan, "wmma-use", &before,
               fmt::format("reads {} as a factor directly after a WMMA wrote it",
                           toString(list[k]->reg)),
               "v_nop or an independent VALU instruction between the two");
    }
  }
}

std::unique_ptr<Listener> createHazardsCheck(CheckContext &context) {
  return std::make_unique<HazardCheck>(context);
}

} // namespace rdna::emu
