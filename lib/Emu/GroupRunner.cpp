//===- GroupRunner.cpp - launch state and the schedule of a workgroup -----===//
#include "Emu/GroupRunner.h"

#include "Emu/Jit/Compiler.h"
#include "Emu/LdsRows.h"

#include <algorithm>
#include <cstring>

namespace rdna::emu {
namespace {

constexpr uint64_t timeSlice = 1 << 18;
/// Waves that wait for another workgroup in a loop do so for a whole slice of each.
constexpr uint64_t shortSlice = 1 << 12;

// kernel_code_properties: the user SGPRs that a kernel asks for, in this order (AMDGPUUsage).
enum Property : uint16_t {
  wantsDispatchPtr = 1 << 1,
  wantsQueuePtr = 1 << 2,
  wantsKernargPtr = 1 << 3,
  wantsDispatchId = 1 << 4,
  wantsPrivateSize = 1 << 6,
  usesDynamicStack = 1 << 11,
};

/// The stack of a kernel whose callees are unknown (recursion, function pointers) is the runtime's
/// choice; HIP's default limit is 1 KiB, this is generous.
constexpr uint32_t dynamicStackBytes = 16384;

uint64_t addressOf(const void *p) { return reinterpret_cast<uint64_t>(p); }

/// Private memory of a lane, padded so that the lanes' equal offsets do not share cache sets.
uint32_t strideFor(uint32_t bytes) { return bytes ? (bytes + 63) / 64 * 64 + 64 : 0; }

template <class T> void put(std::byte *p, size_t offset, T value) {
  std::memcpy(p + offset, &value, sizeof value);
}

} // namespace

LaunchState::LaunchState(const DecodedProgram &p, const Launch &l)
    : program(&p), launch(&l), image(l.placedImage ? 0 : p.image().image.size()) {
  const KernelImage &k = p.image();
  imageBase = addressOf(l.placedImage ? l.placedImage : image.data());
  if (!l.placedImage)
    loadImage();
  threads = l.block[0] * l.block[1] * l.block[2];
  ldsBytes = k.ldsBytes + l.dynamicLdsBytes;
  scratchBytes = k.scratchBytes;
  if (k.codeProperties & usesDynamicStack)
    scratchBytes = std::max(scratchBytes, dynamicStackBytes);

  for (const MemoryRegion &r : l.regions)
    memory.add(r.name, r.data, r.bytes,
               r.access == MemoryRegion::Access::ReadWrite ? Protection::ReadWrite
                                                           : Protection::ReadOnly);
  memory.add("the kernel arguments", l.kernarg.data(), l.kernarg.size(), Protection::ReadOnly);
  memory.add("the code object", reinterpret_cast<const void *>(imageBase), k.image.size(),
             Protection::ReadWrite);
  memory.add("the dispatch packet", dispatchPacket.data(), dispatchPacket.size(),
             Protection::ReadOnly);
  memory.add("the queue", queue.data(), queue.size(), Protection::ReadOnly);
  memory.finish();
  if (l.addressing == Addressing::Host)
    memory.allowEverything();

  prototype = std::make_unique<Wave>();
  Wave &w = *prototype;
  for (unsigned r = 0; r < 256; ++r)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      w.vgpr(r).lane[lane] = vgprGarbage(r, lane);
  std::memset(w.padding.data(), 0, sizeof w.padding);
  std::memset(w.prepared.data(), 0, sizeof w.prepared);
  for (unsigned r = 0; r < scalarSlots; ++r)
    w.s[r] = sgprGarbage(r);
  w.s[regNull] = w.s[regScc] = w.s[regScc + 1] = w.s[regZeros] = 0;
  w.s[regOnes] = ~0u;
  w.s[regExec + 1] = 0;
  // MODE starts with the descriptor's FLOAT_MODE (RSRC1 [19:12]), DX10_CLAMP [21], IEEE [23],
  // FP16_OVFL [26] and the exceptions that trap (RSRC2 [30:24]).
  w.setMode((k.rsrc1 >> 12 & 0xff) | (k.rsrc1 >> 21 & 1) << 8 | (k.rsrc1 >> 23 & 1) << 9 |
            (k.rsrc1 >> 26 & 1) << 23 | (k.rsrc2 >> 24 & 0x7f) << 12);
  w.vgprBlocks = k.rsrc1 & 63;
  globalShare = std::make_unique<GlobalShare>();
  globalShare->gds.fill(std::byte(byteGarbage));
  globalShare->residency = l.residency;
  w.globalShare = globalShare.get();
  w.code = program;
  w.next = program->entry();
  w.budget = l.instructionBudget;
  fillDispatchPacket();
  fillUserSgprs();
}

void LaunchState::loadImage() {
  const KernelImage &k = program->image();
  std::memcpy(image.data(), k.image.data(), k.image.size());
  for (uint64_t at : k.relativeRelocations)
    if (at + 8 <= image.size())
      put(image.data(), at, loadFrom<uint64_t>(image.data() + at) + imageBase);
}

void LaunchState::fillDispatchPacket() {
  // hsa_kernel_dispatch_packet_t.
  std::byte *p = dispatchPacket.data();
  const Launch &l = *launch;
  put<uint16_t>(p, 0, 2); // HSA_PACKET_TYPE_KERNEL_DISPATCH
  put<uint16_t>(p, 2, l.grid[2] * l.block[2] > 1 ? 3 : l.grid[1] * l.block[1] > 1 ? 2 : 1);
  for (unsigned d = 0; d < 3; ++d) {
    put<uint16_t>(p, 4 + 2 * d, uint16_t(l.block[d]));
    put<uint32_t>(p, 12 + 4 * d, l.grid[d] * l.block[d]);
  }
  put<uint32_t>(p, 24, scratchBytes);
  put<uint32_t>(p, 28, ldsBytes);
  put<uint64_t>(p, 40, addressOf(l.kernarg.data()));
}

void LaunchState::fillUserSgprs() {
  const KernelImage &k = program->image();
  Wave &w = *prototype;
  unsigned n = 0;
  auto push64 = [&](uint64_t value) {
    w.s[n++] = uint32_t(value);
    w.s[n++] = uint32_t(value >> 32);
  };
  if (k.codeProperties & wantsDispatchPtr)
    push64(addressOf(dispatchPacket.data()));
  if (k.codeProperties & wantsQueuePtr)
    push64(addressOf(queue.data()));
  if (k.codeProperties & wantsKernargPtr)
    push64(addressOf(launch->kernarg.data()));
  if (k.codeProperties & wantsDispatchId)
    push64(0);
  if (k.codeProperties & wantsPrivateSize)
    w.s[n++] = scratchBytes;
  // gfx1100 kernels declare 13 to 15 user SGPRs although they use fewer (LLVM's init16 workaround):
  // the ids follow the declared count, not the used one.
  systemSgpr = k.rsrc2 >> 1 & 31;
}

GroupRunner::GroupRunner(const LaunchState &state)
    : state_(state), view_(state.memory), audience_(state), lds_(state.ldsBytes + ldsPadding),
      scratch_(size_t(strideFor(state.scratchBytes)) * laneCount *
               ((state.threads + laneCount - 1) / laneCount)),
      scratchStride_(strideFor(state.scratchBytes)) {
  view_.imageBase = state.imageBase;
  waves_.resize((state.threads + laneCount - 1) / laneCount);
  for (auto &w : waves_)
    w = std::make_unique<Wave>();
}

void GroupRunner::start(Wave &w, unsigned number, const std::array<uint32_t, 3> &id) {
  w = *state_.prototype;
  w.number = number;
  w.wavesOfGroup = uint32_t(waves_.size());
  const KernelImage &k = state_.program->image();
  unsigned n = state_.systemSgpr;
  for (unsigned d = 0; d < 3; ++d)
    if (k.rsrc2 >> (7 + d) & 1)
      w.s[n++] = id[d];
  if (k.rsrc2 >> 10 & 1) // Workgroup info: first wave, no ordered append, number of waves.
    w.s[n++] = (number == 0 ? 0x80000000u : 0) | (uint32_t(waves_.size()) & 63);

  const auto &block = state_.launch->block;
  uint32_t exec = 0;
  unsigned dims = k.rsrc2 >> 11 & 3;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    uint32_t item = number * laneCount + lane;
    if (item >= state_.threads)
      break;
    exec |= 1u << lane;
    uint32_t x = item % block[0], y = item / block[0] % block[1], z = item / block[0] / block[1];
    w.vgpr(0).lane[lane] = x | (dims >= 1 ? y << 10 : 0) | (dims >= 2 ? z << 20 : 0);
  }
  w.s[regExec] = exec;
  w.memory = &view_;
  w.lds = lds_.data();
  w.ldsBytes = state_.ldsBytes;
  w.scratchBytes = state_.scratchBytes;
  w.scratchStride = scratchStride_;
  w.scratch = scratch_.data() + size_t(scratchStride_) * laneCount * number;
}

