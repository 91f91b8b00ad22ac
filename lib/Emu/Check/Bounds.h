//===- Bounds.h - accesses outside of what was allocated --------------===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// The emulator notes such accesses in every run (RunResult::outOfBounds); this names wave and
/// lane.
class BoundsCheck final : public Listener {
public:
  explicit BoundsCheck(CheckContext &context);
  Hears hears() const override { return Hears::Before; }
  void before(Record &record) override;

private:
  void report(const Wave &w, const InstPlan &plan, const LaneAccess &access, unsigned lane);

  CheckContext &context_;
  MemoryView view_; ///< Remembers the region of the last hit.
};

} // namespace rdna::emu
