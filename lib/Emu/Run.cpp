//===- Run.cpp - a launch: workgroups on host threads ---------------------===//
#include "Emu/Delay/Runner.h"
#include "Emu/GroupRunner.h"
#include "Emu/HostFloat.h"
#include "Emu/Jit/Compiler.h"
#include "Emu/Jit/Turn.h"
#include "Emu/Together.h"

#include "Support/Diagnostic.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace rdna::emu {
namespace {

using GroupId = std::array<uint32_t, 3>;

llvm::Error refuse(std::string_view text) { return makeError(Failure::BadInput, "", text); }

EmulationError::Reason reasonOf(Event event) {
  using Reason = EmulationError::Reason;
  switch (event) {
  case Event::Unimplemented:
    return Reason::Unimplemented;
  case Event::Undecodable:
    return Reason::Undecodable;
  case Event::BadTarget:
    return Reason::LeftCode;
  case Event::Budget:
    return Reason::Budget;
  case Event::Trap:
  case Event::Halted:
    return Reason::Trap;
  default:
    return Reason::Internal;
  }
}

std::string describe(Event event) {
  switch (event) {
  case Event::Unimplemented:
    return "the emulator does not implement this instruction";
  case Event::Undecodable:
    return "this is no gfx1100 instruction";
  case Event::BadTarget:
    return "control leaves the kernel's code here";
  case Event::Budget:
    return "a wave exceeds its instruction budget here";
  case Event::Trap:
    return "the kernel executes a trap";
  case Event::Halted:
    return "the wave halts here, and nobody resumes it";
  case Event::Deserted:
    return "a wave waits here for others that have ended or wait elsewhere";
  case Event::WouldWait:
    return "a wave waits here for other workgroups, which the emulator does not run at the same "
           "time";
  default:
    return "internal error: unexpected event";
  }
}

/// What the worker threads share.
struct Shared {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> done{0};
  /// Number of the first workgroup that failed. Groups before it still run, so that the reported
  /// error is that of the lowest one, whatever the thread count.
  std::atomic<uint64_t> firstFailure{~uint64_t(0)};
  std::mutex mutex;
  Stop failure;
  std::string exception; ///< What a thread could not do: memory, mostly.
  BoundsLog log;
  uint64_t instructions = 0;
  uint64_t compiledInstructions = 0;
  std::chrono::steady_clock::time_point lastProgress{};
  uint64_t reported = 0; ///< The greatest number that progress was called with.
};

void reportProgress(const Launch &launch, Shared &shared, uint64_t total) {
  const uint64_t done = ++shared.done;
  if (!launch.progress)
    return;
  auto now = std::chrono::steady_clock::now();
  // Only the last report is worth waiting for, and none may come behind it.
  std::unique_lock lock(shared.mutex, std::defer_lock);
  if (done == total)
    lock.lock();
  else if (!lock.try_lock())
    return;
  if (done < shared.reported ||
      (now - shared.lastProgress < std::chrono::milliseconds(50) && done != total))
    return;
  shared.reported = done;
  shared.lastProgress = now;
  launch.progress(done, total);
}

GroupId groupNumber(const Launch &launch, uint64_t n) {
  if (!launch.onlyWorkgroups.empty())
    return launch.onlyWorkgroups[n];
  uint64_t x = launch.grid[0], y = launch.grid[1];
  return {uint32_t(n % x), uint32_t(n / x % y), uint32_t(n / x / y)};
}

void runGroups(const LaunchState &state, Shared &shared, uint64_t total) {
  GroupRunner runner(state);
  for (;;) {
    uint64_t n = shared.next++;
    if (n >= total || n > shared.firstFailure)
      break;
    Stop stop = runner.run(groupNumber(*state.launch, n));
    if (stop.event != Event::End) {
      std::lock_guard lock(shared.mutex);
      if (n < shared.firstFailure) {
        shared.firstFailure = n;
        shared.failure = stop;
      }
    }
    reportProgress(*state.launch, shared, total);
  }
  std::lock_guard lock(shared.mutex);
  shared.log.merge(runner.log());
  shared.instructions += runner.instructions();
  shared.compiledInstructions += runner.compiledInstructions();
}

void runDelayed(const LaunchState &state, Shared &shared, uint64_t total) {
  DelayedRunner runner(state, *state.launch->delaySeed);
  const auto outcome = runner.run(
      total, [&](uint64_t n) { return groupNumber(*state.launch, n); },
      [&] { reportProgress(*state.launch, shared, total); });
  if (outcome.stop.event != Event::End) {
    shared.firstFailure = outcome.group;
    shared.failure = outcome.stop;
  }
  runner.mergeLog(shared.log);
  shared.instructions = runner.instructions();
}

void runTogether(const LaunchState &state, Shared &shared, uint64_t total) {
  TogetherRunner runner(state);
  const auto outcome = runner.run(
      total, [&](uint64_t n) { return groupNumber(*state.launch, n); },
      [&] { reportProgress(*state.launch, shared, total); });
  if (outcome.stop.event != Event::End) {
    shared.firstFailure = outcome.group;
    shared.failure = outcome.stop;
  }
  runner.mergeLog(shared.log);
  shared.instructions = runner.instructions();
  shared.compiledInstructions = runner.compiledInstructions();
}

/// An exception must not leave a thread: the process would end.
void work(const LaunchState &state, Shared &shared, uint64_t total) {
  try {
    if (state.launch->delaySeed)
      runDelayed(state, shared, total);
    else if (state.launch->residency == Residency::Together)
      runTogether(state, shared, total);
    else
      runGroups(state, shared, total);
  } catch (const std::exception &e) {
    std::lock_guard lock(shared.mutex);
    shared.exception = e.what();
    shared.firstFailure = 0;
  }
}

OutOfBounds::Kind publicKind(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return OutOfBounds::Kind::Read;
  case AccessKind::Write:
    return OutOfBounds::Kind::Write;
  case AccessKind::Atomic:
    break;
  }
  return OutOfBounds::Kind::Atomic;
}

