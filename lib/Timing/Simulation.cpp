#include "Timing/Simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rdna::timing {

using enum Constant;

static constexpr unsigned codeLineBytes = 64;

Simulator::Simulator(const Machine &machine, const Recording &recording, const Residents &residents,
                     const Sharing &sharing, WhatIf what, IssueListener *listener)
    : machine_(machine), recording_(recording), residents_(residents), what_(what),
      listener_(listener), memory_(machine, sharing) {
  simds_.resize(residents.place == Residents::Place::Cu ? 2 : 4);
  transfer_.resize(simds_.size() / 2);
  lds_.resize(simds_.size() / 2);
  result_.ops.resize(recording.ops.size());
  constexpr Cycles betweenGroups = 100; // As a dispatcher sends them.
  for (unsigned n = 0; n < residents.atOnce; ++n)
    startGroup(betweenGroups * n);
}

/// What the counters say to an S_WAITCNT.
void Simulator::waitVerdict(const SimulatedWave &wave, const TimedOp &op, Verdict &verdict) const {
  const auto need = [&](const PendingOperations &pending, uint8_t left, Stall latency,
                        Stall bandwidth) {
    if (left == emu::WaitLimit::none)
      return;
    if (const MemoryTime *time = pending.until(left)) {
      const auto done = static_cast<Cycles>(std::ceil(time->done));
      verdict.atLeast(done, time->queued * 2 > static_cast<double>(done - wave.lastIssue)
                                ? bandwidth
                                : latency);
    }
  };
  need(wave.loads, op.wait.vm, Stall::GlobalLatency, Stall::GlobalBandwidth);
  need(wave.stores, op.wait.vs, Stall::GlobalLatency, Stall::GlobalBandwidth);
  need(wave.lds, op.wait.lgkm, Stall::LdsLatency, Stall::LdsBandwidth);
  if (op.wait.lgkm != emu::WaitLimit::none)
    need(wave.scalar, 0, Stall::Scalar, Stall::Scalar);
}

Verdict Simulator::verdictFor(const Simd &simd, SimulatedWave &wave, const TimedOp &op) const {
  if (!wave.own) {
    wave.own = wave.state.own(op);
    if (op.issue == IssueClass::Wait)
      waitVerdict(wave, op, wave.own->behind);
  }
  return wave.state.earliest(op, *wave.own, simd.state);
}

void Simulator::account(SimulatedWave &wave, const TimedOp &op, Cycles now) {
  OpTime &time = result_.ops[op.number];
  ++time.issues;
  ++result_.instructions;
  const auto waited = static_cast<double>(now - wave.lastIssue - 1);
  if (waited > 0) {
    time.stalled += waited;
    time.why[static_cast<size_t>(wave.why)] += waited;
    waits_[static_cast<size_t>(wave.why)] += waited;
  }
  if (listener_ != nullptr)
    listener_->issued({wave.age, wave.group, wave.simd, op.number, now,
                       std::max<Cycles>(now - wave.lastIssue - 1, 0), wave.why});
  wave.lastIssue = now;
  wave.why = Stall::None;
}

void Simulator::startMemory(SimulatedWave &wave, const TimedOp &op, Cycles exec) {
  const MemoryStep step = wave.stream->memory[wave.memory++];
  const auto taken = static_cast<double>(exec + op.operandClocks);
  if (op.issue == IssueClass::Lds) {
    LdsUnit &unit = lds_[cuOf(wave)];
    const double begin = std::max(taken, unit.free);
    const double clocks = op.accessBytes > 8 ? machine_[LdsWidePass] : 1;
    const double passes = what_.without == WhatIf::Part::LdsTime ? 0 : step.passes * clocks;
    unit.free = begin + passes;
    const bool isLoad = op.resultDwords != 0;
    double latency = machine_[isLoad ? LdsLatency : LdsStoreLatency] - 1;
    if (isLoad)
      latency += (op.resultDwords - 1) * machine_[LdsReturn];
    if (what_.without == WhatIf::Part::LdsTime || what_.without == WhatIf::Part::Latency)
      latency = 1;
    wave.lds.add({begin + passes + latency, begin - taken + std::max(0.0, passes - 1)});
    return;
  }
  const std::span<const uint64_t> lines(wave.stream->lines.data() + step.first, step.lines);
  const bool isStore = (op.counters & emu::counterVs) != 0;
  MemoryTime time = isStore ? memory_.store(cuOf(wave), taken, lines)
                            : memory_.load(cuOf(wave), taken, op.number, lines);
  if (what_.without == WhatIf::Part::Latency)
    time.done = taken + 1;
  (isStore ? wave.stores : wave.loads).add(time);
}

/// When a piece of code that is asked for comes.
Cycles Simulator::request(Simd &simd, uint32_t piece, Cycles now) {
  const uint32_t line = piece * codePieceBytes / codeLineBytes;
  const bool warm = code_.touch(line) || fetched_.insert(line).second;
  const double begin = std::max(static_cast<double>(now), simd.codeFree);
  simd.codeFree = begin + codePieceBytes / machine_[FetchBytes];
  return static_cast<Cycles>(std::ceil(begin)) + machine_.cycles(FetchLatency) +
         (warm ? 0 : machine_.cycles(FetchMiss));
}

