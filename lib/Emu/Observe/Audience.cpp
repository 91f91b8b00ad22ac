#include "Emu/Observe/Audience.h"

#include "Emu/GroupRunner.h"

#include <utility>

namespace rdna::emu {

using Hears = Listener::Hears;

const AccessList &Record::accesses() {
  if (!located_) {
    accesses_.count = 0;
    if (plan_)
      findAccesses(*wave_, *plan_, accesses_);
    located_ = true;
  }
  return accesses_;
}

Audience::Audience(const LaunchState &state) : state_(state) {
  for (Observer *observer : state.launch->observers) {
    Selection selection = observer->selection();
    auto listener = observer->create(state);
    const Hears hears = listener->hears();
    seats_.push_back({std::move(listener), std::move(selection), hears});
  }
}

void Audience::groupBegins(const GroupView &group) {
  if (seats_.empty())
    return;
  present_.clear();
  ears_.assign(group.waves.size(), {});
  for (const Seat &seat : seats_) {
    if (!seat.selection.includesGroup(group.id))
      continue;
    present_.push_back(seat.listener.get());
    for (unsigned n = 0; n < group.waves.size(); ++n) {
      if (!seat.selection.includesWave(n))
        continue;
      if (seat.hears != Hears::After)
        ears_[n].before.push_back(seat.listener.get());
      if (seat.hears != Hears::Before)
        ears_[n].after.push_back(seat.listener.get());
    }
  }
  if (present_.empty())
    return;
  plans_ = &state_.program->plans();
  record_.group_ = &group;
  for (Listener *listener : present_)
    listener->groupBegins(group);
}

void Audience::execute(Wave &w) {
  Ears &ears = ears_[w.number];
  record_.wave_ = &w;
  record_.inst_ = w.next;
  record_.plan_ = plans_->find(*w.next);
  record_.exec_ = w.exec();
  record_.stopped_ = record_.located_ = false;
  for (size_t n = 0; n < ears.before.size(); ++n) {
    Listener *listener = ears.before[n];
    listener->before(record_);
    if (record_.stopped_) [[unlikely]]
      return stopWave(w, *w.next, Event::Stopped);
    if (std::exchange(record_.left_, false)) [[unlikely]] {
      std::erase(ears.before, listener);
      std::erase(ears.after, listener);
      w.sliceEnd = 0; // Whoever listens to the others hears them next.
      --n;
    }
  }
  if (!ears.after.empty())
    record_.accesses();
  executeInstruction(w);
  for (Listener *listener : ears.after)
    listener->after(record_);
}

void Audience::barrierPassed() {
  for (Listener *listener : present_)
    listener->barrierPassed(*record_.group_);
}

void Audience::groupEnds() {
  for (Listener *listener : present_)
    listener->groupEnds(*record_.group_);
  present_.clear();
}

} // namespace rdna::emu
