//===- Turn.h - one compilation at a time, and none when the process ends -===//
//
// LLVM's options are global, so compilations take turns. So are objects that LLVM makes when it
// first needs them: exit() destroys them, also while another thread compiles. What C++ guarantees
// to come before that are destructors of the ending thread's own objects, so one of these waits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

namespace rdna::emu::jit {

/// Held by who compiles. Empty if there are to be no more compilations.
class Turn {
public:
  Turn();
  ~Turn();
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  explicit operator bool() const { return mine_; }
  /// Whether somebody waits for the process's end, so that the work is for nothing.
  static bool isWanted();

private:
  bool mine_ = false;
};

/// What a compilation without a turn comes to.
llvm::Error noTurn();

/// For threads that may end the process: when this one ends no compilation is in flight, and if it
/// is the main thread none begins any more.
void waitWhenThisThreadEnds();

} // namespace rdna::emu::jit
