//===- Barriers.h - who passes which barrier --------------------------===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// A barrier counts waves, whatever S_BARRIER they wait at and whatever their EXEC is (ISA,
/// S_BARRIER); code that relies on that is rarely meant. A wave that has ended is not waited for
/// and no finding, and neither are lanes that were switched off for good before the barrier.
class BarrierCheck {
public:
  explicit BarrierCheck(CheckContext &context) : context_(context) {}
  void groupBegins(std::span<const std::unique_ptr<Wave>> waves);
  /// At an S_BARRIER, before it executes.
  void arrive(const Wave &w, const InstPlan &plan);
  /// At a vector memory instruction.
  void lanesActive(const Wave &w, const InstPlan &plan) {
    if (w.exec() & lanes_[w.number].absent) [[unlikely]]
      reportReturned(w, plan);
  }
  void barrierPassed(std::span<const std::unique_ptr<Wave>> waves);

private:
  struct LaneHistory {
    uint32_t launched = 0;
    uint32_t absent = 0; ///< Were off at some barrier.
    uint32_t barrier = 0;
  };
  void reportReturned(const Wave &w, const InstPlan &plan);

  CheckContext &context_;
  std::vector<LaneHistory> lanes_;
};

} // namespace rdna::emu
