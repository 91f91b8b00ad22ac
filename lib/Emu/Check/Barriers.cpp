#include "Emu/Check/Barriers.h"

#include <fmt/format.h>

namespace rdna::emu {

void BarrierCheck::groupBegins(const GroupView &group) {
  lanes_.assign(group.waves.size(), {});
  for (const auto &w : group.waves)
    lanes_[w->number].launched = w->exec();
}

void BarrierCheck::before(Record &record) {
  const Wave &w = record.wave();
  const InstPlan &plan = *record.plan();
  if (plan.facts().unit == Unit::Barrier)
    arrive(w, plan);
  else if (plan.counters && plan.facts().unit != Unit::Smem && (w.exec() & lanes_[w.number].absent))
      [[unlikely]]
    reportReturned(w, plan);
}

void BarrierCheck::arrive(const Wave &w, const InstPlan &plan) {
  LaneHistory &lanes = lanes_[w.number];
  const uint32_t off = lanes.launched & ~w.exec();
  if (off & ~lanes.absent)
    lanes.barrier = plan.offset;
  lanes.absent |= off;
}

void BarrierCheck::reportReturned(const Wave &w, const InstPlan &plan) {
  LaneHistory &lanes = lanes_[w.number];
  const uint32_t back = w.exec() & lanes.absent;
  Occurrence s{};
  s.check = Check::Barriers;
  s.rule = "lanes-skipped-barrier";
  s.offset = plan.offset;
  s.otherOffset = lanes.barrier;
  s.wave = w.number;
  s.lane = unsigned(__builtin_ctz(back));
  context_.log.add(std::move(s), [&](Occurrence &occurrence) {
    occurrence.message =
        fmt::format("lanes {:#x} are active again, but were off at the s_barrier", back);
    occurrence.fix = "move the s_barrier to where all lanes are active";
  });
  lanes.absent &= ~back; // Once for each time they were off.
}

void BarrierCheck::barrierPassed(const GroupView &group) {
  const Wave *first = nullptr;
  for (const auto &w : group.waves) {
    if (w->event != Event::Barrier || !w->culprit)
      continue;
    if (!first)
      first = w.get();
    if (w->culprit->offset == first->culprit->offset)
      continue;
    Occurrence s{};
    s.check = Check::Barriers;
    s.rule = "different-barriers";
    s.offset = w->culprit->offset;
    s.otherOffset = first->culprit->offset;
    s.wave = w->number;
    s.otherWave = first->number;
    context_.log.add(std::move(s), [&](Occurrence &occurrence) {
      occurrence.message = fmt::format("wave {} passes this barrier together with wave {}, which "
                                       "waits at another one",
                                       w->number, first->number);
      occurrence.fix = "one s_barrier that all waves reach";
    });
  }
}

std::unique_ptr<Listener> createBarriersCheck(CheckContext &context) {
  return std::make_unique<BarrierCheck>(context);
}

} // namespace rdna::emu
