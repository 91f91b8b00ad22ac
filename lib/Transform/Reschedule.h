//===- Reschedule.h - instructions in an order that waits less ------------===//
//
// What a scheduler behind register allocation does: registers and pairs stay, only the order within
// a block changes. A compiler schedules for its own code; passes that form pairs look at pairs.
// Here results get the time that they take, as far as registers leave room.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Pass.h"

namespace rdna {

/// Blocks of loops (of a function without any: all) whose instructions a wave would issue in fewer
/// clocks by latencies (LoneWave.h). First all of them in one step; if that is taken back, one
/// after the other.
llvm::Expected<PassResult> reschedule(const PassSite &site, PassState &state);

} // namespace rdna
