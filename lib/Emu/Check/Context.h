//===- Context.h - what the check families of one host thread share ---===//
#pragma once

#include "Emu/Check/Log.h"
#include "Emu/Check/Queue.h"

namespace rdna::emu {

/// One host thread's view while a workgroup runs.
struct CheckContext {
  const LaunchState &launch;
  const CheckProgram &program;
  FindingLog log;
  std::vector<PendingQueue> queues; ///< By wave.
};

} // namespace rdna::emu
