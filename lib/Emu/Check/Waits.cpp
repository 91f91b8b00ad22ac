//===- Waits.cpp - registers that a memory operation still owns -----------===//
#include "Emu/Check/Context.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

/// Two operations whose results arrive in issue order may write one register (LLVM
/// FeatureVmemWriteVgprInOrder, which gfx11 has; LDS returns in order, ISA 5.6).
bool arriveInOrder(const InstPlan &earlier, const InstPlan &later) {
  return earlier.counters == later.counters &&
         (later.counters == counterVm || later.counters == counterLds);
}

enum class Use { Read, Overwrite };

void report(CheckContext &context, const Wave &w, const InstPlan &plan, unsigned unit,
            const PendingOp &op, Use use) {
  Occurrence s{};
  s.check = Check::Waits;
  s.rule = use == Use::Read ? "read-before-wait" : "overwrite-before-wait";
  s.offset = plan.offset;
  s.otherOffset = op.plan->offset;
  s.wave = w.number;
  context.log.add(std::move(s), [&](Occurrence &occurrence) {
    occurrence.message =
        fmt::format("{} is {} while {} still owns it", toString(RegUnit{uint16_t(unit)}),
                    use == Use::Read ? "read" : "overwritten", op.plan->name());
    occurrence.fix = waitText(context.queues[w.number].neededFor(op)) + " before it";
  });
}

/// Reads and writes of owned registers.
class WaitsCheck final : public Listener {
public:
  explicit WaitsCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void before(Record &record) override { check(record.wave(), *record.plan()); }

private:
  void check(const Wave &w, const InstPlan &plan);

  CheckContext &context_;
};

void WaitsCheck::check(const Wave &w, const InstPlan &plan) {
  PendingQueue &queue = context_.queues[w.number];
  if (queue.empty())
    return;
  if (queue.owned().intersects(plan.reads)) {
    RegSet left = plan.reads;
    for (int unit; (unit = left.firstCommon(queue.owned())) >= 0;) {
      const PendingOp &op = *queue.owner(unsigned(unit));
      // A load of one half leaves the other as it is when the load returns.
      if (plan.kept.has(unsigned(unit)) && arriveInOrder(*op.plan, plan)) {
        left.remove(unsigned(unit));
        continue;
      }
      report(context_, w, plan, unsigned(unit), op, Use::Read);
      left -= op.registers; // One report for a tuple.
    }
    queue.disown(plan.reads); // Later uses would only repeat it.
  }
  if (queue.owned().intersects(plan.writes)) {
    RegSet left = plan.writes;
    for (int unit; (unit = left.firstCommon(queue.owned())) >= 0;) {
      const PendingOp &op = *queue.owner(unsigned(unit));
      if (!arriveInOrder(*op.plan, plan))
        report(context_, w, plan, unsigned(unit), op, Use::Overwrite);
      left -= op.registers;
    }
    queue.disown(plan.writes);
  }
}

} // namespace

std::unique_ptr<Listener> createWaitsCheck(CheckContext &context) {
  return std::make_unique<WaitsCheck>(context);
}

} // namespace rdna::emu