/// The wave's next instruction is `op`: asks for the code behind it, or for all of it behind a
/// jump.
void Simulator::fetch(Simd &simd, SimulatedWave &wave, const TimedOp &op, Cycles now) {
  const uint32_t first = op.offset / codePieceBytes;
  const uint32_t last = (op.offset + op.bytes - 1) / codePieceBytes;
  const auto ahead =
      std::clamp<uint32_t>(static_cast<uint32_t>(machine_[FetchAhead]), 2, mostCodePieces);
  if (first < wave.codePiece || first >= wave.codePiece + ahead) {
    wave.codePiece = first;
    for (unsigned n = 0; n < ahead; ++n)
      wave.code[n] = request(simd, first + n, now);
  }
  for (; wave.codePiece < first; ++wave.codePiece) {
    std::rotate(wave.code.begin(), wave.code.begin() + 1, wave.code.begin() + ahead);
    wave.code[ahead - 1] = request(simd, wave.codePiece + ahead, now);
  }
  if (const Cycles ready = wave.code[last - first]; ready > now + 1) {
    wave.state.resumeAt(ready);
    wave.why = Stall::Fetch;
  }
}

void Simulator::issue(Simd &simd, SimulatedWave &wave, const TimedOp &op, Cycles now) {
  account(wave, op, now);
  wave.own.reset();
  const Cycles exec = wave.state.issue(op, now, simd.state, transfer_[cuOf(wave)]);
  ++wave.step;
  wave.readyAt = now + 1;
  if (op.isMemory()) {
    startMemory(wave, op, exec);
  } else if (op.issue == IssueClass::ScalarMemory) {
    wave.scalar.add(
        {static_cast<double>(exec) +
             (what_.without == WhatIf::Part::Latency ? 1 : machine_[ScalarMemoryLatency]),
         0});
  } else if (op.issue == IssueClass::Wait) {
    for (PendingOperations *pending : {&wave.loads, &wave.stores, &wave.lds, &wave.scalar})
      pending->retire(static_cast<double>(now));
  } else if (op.issue == IssueClass::Barrier) {
    arrive(wave, now);
  } else if (op.priority != 255) {
    wave.priority = op.priority;
    reorder_ = true;
  }
  if (wave.atEnd()) {
    wave.mode = SimulatedWave::Mode::Ended;
    wave.readyAt = never;
    --running_;
    Group &group = groups_[wave.group];
    if (++group.ended == group.waves)
      endedGroups_.push_back(wave.group);
    else if (group.arrived != 0 && group.arrived + group.ended == group.waves)
      openBarrier(wave.group, now);
    return;
  }
  const TimedOp &next = recording_.ops[wave.stream->steps[wave.step]];
  if (op.issue == IssueClass::Branch) {
    if (next.offset != op.offset + op.bytes)
      wave.state.resumeAt(now + machine_.cycles(BranchTaken));
    wave.why = Stall::Fetch;
  } else if (op.idle != 0) {
    wave.why = Stall::Scalar;
  }
  fetch(simd, wave, next, now);
}

/// Lets the wave issue if it can. Returns when to look at it again.
Cycles Simulator::visit(Simd &simd, SimulatedWave &wave, Cycles now, uint32_t &taken) {
  const TimedOp *op = &recording_.ops[wave.stream->steps[wave.step]];
  while (op->issue == IssueClass::Hint && wave.step + 1 < wave.steps) {
    wave.state.delay(op->delays);
    ++result_.ops[op->number].issues;
    op = &recording_.ops[wave.stream->steps[++wave.step]];
  }
  const Verdict verdict = verdictFor(simd, wave, *op);
  if (verdict.cycle > now) {
    if (verdict.why != Stall::None)
      wave.why = verdict.why;
    return wave.readyAt = verdict.cycle;
  }
  const uint32_t port = 1u << static_cast<unsigned>(op->issue);
  const bool isShared = op->issue != IssueClass::Internal && op->issue != IssueClass::Wait;
  if (isShared && (taken & port) != 0) {
    wave.why = Stall::VectorIssue;
    return wave.readyAt = now + 1;
  }
  if (isShared)
    taken |= port;
  issue(simd, wave, *op, now);
  return wave.readyAt;
}

SimulationResult Simulator::run() {
  Cycles now = 0;
  while (running_ != 0) {
    Cycles next = never;
    for (Simd &simd : simds_) {
      uint32_t taken = 0;
      for (SimulatedWave *wave : simd.waves)
        next = std::min(next, wave->readyAt > now ? wave->readyAt : visit(simd, *wave, now, taken));
      if (reorder_)
        std::stable_sort(simd.waves.begin(), simd.waves.end(),
                         [](const SimulatedWave *a, const SimulatedWave *b) {
                           return a->priority != b->priority ? a->priority > b->priority
                                                             : a->age < b->age;
                         });
      reorder_ = false;
    }
    result_.clocks = now + 1;
    for (const unsigned group : std::exchange(endedGroups_, {}))
      endGroup(group, now);
    next = std::min(next, std::exchange(wake_, never));
    if (next == never)
      break;
    now = std::max(next, now + 1);
  }
  finish();
  return std::move(result_);
}

SimulationResult simulate(const Machine &machine, const Recording &recording,
                          const Residents &residents, const Sharing &sharing, WhatIf what,
                          IssueListener *listener) {
  if (what.without == WhatIf::Part::BankConflicts || what.without == WhatIf::Part::Fetch) {
    constexpr double plenty = 1e6;
    const Machine without = what.without == WhatIf::Part::Fetch ? machine.with(FetchBytes, plenty)
                                                                : machine.with(BankPenalty, 0);
    return Simulator(without, recording, residents, sharing, {}, listener).run();
  }
  return Simulator(machine, recording, residents, sharing, what, listener).run();
}

} // namespace rdna::timing