void GroupRunner::interpret(Wave &w) {
  while (w.event == Event::None) {
    const Inst &i = *w.next++;
    w.executed += i.count;
    i.run(w, i);
  }
}

/// Compiled code where it holds, the interpreter in between: partial EXEC, an unusual MODE, and the
/// instructions that the JIT leaves alone.
void GroupRunner::runCompiled(Wave &w, const jit::CompiledKernel &kernel) {
  auto enterable = [&] {
    return kernel.blockAt(w.next) >= 0 && w.exec() == fullExec && w.care == 0;
  };
  while (w.event == Event::None) {
    if (enterable()) {
      const uint64_t before = w.executed;
      jit::Exit exit = kernel.enter(w, kernel.blockAt(w.next));
      compiledInstructions_ += w.executed - before;
      if (exit == jit::Exit::Dispatch)
        continue;
    }
    do {
      const Inst &i = *w.next++;
      w.executed += i.count;
      i.run(w, i);
    } while (w.event == Event::None && !enterable());
  }
}

/// Compiling takes some tenths of a second of another core: worth it for a launch that has already
/// taken as long.
void GroupRunner::considerCompiling(uint64_t interpreted) {
  constexpr uint64_t longLaunch = 20'000'000;
  if ((state_.interpreted += interpreted) > longLaunch)
    state_.program->compileInBackground();
}

