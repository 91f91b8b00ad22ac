#include "Emu/Check/Waits.h"

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
  Sighting s{};
  s.check = Check::Waits;
  s.rule = use == Use::Read ? "read-before-wait" : "overwrite-before-wait";
  s.offset = plan.offset;
  s.otherOffset = op.plan->offset;
  s.wave = w.number;
  context.log.add(std::move(s), [&](Sighting &sighting) {
    sighting.message =
        fmt::format("{} is {} while {} still owns it", toString(RegUnit{uint16_t(unit)}),
                    use == Use::Read ? "read" : "overwritten", op.plan->name());
    sighting.fix = waitText(context.queues[w.number].neededFor(op)) + " before it";
  });
}

} // namespace

void checkWaits(CheckContext &context, const Wave &w, const InstPlan &plan) {
  PendingQueue &queue = context.queues[w.number];
  if (queue.empty())
    return;
  if (queue.owned().intersects(plan.reads)) {
    RegSet left = plan.reads;
    for (int unit; (unit = left.firstCommon(queue.owned())) >= 0;) {
      const PendingOp &op = *queue.owner(unsigned(unit));
      report(context, w, plan, unsigned(unit), op, Use::Read);
      left -= op.registers; // One report for a tuple.
    }
    queue.disown(plan.reads); // Later uses would only repeat it.
  }
  if (queue.owned().intersects(plan.writes)) {
    RegSet left = plan.writes;
    for (int unit; (unit = left.firstCommon(queue.owned())) >= 0;) {
      const PendingOp &op = *queue.owner(unsigned(unit));
      if (!arriveInOrder(*op.plan, plan))
        report(context, w, plan, unsigned(unit), op, Use::Overwrite);
      left -= op.registers;
    }
    queue.disown(plan.writes);
  }
}

} // namespace rdna::emu
