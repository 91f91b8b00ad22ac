//===- Misuse.h - instructions used against their rules ---------------===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// Length and members of s_clause, dealloc_vgprs and what must stand around it, vector memory
/// instructions that no lane executes.
class MisuseCheck final : public Listener {
public:
  explicit MisuseCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void groupBegins(const GroupView &group) override { waves_.assign(group.waves.size(), {}); }
  void before(Record &record) override;

private:
  struct WaveState {
    const InstPlan *last = nullptr;
    const InstPlan *clause = nullptr; ///< The s_clause that is being filled.
    unsigned left = 0;                ///< Members to come.
    std::string_view kind;            ///< Of its members; empty before the first.
    const InstPlan *dealloc = nullptr;
  };
  void startClause(const Wave &w, const InstPlan &plan, WaveState &state);
  void member(const Wave &w, const InstPlan &plan, WaveState &state);
  void dealloc(const Wave &w, const InstPlan &plan, WaveState &state);
  void report(const Wave &w, const InstPlan &plan, const char *rule, const InstPlan *other,
              std::string message, std::string fix) {
    addFinding(context_.log, w.number, plan.offset,
               other ? std::optional(other->offset) : std::nullopt,
               {Check::Misuse, rule, std::move(message), std::move(fix)});
  }

  CheckContext &context_;
  std::vector<WaveState> waves_;
};

} // namespace rdna::emu
