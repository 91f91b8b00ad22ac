//===- Wave.h - one wave of the simulation and what it waits for ---------------===//
#pragma once

#include "Timing/Issue.h"
#include "Timing/Memory.h"
#include "Timing/Recording.h"

#include <deque>
#include <optional>

namespace rdna::timing {

/// Operations of one counter that are in flight. They come back in order.
class PendingOperations {
public:
  void add(MemoryTime time) {
    if (!times_.empty())
      time.done = std::max(time.done, times_.back().done);
    times_.push_back(time);
  }
  /// The operation after which only `left` are in flight; null if there is no such.
  const MemoryTime *until(unsigned left) const {
    return times_.size() > left ? &times_[times_.size() - 1 - left] : nullptr;
  }
  /// Forgets what is back at `now`.
  void retire(double now) {
    while (!times_.empty() && times_.front().done <= now)
      times_.pop_front();
  }

private:
  std::deque<MemoryTime> times_;
};

inline constexpr unsigned mostCodePieces = 16;
inline constexpr unsigned codePieceBytes = 32;

struct SimulatedWave {
  SimulatedWave(const Machine &machine, Cycles start, const WaveStream &stream)
      : state(machine, start), stream(&stream), steps(stream.steps.size()), readyAt(start),
        lastIssue(start) {}

  WaveState state;
  const WaveStream *stream;
  size_t steps; ///< That are simulated.
  size_t step = 0, memory = 0;
  unsigned simd = 0, group = 0, age = 0;
  unsigned priority = 0;
  Cycles readyAt = 0; ///< Nothing to look at before.
  Cycles lastIssue = 0;
  std::optional<WaveState::Own> own; ///< Of its next instruction, once it was looked at.
  Stall why = Stall::None;
  PendingOperations loads, stores, lds, scalar;
  enum class Mode : uint8_t { Running, AtBarrier, Ended } mode = Mode::Running;
  /// Pieces of code in the instruction buffer or on their way to it, from the one of the next
  /// instruction on: when each is there.
  std::array<Cycles, mostCodePieces> code{};
  uint32_t codePiece = ~0u; ///< The first of them.

  bool atEnd() const { return step >= steps; }
};

} // namespace rdna::timing
