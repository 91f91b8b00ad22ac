//===- Context.h - what the checks of one host thread share ---------------===//
#pragma once

#include "Emu/Check/Log.h"
#include "Emu/Check/Queue.h"
#include "Emu/Observe/Listener.h"

namespace rdna::emu {

/// One host thread's view while a workgroup runs.
struct CheckContext {
  const LaunchState &launch;
  const ProgramPlans &program;
  FindingLog log;
  /// By wave. A wait has taken effect before the checks hear of its instruction; an operation joins
  /// when all have heard of it.
  std::vector<PendingQueue> queues;
  /// Whether the operations in the queues keep what they access.
  enum class Pending : uint8_t { Registers, RegistersAndAccesses } pending = Pending::Registers;
};

// A check is a listener that hears only of instructions with a plan. Each row of Checks.def has its
// maker.
#define RDNA_CHECK(id, name, all, by, finds)                                                       \
  std::unique_ptr<Listener> create##id##Check(CheckContext &context);
#include "Emu/Check/Checks.def"

} // namespace rdna::emu
