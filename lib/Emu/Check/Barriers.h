//===- Barriers.h - who passes which barrier --------------------------===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// A barrier counts waves, whatever S_BARRIER they wait at and whatever their EXEC is (ISA,
/// S_BARRIER); code that relies on that is rarely meant. A wave that has ended is not waited for
/// and no finding, and neither are lanes that were switched off for good before the barrier.
class BarrierCheck final : public Listener {
public:
  explicit BarrierCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void groupBegins(const GroupView &group) override;
  void before(Record &record) override;
  void barrierPassed(const GroupView &group) override;

private:
  struct LaneHistory {
    uint32_t launched = 0;
    uint32_t absent = 0; ///< Were off at some barrier.
    uint32_t barrier = 0;
  };
  /// At an S_BARRIER.
  void arrive(const Wave &w, const InstPlan &plan);
  void reportReturned(const Wave &w, const InstPlan &plan);

  CheckContext &context_;
  std::vector<LaneHistory> lanes_;
};

} // namespace rdna::emu
