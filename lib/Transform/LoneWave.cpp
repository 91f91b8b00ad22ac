#include "Transform/LoneWave.h"

#include "Asm/Latency.h"
#include "Transform/Schedule.h"

namespace rdna {

/// Of a load from LDS until the wait for it lets go (docs/hardware.md: a trace); LLVM says 20.
static constexpr unsigned kLdsLatency = 33;
/// From the issue of a vector instruction to the wave's next issue to LDS or memory: some 6 until
/// it executes, and 9 (VectorToMemory of Timing/Constants.def, from traces).
static constexpr unsigned kVectorToMemory = 15;
/// Transcendentals run at a quarter of the rate (docs/hardware.md).
static constexpr unsigned kTransIssue = 4;

LoneWave::LoneWave(const Module &module, const RegionModel &region, Compares compares)
    : module_(module), region_(region), compares_(compares),
      resources_(region.webs.size() + kRegUnits) {
  for (const Node &node : region.nodes)
    facts_.push_back(factsOf(node));
}

LoneWave::Facts LoneWave::factsOf(const Node &node) const {
  const Instruction &inst = module_.instructions()[node.inst];
  Facts facts;
  if (const auto wait = region_.orderWaits.find(node.inst); wait != region_.orderWaits.end()) {
    facts.wait = &wait->second;
    facts.issue = compares_ == Compares::Orders ? 0 : 1;
    return facts;
  }
  const auto other = [&](const RegAccess &access, auto &into) {
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)}; !unit.isVgpr())
        into.push_back(static_cast<uint32_t>(region_.webs.size()) + unit.index);
  };
  for (const RegAccess &access : inst.accesses) {
    if (access.reads())
      other(access, facts.reads);
    if (access.writes())
      other(access, facts.writes);
  }
  if (node.kind == Node::Kind::Lane) {
    for (const WebId w : {node.op.src0, node.op.src1, node.op.addend})
      if (w != kNoWeb)
        facts.reads.push_back(w);
    if (node.op.dst != kNoWeb)
      facts.writes.push_back(node.op.dst);
  } else {
    const auto first = std::lower_bound(
        region_.operandWebs.begin(), region_.operandWebs.end(), node.inst,
        [](const OperandWeb &entry, uint32_t wanted) { return entry.inst < wanted; });
    for (auto it = first; it != region_.operandWebs.end() && it->inst == node.inst; ++it)
      (inst.operands[it->operand].cls == Operand::Class::Def ? facts.writes : facts.reads)
          .push_back(it->web);
  }
  facts.isVector = inst.isValu();
  facts.waitsForVector =
      compares_ == Compares::Orders && (isVmem(inst.unit) || inst.unit == Unit::Lds);
  facts.latency = modelLatency(module_, inst, 0);
  if (inst.unit == Unit::Trans)
    facts.issue = kTransIssue;
  if (inst.memory == MemoryEffect::Load) {
    facts.queue = isVmem(inst.unit) ? Queue::Vector : Queue::LdsAndScalar;
    if (inst.unit == Unit::Lds)
      facts.latency = kLdsLatency;
  }
  return facts;
}

uint64_t LoneWave::Run::startOf(llvm::ArrayRef<uint32_t> nodes) const {
  uint64_t at = now_;
  for (const uint32_t n : nodes) {
    const Facts &facts = model_.facts_[n];
    for (const uint32_t r : facts.reads)
      at = std::max(at, ready_[r]);
    if (facts.waitsForVector)
      at = std::max(at, memoryFrom_);
    if (facts.wait)
      at = std::max(at, completeFor(*facts.wait));
  }
  return at;
}

void LoneWave::Run::issue(llvm::ArrayRef<uint32_t> nodes) {
  const uint64_t at = startOf(nodes);
  now_ = at;
  for (const uint32_t n : nodes) {
    const Facts &facts = model_.facts_[n];
    now_ = std::max(now_, at + facts.issue);
    if (facts.isVector)
      memoryFrom_ = at + kVectorToMemory;
    uint64_t ready = at + facts.latency;
    if (facts.queue != Queue::None) {
      uint64_t &last = last_[facts.queue == Queue::Vector ? 0 : 1];
      last = ready = std::max(last, ready);
      loads_.emplace_back(model_.region_.nodes[n].inst, ready);
    }
    for (const uint32_t r : facts.writes)
      ready_[r] = ready;
  }
  issued_ += now_ - at;
  std::erase_if(loads_, [this](const auto &load) { return load.second <= now_; });
}

uint64_t LoneWave::Run::completeFor(const OrderWait &wait) const {
  uint64_t time = 0;
  for (const auto &[inst, ready] : loads_)
    if (std::find(wait.covered.begin(), wait.covered.end(), inst) != wait.covered.end())
      time = std::max(time, ready);
  return time;
}

LoneWave::Clocks LoneWave::of(const std::vector<Slot> &slots) const {
  Run run(*this);
  const auto once = [&] {
    for (const Slot &slot : slots)
      if (slot.kind == Slot::Kind::Pair)
        run.issue({slot.x, slot.y});
      else
        run.issue(slot.x);
  };
  once();
  if (!region_.isLoopBody)
    return {(run.now() + run.complete()) / 2, run.issued()};
  const uint64_t first = run.now(), issued = run.issued();
  once();
  const uint64_t end = compares_ == Compares::Orders ? (run.now() + run.complete()) / 2 : run.now();
  return {end - first, issued};
}

LoneWave::Clocks LoneWave::asWritten() const { return of(slotsAsWritten(region_)); }

} // namespace rdna
