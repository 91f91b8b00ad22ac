//===- Waits.h - registers that a memory operation still owns ---------===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// Before `plan` executes in wave `w`: reads and writes of owned registers. Call it before the
/// instruction itself joins the queue.
void checkWaits(CheckContext &context, const Wave &w, const InstPlan &plan);

} // namespace rdna::emu
