#include "Emu/Check/Misuse.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

int64_t firstImmediate(const Instruction &inst) {
  for (const rdna::Operand &operand : inst.operands)
    if (operand.kind == rdna::Operand::Kind::Immediate)
      return operand.imm;
  return 0;
}

} // namespace

void MisuseCheck::before(Record &record) {
  const Wave &w = record.wave();
  const InstPlan &plan = *record.plan();
  WaveState &state = waves_[w.number];
  if (state.dealloc && !plan.is(traitEnd)) {
    report(w, plan, "dealloc-vgprs", state.dealloc,
           "follows the message that gives the VGPRs back; only s_endpgm may", "");
    state.dealloc = nullptr;
  }
  if (state.left)
    member(w, plan, state);
  if (plan.is(traitClause))
    startClause(w, plan, state);
  else if (plan.is(traitDealloc))
    dealloc(w, plan, state);
  else if (w.exec() == 0 && plan.is(traitVectorMemory) && plan.counters)
    report(w, plan, "memory-without-lanes", nullptr,
           "executes with EXEC = 0: it moves nothing, and takes its time all the same",
           "s_cbranch_execz around it");
  state.last = &plan;
}

void MisuseCheck::startClause(const Wave &w, const InstPlan &plan, WaveState &state) {
  const unsigned length = (unsigned(firstImmediate(plan.facts())) & 63) + 1;
  if (length == 1 || length == 64)
    report(w, plan, "clause-length", nullptr,
           fmt::format("a clause of {} instructions; legal are 2 to 63", length), "");
  state.clause = &plan;
  state.left = length;
  state.kind = {};
}

void MisuseCheck::member(const Wave &w, const InstPlan &plan, WaveState &state) {
  --state.left;
  if (plan.is(traitIdle) && !state.kind.empty())
    return;
  const std::string_view kind = clauseKind(plan.facts());
  if (state.kind.empty())
    state.kind = kind;
  if (!kind.empty() && kind == state.kind)
    return;
  state.left = 0;
  report(w, plan, "clause-members", state.clause,
         kind.empty() ? std::string("no clause may hold this instruction")
                      : fmt::format("a {} in a clause of {}", kind, state.kind),
         "a shorter s_clause");
}

void MisuseCheck::dealloc(const Wave &w, const InstPlan &plan, WaveState &state) {
  if (!state.last || !state.last->is(traitIdle))
    report(w, plan, "dealloc-vgprs", nullptr,
           "gfx11 needs an s_nop before the message that gives the VGPRs back",
           "s_nop 0 before it");
  context_.queues[w.number].forEach([&](const PendingOp &op) {
    if (op.plan->facts().unit == Unit::Scratch && op.plan->kind != AccessKind::Read)
      report(w, plan, "dealloc-vgprs", op.plan,
             "gives the VGPRs back while a scratch store is in flight",
             waitText(context_.queues[w.number].neededFor(op)) + " before it");
  });
  state.dealloc = &plan;
}

std::unique_ptr<Listener> createMisuseCheck(CheckContext &context) {
  return std::make_unique<MisuseCheck>(context);
}

} // namespace rdna::emu