bool wantsOneThread(const Launch &launch) {
  return launch.delaySeed || launch.residency == Residency::Together ||
         std::any_of(launch.observers.begin(), launch.observers.end(), [&](const Observer *o) {
           return o->threads(launch) == Observer::Threads::One;
         });
}

/// Whether some waves are not observed, and so may run compiled.
bool leavesWaves(const Launch &launch) {
  return std::none_of(launch.observers.begin(), launch.observers.end(),
                      [](const Observer *o) { return o->selection().everything(); });
}

std::string nearest(const LaunchState &state, uint64_t address) {
  uint64_t window = address >> 32 << 32;
  if (window == sharedAperture)
    return fmt::format("LDS offset {} of {}", uint32_t(address), state.ldsBytes);
  if (window == privateAperture)
    return fmt::format("scratch offset {} of {}", uint32_t(address), state.scratchBytes);
  return state.memory.describe(address);
}

} // namespace

llvm::Error checkLaunch(const Launch &launch, const KernelImage &image) {
  if (launch.delaySeed && !launch.observers.empty())
    return refuse("a run with delayed memory operations cannot be checked or traced as well");
  if (launch.residency == Residency::Together && (launch.delaySeed || !launch.observers.empty()))
    return refuse("workgroups that run together cannot be checked, traced or delayed");
  uint64_t threads = uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (threads == 0 || launch.block[0] > 1024 || launch.block[1] > 1024 || launch.block[2] > 1024 ||
      threads > 1024)
    return refuse(fmt::format("a workgroup of {} x {} x {} work-items is not possible (1 to 1024)",
                              launch.block[0], launch.block[1], launch.block[2]));
  uint64_t lds = uint64_t(image.ldsBytes) + launch.dynamicLdsBytes;
  if (lds > 65536)
    return refuse(fmt::format("{} bytes of LDS are more than a workgroup can have (65536)", lds));
  // LLVM, GCNSubtarget: TMPRING_SIZE.WAVESIZE has 15 bits and counts 64 dwords of a wave.
  constexpr uint32_t scratchLimit = 64 * 4 * ((1u << 15) - 1) / laneCount;
  if (image.scratchBytes > scratchLimit)
    return refuse(fmt::format("{} bytes of scratch per lane are more than a wave can have ({})",
                              image.scratchBytes, scratchLimit));
  uint64_t groups = 1;
  for (uint32_t n : launch.grid)
    if (__builtin_mul_overflow(groups, n, &groups))
      return refuse(fmt::format("a grid of {} x {} x {} workgroups is not possible", launch.grid[0],
                                launch.grid[1], launch.grid[2]));
  for (const GroupId &id : launch.onlyWorkgroups)
    for (unsigned d = 0; d < 3; ++d)
      if (id[d] >= launch.grid[d])
        return refuse(
            fmt::format("workgroup ({}, {}, {}) is outside the grid", id[0], id[1], id[2]));
  return llvm::Error::success();
}

