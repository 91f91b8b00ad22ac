//===- Observer.h - who watches a launch, and which waves -----------------===//
//
// The one way to see what waves execute. An Observer is put into Launch::observers and makes
// a Listener (Listener.h) for each host thread. Checkers (Check.h), the tracer behind the debugger
// (Trace.h) and models of time are observers.
//
// Cost: a wave that somebody listens to is interpreted, one instruction at a time, which takes some
// 20 ns per instruction more than the plain interpreter, and what its listeners do. All other waves
// run in the fast engines as if nobody listened; a workgroup that nobody has selected costs one
// search in each observer's selection.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>

namespace rdna::emu {

class Listener;
struct Launch;
struct LaunchState;

/// Of which waves a listener hears.
struct Selection {
  std::set<std::array<uint32_t, 3>> workgroups; ///< Their ids; empty: all of the launch.
  std::set<unsigned> waves;                     ///< Numbers in the workgroup; empty: all of it.

  bool everything() const { return workgroups.empty() && waves.empty(); }
  bool includesGroup(const std::array<uint32_t, 3> &id) const {
    return workgroups.empty() || workgroups.contains(id);
  }
  bool includesWave(unsigned number) const { return waves.empty() || waves.contains(number); }
};

/// Makes the listeners of a launch, one for each host thread, and gathers what they found.
class Observer {
public:
  enum class Threads { Any, One };
  virtual ~Observer() = default;
  /// Asked once per host thread, before create().
  virtual Selection selection() const { return {}; }
  /// Called once per host thread, possibly at the same time. The listener ends with its thread, so
  /// what shall outlive it is kept here.
  virtual std::unique_ptr<Listener> create(const LaunchState &) = 0;
  /// One: workgroups run in order on one host thread. That costs the whole launch its other cores.
  virtual Threads threads(const Launch &) const { return Threads::Any; }
};

} // namespace rdna::emu
