#include "Emu/Session.h"

#include "Emu/HostFloat.h"

#include <algorithm>

namespace rdna::emu {
namespace {

Launch withoutObservers(Launch launch) {
  launch.observers.clear();
  return launch;
}

} // namespace

Session::Session(const DecodedProgram &program, const Launch &launch,
                 const std::array<uint32_t, 3> &workgroup)
    : program_(program), launch_(withoutObservers(launch)), workgroup_(workgroup),
      state_(program, launch_), runner_(state_) {
  runner_.begin(workgroup);
  for (unsigned n = 0; n < waves(); ++n)
    wave(n).sliceEnd = ~uint64_t(0); // The caller's steps are the slices.
}

Session::WaveState Session::state(unsigned number) const {
  switch (wave(number).event) {
  case Event::None:
    return WaveState::Ready;
  case Event::Barrier:
    return WaveState::AtBarrier;
  case Event::End:
    return WaveState::Ended;
  default:
    return WaveState::Failed;
  }
}

void Session::executeOne(Wave &w) {
  executeInstruction(w);
  if (w.event == Event::Yield)
    w.event = Event::None;
  if (w.budget && w.executed > w.budget && w.event == Event::None)
    stopWave(w, *w.next, Event::Budget);
}

void Session::releaseBarrier() {
  const auto all = runner_.waves();
  // Ended waves are not waited for (ISA, S_BARRIER); a failed one never comes.
  if (!std::all_of(all.begin(), all.end(), [](const auto &w) {
        return w->event == Event::Barrier || w->event == Event::End;
      }))
    return;
  for (const auto &w : all)
    if (w->event == Event::Barrier)
      w->event = Event::None;
}

llvm::Expected<uint64_t> Session::step(unsigned number, uint64_t count) {
  const HostFloat hostFloat;
  Wave &w = wave(number);
  uint64_t done = 0;
  while (done < count && w.event == Event::None) {
    if (done != 0 && breakpoints.contains(w.next->offset))
      break;
    executeOne(w);
    ++done;
    if (state(number) == WaveState::Failed)
      return emulationError(program_, w.event, w.culprit ? w.culprit->offset : 0, workgroup_);
  }
  if (w.event == Event::Barrier || w.event == Event::End)
    releaseBarrier();
  return done;
}

llvm::Expected<std::optional<unsigned>> Session::resume() {
  // Short turns, so that waves that wait for one another by spinning make progress.
  constexpr uint64_t turn = 1 << 16;
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned n = 0; n < waves(); ++n) {
      if (state(n) != WaveState::Ready)
        continue;
      progress = true;
      auto done = step(n, turn);
      if (!done)
        return done.takeError();
      if (state(n) == WaveState::Ready && breakpoints.contains(programCounter(n)))
        return n;
    }
  }
  return std::nullopt;
}

bool Session::jump(unsigned number, uint64_t offset) {
  const Inst *target = program_.at(offset);
  if (!target)
    return false;
  wave(number).next = target;
  return true;
}

llvm::Expected<std::unique_ptr<Session>>
DecodedProgram::debug(const Launch &launch, const std::array<uint32_t, 3> &workgroup) const {
  Launch one = launch;
  one.onlyWorkgroups = {workgroup};
  if (llvm::Error error = checkLaunch(one, image_))
    return error;
  const HostFloat hostFloat;
  return std::make_unique<Session>(*this, one, workgroup);
}

} // namespace rdna::emu