llvm::Error emulationError(const DecodedProgram &program, Event event, uint64_t offset,
                           const GroupId &workgroup) {
  std::string text = program.instructionAt(offset);
  Diagnostic d;
  d.message = fmt::format("{}: '{}' at offset {:#x} of kernel '{}', workgroup ({}, {}, {})",
                          describe(event), text, offset, program.image().name, workgroup[0],
                          workgroup[1], workgroup[2]);
  return llvm::make_error<EmulationError>(reasonOf(event), offset, std::move(text), std::move(d));
}

llvm::Expected<RunResult> DecodedProgram::run(const Launch &launch) const {
  if (llvm::Error error = checkLaunch(launch, image_))
    return error;
  jit::waitWhenThisThreadEnds();
  HostFloat hostFloat;
  LaunchState state(*this, launch);
  uint64_t total = launch.onlyWorkgroups.empty()
                       ? uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2]
                       : launch.onlyWorkgroups.size();
  unsigned threads = launch.threads ? launch.threads : std::thread::hardware_concurrency();
  threads = std::max(1u, threads);
  if (needsGroupOrder() || wantsOneThread(launch))
    threads = 1;
  threads = unsigned(std::min<uint64_t>(threads, std::max<uint64_t>(total, 1)));

  if (launch.engine == Engine::Jit && leavesWaves(launch) && !launch.delaySeed)
    if (llvm::Error error = compileNow())
      return error;

  auto start = std::chrono::steady_clock::now();
  Shared shared;
  std::vector<std::thread> pool;
  pool.reserve(threads);
  try {
    for (unsigned t = 1; t < threads; ++t)
      pool.emplace_back([&] { work(state, shared, total); });
  } catch (const std::system_error &) { // No more threads: slower, not wrong.
  }
  work(state, shared, total);
  for (std::thread &t : pool)
    t.join();
  auto end = std::chrono::steady_clock::now();

  if (!shared.exception.empty())
    return refuse(fmt::format("the emulation cannot go on: {}", shared.exception));
  const bool stopped = shared.failure.event == Event::Stopped;
  if (shared.failure.event != Event::End && !stopped)
    return emulationError(*this, shared.failure.event, shared.failure.offset,
                          groupNumber(launch, shared.firstFailure));
  RunResult result;
  result.instructions = shared.instructions;
  result.workgroups = total;
  result.stopped = stopped;
  result.compiledInstructions = shared.compiledInstructions;
  if (const jit::CompiledKernel *kernel = compiled(); kernel && shared.compiledInstructions)
    result.loopsAtOnce = kernel->report().loopsAtOnce;
  result.seconds = std::chrono::duration<double>(end - start).count();
  for (const auto &[key, entry] : shared.log.entries())
    result.outOfBounds.push_back({publicKind(key.second), key.first, entry.lanes,
                                  entry.firstAddress, instructionAt(key.first),
                                  nearest(state, entry.firstAddress), entry.lastAddress,
                                  entry.place.group, entry.place.wave, entry.place.lane});
  return result;
}

} // namespace rdna::emu
