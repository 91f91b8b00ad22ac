#include "Emu/CheckHazards.h"

#include "Asm/Lane.h"
#include "Emu/GroupRunner.h"
#include "Isa/Vopd.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

// Beyond these, the result has arrived (LLVM fixVALUTransUseHazard).
constexpr unsigned mostValus = 5, mostTranscendentals = 1;

int64_t firstImmediate(const Instruction &inst) {
  for (const rdna::Operand &operand : inst.operands)
    if (operand.kind == rdna::Operand::Kind::Immediate)
      return operand.imm;
  return 0;
}

/// These wait for all VALU results before they issue; so does the wait for VA_VDST = 0.
bool waitsForResults(const InstPlan &plan) {
  const Unit unit = plan.facts.unit;
  return isVmem(unit) || unit == Unit::Lds ||
         (plan.facts.op == Op::s_waitcnt_depctr && (firstImmediate(plan.facts) >> 12 & 15) == 0);
}

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

bool isWmma(const InstPlan &plan) { return plan.name().starts_with("v_wmma"); }

} // namespace

HazardCheck::HazardCheck(CheckContext &context) : context_(context) {
  vgprs_ = ((context.launch.program->image().rsrc1 & 63) + 1) * 8;
  for (unsigned v = vgprs_; v < 256; ++v)
    beyond_.add({RegUnit::vgpr(v), 1});
  for (unsigned trap = 108; trap < 124; ++trap)
    beyond_.add({RegUnit::scalar(trap), 1});
}

void HazardCheck::report(const Wave &w, const InstPlan &plan, const char *rule,
                         const InstPlan *other, std::string message, std::string fix) {
  Sighting s{};
  s.check = Check::Hazards;
  s.rule = rule;
  s.offset = plan.offset;
  if (other)
    s.otherOffset = other->offset;
  s.wave = w.number;
  context_.log.add(std::move(s), [&](Sighting &sighting) {
    sighting.message = std::move(message);
    sighting.fix = std::move(fix);
  });
}

void HazardCheck::registers(const Wave &w, const InstPlan &plan) {
  RegSet touched = plan.reads;
  touched |= plan.writes;
  const int unit = touched.firstCommon(beyond_);
  if (unit < 0)
    return;
  Sighting s{};
  s.check = Check::Registers;
  s.rule = unit < 256 ? "vgpr-not-allocated" : "trap-register";
  s.offset = plan.offset;
  s.wave = w.number;
  context_.log.add(std::move(s), [&](Sighting &sighting) {
    const std::string name = toString(RegUnit{uint16_t(unit)});
    if (unit >= 256) {
      sighting.message = fmt::format("{} belongs to the trap handler", name);
      return;
    }
    // The file is allocated in blocks of 24 (ISA 3.3.2.1), the descriptor counts blocks of 8.
    const bool lucky = unsigned(unit) < (vgprs_ + 23) / 24 * 24;
    sighting.message = fmt::format("{} is beyond the {} VGPRs that the descriptor declares{}", name,
                                   vgprs_, lucky ? " (hardware's block of 24 still holds it)" : "");
    sighting.fix = fmt::format(".amdhsa_next_free_vgpr {} or more", unit + 1);
  });
}

void HazardCheck::step(const Wave &w, const InstPlan &plan) {
  WaveState &state = waves_[w.number];
  if (waitsForResults(plan))
    state.pending.clear();
  if (!plan.facts.isValu())
    return;
  if (plan.facts.isVopd()) {
    const auto halves = vopdHalves(plan.facts);
    if (halves && hasParityHazard(halves->first, halves->second)) [[unlikely]]
      report(w, plan, "vopd-parity", nullptr,
             "two sources of one slot are different VGPRs of the same parity: hardware can lose an "
             "interlock and read stale data",
             "vgpr-remap --repair-hazards");
  }
  if (!state.pending.empty() || plan.facts.unit == Unit::Trans)
    stepTrans(w, plan, state);
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
  const bool trans = plan.facts.unit == Unit::Trans;
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
  const std::string_view name = plan.name();
  if (plan.facts.op == Op::v_mad_u64_u32 || plan.facts.op == Op::v_mad_i64_i32) {
    const RegSet destination = registersOfOperand(plan.facts, 0);
    for (const rdna::Operand *source : sources(plan.facts)) {
      RegSet read;
      if (source->isReg())
        read.add(source->reg);
      if (read.intersects(destination))
        report(w, plan, "mad64-overlap", nullptr,
               fmt::format("destination {} overlaps source {}: wrong result on gfx1100",
                           toString(plan.facts.operands[0].reg), toString(source->reg)),
               "another destination");
    }
  } else if (name.starts_with("v_permlane")) {
    if (before.name().starts_with("v_cmpx"))
      report(w, plan, "cmpx-permlane", &before,
             "depends on a v_cmpx through EXEC without a VALU instruction in between",
             "any VALU instruction between the two, such as v_mov_b32 of a register to itself");
  } else if (isWmma(plan) && isWmma(before) && &before != &plan) {
    const auto list = sources(plan.facts);
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

} // namespace rdna::emu