Event GroupRunner::resume(Wave &w) {
  w.event = Event::None;
  w.sliceEnd =
      w.executed + (state_.launch->residency == Residency::Together ? shortSlice : timeSlice);
  if (w.budget)
    w.sliceEnd = std::min(w.sliceEnd, w.budget);
  const bool compile = state_.launch->engine != Engine::Interpreter;
  while (w.event == Event::None && audience_.listensTo(w))
    audience_.execute(w);
  if (w.event != Event::None) {
    // The listeners heard all of it.
  } else if (const jit::CompiledKernel *kernel = compile ? state_.program->compiled() : nullptr) {
    runCompiled(w, *kernel);
  } else {
    const uint64_t before = w.executed;
    interpret(w);
    if (compile)
      considerCompiling(w.executed - before);
  }
  if (w.budget && (w.executed > w.budget || (w.event == Event::Yield && w.executed >= w.budget)) &&
      (w.event == Event::Yield || w.event == Event::End || w.event == Event::Barrier)) {
    w.event = Event::Budget;
    w.culprit = w.next;
  }
  return w.event;
}

void GroupRunner::begin(const std::array<uint32_t, 3> &id) {
  view_.log().groupBegins(id);
  std::memset(lds_.data(), byteGarbage, state_.ldsBytes);
  std::memset(scratch_.data(), byteGarbage, scratch_.size());
  for (unsigned n = 0; n < waves_.size(); ++n)
    start(*waves_[n], n, id);
}

void GroupRunner::release(Event barrier) {
  for (auto &w : waves_)
    if (w->event == barrier)
      w->event = Event::None;
}

GroupProgress GroupRunner::advance() {
  // Waves that spin on LDS see the others' progress because a time slice ends at a branch.
  size_t ended = 0, atBarrier = 0, atGridBarrier = 0;
  const Wave *blocked = nullptr;
  for (auto &w : waves_) {
    const bool waits = w->event == Event::Barrier || w->event == Event::GridBarrier;
    const Event event = waits || w->event == Event::End ? w->event : resume(*w);
    if (event == Event::End) {
      ++ended;
    } else if (event == Event::Barrier) {
      ++atBarrier;
    } else if (event == Event::GridBarrier) {
      ++atGridBarrier;
      blocked = w.get();
    } else if (event != Event::Yield) {
      stop_ = {event, w->culprit ? w->culprit->offset : 0};
      return GroupProgress::Stopped;
    }
  }
  if (ended == waves_.size())
    return GroupProgress::Ended;
  if (ended + atBarrier + atGridBarrier != waves_.size())
    return GroupProgress::Running;
  if (atGridBarrier && atBarrier) {
    stop_ = {Event::Deserted, blocked->culprit->offset};
    return GroupProgress::Stopped;
  }
  if (atGridBarrier)
    return GroupProgress::AtGridBarrier;
  // Ended waves are not waited for (ISA, S_BARRIER).
  audience_.barrierPassed();
  release(Event::Barrier);
  return GroupProgress::Running;
}

Stop GroupRunner::run(const std::array<uint32_t, 3> &id) {
  begin(id);
  const GroupView view{state_, id, waves_};
  audience_.groupBegins(view);
  GroupProgress progress = GroupProgress::Running;
  while (progress == GroupProgress::Running)
    progress = advance();
  audience_.groupEnds();
  for (auto &w : waves_)
    instructions_ += w->executed;
  return progress == GroupProgress::Ended ? Stop() : stop_;
}

} // namespace rdna::emu
