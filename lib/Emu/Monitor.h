//===- Monitor.h - whoever watches waves execute --------------------------===//
//
// Checkers, tracers and debuggers see every instruction before and after it executes. They are no
// part of the interpreter's loop: a run without monitors never tests for them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Inst.h"

#include <array>
#include <memory>
#include <span>

namespace rdna::emu {

struct LaunchState;

/// The waves of one workgroup while it runs.
struct GroupView {
  const LaunchState &launch;
  std::array<uint32_t, 3> id;
  std::span<const std::unique_ptr<Wave>> waves;
};

/// Watches the workgroups of one host thread, one after the other.
class Monitor {
public:
  enum class Verdict { Continue, Stop };
  virtual ~Monitor() = default;
  virtual void groupBegins(const GroupView &) {}
  /// Stop ends the launch before `inst` executes; the run is then no error but `stopped`.
  /// Called for every micro-operation: `inst.count` is 0 for the further ones of an instruction,
  /// and a pair of FMACs that runs as one (Vopd.cpp) is seen once, as its first half.
  virtual Verdict before(Wave &, const Inst &) { return Verdict::Continue; }
  virtual void after(Wave &, const Inst &) {}
  /// Whether after() is to be called at all: a call that does nothing still costs its time.
  virtual bool looksAtResults() const { return true; }
  /// Every wave of the group that has not ended waits at an S_BARRIER and is let through.
  virtual void barrierPassed(const GroupView &) {}
  virtual void groupEnds(const GroupView &) {}
};

/// Makes the monitors of a launch, one for each host thread, and gathers what they found.
class MonitorFactory {
public:
  enum class Threads { Any, One };
  virtual ~MonitorFactory() = default;
  /// Called once per host thread, possibly at the same time.
  virtual std::unique_ptr<Monitor> create(const LaunchState &) = 0;
  /// One: workgroups run in order on one host thread.
  virtual Threads threads() const { return Threads::Any; }
};

} // namespace rdna::emu
