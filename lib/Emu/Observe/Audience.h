//===- Audience.h - the listeners of one host thread ----------------------===//
#pragma once

#include "Emu/Observe/Listener.h"

#include <vector>

namespace rdna::emu {

/// Tells the listeners what they have selected.
class Audience {
public:
  /// Has every observer of the launch make its listener.
  explicit Audience(const LaunchState &state);

  /// `group` must last until groupEnds().
  void groupBegins(const GroupView &group);
  /// Whether somebody listens to a wave of the group that has begun.
  bool listensTo(const Wave &w) const { return !seats_.empty() && ears_[w.number].any(); }
  /// Executes one instruction of such a wave, or stops the wave before it.
  void execute(Wave &w);
  void barrierPassed();
  void groupEnds();

private:
  struct Seat {
    std::unique_ptr<Listener> listener;
    Selection selection;
    Listener::Hears hears;
  };
  /// Who hears of a wave.
  struct Ears {
    std::vector<Listener *> before, after;
    bool any() const { return !before.empty() || !after.empty(); }
  };

  const LaunchState &state_;
  const ProgramPlans *plans_ = nullptr; ///< Once a workgroup was selected.
  std::vector<Seat> seats_;             ///< In the order of Launch::observers.
  std::vector<Listener *> present_;     ///< Those that have selected waves of this group.
  std::vector<Ears> ears_;              ///< By wave.
  Record record_;
};

} // namespace rdna::emu
