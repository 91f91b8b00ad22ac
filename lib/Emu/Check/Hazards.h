//===- Hazards.h - what hardware does not interlock -------------------===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// Instructions that are wrong by themselves or too close behind another one (LLVM
/// GCNHazardRecognizer for gfx1100). Followed along the path that the wave takes, so branches are
/// no border.
class HazardCheck final : public Listener {
public:
  explicit HazardCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void groupBegins(const GroupView &group) override { waves_.assign(group.waves.size(), {}); }
  void before(Record &record) override;

private:
  /// A transcendental's result that a VALU must not read yet.
  struct Pending {
    const InstPlan *plan;
    unsigned valus, transcendentals; ///< Issued since.
  };
  struct WaveState {
    std::vector<Pending> pending; ///< At most two: the second transcendental behind clears one.
    const InstPlan *lastValu = nullptr;
  };
  void stepTrans(const Wave &w, const InstPlan &plan, WaveState &state);
  void stepPairs(const Wave &w, const InstPlan &plan, const InstPlan &before);
  void report(const Wave &w, const InstPlan &plan, const char *rule, const InstPlan *other,
              std::string message, std::string fix) {
    addFinding(context_.log, w.number, plan.offset,
               other ? std::optional(other->offset) : std::nullopt,
               {Check::Hazards, rule, std::move(message), std::move(fix)});
  }

  CheckContext &context_;
  std::vector<WaveState> waves_;
};

} // namespace rdna::emu
